"""The shapes of pydantic types, and the rules that stand in their annotations (S5)."""

# Annotations are evaluated here, as pydantic must see the classes that tests define in functions.

import enum
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, datetime, time, timedelta
from decimal import Decimal
from pathlib import Path
from typing import Annotated, Any, Generic, Literal, NamedTuple, NotRequired, TypeVar
from uuid import UUID

import pytest
from pydantic import (
    AnyUrl,
    BaseModel,
    ByteSize,
    ConfigDict,
    Discriminator,
    Field,
    Json,
    PlainSerializer,
    RootModel,
    Secret,
    SecretStr,
    Tag,
    TypeAdapter,
    computed_field,
    field_serializer,
    model_serializer,
    model_validator,
)
from typing_extensions import TypeAliasType, TypedDict

from pytest_schemascore.documents.annotated import SchemaRule
from pytest_schemascore.documents.schema import adapt_schema
from pytest_schemascore.documents.shape_members import members
from pytest_schemascore.documents.shapes import Kind, Shape
from tests.annotated_models import ByKey, Invoice, Line, Near, Node, Vendor

Numbers = TypeAliasType("Numbers", "int | list[Numbers]")


class Judge(SchemaRule):
    """Something that is neither, but may stand in Annotated."""


def shape_at(schema: object, *steps: str | int) -> Shape:
    """Follow keys and indexes through the shape of *schema*, through unions too."""
    shape = adapt_schema(schema).shape
    for step in steps:
        for member in members(shape):
            if isinstance(step, str) and member.kind is Kind.OBJECT:
                ref = member.keys.get(step, member.others)
            elif isinstance(step, int) and member.kind is Kind.ARRAY:
                ref = member.prefix[step] if step < len(member.prefix) else member.item
            else:
                continue
            assert ref is not None, step
            shape = ref()
            break
        else:
            pytest.fail(f"nothing holds {step!r}")
    return shape


def kinds_of(schema: object) -> set[Kind]:
    """Return the kinds of the members of a type's shape."""
    return {member.kind for member in members(adapt_schema(schema).shape)}


class Colour(enum.Enum):
    """An enum of texts."""

    RED = "red"
    BLUE = "blue"


class Level(enum.IntEnum):
    """An enum of numbers."""

    LOW = 1


@pytest.mark.parametrize(
    ("schema", "kinds"),
    [
        (Any, {Kind.ANY}),
        (bool, {Kind.BOOLEAN}),
        (int, {Kind.INTEGER}),
        (float, {Kind.NUMBER}),
        (Decimal, {Kind.DECIMAL}),
        (str, {Kind.TEXT}),
        (bytes, {Kind.TEXT}),
        (UUID, {Kind.TEXT}),
        (AnyUrl, {Kind.URL}),
        (Path, {Kind.TEXT}),
        (date, {Kind.DATE}),
        (datetime, {Kind.DATETIME}),
        (time, {Kind.TIME}),
        (timedelta, {Kind.DURATION}),
        (ByteSize, {Kind.INTEGER}),
        (SecretStr, {Kind.TEXT}),
        (Secret[int], {Kind.TEXT}),
        (Json, {Kind.NOT_JSON, Kind.BOOLEAN, Kind.NUMBER, Kind.OBJECT, Kind.ARRAY, Kind.NULL}),
        (Json[Vendor], {Kind.OBJECT}),
        (Colour, {Kind.CHOICE}),
        (Literal["a"], {Kind.CHOICE}),
        (Vendor, {Kind.OBJECT}),
        (dict[str, int], {Kind.OBJECT}),
        (list[int], {Kind.ARRAY}),
        (set[int], {Kind.ARRAY}),
        (frozenset[int], {Kind.ARRAY}),
        (Sequence[int], {Kind.ARRAY}),
        (tuple[int, ...], {Kind.ARRAY}),
        (int | None, {Kind.INTEGER, Kind.NULL}),
        (int | str | None, {Kind.INTEGER, Kind.TEXT, Kind.NULL}),
        (Annotated[Decimal, PlainSerializer(float)], {Kind.NUMBER}),
        (Annotated[Decimal, PlainSerializer(lambda value: value)], {Kind.ANY}),
        (Annotated[Decimal | None, PlainSerializer(str, when_used="unless-none")], {Kind.TEXT, Kind.NULL}),
    ],
)
def test_types_have_their_kinds(schema: object, kinds: set[Kind]) -> None:
    """The kind chooses the default rule (S2)."""
    assert kinds_of(schema) == kinds


