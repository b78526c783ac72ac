"""Labels that no output can ever meet are found, and those that one can are left in peace (S2, S11)."""

# Annotations are evaluated here, as pydantic must see the classes that tests define in functions.

import enum
from datetime import date, datetime, time
from decimal import Decimal
from typing import Any, Literal, NamedTuple, NotRequired, Union

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pydantic import BaseModel, ConfigDict, Field, RootModel, computed_field, field_serializer
from pydantic.alias_generators import to_camel
from typing_extensions import TypedDict

from pytest_schemascore.documents.json_types import Json
from pytest_schemascore.documents.paths import field_of
from pytest_schemascore.documents.schema import adapt_schema
from tests.shared_data import read_jsonl, shared_path


class Colour(enum.Enum):
    """An enum of texts."""

    RED = "red"
    BLUE = "blue"


class Vendor(BaseModel):
    """A nested model."""

    name: str
    city: str | None = None


class Line(BaseModel):
    """An item."""

    sku: str
    price: Decimal


class Invoice(BaseModel):
    """The usual kind of schema."""

    number: str
    issued: date
    paid: bool
    vendor: Vendor
    lines: list[Line]
    colour: Colour = Colour.RED


def problems(schema: object, label: Json) -> dict[str, str]:
    """Return path -> message of what is wrong with *label*."""
    return {found.path: found.message for found in adapt_schema(schema).check_label(label)}


@pytest.mark.parametrize(
    ("schema", "good", "bad"),
    [
        (int, [1, 1.0, 10**40], ["5", True, 1.5, None, [], {}]),
        (float, [1, 1.5], ["1.5", False, None]),
        (
            Decimal,
            [10.5, 10, "10.50", "1E+2", "1E+400", "-1E-999"],
            ["ten", True, "NaN", "sNaN", "-Infinity", None, "1,5"],
        ),
        (str, ["", "a"], [1, None, True, ["a"]]),
        (bool, [True, False], [1, 0, "true"]),
        (date, ["2026-01-05", "5 Jan 2026"], ["garbage", 20260105, "2026-02-30", None]),
        (datetime, ["2026-01-05T10:00:00Z", "2026-01-05"], ["garbage", 1]),
        (time, ["10:00:00", "10:30"], ["garbage", 10]),
        (Colour, ["red"], ["RED", "green", None, 1]),
        (enum.Flag("Sides", ["LEFT", "RIGHT"]), [1, 3, 0], ["LEFT", 1.5]),
        (Literal["a", 1, None], ["a", 1, 1.0, None], [True, "A", 2]),
        (Literal[True], [True], [1, False]),
        (str | None, ["a", None], [1]),
        (int | str, [1, "a"], [1.5, None]),
        (list[int], [[], [1, 2], None], [["a"], [None], 1, {}]),
        (tuple[int, str], [[1, "a"], [1]], [["a", "a"], [1, 1]]),
        (dict[str, int], [{}, {"a": 1}, {"a": None}], [{"a": "x"}, []]),
        (Any, [1, None, {"a": [1]}], []),
        (None, [1, None, {"a": [1]}], []),
        ({"type": "string", "nullable": True}, ["a", None], [1]),
        ({"type": "integer"}, [1, 1.0], ["1", True, None]),
        ({"type": "string", "format": "date"}, ["2026-01-05"], ["garbage", 1]),
        ({"enum": ["a", None]}, ["a", None], ["b"]),
    ],
)
def test_a_label_must_be_something_the_schema_can_produce(
    schema: object, good: list[Json], bad: list[Json]
) -> None:
    """Numbers and dates by value, the rest by type; null where null, absence or emptiness can be."""
    assert [label for label in good if problems(schema, label)] == []
    assert [label for label in bad if not problems(schema, label)] == []


def test_a_label_may_leave_out_what_it_likes() -> None:
    """Partial labels are fine at every depth."""
    assert problems(Invoice, {}) == {}
    assert problems(Invoice, {"vendor": {"city": "Rome"}, "lines": [{"sku": "a"}, {}]}) == {}


def test_every_problem_is_named_with_its_path() -> None:
    """In the label's order."""
    label: Json = {
        "number": 7,
        "issued": "soon",
        "vendor": {"name": None, "city": None},
        "lines": [{"price": 1}, {"price": "x"}],
        "colour": "bleu",
    }
    found = problems(Invoice, label)
    assert list(found) == ["number", "issued", "vendor.name", "lines[1].price", "colour"]
    assert found["number"] == "the schema gives text here, never integer 7"
    assert found["issued"] == "the schema gives date here, never text 'soon'"
    assert found["vendor.name"] == "the schema gives text here, never null"
    assert found["lines[1].price"] == "the schema gives decimal number here, never text 'x'"
    assert found["colour"] == (
        "the schema gives one of 'red', 'blue' here, never text 'bleu'; did you mean 'blue'?"
    )


