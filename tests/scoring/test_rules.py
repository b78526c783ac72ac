"""Which rule a place is scored with, and what is refused before anything runs (S5)."""

from __future__ import annotations

import datetime as dt  # noqa: TC003 - pydantic reads it
from decimal import Decimal  # noqa: TC003 - pydantic reads it
from enum import Enum
from typing import Annotated, Any, Literal, NamedTuple

import pytest
from pydantic import BaseModel, RootModel

from pytest_schemascore import (
    by_content,
    by_key,
    by_position,
    exact,
    fuzzy,
    ignore,
    in_order,
    jaccard,
    numeric,
)
from pytest_schemascore.documents.schema import adapt_schema
from pytest_schemascore.errors import PathError, RuleError, UsageError
from pytest_schemascore.scoring.compiling import compile_scorer
from pytest_schemascore.scoring.selection import parse_selection, select
from tests.scoring.helpers import counts, outcomes, scored


def rules_of(label: Any, schema: Any = None, **options: Any) -> dict[str, tuple[str, str]]:
    """Return field -> (rule, why)."""
    shape = adapt_schema(schema).shape if schema is not None else None
    return dict(compile_scorer([label], shape=shape, **options).fields)


LABEL = {"id": 1, "items": [{"id": 2, "price": 3, "o": {"id": 4}}, {"id": 5, "price": 6, "o": {"id": 7}}]}


def used(path: str, rules: dict[str, Any]) -> str:
    """Return the rule that the leaf at *path* of `LABEL` is scored with."""
    return next(leaf.rule for leaf in scored(LABEL, LABEL, rules).leaves if leaf.path == path)


@pytest.mark.parametrize(
    ("patterns", "path", "winner"),
    [
        (["items[0].price", "items[*].price"], "items[0].price", 0),
        (["items[0].price", "items[*].price"], "items[1].price", 1),
        (["items[*].price", "items[*].*"], "items[0].price", 0),
        (["items[*].*", "items[*].price"], "items[0].id", 0),
        (["*", "id"], "id", 1),
        (["..id", "id"], "id", 1),
        (["..id", "items[*].id"], "items[1].id", 1),
        (["..id", "items[*].price"], "items[0].o.id", 0),
        (["..id", "items..id"], "items[0].o.id", 1),
        (["..['id']", "id"], "items[0].id", 0),
        (["items[*].o.*", "items[1].o.*"], "items[1].o.id", 1),
        (["items[*].o.*", "items[1].o.*"], "items[0].o.id", 0),
        (["$.items[*].price", "id"], "items[0].price", 0),
        (["items[1].o.id", "items[*].o.id"], "items[1].o.id", 0),
    ],
)
def test_the_most_specific_path_wins(patterns: list[str], path: str, winner: int) -> None:
    """Exact paths, then more names and indexes, then ``..``."""
    rules: dict[str, Any] = {text: fuzzy((k + 1) / 10) for k, text in enumerate(patterns)}
    assert used(path, rules) == f"fuzzy(threshold=0.{winner + 1})"
    assert used(path, dict(reversed(rules.items()))) == f"fuzzy(threshold=0.{winner + 1})"


@pytest.mark.parametrize(
    ("label", "path"),
    [
        (5, "$"),
        ([5], "$[*]"),
        ([5], "[0]"),
        ([[5]], "[0][*]"),
        ([{"a": 5}], "$[*].a"),
        ({"a": [{"b": [5]}]}, "a[0].b[*]"),
        ({"a.b": 5}, "['a.b']"),
        ({"größe": 5}, "größe"),
    ],
)
def test_paths_reach_roots_lists_and_quoted_keys(label: Any, path: str) -> None:
    """Each of these names the one leaf."""
    (leaf,) = scored(label, label, {path: numeric(abs_tol=1)}).leaves
    assert leaf.rule == "numeric(abs_tol=1)"


class Colour(Enum):
    RED = "Red"


class Line(BaseModel):
    sku: str
    price: Annotated[float, numeric(abs_tol=0.01)]
    note: Annotated[str, ignore()] | None = None


class Tags(RootModel[list[Annotated[str, fuzzy(0.8)]]]):
    pass


class Invoice(BaseModel):
    vendor: Annotated[str, fuzzy(0.85)]
    buyer: Annotated[str | None, fuzzy(0.7)] = None
    total: Decimal
    day: dt.date
    colour: Colour | None = None
    kind: Literal["a", "b"] = "a"
    paid: bool = False
    lines: Annotated[list[Line], by_key("sku")] = []
    more: list[Line] | None = None
    tags: Tags | None = None
    either: Annotated[str, jaccard()] | Annotated[int, numeric(abs_tol=2)] = 0
    parent: Invoice | None = None