def test_enums_and_literals_name_their_choices() -> None:
    """As they are dumped."""
    assert adapt_schema(Colour).shape.choices == ("red", "blue")
    assert adapt_schema(Level).shape.choices == (1,)
    assert adapt_schema(Literal["a", 2, None, Colour.RED]).shape.choices == ("a", 2, None, "red")


def test_rules_in_annotated_are_found() -> None:
    """On a field, a nested model, inside Optional, on a list and on its items (S5)."""

    def rule(*steps: str | int) -> object:
        return shape_at(Invoice, *steps).rule

    assert rule("number") == Near("number")
    assert rule("vendor") == Near("vendor")
    assert rule("lines") == ByKey("sku")
    assert rule("lines", 0) is None
    assert rule("lines", 0, "price") == Near("price")
    assert rule("lines", 0, "sku") is None
    assert rule("tags", 3) == Near("tag")
    assert shape_at(Invoice, "number").named == "Annotated"
    assert {member.rule for member in members(shape_at(Invoice, "note"))} == {Near("note"), None}


def test_a_rule_stays_where_it_was_written() -> None:
    """The same model elsewhere has none: the annotation belongs to the place."""
    assert shape_at(Invoice, "payer").rule is None
    assert shape_at(Invoice, "payer").kind is Kind.OBJECT
    assert adapt_schema(Vendor).shape.rule is None


def test_a_rule_stays_with_the_only_use_of_a_model() -> None:
    """Also where pydantic puts the model's schema in place."""

    class Only(BaseModel):
        vendor: Annotated[Vendor, Near("only")]

    assert shape_at(Only, "vendor").rule == Near("only")
    assert shape_at(Only, "vendor", "name").kind is Kind.TEXT


def test_the_outermost_of_two_rules_holds() -> None:
    """Annotated types can be annotated again."""
    amount = Annotated[float, Near("inner")]
    assert adapt_schema(Annotated[amount, Near("outer")]).shape.rule == Near("outer")


def test_rules_are_found_in_every_kind_of_type() -> None:
    """RootModel, TypedDict, dataclass, named tuple, generic, union, computed field, alias."""

    class Root(RootModel[Annotated[list[Line], ByKey("root")]]):
        pass

    class Typed(TypedDict):
        a: Annotated[int, Near("typed")]
        b: NotRequired[Annotated[str, Near("optional")]]

    @dataclass
    class Plain:
        a: Annotated[int, Near("dataclass")]

    class Named(NamedTuple):
        a: int
        b: Annotated[str, Near("tuple")]

    item = TypeVar("item")

    class Box(BaseModel, Generic[item]):
        content: list[item]

    class Computed(BaseModel):
        @computed_field(alias="Total")  # type: ignore[prop-decorator]  # mypy knows no decorated properties
        @property
        def total(self) -> Annotated[int, Near("computed")]:
            return 1

    money = TypeAliasType("money", Annotated[Decimal, Near("alias")])
    assert adapt_schema(Root).shape.rule == ByKey("root")
    assert shape_at(Root, 0, "price").rule == Near("price")
    assert shape_at(Typed, "a").rule == Near("typed")
    assert shape_at(Typed, "b").rule == Near("optional")
    assert adapt_schema(Typed).shape.optional == {"b"}
    assert shape_at(Plain, "a").rule == Near("dataclass")
    assert shape_at(Named, 1).rule == Near("tuple")
    assert shape_at(Box[Line], "content", 0, "price").rule == Near("price")
    assert shape_at(Computed, "Total").rule == Near("computed")
    assert adapt_schema(money).shape.rule == Near("alias")
    union = adapt_schema(Annotated[int | Annotated[str, Near("text")], Near("union")]).shape
    assert union.rule == Near("union")
    assert [member.rule for member in members(union)] == [None, Near("text")]


def test_a_rule_of_any_class_is_found() -> None:
    """Judges are neither comparators nor pairings."""
    judge = Judge()
    assert adapt_schema(list[Annotated[str, judge]]).shape.item is not None
    assert shape_at(list[Annotated[str, judge]], 0).rule is judge