def test_an_unknown_key_of_a_closed_object_is_a_problem() -> None:
    """With the nearest known one, or else those there are; whatever stands there."""
    assert problems(Invoice, {"vendr": {}}) == {
        "vendr": "no output has this key; did you mean 'vendor'?",
    }
    assert problems(Vendor, {"zip": None}) == {"zip": "no output has this key; the keys are 'name', 'city'"}
    closed = {"type": "object", "properties": {"a.b": {}}, "additionalProperties": False}
    assert problems(closed, {"a.c": 1}) == {"['a.c']": "no output has this key; did you mean 'a.b'?"}


def test_unknown_keys_of_open_objects_are_fine() -> None:
    """Models that keep them, and JSON Schemas that allow them."""

    class Open(BaseModel):
        model_config = ConfigDict(extra="allow")
        a: int

    assert problems(Open, {"b": "anything"}) == {}
    assert problems({"properties": {"a": {}}}, {"b": 1}) == {}


def test_keys_are_those_that_outputs_have() -> None:
    """The Python name of an aliased field is a mistake that is explained."""

    class Camel(BaseModel):
        model_config = ConfigDict(alias_generator=to_camel)
        issued_on: date
        total: int = Field(serialization_alias="sum")

    assert problems(Camel, {"issuedOn": "2026-01-05", "sum": 1}) == {}
    found = problems(Camel, {"issued_on": "2026-01-05", "total": 1})
    assert "'issuedOn'" in found["issued_on"]
    assert "'sum'" in found["total"]


def test_null_is_fine_where_an_output_may_lack_the_key() -> None:
    """A null label is met by absence."""

    class Partial(TypedDict):
        a: str
        b: NotRequired[str]

    assert problems(Partial, {"b": None}) == {}
    assert "a" in problems(Partial, {"a": None})
    schema = {"properties": {"a": {"type": "string"}, "b": {"type": "string"}}, "required": ["a"]}
    assert problems(schema, {"b": None}) == {}
    assert "a" in problems(schema, {"a": None})


def test_a_default_of_null_can_be_labelled_null() -> None:
    """pydantic gives it although the type says otherwise."""

    class Sloppy(BaseModel):
        a: str = None  # type: ignore[assignment]  # that is the point

    assert problems(Sloppy, {"a": None}) == {}


def test_what_a_serializer_gives_is_not_judged() -> None:
    """It may be of any type; computed fields are keys."""

    class Custom(BaseModel):
        a: int

        @field_serializer("a")
        def as_text(self, value: int) -> str:
            return f"#{value}"

        @computed_field  # type: ignore[prop-decorator]  # mypy knows no decorated properties
        @property
        def double(self) -> int:
            return 2 * self.a

    assert problems(Custom, {"a": "#1", "double": 2}) == {}
    assert list(problems(Custom, {"double": "2"})) == ["double"]


class Cat(BaseModel):
    """One of two."""

    kind: Literal["cat"]
    lives: int


class Dog(BaseModel):
    """The other."""

    kind: Literal["dog"]
    name: str


def test_unions_accept_what_any_member_accepts() -> None:
    """Where none does, the nearest member's problems are told."""
    pet = Cat | Dog
    assert problems(list[pet], [{"kind": "cat", "lives": 9}, {"name": "Rex"}]) == {}
    assert problems(pet, {"kind": "dog", "name": 1}) == {
        "name": "the schema gives text here, never integer 1"
    }
    assert problems(pet, {"kind": "cat", "name": "Rex"}).keys() <= {"kind", "name"}
    assert problems(pet, 1) == {"$": "the schema gives object here, never integer 1"}
    assert problems(int | None, "a") == {"$": "the schema gives integer or null here, never text 'a'"}


class Tree(BaseModel):
    """A model that holds itself."""

    value: int
    children: list["Tree"] = []


class Nested(RootModel[int | list["Nested"] | dict[str, "Nested"]]):
    """JSON without texts."""


class Add(BaseModel):
    """An expression of two."""

    left: "Expression"
    right: "Expression"


class Negate(BaseModel):
    """An expression of one."""

    left: "Expression"
    sign: Literal["-"] | None = None


Expression = int | Add | Negate
Add.model_rebuild()