INVOICE: dict[str, Any] = {
    "vendor": "v",
    "buyer": "b",
    "total": "1.50",
    "day": "2026-01-31",
    "colour": "Red",
    "kind": "a",
    "paid": True,
    "lines": [{"sku": "s", "price": 1, "note": "n"}],
    "more": [{"price": 2}],
    "tags": ["t"],
    "either": "x y",
    "parent": {"vendor": "w", "parent": {"lines": [{"price": 3}]}},
}


def test_every_field_says_its_rule_and_where_it_is_from() -> None:
    """Configured paths win over annotations, those over schema types, those over the default."""
    found = rules_of(INVOICE, Invoice, comparators={"buyer": exact(), "more[*].price": exact()})
    assert found == {
        "vendor": ("fuzzy(threshold=0.85)", "Annotated"),
        "buyer": ("exact()", "comparators['buyer']"),
        "total": ("numeric()", "schema type decimal"),
        "day": ("date()", "schema type date"),
        "colour": ("exact(normalize=False)", "schema type choice"),
        "kind": ("exact(normalize=False)", "schema type choice"),
        "paid": ("exact(normalize=False)", "schema type boolean"),
        "lines": ("by_key('sku')", "Annotated"),
        "lines[*].sku": ("exact()", "default"),
        "lines[*].price": ("numeric(abs_tol=0.01)", "Annotated"),
        "more": ("by_content()", "default"),
        "more[*].price": ("exact()", "comparators['more[*].price']"),
        "tags": ("by_content()", "default"),
        "tags[*]": ("fuzzy(threshold=0.8)", "Annotated"),
        "either": ("by_type(other=exact(), string=jaccard(), integer=numeric(abs_tol=2))", "Annotated"),
        "parent.vendor": ("fuzzy(threshold=0.85)", "Annotated"),
        "parent.parent.lines": ("by_key('sku')", "Annotated"),
        "parent.parent.lines[*].price": ("numeric(abs_tol=0.01)", "Annotated"),
    }


def test_fields_come_in_the_order_of_the_labels() -> None:
    """As a reader of the data set expects them, containers before what they hold."""
    label: Any = {"b": 1, "a": [{"z": 1, "y": [1]}, {"x": 1}], "c": {"$any": [{"n": 1}, {"m": 1}]}}
    fields = compile_scorer([label, {"d": 1, "b": 2}]).fields
    assert [*fields] == ["b", "a", "a[*].z", "a[*].y", "a[*].y[*]", "a[*].x", "c.n", "c.m", "d"]


def test_members_of_a_union_have_their_own_rules() -> None:
    """Texts by one, integers by the other; the leaf names the one that was used."""
    shape = adapt_schema(Invoice).shape
    labels = [{"either": "a b"}, {"either": 5}]
    text = scored(labels[0], {"either": "b a"}, labels=labels, shape=shape).leaves[0]
    number = scored(labels[1], {"either": 7}, labels=labels, shape=shape).leaves[0]
    assert (text.score, text.rule) == (1.0, "jaccard()")
    assert (number.score, number.rule) == (1.0, "numeric(abs_tol=2)")


def test_types_of_the_schema_choose_the_rule() -> None:
    """Decimals by value, dates by moment, choices as they are written (S2)."""
    shape = adapt_schema(Invoice).shape
    label = {"total": 1.5, "day": "2026-01-31", "colour": "Red"}
    assert counts(label, {"total": "1.50", "day": "2026-01-31", "colour": "Red"}, shape=shape).correct == 3
    assert (
        outcomes(label, {"total": "1.5", "day": "2026-01-31", "colour": "red"}, shape=shape)["colour"]
        == "wrong"
    )


def test_a_json_schema_overrides_evaluators() -> None:
    """``x-override-evaluator`` names the rule of its place, wherever references lead."""
    schema = {
        "type": "object",
        "$defs": {"name": {"type": "string", "x-override-evaluator": {"evaluation_type": "binary"}}},
        "properties": {
            "name": {"$ref": "#/$defs/name"},
            "score": {
                "type": "number",
                "x-override-evaluator": {
                    "evaluation_type": "threshold",
                    "evaluation_params": {"threshold": 2, "difference_penalty_weighting": 1},
                },
            },
            "names": {"type": "array", "items": {"$ref": "#/$defs/name"}},
        },
    }
    found = rules_of({"name": "x", "score": 1, "names": ["y"]}, schema)
    assert found["name"] == ("exact(normalize=False)", "x-override-evaluator")
    assert found["names[*]"] == ("exact(normalize=False)", "x-override-evaluator")
    shape = adapt_schema(schema).shape
    assert counts({"score": 1.0}, {"score": 2.0}, shape=shape).score == pytest.approx(1 - (1 / 2) ** (1 / 1))


