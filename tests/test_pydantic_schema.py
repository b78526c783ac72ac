"""pydantic schemas: validation, dumps, counted defaults, and what can't be understood."""

# Annotations are evaluated here, as pydantic must see the classes that tests define in functions.

from dataclasses import dataclass
from datetime import date, datetime
from decimal import Decimal
from typing import Annotated, Any, Literal
from uuid import UUID

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pydantic import (
    AliasChoices,
    AnyUrl,
    BaseModel,
    ConfigDict,
    Field,
    RootModel,
    computed_field,
    field_serializer,
    field_validator,
)
from pydantic.alias_generators import to_camel

from pytest_schemascore.documents.json_types import Json
from pytest_schemascore.documents.schema import adapt_schema
from pytest_schemascore.documents.shapes import Kind, ValidationFailed
from pytest_schemascore.errors import SchemaError
from tests.annotated_models import Invoice, Line, Node, Vendor


def rejected(schema: object, value: object) -> str:
    """Validate a wrong value and return the message."""
    with pytest.raises(ValidationFailed) as caught:
        adapt_schema(schema).validate(value)
    return str(caught.value)


@pytest.mark.parametrize(
    ("schema", "value", "dumped"),
    [
        (float, "10", 10.0),
        (int, "10", 10),
        (int, 10**30, 10**30),
        (Decimal, "10.50", "10.50"),
        (Decimal, 10.5, "10.5"),
        (date, "2026-01-05", "2026-01-05"),
        (datetime, "2026-01-05T10:00:00Z", "2026-01-05T10:00:00Z"),
        (list[int], ["1", 2], [1, 2]),
        (set[int], [1, 1], [1]),
        (tuple[int, str], [1, "a"], [1, "a"]),
        (dict[int, date], {"1": "2026-01-05"}, {"1": "2026-01-05"}),
        (Annotated[int, Field(ge=1)], 3, 3),
        (int | str, "a", "a"),
        (Literal["a", 1], 1, 1),
        (int | None, None, None),
        (UUID, "12345678-1234-5678-1234-567812345678", "12345678-1234-5678-1234-567812345678"),
        (AnyUrl, "https://example.com", "https://example.com/"),
        (Any, {"a": [10**25, 0.5]}, {"a": [10**25, 0.5]}),
    ],
)
def test_a_value_is_coerced_and_dumped_in_json_form(schema: object, value: object, dumped: Json) -> None:
    """pydantic's own strictness decides, and big integers and Decimals stay exact (S2)."""
    result = adapt_schema(schema).validate(value).value
    assert result == dumped
    assert type(result) is type(dumped)


def test_a_value_that_fails_lists_every_path_and_reason() -> None:
    """Each error is a line of path and reason; nested lists have their indexes."""
    text = rejected(
        Invoice,
        {"number": "1", "vendor": {}, "payer": {"name": 3}, "lines": [{"sku": "a", "price": "1,5"}]},
    )
    assert text.split("\n") == [
        "vendor.name: Field required",
        "payer.name: Input should be a valid string, got 3",
        "lines[0].price: Input should be a valid number, unable to parse string as a number, got '1,5'",
    ]


def test_many_errors_are_capped_and_counted() -> None:
    """Ten lines, then how many are left; a huge input isn't repeated."""
    text = rejected(list[int], ["x" * 10_000] * 30)
    assert text.count("\n") == 10
    assert text.endswith("\nand 20 more")
    assert len(text) < 3_000


def test_keys_with_dots_are_quoted_in_messages() -> None:
    """The paths of messages are those of S4."""
    assert rejected(dict[str, int], {"a.b": "x"}).startswith("['a.b']: ")


def test_the_names_of_union_members_are_no_part_of_the_path() -> None:
    """pydantic puts them into its locations; ours are places in the value."""
    text = rejected(dict[str, int | list[int]], {"a": ["x"]})
    assert {line.partition(": ")[0] for line in text.split("\n")} == {"a", "a[0]"}


def test_an_instance_is_dumped() -> None:
    """An extractor may return the model itself."""
    value = adapt_schema(Vendor).validate(Vendor(name="Acme", city="Rome")).value
    assert value == {"name": "Acme", "city": "Rome"}


def test_instances_inside_a_dict_are_dumped() -> None:
    """A dict may hold models and dates."""
    schema = dict[str, Vendor | date]
    value = {"a": Vendor(name="Acme"), "b": date(2026, 1, 5)}
    assert adapt_schema(schema).validate(value).value == {
        "a": {"name": "Acme", "city": None},
        "b": "2026-01-05",
    }