def test_recursive_schemas_end() -> None:
    """However deep the label goes, and at once: unions that hold themselves are asked once a place."""
    assert problems(Tree, {"value": 1, "children": [{"value": 2, "children": [{"value": "x"}]}]}) == {
        "children[0].children[0].value": "the schema gives integer here, never text 'x'"
    }
    assert problems(Nested, {"a": [1, {"b": 2}]}) == {}
    assert list(problems(Nested, {"a": [1, {"b": "x"}]})) == ["a[1].b"]
    deep: Json = "x"
    for _ in range(40):
        deep = {"left": deep}
    assert len(problems(Add, deep)) == 1


# Directives


def test_directives_are_understood() -> None:
    """Each stands for values that the place can hold."""
    label: Json = {
        "number": {"$regex": "[A-Z]+-[0-9]+"},
        "issued": {"$any": ["2026-01-05", {"$regex": "2026-.*"}]},
        "paid": {"$ignore": True},
        "vendor": {"name": {"$any": ["Acme", {"$literal": "$x"}]}, "city": {"$absent": True}},
        "lines": [{"$ignore": True}, {"sku": {"$literal": "a"}}],
        "colour": {"$any": ["red", "blue"]},
    }
    assert problems(Invoice, label) == {}
    assert problems(Invoice, {"lines": {"$absent": True}}) == {}
    assert problems(Invoice, {"$any": [{"paid": True}, {"paid": False}]}) == {}


@pytest.mark.parametrize(
    ("schema", "label", "part"),
    [
        (None, {"$any": []}, "at least one"),
        (None, {"$any": "a"}, "at least one"),
        (None, {"$ignore": False}, "takes true"),
        (None, {"$absent": 1}, "takes true"),
        (None, {"$regex": 1}, "as text"),
        (None, {"$regex": "("}, "no regular expression"),
        (None, {"$any": [1], "b": 2}, "stands alone, here it is beside 'b'"),
        (None, [{"$absent": True}], "can't stand in a list"),
        (None, [{"$any": [1, {"$absent": True}]}], "can't stand in a list"),
        (None, {"a": {"$any": [{"$regex": "["}]}}, "no regular expression"),
        (int, {"$any": [1, "x"]}, "never text 'x'"),
        (
            int,
            {"$regex": "[0-9]+"},
            "the schema gives integer here, never text, which is what $regex matches",
        ),
        (int, {"$absent": True}, "can't be met"),
        (int, {"$literal": "5"}, "never text '5'"),
        (Invoice, {"$ingore": True}, "did you mean '$ignore'?"),
    ],
)
def test_directives_that_cant_be_met_are_problems(schema: object, label: Json, part: str) -> None:
    """Malformed ones, and those that no output of the schema meets."""
    (message,) = problems(schema, label).values()
    assert part in message


def test_other_keys_that_begin_with_a_dollar_are_data() -> None:
    """And everything inside $literal is."""
    assert problems(None, {"$ref": "#/a", "$anything": []}) == {}
    assert problems(None, {"$literal": {"$any": [], "b": {"$regex": "("}}}) == {}
    assert problems(dict[str, int], {"$literal": {"$any": 1}}) == {}


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from("abc"), inner, max_size=3),
    max_leaves=8,
)


class Loose(BaseModel):
    """A bit of everything that JSON data of three keys can hit."""

    a: int | str | None = None
    b: list[Union["Loose", float]] = []
    c: dict[str, bool] | Literal["x", 1] = 1


@settings(deadline=None, max_examples=150)
@given(json_values)
def test_what_a_schema_produces_is_always_a_fine_label(value: Json) -> None:
    """A dump of any valid value has no problems as a label."""
    for type_ in (Loose, Nested, list[Loose], dict[str, Decimal | date | None]):
        schema = adapt_schema(type_)
        try:
            dumped = schema.validate(value).value
        except Exception:  # noqa: BLE001, S112 - a value that doesn't pass says nothing here
            continue
        assert schema.check_label(dumped) == []


# The faults of the real labels, found by reading them beside their schemas.
REAL_FAULTS = {
    "extractbench_papers": {"citations[*]", "publication_type"},
    "extractbench_10q": {
        "meta.report_period_end_date",
        "cash_flow_statement.shares_issued[*].unit",
        "cash_flow_statement.shares_repurchased[*].unit",
    },
}


@pytest.mark.parametrize("name", REAL_FAULTS)
def test_real_labels_have_the_problems_they_have(name: str) -> None:
    """Texts for objects, numbers for texts, '2025-01-2025' for a date; and nothing else."""
    folder = shared_path("data", name)
    schema = adapt_schema(folder / "schema.json")
    found = {
        field_of(problem.path)
        for case in read_jsonl(folder / "cases.jsonl")
        for problem in schema.check_label(case["expected"])
    }
    assert found == REAL_FAULTS[name]


class Pair(NamedTuple):
    """A tuple with names, dumped as a list."""

    amount: int
    unit: str