@pytest.mark.parametrize(
    ("spec", "message"),
    [
        ({"evaluation_type": "treshold"}, "unknown evaluation type 'treshold'; did you mean 'threshold'"),
        ({"evaluation_typ": "binary"}, "unknown key 'evaluation_typ' .*did you mean 'evaluation_type'"),
        ({"evaluation_type": "threshold", "evaluation_params": {"treshold": 1}}, "did you mean 'threshold'"),
        ({"evaluation_type": "threshold", "evaluation_params": {"threshold": "x"}}, "must be a number"),
        ({"evaluation_type": "binary", "evaluation_params": {"x": 1}}, "takes no parameters"),
        ({"evaluation_type": "cosine"}, "needs embedding_model"),
        ({"evaluation_type": "binary", "evaluation_params": []}, "must be an object"),
    ],
)
def test_a_wrong_override_says_where_it_stands(spec: dict[str, Any], message: str) -> None:
    """The error names the place, the unknown word and the nearest known one."""
    schema = {"type": "object", "properties": {"a": {"type": "string", "x-override-evaluator": spec}}}
    with pytest.raises(UsageError, match=f"a: x-override-evaluator in the schema: .*{message}"):
        rules_of({"a": "x"}, schema)


@pytest.mark.parametrize(
    ("default", "label", "value", "score"),
    [
        (numeric(abs_tol=1), 1, 2, 1.0),
        ({"number": numeric(abs_tol=1)}, 1, 2, 1.0),
        ({"integer": exact(), "number": numeric(abs_tol=1)}, 1, 2, 0.0),
        ({"integer": exact(), "number": numeric(abs_tol=1)}, 1, 2.0, 1.0),
        ({"string": jaccard()}, "a b", "b a", 1.0),
        ({"string": jaccard()}, 1, 2, 0.0),
        ({"boolean": lambda *_: 0.5}, True, False, 0.5),
        ({"array": in_order()}, [1, 2], [2, 1], 1.0),
        (by_position(), [1, 2], [2, 1], 0.0),
        (None, [1, 2], [2, 1], 2.0),
    ],
)
def test_the_default_is_a_rule_or_one_for_each_json_type(
    default: Any, label: Any, value: Any, score: float
) -> None:
    """Lists have a default too; a fraction on either side makes both numbers."""
    assert counts(label, value, default=default).score == score


def test_a_mapping_default_names_the_rule_it_used() -> None:
    """Equal or not, the leaf says which."""
    default = {"string": fuzzy(0.9), "number": numeric()}
    for value in ({"a": "x", "b": 1}, {"a": "y", "b": 2}):
        leaves = scored({"a": "x", "b": 1}, value, default=default).leaves
        assert [leaf.rule for leaf in leaves] == ["fuzzy(threshold=0.9)", "numeric()"]


@pytest.mark.parametrize(
    ("options", "error", "message"),
    [
        ({"comparators": {"totl": exact()}}, PathError, "'totl' matches nothing .*did you mean 'total'"),
        ({"comparators": {"$.totl": exact()}}, PathError, "did you mean 'total'"),
        ({"comparators": {"items.price": exact()}}, PathError, r"did you mean 'items\[\*\]\.price'"),
        ({"comparators": {"items[5].price": exact()}}, PathError, "matches nothing"),
        ({"comparators": {"..nothing": exact()}}, PathError, "matches nothing"),
        ({"weights": {"totl": 2}}, PathError, "did you mean 'total'"),
        ({"weights": {"total": -1}}, RuleError, r"weights\['total'\] is -1"),
        ({"weights": {"total": True}}, RuleError, "must be a number"),
        ({"comparators": {"a b": exact()}}, PathError, "can't be read from column"),
        ({"comparators": {"total": exact}}, RuleError, r"comparators\['total'\]: exact is not called"),
        ({"comparators": {"total": 5}}, RuleError, r"comparators\['total'\]: 5 is no rule"),
        ({"comparators": {"total": by_content()}}, RuleError, "there are single values there"),
        ({"comparators": {"o": by_content()}}, RuleError, "there are objects there"),
        ({"comparators": {"o": fuzzy()}}, RuleError, r"give it to the keys below, 'o\.\*'"),
        ({"comparators": {"items": fuzzy()}}, RuleError, r"give it to the items, 'items\[\*\]'"),
        ({"comparators": {"items[*]": fuzzy()}}, RuleError, r"'items\[\*\]\.\*'"),
        (
            {"comparators": {"items": by_key("skuu")}},
            RuleError,
            "no item has the key 'skuu'; did you mean 'sku'",
        ),
        ({"default": {"text": exact()}}, RuleError, "'text', which is no JSON type"),
        ({"default": {"strin": exact()}}, RuleError, "did you mean 'string'"),
        ({"default": {"string": by_content()}}, RuleError, "pairings are for 'array'"),
        ({"default": {"array": exact()}}, RuleError, "give a pairing"),
        ({"default": "exact"}, RuleError, "is no rule"),
    ],
)
def test_what_can_not_work_is_refused_with_the_way_out(
    options: dict[str, Any], error: type[Exception], message: str
) -> None:
    """Before any call: the path, the nearest one, and where the rule belongs."""
    label: dict[str, Any] = {"total": 1, "o": {"a": 1}, "items": [{"sku": "s", "price": 2}]}
    with pytest.raises(error, match=message):
        compile_scorer([label], **options)


