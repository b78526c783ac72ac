"""Labels that no output can meet under the rules at hand (S2).

What a label may say of a date or a number depends on the rule there: ``date(day_first=True)`` reads more than
``date()``. So the label of such a type is held against the form in which outputs have it.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from pytest_schemascore.documents import paths
from pytest_schemascore.documents.jsonable import shortened
from pytest_schemascore.documents.label_directives import ANY, LITERAL, directive_of
from pytest_schemascore.documents.label_values import can_hold
from pytest_schemascore.documents.shapes import LabelProblem
from pytest_schemascore.scoring.comparators.choosing import chosen
from pytest_schemascore.scoring.comparators.exact import exact
from pytest_schemascore.scoring.forms import Forms, forms_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pytest_schemascore.documents.json_types import Json
    from pytest_schemascore.documents.shapes import Shape
    from pytest_schemascore.scoring.comparators.base import Comparator
    from pytest_schemascore.scoring.rules import RuleNode


@dataclass(frozen=True, slots=True)
class Meeting:
    """Checks the labels of a suite.

    Attributes:
        found: the shapes at each place whose outputs have a form of their own, by the id of its node.
    """

    found: dict[int, tuple[Shape, ...]] = field(default_factory=dict)

    def problems(self, label: Json, root: RuleNode) -> Iterator[LabelProblem]:
        """Yield what in *label* no output can meet under the rules of *root*, in the label's order."""
        pending: list[tuple[Json, RuleNode, str, bool]] = [(label, root, paths.ROOT, False)]
        while pending:
            part, node, path, literal = pending.pop()
            if node.skipped:
                continue
            directive = None if literal else directive_of(part)
            if directive is not None and isinstance(part, dict):
                content = part[directive]
                inside = content if directive == ANY else [content] if directive == LITERAL else []
                literal = directive == LITERAL
                pending += [(each, node, path, literal) for each in reversed(_listed(inside))]
            elif isinstance(part, dict):
                below = [(value, node.key(key), key) for key, value in part.items()]
                pending += [
                    (value, child, paths.join_key(path, key), literal)
                    for value, child, key in reversed(below)
                    if isinstance(value, (dict, list)) or self._shapes(child)
                ]
            elif isinstance(part, list):
                items = enumerate(part)
                pending += reversed([(v, node.item(i), paths.join_index(path, i), literal) for i, v in items])
            elif (shapes := self._shapes(node)) and (message := _unmet(part, node, shapes)):
                yield LabelProblem(path, message)

    def _shapes(self, node: RuleNode) -> tuple[Shape, ...]:
        known = self.found.get(id(node))
        if known is None:
            has_forms = not node.ignored and any(map(forms_of, node.shapes))
            known = self.found[id(node)] = node.shapes if has_forms else ()
        return known


def _listed(content: Json) -> list[Json]:
    return content if isinstance(content, list) else []


def _unmet(label: Json, node: RuleNode, shapes: tuple[Shape, ...]) -> str | None:
    """Say why no scalar of *shapes* meets *label*; None where one does, or where only the rule could tell."""
    holding = [forms_of(shape) for shape in shapes if can_hold(shape, label)]
    forms = [form for form in holding if form is not None]
    if label is None or not forms or None in holding:
        return None
    by_value = _rules_by_value(shapes)
    written: list[Json] = []
    for form in forms:
        for text in form.of(label):
            rule = chosen(node.comparator, label, text)
            if not isinstance(rule, by_value) or (form.can_be(label) and rule(label, text) == 1):
                return None
            written.append(text)
    if not isinstance(chosen(node.comparator, label, label), by_value):
        return None
    return _message(label, node, forms, written)


def _rules_by_value(shapes: tuple[Shape, ...]) -> tuple[type[Comparator], ...]:
    """Return the rules that compare the scalars of *shapes* by value, so that trying one tells what meets it.

    Others, a similarity or a function, may find a label good enough that is no value at all.
    """
    forms = [form for shape in shapes if (form := forms_of(shape)) is not None]
    return (exact, *(rule for form in forms for rule in form.rules()))


def _message(label: Json, node: RuleNode, forms: list[Forms], written: list[Json]) -> str:
    names = " or ".join(dict.fromkeys(form.name for form in forms))
    said = f"no {names} that the schema gives meets {shortened(repr(label), 60)} under {node.rule_name}"
    if any(isinstance(text, str) and set(text) == {"*"} for text in written):
        return (
            f"{said}: outputs hide it as {written[0]!r}; leave it out of the label, or use str in the schema"
        )
    write = list(dict.fromkeys(map(repr, written or [form.example for form in forms if form.example])))
    if not write:
        return f"{said}; the schema refuses it"
    if not written:
        return f"{said}; write it in the form of {' or '.join(write)}"
    hint = next((form.hint for form in forms if form.hint and len(write) > 1), "")
    return f"{said}; write {' or '.join(write)}{hint}"