BOTH = {"allOf": [{"prefixItems": [{}, {}, {}]}, {"prefixItems": [{"type": "integer"}], "items": False}]}
DRAFT_7 = {
    "$schema": "http://json-schema.org/draft-07/schema#",
    "items": [{"type": "integer"}],
    "additionalItems": False,
}


@pytest.mark.parametrize(
    ("schema", "good", "bad"),
    [
        (tuple[int, str], [1, "a"], [1, "a", "b"]),
        (tuple[int, str], [1, "a"], [1, "a", None]),
        (tuple[int, str] | None, [1], [1, "a", {"$any": ["b"]}]),
        (tuple[()], [], [1]),
        (Pair, [1, "kg"], [1, "kg", 2]),
        ({"prefixItems": [{}, {}], "items": False}, [1, 2], [1, 2, 3]),
        ({"items": False}, [], [1]),
        ({"prefixItems": [{}], "unevaluatedItems": False}, [1], [1, 2]),
        (DRAFT_7, [1], [1, 2]),
        (BOTH, [1], [1, 2]),
    ],
)
def test_items_beyond_the_end_of_a_tuple_are_a_problem(schema: object, good: Json, bad: list[Json]) -> None:
    """Each with its index; an ignored one asks for nothing."""
    assert problems(schema, good) == {}
    (path,) = problems(schema, bad)
    assert path == f"$[{len(bad) - 1}]"
    assert "no output has this item; the schema gives " in problems(schema, bad)[path]
    assert problems(schema, [*bad[:-1], {"$ignore": True}]) == {}


@pytest.mark.parametrize(
    ("schema", "label"),
    [
        (tuple[int, ...], [1, 2, 3]),
        ({"prefixItems": [{"type": "integer"}]}, [1, "a"]),
        ({"prefixItems": [{}], "contains": {}, "unevaluatedItems": False}, [1, 2]),
        ({"prefixItems": [{"type": "integer"}], "items": {"type": "string"}}, [1, "a", "b"]),
    ],
)
def test_tuples_without_an_end_take_more_items(schema: object, label: Json) -> None:
    """As many as the label likes."""
    assert problems(schema, label) == {}


PATTERNED: dict[str, Any] = {
    "properties": {"a": {"type": "string"}},
    "patternProperties": {"^i-": {"type": "integer"}, "-s$": {"type": "string"}},
    "additionalProperties": False,
}


def test_keys_that_match_no_pattern_of_a_closed_object_are_a_problem() -> None:
    """A key that matches has the type of its pattern; what others may be, additionalProperties says."""
    assert problems(PATTERNED, {"a": "x", "i-1": 1, "x-s": "y"}) == {}
    assert problems(PATTERNED, {"x": 1, "i-1": "one"}) == {
        "x": "no output has this key; the keys are 'a' and those that match '^i-' or '-s$'",
        "i-1": "the schema gives integer here, never text 'one'",
    }
    only = {"patternProperties": {"^i-": {}}, "additionalProperties": False}
    assert problems(only, {"x": 1}) == {"x": "no output has this key; the keys are those that match '^i-'"}
    typed = {**PATTERNED, "additionalProperties": {"type": "boolean"}}
    assert problems(typed, {"x": True, "i-1": 1}) == {}
    assert list(problems(typed, {"x": 1, "i-1": True})) == ["x", "i-1"]
    assert problems({"patternProperties": {"^i-": {"type": "integer"}}}, {"x": "anything"}) == {}
    foreign = {"patternProperties": {r"^\p{L}$": {}}, "additionalProperties": False}
    assert problems({"$ref": "#/x", "x": foreign}, {"x": 1}) == {}


def test_patterns_of_all_parts_hold() -> None:
    """A part that is closed allows its own keys alone."""
    open_part = {"patternProperties": {"^o-": {"type": "integer"}}}
    both = {"allOf": [PATTERNED, open_part]}
    assert problems(both, {"a": "x", "i-1": 1}) == {}
    assert list(problems(both, {"o-1": 1})) == ["o-1"]
    assert list(problems({"allOf": [open_part, {"properties": {"b": {}}}]}, {"o-1": "x"})) == ["o-1"]


def test_a_mapping_with_keys_of_its_own_is_closed() -> None:
    """Its keys are an enum's or a literal's."""
    assert problems(dict[Literal["a", "b"], int], {"a": 1}) == {}
    assert list(problems(dict[Literal["a", "b"], int], {"c": 1})) == ["c"]
    assert problems(dict[Colour, int], {"red": 1}) == {}
    assert list(problems(dict[Colour, int], {"green": 1, "blue": "x"})) == ["green", "blue"]