def test_a_path_that_only_the_schema_has_is_fine() -> None:
    """Labels needn't hold every field, and recursive schemas end."""
    rules_of(
        {"vendor": "x"}, Invoice, comparators={"parent.parent.lines[*].price": exact(), "buyer": exact()}
    )
    with pytest.raises(PathError, match=r"did you mean 'parent\.vendor'"):
        rules_of({"vendor": "x"}, Invoice, comparators={"parent.vendr": exact()})


def test_a_rule_that_does_not_fit_the_schema_is_refused_without_labels() -> None:
    """A pairing on a text of the schema, and an annotation on a list that belongs to its items."""

    class Wrong(BaseModel):
        tags: Annotated[list[str], fuzzy()] = []

    with pytest.raises(RuleError, match="there are single values there"):
        rules_of({"total": 1}, Invoice, comparators={"vendor": by_content()})
    with pytest.raises(RuleError, match=r"tags: Annotated: fuzzy.*'tags\[\*\]'"):
        rules_of({}, Wrong)


def test_null_and_directives_say_nothing_of_the_type() -> None:
    """A rule is not refused where labels hold no value to tell."""
    compile_scorer([{"a": None, "b": {"$absent": True}}], comparators={"a": by_content(), "b": fuzzy()})


def test_by_key_takes_paths_in_the_items() -> None:
    """A key may stand in an object of the item, and a key with a dot is quoted."""
    label = [{"id": {"value": 1}, "a": "x"}, {"id": {"value": 2}, "a": "y"}]
    value = [{"id": {"value": 2}, "a": "x"}, {"id": {"value": 1}, "a": "y"}]
    assert counts(label, value, {"$": by_key("id.value")}).correct == 2
    dotted = [{"id.value": 1, "a": "x"}, {"id.value": 2, "a": "y"}]
    assert counts(dotted, dotted[::-1], {"$": by_key("['id.value']")}).correct == 4
    with pytest.raises(RuleError, match="quoted"):
        by_key("unit price")
    with pytest.raises(RuleError, match="a path of keys"):
        by_key("items[*].id")


def test_by_key_holds_equal_what_the_rule_of_the_key_does() -> None:
    """A tolerant key by its tolerance, a graded one by equality in normal form, an ignored one too."""
    label = [{"k": 1.00, "v": "x"}, {"k": 5.00, "v": "y"}]
    value = [{"k": 5.004, "v": "x"}, {"k": 1.004, "v": "y"}]
    assert counts(label, value, {"$": by_key("k"), "$[*].k": numeric(abs_tol=0.01)}).correct == 2
    texts = [{"k": "A B", "v": 1}, {"k": "C", "v": 2}]
    other = [{"k": "c", "v": 1}, {"k": "a  b", "v": 2}]
    assert counts(texts, other, {"$": by_key("k"), "$[*].k": fuzzy(0.5)}).correct == 2
    assert counts(texts, other, {"$": by_key("k"), "$[*].k": ignore()}).wrong == 2


def test_rules_for_one_index_hold_in_pairing_and_scoring() -> None:
    """The first item has a rule of its own, wherever its partner stands."""
    label: list[Any] = [{"n": 10}, {"n": 20}]
    rules: dict[str, Any] = {"[0].n": numeric(abs_tol=5)}
    assert counts(label, [{"n": 20}, {"n": 14}], rules).correct == 2
    assert counts(label, [{"n": 24}, {"n": 10}], rules).correct == 1