def test_a_rule_leaves_the_users_json_schema_alone() -> None:
    """That schema goes to the model; it must not change."""

    class Bare(BaseModel):
        a: str
        b: list[Vendor]

    class Ruled(BaseModel):
        a: Annotated[str, Near()]
        b: Annotated[list[Vendor], ByKey()]

    assert Ruled.model_json_schema()["properties"] == Bare.model_json_schema()["properties"]


def test_recursive_models_can_be_walked_as_deep_as_one_likes() -> None:
    """A model that holds itself gives the same shape again."""
    steps: list[str | int] = ["children", 0]
    assert shape_at(Node, *steps * 50, "value").rule == Near("value")
    assert shape_at(Node, *["parent"] * 50, "value").rule == Near("value")
    children = adapt_schema(Node).shape.keys["children"]
    item = children().item
    assert item is not None
    assert item().keys["children"] is children


def test_recursive_aliases_end() -> None:
    """A JSON type written as an alias of itself."""
    assert adapt_schema(Numbers).validate([1, [2, [3]]]).value == [1, [2, [3]]]
    assert shape_at(TypeAdapter(Numbers), 0, 0, 0).options


def test_discriminated_unions_hold_their_members() -> None:
    """Tagged by a field or by a function."""

    class Cat(BaseModel):
        kind: Literal["cat"]
        lives: int

    class Dog(BaseModel):
        kind: Literal["dog", "puppy"]
        name: Annotated[str, Near("dog")]

    by_field = Annotated[Cat | Dog, Field(discriminator="kind")]
    by_function = Annotated[
        Annotated[Cat, Tag("c")] | Annotated[Dog, Tag("d")],
        Discriminator(lambda value: "c" if value.get("kind") == "cat" else "d"),
    ]
    for schema in (by_field, by_function):
        found = list(members(adapt_schema(schema).shape))
        assert [set(member.keys) for member in found] == [{"kind", "lives"}, {"kind", "name"}]
        assert found[1].keys["name"]().rule == Near("dog")
        assert adapt_schema(schema).validate({"kind": "puppy", "name": "Rex"}).value == {
            "kind": "puppy",
            "name": "Rex",
        }


def test_extra_keys_are_open_only_where_the_model_keeps_them() -> None:
    """Ignored and forbidden keys never reach the output."""

    class Allows(BaseModel):
        model_config = ConfigDict(extra="allow")
        __pydantic_extra__: dict[str, int] = Field(init=False)
        a: int

    class Forbids(BaseModel):
        model_config = ConfigDict(extra="forbid")
        a: int

    assert shape_at(Allows, "other").kind is Kind.INTEGER
    assert adapt_schema(Forbids).shape.others is None
    assert adapt_schema(Vendor).shape.others is None


def test_excluded_fields_are_no_keys() -> None:
    """They are in no dump."""

    class Secret(BaseModel):
        a: int
        b: int = Field(exclude=True)

    assert list(adapt_schema(Secret).shape.keys) == ["a"]


def test_custom_serializers_make_a_place_unknown() -> None:
    """They may give any type."""

    class Custom(BaseModel):
        a: int
        b: int

        @field_serializer("a")
        def as_text(self, value: int) -> str:
            return f"#{value}"

    class Whole(BaseModel):
        a: int

        @model_serializer
        def as_list(self) -> list[int]:
            return [self.a]

    assert shape_at(Custom, "a").kind is Kind.ANY
    assert shape_at(Custom, "b").kind is Kind.INTEGER
    assert adapt_schema(Whole).shape.kind is Kind.ANY
    assert adapt_schema(Whole).validate({"a": 1}).value == [1]


def test_validators_around_a_model_leave_its_shape() -> None:
    """Before, after and wrap validators are looked through."""

    class Checked(BaseModel):
        a: Annotated[int, Near("a")]

        @model_validator(mode="before")
        @classmethod
        def before(cls, data: Any) -> Any:
            return data

        @model_validator(mode="after")
        def after(self) -> "Checked":
            return self

    assert shape_at(Checked, "a").rule == Near("a")


def test_a_default_of_null_makes_a_place_nullable() -> None:
    """pydantic doesn't validate defaults, so ``a: str = None`` gives null."""

    class Sloppy(BaseModel):
        a: Annotated[str, Near("a")] = None  # type: ignore[assignment]  # that is the point

    assert {member.kind for member in members(shape_at(Sloppy, "a"))} == {Kind.TEXT, Kind.NULL}
    assert shape_at(Sloppy, "a").rule == Near("a")
    assert adapt_schema(Sloppy).validate({}).value == {"a": None}