def test_an_instance_of_another_class_is_dumped_and_validated() -> None:
    """What counts is what it holds."""

    class Other(BaseModel):
        name: str
        since: date

    @dataclass
    class Plain:
        name: str

    schema = adapt_schema(Vendor)
    assert schema.validate(Other(name="Acme", since=date(2026, 1, 5))).value == {"name": "Acme", "city": None}
    assert schema.validate(Plain("Acme")).value == {"name": "Acme", "city": None}
    assert rejected(Line, Other(name="Acme", since=date(2026, 1, 5))).startswith("sku: Field required")


def test_strict_models_take_what_json_can_write() -> None:
    """Under strict mode a date's text passes, as JSON has no other way; "1" fails for an int."""

    class Strict(BaseModel):
        model_config = ConfigDict(strict=True, frozen=True)
        day: date
        count: int

    assert adapt_schema(Strict).validate({"day": "2026-01-05", "count": 1}).value == {
        "day": "2026-01-05",
        "count": 1,
    }
    assert rejected(Strict, {"day": "2026-01-05", "count": "1"}) == (
        "count: Input should be a valid integer, got '1'"
    )


def test_keys_are_dumped_as_the_schema_serialises_them() -> None:
    """Validation takes the names that pydantic takes; the dump has the serialisation alias."""

    class Aliased(BaseModel):
        plain: int = Field(alias="Plain")
        out: int = Field(serialization_alias="Out")
        both: int = Field(validation_alias="in", serialization_alias="Both")
        several: int = Field(validation_alias=AliasChoices("one", "two"))

    schema = adapt_schema(Aliased)
    value = schema.validate({"Plain": 1, "out": 2, "in": 3, "two": 4}).value
    assert value == {"Plain": 1, "Out": 2, "Both": 3, "several": 4}
    assert set(schema.shape.keys) == {"Plain", "Out", "Both", "several"}
    assert schema.shape.aliases == {
        "plain": "Plain",
        "out": "Out",
        "both": "Both",
        "in": "Both",
        "one": "several",
        "two": "several",
    }


def test_generated_aliases_are_keys() -> None:
    """An alias generator works like an alias; by-name input passes where the model says so."""

    class Camel(BaseModel):
        model_config = ConfigDict(alias_generator=to_camel, populate_by_name=True)
        issued_on: date

    schema = adapt_schema(Camel)
    assert list(schema.shape.keys) == ["issuedOn"]
    assert schema.validate({"issued_on": "2026-01-05"}).value == {"issuedOn": "2026-01-05"}
    assert schema.validate({"issuedOn": "2026-01-05"}).value == {"issuedOn": "2026-01-05"}


@pytest.mark.parametrize("number", [float("nan"), float("inf"), float("-inf")])
def test_a_dump_that_is_not_json_fails(number: float) -> None:
    """pydantic lets NaN and Infinity through; JSON doesn't (S1)."""
    assert rejected(Line, {"sku": "a", "price": number}).startswith("price: ")


@pytest.mark.parametrize("error", [RuntimeError, KeyError, ZeroDivisionError, RecursionError])
def test_what_a_validator_raises_fails_the_validation(error: type[Exception]) -> None:
    """Any exception out of the user's own code is named; none leaves the adapter."""

    class Raises(BaseModel):
        a: int

        @field_validator("a")
        @classmethod
        def refuse(cls, value: int) -> int:
            raise error(f"not {value}")

    assert error.__name__ in rejected(Raises, {"a": 1})


def test_what_a_serializer_raises_fails_the_validation() -> None:
    """So does a dump that raises."""

    class Raises(BaseModel):
        a: int

        @field_serializer("a")
        def refuse(self, value: int) -> int:
            raise RuntimeError(f"no dump of {value}")

    assert "no dump" in rejected(Raises, {"a": 1})


def test_an_instance_whose_property_raises_fails_the_validation() -> None:
    """A computed field is the user's code too."""

    class Raises(BaseModel):
        a: int

        @computed_field  # type: ignore[prop-decorator]  # mypy knows no decorated properties
        @property
        def bad(self) -> int:
            raise LookupError("gone")

    assert "gone" in rejected(Raises, Raises(a=1))


def test_a_circular_instance_fails_the_validation() -> None:
    """A model that holds itself has no JSON form."""
    node = Node(value=1)
    node.children.append(node)
    assert rejected(Node, node)


def test_forbidden_keys_are_named() -> None:
    """By their path."""

    class Forbids(BaseModel):
        model_config = ConfigDict(extra="forbid")
        a: int

    assert rejected(Forbids, {"a": 1, "b": 2}) == "b: Extra inputs are not permitted, got 2"


# Defaults


