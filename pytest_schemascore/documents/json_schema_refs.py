"""The references of a JSON Schema: all must lead to a place within it, nothing is ever fetched."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from referencing.exceptions import Unresolvable
from referencing.jsonschema import DRAFT202012, EMPTY_REGISTRY, UnknownDialect, specification_with

from pytest_schemascore.errors import SchemaError

if TYPE_CHECKING:
    from collections.abc import Mapping

    from referencing import Resource
    from referencing._core import Resolver  # the package exports what returns one, but not its name

REFERENCES: Final = ("$ref", "$dynamicRef")

# The last three come of pointers through lists and texts, and of draft-03's "extends" where it is an object.
_LEADS_NOWHERE: Final = (Unresolvable, ValueError, TypeError, AttributeError)


def resource_of(schema: Mapping[str, Any]) -> Resource[Any]:
    """Return *schema* as a resource of the dialect its ``$schema`` names, 2020-12 by default.

    Raises:
        SchemaError: the dialect isn't known.
    """
    dialect = schema.get("$schema")
    try:
        specification = DRAFT202012 if dialect is None else specification_with(str(dialect))
    except UnknownDialect as error:
        msg = (
            f"unknown $schema {dialect!r}; the current one is 'https://json-schema.org/draft/2020-12/schema'"
        )
        raise SchemaError(msg) from error
    return specification.create_resource(schema)


def resolver_of(resource: Resource[Any]) -> Resolver[Any]:
    """Return a resolver that knows *resource* alone and fetches nothing."""
    return EMPTY_REGISTRY.resolver_with_root(resource)


def follow(reference: str, resolver: Resolver[Any]) -> tuple[Any, Resolver[Any]]:
    """Return the schema that *reference* leads to, and the resolver for references in there.

    Raises:
        SchemaError: it leads nowhere, or to another document.
    """
    try:
        resolved = resolver.lookup(reference)
    except _LEADS_NOWHERE as error:
        if reference.startswith("#"):
            msg = f"$ref {reference!r} leads nowhere in the schema"
        else:
            msg = (
                f"$ref {reference!r} leads out of the schema, and nothing is fetched;"
                " copy what it names into $defs and refer to '#/$defs/NAME'"
            )
        raise SchemaError(msg) from error
    return resolved.contents, resolved.resolver


def check_references(resource: Resource[Any]) -> None:
    """Follow every reference in *resource*.

    Raises:
        SchemaError: one leads nowhere, or to another document.
    """
    seen: set[int] = set()
    pending = [(resource, resolver_of(resource))]
    while pending:
        part, resolver = pending.pop()
        schema = part.contents
        if not isinstance(schema, dict) or id(schema) in seen:
            continue
        seen.add(id(schema))
        for keyword in REFERENCES:
            if isinstance(reference := schema.get(keyword), str):
                contents, inner = follow(reference, resolver)
                pending.append((DRAFT202012.create_resource(contents), inner))
        # Of draft-03's "extends", an object, the library gives the keys.
        children = (child for child in part.subresources() if isinstance(child.contents, dict))
        pending.extend((child, resolver.in_subresource(child)) for child in children)
