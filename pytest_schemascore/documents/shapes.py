"""What a schema says of the values at a place: one description for pydantic and JSON Schema alike."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import Enum
from typing import TYPE_CHECKING, NamedTuple, Protocol

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from pytest_schemascore.documents.json_types import Json


class Kind(Enum):
    """The type of a place, as far as it matters for choosing a rule (S2)."""

    ANY = "any"
    NULL = "null"
    BOOLEAN = "boolean"
    INTEGER = "integer"
    NUMBER = "number"
    DECIMAL = "decimal"
    TEXT = "text"
    CHOICE = "choice"  # Enum, Literal, enum, const: strict
    DATE = "date"
    DATETIME = "datetime"
    TIME = "time"
    URL = "url"
    DURATION = "duration"
    NOT_JSON = "text that is no JSON"
    OBJECT = "object"
    ARRAY = "array"


@dataclass(frozen=True, slots=True)
class Shape:
    """What may stand at one place of a document.

    A union holds its members in `options` (null among them where it may be null) and has kind ANY;
    everything that asks about a place looks through them.

    Attributes:
        kind: see `Kind`.
        keys: of an object, the known keys (as serialised) and their shapes; recursive schemas give the same
            `ShapeRef` again, so walk lazily.
        patterns: of an object, regular expressions and the shapes of the other keys that match them.
        others: of an object, the shape of all further keys; None where they are forbidden or dropped.
        optional: of an object, those of `keys` that an output may lack.
        aliases: of an object, other names of its fields (the Python name, names that only inputs use), each
            with the key that outputs have; for messages.
        item: of an array, the shape of its items beyond `prefix`; None where unknown.
        prefix: of an array, the shapes of its first items (tuples).
        ends: of an array, whether it never has items beyond `prefix`.
        options: of a union, its members.
        choices: of a `Kind.CHOICE`, the values it may take.
        form: of a scalar that validation rewrites (a URL, a UUID), what outputs have for a label of the same
            value; it returns None for labels that the schema refuses.
        rule: the comparator or pairing that stands in the schema here, or None.
        named: how the schema writes `rule` down, for messages (``Annotated`` or ``x-override-evaluator``).
    """

    kind: Kind
    keys: Mapping[str, ShapeRef] = field(default_factory=dict)
    patterns: Mapping[str, ShapeRef] = field(default_factory=dict)
    others: ShapeRef | None = None
    optional: frozenset[str] = frozenset()
    aliases: Mapping[str, str] = field(default_factory=dict)
    item: ShapeRef | None = None
    prefix: tuple[ShapeRef, ...] = ()
    ends: bool = False
    options: tuple[ShapeRef, ...] = ()
    choices: tuple[Json, ...] = ()
    form: Callable[[Json], Json] | None = None
    rule: object = None
    named: str = ""


class ShapeRef(Protocol):
    """A shape that is looked at only when needed, since schemas may refer to themselves."""

    def __call__(self) -> Shape: ...


class Validated(NamedTuple):
    """A value that passed the schema, in JSON form; `defaults` counts its leaves that are schema defaults."""

    value: Json
    defaults: int = 0


class Schema(Protocol):
    """What the rest of the package knows of a schema."""

    @property
    def shape(self) -> Shape: ...

    def validate(self, value: object, *, plain: bool = False) -> Validated:
        """Validate *value* (JSON data, or a model instance) and dump it in JSON form.

        *plain* says that it is known to be JSON data throughout: it is not looked through once more, and what
        no JSON can hold would be scored.

        Raises:
            ValidationFailed: it doesn't pass; the message names each path and reason.
        """
        ...

    def check_label(self, label: Json) -> list[LabelProblem]:
        """Return what in *label* the schema could never produce; a label may leave out what it likes (S2)."""
        ...


@dataclass(frozen=True, slots=True)
class LabelProblem:
    """Something in a label that no output can ever meet: where, and what is wrong with it."""

    path: str
    message: str


class ValidationFailed(Exception):  # noqa: N818 - it is an outcome of a case, not an error of the program
    """The output didn't pass the schema; the text names each path and reason."""