def test_leaves_that_are_schema_defaults_are_counted() -> None:
    """Every leaf of the dump that the input didn't set, at any depth."""

    class Inner(BaseModel):
        a: int
        b: int = 2
        c: list[int] = []

    class Outer(BaseModel):
        one: Inner
        many: list[Inner]
        named: dict[str, Inner] = Field(default={}, serialization_alias="byName")
        fixed: Inner = Inner(a=1)
        empty: str | None = None

    schema = adapt_schema(Outer)
    # one: b and c; many: the second item's c; byName, empty: a leaf each; fixed: a, b and c.
    value = {"one": {"a": 1}, "many": [{"a": 1, "b": 2, "c": [1]}, {"a": 1, "b": 2}]}
    assert schema.validate(value).defaults == 2 + 1 + 1 + 1 + 3
    full = {**value, "named": {"x": {"a": 1, "b": 1}}, "fixed": {"a": 1, "b": 1, "c": []}, "empty": None}
    assert schema.validate(full).defaults == 2 + 1 + 1


def test_without_defaults_nothing_is_counted() -> None:
    """A schema without defaults, and an instance that set every field."""
    assert adapt_schema(Line).validate({"sku": "a", "price": 1}).defaults == 0
    assert adapt_schema(Vendor).validate(Vendor(name="a", city=None)).defaults == 0
    assert adapt_schema(Vendor).validate(Vendor(name="a")).defaults == 1


def test_a_root_models_default_is_counted_whole() -> None:
    """Where the root wasn't given, all its leaves are defaults."""

    class Pair(RootModel[dict[str, int]]):
        root: dict[str, int] = {"a": 1, "b": 2}

    class Holder(BaseModel):
        pair: Pair = Pair()

    assert adapt_schema(Holder).validate({}).defaults == 2
    assert adapt_schema(Holder).validate(Holder(pair=Pair())).defaults == 2
    assert adapt_schema(Holder).validate({"pair": {"a": 1}}).defaults == 0


# What can't be understood


class Unknown:
    """A class that pydantic knows nothing of."""


@pytest.mark.parametrize(
    ("schema", "message"),
    [
        (Unknown, "Unknown"),
        (Vendor(name="a"), "give the class itself, schema=Vendor"),
        (42, "neither a type"),
        (len, "neither a type"),
        ([Vendor], "neither a type"),
        (list["Nowhere"], "Nowhere"),  # type: ignore[name-defined]  # noqa: F821 - the mistake under test
    ],
)
def test_what_is_no_schema_is_an_error(schema: object, message: str) -> None:
    """The message names what was given."""
    with pytest.raises(SchemaError, match=message):
        adapt_schema(schema)


def test_a_model_with_an_undefined_reference_is_an_error() -> None:
    """Found when the schema is adapted, not at the first output."""

    class Dangling(BaseModel):
        other: "Missing"  # type: ignore[name-defined]  # noqa: F821 - the mistake under test

    with pytest.raises(SchemaError, match="Dangling"):
        adapt_schema(Dangling)


def test_no_schema_takes_any_json() -> None:
    """Values pass unchanged, typed objects are dumped, what can't be JSON fails."""
    schema = adapt_schema(None)
    value: Json = {"a": [1, 10**40, None, 0.5, True]}
    assert schema.validate(value).value is value
    assert schema.validate({"v": Vendor(name="a"), "d": date(2026, 1, 5)}).value == {
        "v": {"name": "a", "city": None},
        "d": "2026-01-05",
    }
    assert schema.shape.kind is Kind.ANY
    assert rejected(None, {"a": [float("nan")]}) == "a[0]: nan is not JSON"
    assert "Unknown" in rejected(None, [Unknown()])


def test_a_number_that_no_text_can_hold_fails_its_own_output() -> None:
    """Python refuses to write an integer of so many digits; the case says so, and no other one suffers."""

    class Total(BaseModel):
        total: int

    with pytest.raises(ValidationFailed, match=r"an integer of more than 4,300 digits is not JSON"):
        adapt_schema(Total).validate(Total(total=10**5000))


class Loose(BaseModel):
    """Coerces, holds anything, and dumps one field by a serializer of its own."""

    whole: int = 0
    text: str | None = None
    rest: Any = None
    odd: Any = None

    @field_serializer("odd")
    def twist(self, value: object) -> object:
        """Make of one value what JSON doesn't have, and of another one that equals it."""
        return {"nan": float("nan"), "endless": 10**5000, "true": 1}.get(str(value), value)


JSON_VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=6,
)
ODD = st.sampled_from(["nan", "endless", "true"]) | JSON_VALUES


@settings(deadline=None, max_examples=200)
@given(st.fixed_dictionaries({}, optional={"whole": JSON_VALUES, "text": st.text(), "rest": ODD, "odd": ODD}))
def test_plain_data_need_not_be_looked_through_again(value: dict[str, Any]) -> None:
    """What is said to be JSON data comes to the same as what is found to be: value, defaults or refusal."""
    for schema in map(adapt_schema, (None, Loose, {"type": "object", "maxProperties": 3})):
        found: list[object] = []
        for plain in (False, True):
            try:
                found.append(schema.validate(value, plain=plain))
            except ValidationFailed as error:
                found.append(str(error))
        assert repr(found[0]) == repr(found[1])