def test_tuples_of_the_schema_have_a_rule_for_each_place() -> None:
    """A prefix names the first items one by one."""
    shape = adapt_schema(tuple[Annotated[str, fuzzy(0.5)], Annotated[float, numeric(abs_tol=1)]]).shape
    found = scored(["abcd", 1.0], ["abcx", 2.0], {"$": by_position()}, shape=shape).leaves
    assert [(leaf.score, leaf.rule) for leaf in found] == [
        (1.0, "fuzzy(threshold=0.5)"),
        (1.0, "numeric(abs_tol=1)"),
    ]


class Point(NamedTuple):
    """Two numbers of one type and two meanings."""

    lat: float
    lon: float


PREFIX = {"type": "array", "prefixItems": [{"type": "number"}, {"type": "number"}]}
OLD_PREFIX = {"$schema": "http://json-schema.org/draft-07/schema#", "items": [{"type": "number"}] * 2}


@pytest.mark.parametrize(
    ("schema", "correct"),
    [
        *((tuple_, 0) for tuple_ in (tuple[float, float], Point, tuple[float, float] | None)),
        *((tuple_, 0) for tuple_ in (PREFIX, OLD_PREFIX, tuple[float, *tuple[float, ...]])),
        (Annotated[tuple[float, float], by_content()], 2),
        *((list_, 2) for list_ in (tuple[float, ...], set[float], list[float], Any)),
        *((list_, 2) for list_ in (tuple[float, float] | list[float], tuple[float, float] | Any)),
    ],
)
def test_tuples_of_the_schema_are_paired_by_position(schema: Any, correct: int) -> None:
    """Latitude and longitude in the other order are wrong; a plain list loses nothing."""
    shape = adapt_schema(schema).shape
    found = scored([52.5, 13.4], [13.4, 52.5], shape=shape).leaves
    assert [leaf.outcome.value for leaf in found] == (["correct"] * 2 if correct else ["wrong"] * 2)
    (leaf, *_) = scored([52.5, 13.4], [13.4, 52.5], {"$": by_content()}, shape=shape).leaves
    assert leaf.outcome.value == "correct"


def test_a_list_of_tuples_is_paired_by_content() -> None:
    """Its items by what stands at each place of them."""
    shape = adapt_schema(list[tuple[int, int]]).shape
    found = scored([[1, 2], [3, 4]], [[4, 3], [1, 2]], shape=shape).leaves
    assert [leaf.outcome.value for leaf in found] == ["correct", "correct", "missing", "missing"] + [
        "extra"
    ] * 2
    assert rules_of([[1, 2]], list[tuple[int, int]])["$[*]"] == ("by_position()", "schema type tuple")


def test_weights_of_zero_decide_pairing_only_where_nothing_else_does() -> None:
    """A field that doesn't matter still has a partner and an accuracy."""
    weights = {"$[*].a": 0.0}
    assert counts([{"a": 1}, {"a": 2}], [{"a": 2}, {"a": 1}], weights=weights).correct == 2
    label, value = [{"a": 1, "b": 1}, {"a": 2, "b": 2}], [{"a": 1, "b": 2}, {"a": 2, "b": 1}]
    assert outcomes(label, value, weights=weights)["$[0].b"] == "correct"


def test_a_function_is_a_rule_and_is_always_asked() -> None:
    """A user's function may judge equal values as it likes; it is named by module and qualname."""

    def never(*_: Any) -> bool:
        return False

    (leaf,) = scored({"a": 1}, {"a": 1}, {"a": never}).leaves
    assert (leaf.score, leaf.rule) == (0.0, f"{__name__}:{never.__qualname__}")


def test_a_part_of_the_document_can_be_selected() -> None:
    """One place, without wildcards; what isn't there is told from null."""
    steps = parse_selection("calls[0].arguments")
    assert select({"calls": [{"arguments": {"a": 1}}]}, steps) == {"a": 1}
    assert repr(select({"calls": []}, steps)) == "ABSENT"
    with pytest.raises(PathError, match="several places"):
        parse_selection("calls[*].arguments")


def test_recursive_schemas_with_many_branches_end() -> None:
    """Looking for a misspelt path doesn't unfold the recursion."""
    node = {
        "type": "object",
        "properties": {name: {"$ref": "#"} for name in "abcdef"} | {"leaf": {"type": "string"}},
    }
    with pytest.raises(PathError, match="did you mean"):
        rules_of({"leaf": "x"}, node, comparators={"a.leef": exact()})
