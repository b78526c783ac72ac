"""`compare`: two documents, precision and recall at every place, and which list items belong together."""

from __future__ import annotations

import json
import random
from dataclasses import dataclass
from decimal import Decimal
from html.parser import HTMLParser
from typing import TYPE_CHECKING, Annotated, Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pydantic import BaseModel

from pytest_schemascore.comparison import Comparison, Node, compare
from pytest_schemascore.documents.paths import to_text
from pytest_schemascore.errors import ComparatorError, PathError, RuleError, SchemaError, UsageError
from pytest_schemascore.scoring.comparators.base import Comparator
from pytest_schemascore.scoring.comparators.deferred import Deferred
from pytest_schemascore.scoring.comparators.exact import exact
from pytest_schemascore.scoring.comparators.fuzzy import fuzzy
from pytest_schemascore.scoring.comparators.ignore import ignore
from pytest_schemascore.scoring.comparators.numeric import numeric
from pytest_schemascore.scoring.pairing.by_key import by_key
from pytest_schemascore.scoring.pairing.by_position import by_position
from tests.shared_data import read_jsonl, shared_path

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from numpy.typing import NDArray

    from pytest_schemascore.documents.json_types import Json

HOBBIES_EXPECTED: Json = {
    "name": "Michael Scott",
    "age": 47,
    "is_athlete": True,
    "metadata": {"date_recorded": "2025-01-01", "location": "Scranton, PA"},
    "hobbies": [
        {
            "name": "carbo loading and running",
            "hours_spent": 90.5,
            "metadata": {"date_started": "2020-07-01"},
        },
        {"name": "tv", "hours_spent": 10000, "metadata": {"date_started": "2020-01-01"}},
        {"name": "reading", "hours_spent": 0.1, "metadata": {"date_started": "2020-08-01"}},
        {"name": "comedy", "hours_spent": 1000000, "metadata": {"date_started": "1970-08-01"}},
    ],
}
HOBBIES_ACTUAL: Json = {
    "name": "Michael Scott",
    "age": 47,
    "is_athlete": False,
    "metadata": {"date_recorded": "2025-01-01", "location": "Scranton, PA"},
    "hobbies": [
        {"name": "tv", "hours_spent": 10000.0005, "metadata": {"date_started": "2020-01-01"}},
        {"name": "literature", "hours_spent": 0.1, "metadata": {"date_started": "2020-08-01"}},
        {"name": "running", "hours_spent": 90.5, "metadata": {"date_started": "2020-07-01"}},
    ],
}


DOCUMENTS = st.recursive(
    st.none() | st.booleans() | st.integers(0, 3) | st.text("ab ", max_size=3),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from("xyz"), inner, max_size=3),
    max_leaves=10,
)


def node_at(comparison: Comparison, path: str) -> Node:
    """Return the node at *path* of the expected side."""
    return next(node for node in comparison.root.walk() if node.path == path)


def named_pairs(node: Node, expected: Any, actual: Any) -> dict[str, str]:
    """Return the names of the paired items of two lists of objects."""
    return {expected[i]["name"]: actual[j]["name"] for i, j in node.pairs}


def test_two_people_with_hobbies() -> None:
    """The example that structeval documents: figures, pairs, and the hobby that stays alone.

    Of 14 values given and 17 expected, 11.249 are right: all but is_athlete (0 of 1), running (1/4 of its
    words) and reading (none of its words); 10000.0005 for 10000 scores 1 - 0.5^10.
    """
    comparison = compare(HOBBIES_EXPECTED, HOBBIES_ACTUAL)
    assert comparison.precision == pytest.approx(0.8035, abs=5e-5)
    assert comparison.recall == pytest.approx(0.6617, abs=5e-5)
    assert comparison.f_score() == pytest.approx(0.7257, abs=5e-5)
    (hobbies,) = comparison.pairs
    assert named_pairs(hobbies, HOBBIES_EXPECTED["hobbies"], HOBBIES_ACTUAL["hobbies"]) == {  # type: ignore[index, call-overload]  # both are objects
        "tv": "tv",
        "reading": "literature",
        "carbo loading and running": "running",
    }
    assert hobbies.pairs == ((0, 2), (1, 0), (2, 1))
    assert hobbies.unmatched_expected == (3,)
    assert hobbies.unmatched_actual == ()


def test_every_node_has_the_figures_of_its_part() -> None:
    """A node's counts are those of its children, and its figures follow from them."""
    comparison = compare(HOBBIES_EXPECTED, HOBBIES_ACTUAL)
    hobbies = node_at(comparison, "hobbies")
    assert (hobbies.tally.expected, hobbies.tally.actual) == (12, 9)
    assert hobbies.precision == pytest.approx((2 + 1 - 0.5**10 + 2.25 + 2) / 9)
    for node in comparison.root.walk():
        if node.children:
            assert node.tally.expected == sum(child.tally.expected for child in node.children)
            assert node.tally.right == pytest.approx(sum(child.tally.right for child in node.children))


def test_leaves_say_what_was_compared_and_how() -> None:
    """Both values, both paths, the score, and the rule for the type at hand."""
    comparison = compare(HOBBIES_EXPECTED, HOBBIES_ACTUAL)
    name = node_at(comparison, "hobbies[0].name")
    assert name.leaf is not None
    assert (name.leaf.expected, name.leaf.actual) == ("carbo loading and running", "running")
    assert (name.actual_path, name.leaf.score, name.rule) == ("hobbies[2].name", 0.25, "jaccard()")
    assert node_at(comparison, "hobbies[1].hours_spent").rule == "threshold()"
    assert node_at(comparison, "age").rule == "exact(normalize=False)"
    assert node_at(comparison, "hobbies").rule == "by_content(threshold=0.3)"


def test_a_key_that_the_actual_side_lacks_costs_recall_only() -> None:
    """One of two found, and all that was given is right."""
    comparison = compare({"a": 1, "b": 2}, {"a": 1})
    assert (comparison.precision, comparison.recall) == (1.0, 0.5)
    assert node_at(comparison, "b").actual_path is None


def test_a_surplus_key_costs_precision_only() -> None:
    """Unless surplus keys are to be ignored."""
    comparison = compare({"a": 1}, {"a": 1, "b": {"x": 1, "y": 2}})
    assert (comparison.precision, comparison.recall) == pytest.approx((1 / 3, 1.0))
    surplus = comparison.root.children[1]
    assert (surplus.path, surplus.actual_path, surplus.precision) == (None, "b", 0.0)
    assert compare({"a": 1}, {"a": 1, "b": 2}, extra="ignore").precision == 1.0


@pytest.mark.parametrize(
    ("expected", "actual", "counts"),
    [
        ({"a": {"x": 1, "y": 2}}, {"a": "text"}, (2, 1)),
        ({"a": [1, 2, 3]}, {"a": {"k": 1}}, (3, 1)),
        ({"a": 1}, [1, 2], (1, 2)),
        ({"a": "text"}, {"a": {"x": 1, "y": [2, 3]}}, (1, 3)),
        ([1], None, (1, 1)),
    ],
)
def test_values_of_another_kind_count_on_both_sides(
    expected: object, actual: object, counts: tuple[float, float]
) -> None:
    """Nothing is right, nothing found, and every scalar is in a denominator."""
    comparison = compare(expected, actual)
    assert (comparison.root.tally.expected, comparison.root.tally.actual) == counts
    assert (comparison.precision, comparison.recall, comparison.f_score()) == (0.0, 0.0, 0.0)


@pytest.mark.parametrize("value", [[1, [2, [3]]], "a b", 5, None, True, [], {}, [[1, 2], [3]], [{"a": []}]])
def test_any_value_is_like_itself(value: object) -> None:
    """Root lists and scalars, nulls and empty containers included."""
    comparison = compare(value, value)
    assert (comparison.precision, comparison.recall, comparison.f_score()) == (1.0, 1.0, 1.0)


def test_lists_of_lists_are_paired_inside_and_out() -> None:
    """By content at both levels; the list that stays alone is surplus."""
    comparison = compare([[1, 2], [3]], [[9], [3], [2, 1]])
    assert comparison.root.pairs == ((0, 2), (1, 1))
    assert comparison.root.unmatched_actual == (0,)
    assert node_at(comparison, "$[0]").pairs == ((0, 1), (1, 0))
    assert (comparison.precision, comparison.recall) == pytest.approx((3 / 4, 1.0))


def test_f_beta_weighs_recall() -> None:
    """F2 of precision 1 and recall 1/2 is 5/9 (van Rijsbergen)."""
    assert compare({"a": 1, "b": 2}, {"a": 1}).f_score(2) == pytest.approx(5 / 9)


def test_types_choose_the_rule() -> None:
    """Texts by words, bools and integers strictly, a fraction on either side by distance."""
    comparison = compare(
        {"t": "big red dog", "b": True, "i": 10, "f": 1.0, "g": 2},
        {"t": "red DOG", "b": 1, "i": 11, "f": 1.0005, "g": 2.5},
    )
    scores = {node.name: node.leaf.score for node in comparison.root.children if node.leaf}
    assert scores == pytest.approx({"t": 2 / 3, "b": 0, "i": 0, "f": 1 - 0.5**10, "g": 0})


def test_rules_can_be_given_by_path_and_by_type() -> None:
    """A path's rule wins over a type's, and what is not named stays as it is."""
    comparison = compare(
        {"name": "Acme Inc", "total": 10, "note": "x"},
        {"name": "Acme Inc.", "total": 11, "note": "y"},
        comparators={"name": fuzzy(0.8), "note": ignore()},
        default={"integer": numeric(abs_tol=1)},
    )
    assert comparison.root.tally.expected == 2
    assert comparison.precision == 1.0
    assert node_at(comparison, "name").rule == repr(fuzzy(0.8))


def test_one_default_is_for_all_scalars_and_a_pairing_for_all_lists() -> None:
    """Whichever is given, the other stays."""
    assert compare(["a b"], ["a c"], default=exact()).precision == 0.0
    swapped = compare(["x", "y"], ["y", "x"], default=by_position())
    assert swapped.precision == 0.0
    assert swapped.root.rule == "by_position()"


def test_pairing_by_key_shows_who_is_missing() -> None:
    """Items without a partner are unmatched on their side."""
    comparison = compare(
        [{"id": 1, "n": 5}, {"id": 2, "n": 6}],
        [{"id": 3, "n": 5}, {"id": 2, "n": 9}],
        comparators={"$": by_key("id")},
    )
    assert comparison.root.pairs == ((1, 1),)
    assert (comparison.root.unmatched_expected, comparison.root.unmatched_actual) == ((0,), (0,))


def test_rules_may_name_what_only_the_actual_side_has() -> None:
    """A surplus key can be ignored; a path that is nowhere is an error."""
    assert compare({"a": 1}, {"a": 1, "debug": {"x": 2}}, comparators={"debug": ignore()}).precision == 1.0
    with pytest.raises(PathError, match="matches nothing"):
        compare({"a": 1}, {"a": 1}, comparators={"nowhere": exact()})


def test_weights_count_in_all_figures() -> None:
    """A place that weighs 3 counts as three."""
    comparison = compare({"a": 1, "b": 2}, {"a": 1, "b": 9}, weights={"a": 3})
    assert (comparison.precision, comparison.recall) == (0.75, 0.75)


def test_directives_of_labels_work() -> None:
    """Alternatives, patterns, what may be anything and what may not be there."""
    label = {
        "a": {"$any": ["x", "y"]},
        "b": {"$regex": "[0-9]+"},
        "c": {"$ignore": True},
        "d": {"$absent": True},
    }
    comparison = compare(label, {"a": "y", "b": "12", "c": [1]}, extra="ignore")
    assert (comparison.precision, comparison.recall) == (1.0, 1.0)
    assert compare(label, {"a": "y", "b": "12", "d": 5}).precision == pytest.approx(2 / 3)


def first_letter(expected: Json, actual: Json) -> bool:
    """Compare two texts by how they begin; a user's own evaluator."""
    return str(expected)[:1] == str(actual)[:1]


@dataclass(frozen=True)
class SameLength(Comparator):
    """A user's own evaluator that fills a whole matrix at once."""

    def __call__(self, expected: Json, actual: Json) -> float:
        return float(len(str(expected)) == len(str(actual)))

    def matrix(self, expected: Sequence[Json], actual: Sequence[Json]) -> NDArray[np.float64]:
        left = np.array([len(str(value)) for value in expected])
        right = np.array([len(str(value)) for value in actual])
        calls.append((len(expected), len(actual)))
        return np.array(left[:, None] == right[None, :], np.float64)


calls: list[tuple[int, int]] = []


def test_a_function_is_an_evaluator() -> None:
    """For a path, or for all texts; it pairs list items too."""
    comparison = compare(["alpha", "beta"], ["bravo", "able"], default={"string": first_letter})
    assert comparison.root.pairs == ((0, 1), (1, 0))
    assert comparison.precision == 1.0
    assert comparison.root.children[0].rule.endswith(":first_letter")


def test_an_evaluator_may_fill_a_whole_matrix() -> None:
    """Pairing asks it once for all items instead of once a pair."""
    calls.clear()
    comparison = compare(["a", "bb", "ccc"], ["xxx", "y", "zz"], comparators={"[*]": SameLength()})
    assert comparison.root.pairs == ((0, 1), (1, 2), (2, 0))
    assert calls == [(3, 3)]


def test_an_evaluator_that_fails_is_named() -> None:
    """With the path at which it did."""

    def broken(expected: Json, actual: Json) -> float:
        raise ZeroDivisionError((expected, actual))

    with pytest.raises(ComparatorError, match=r"a: comparator .*broken raised ZeroDivisionError"):
        compare({"a": 1}, {"a": 2}, comparators={"a": broken})


def test_a_judge_is_refused() -> None:
    """Only a suite can wait for one."""
    with pytest.raises(RuleError, match="is a judge"):
        compare({"a": 1}, {"a": 2}, comparators={"a": Deferred(first_letter, "judge")})


class Line(BaseModel):
    """A line of an invoice, with a rule of its own."""

    name: Annotated[str, fuzzy(0.8)]
    price: Decimal


class Invoice(BaseModel):
    """What models on either side are made of."""

    vendor: str
    lines: list[Line]


def test_models_stand_on_either_side() -> None:
    """Their annotations and types choose rules: a Decimal is compared by value."""
    invoice = Invoice(vendor="Acme", lines=[Line(name="paper clip", price=Decimal("2.50"))])
    data = {"vendor": "acme", "lines": [{"name": "paperclip", "price": 2.5}]}
    for comparison in (compare(invoice, data), compare(data, invoice), compare(data, data, schema=Invoice)):
        assert (comparison.precision, comparison.recall) == (1.0, 1.0)
        assert node_at(comparison, "lines[0].name").rule == repr(fuzzy(0.8))


SCHEMA: dict[str, Any] = {
    "type": "object",
    "properties": {
        "status": {"enum": ["open now", "closed now"]},
        "name": {"type": "string", "x-override-evaluator": {"evaluation_type": "binary"}},
        "when": {"anyOf": [{"$ref": "#/$defs/moment"}, {"type": "null"}]},
        "note": {"type": "string", "nullable": True},
    },
    "additionalProperties": True,
    "$defs": {"moment": {"type": "object", "properties": {"day": {"type": "string", "format": "date"}}}},
}


def test_a_schema_chooses_rules() -> None:
    """Enums are strict, an override counts, references and unions are followed."""
    comparison = compare(
        {"status": "open now", "name": "a b", "when": {"day": "2024-01-05"}, "note": None},
        {"status": "closed now", "name": "a c", "when": {"day": "2024-01-05T00:00:00"}, "note": None},
        schema=SCHEMA,
    )
    rules = {node.path: node.rule for node in comparison.root.walk() if node.leaf}
    assert (rules["status"], rules["name"]) == ("exact(normalize=False)", "exact(normalize=False)")
    assert rules["when.day"].startswith("date(")
    assert node_at(comparison, "status").precision == 0.0
    assert node_at(comparison, "name").precision == 0.0


def test_unlisted_properties_are_left_out_where_the_schema_allows_them() -> None:
    """On both sides; below, where nothing is said of others, they are an error."""
    comparison = compare({"name": "x", "debug": 1}, {"name": "x", "trace": [1, 2]}, schema=SCHEMA)
    assert (comparison.root.tally.expected, comparison.root.tally.actual) == (1, 1)
    with pytest.raises(SchemaError, match=r"actual: when\.dya is not in the schema; did you mean 'day'"):
        compare({"when": {"day": "2024-01-05"}}, {"when": {"dya": "2024-01-05"}}, schema=SCHEMA)


def test_a_schema_may_describe_a_map() -> None:
    """Keys that additionalProperties describes are compared."""
    schema = {"type": "object", "additionalProperties": {"type": "integer"}}
    assert compare({"a": 1, "b": 2}, {"a": 1, "b": 3}, schema=schema).precision == 0.5


def test_a_schema_file_is_read(tmp_path: Path) -> None:
    """And named where it is no schema."""
    path = tmp_path / "schema.json"
    path.write_text(json.dumps(SCHEMA), encoding="utf-8")
    assert compare({"name": "x"}, {"name": "x"}, schema=path).precision == 1.0
    path.write_text("{", encoding="utf-8")
    with pytest.raises(SchemaError, match=r"schema\.json"):
        compare({}, {}, schema=path)


def test_a_part_can_be_selected() -> None:
    """Arguments of a tool call that are JSON text; the expected side may be the part itself."""
    actual = {"tool_calls": [{"name": "f", "arguments": '{"x": 1, "y": "a b"}'}]}
    comparison = compare({"x": 1, "y": "a b"}, actual, select="tool_calls[0].arguments")
    assert (comparison.precision, comparison.recall) == (1.0, 1.0)
    both = {"tool_calls": [{"arguments": {"x": 2, "y": "a b"}}]}
    assert compare(both, actual, select="tool_calls[0].arguments").precision == 0.5


def test_a_selected_part_that_is_missing_is_missing() -> None:
    """On the actual side all is missing; on both sides the path is wrong."""
    comparison = compare({"a": {"x": 1}}, {"b": 2}, select="a")
    assert (comparison.precision, comparison.recall) == (1.0, 0.0)
    with pytest.raises(PathError, match="neither side has anything there"):
        compare({"a": 1}, {"b": 2}, select="c")


@pytest.mark.parametrize("data_set", ["tool_calls_simple", "tool_calls_java"])
def test_arguments_of_recorded_tool_calls_are_selected(data_set: str) -> None:
    """In parsed outputs, and in raw ones where they are JSON text; both as a plain count has it."""
    model = "outputs-gpt-4o-2024-05-13-fc"
    labels = {
        case["id"]: case["expected"] for case in read_jsonl(shared_path("data", data_set, "cases.jsonl"))
    }
    parsed = read_outputs(data_set, f"{model}.jsonl")
    raw = read_outputs(data_set, f"{model}-rawtext.jsonl")
    compared = 0
    for name, output in parsed.items():
        if not isinstance(output, dict) or not output["calls"] or not labels[name]["calls"]:
            continue
        wanted, found = labels[name]["calls"][0]["arguments"], output["calls"][0]["arguments"]
        if not all(isinstance(value, str) for value in (*wanted.values(), *found.values())):
            continue
        right = sum(found.get(key) == value for key, value in wanted.items())
        for label, document, path in (
            (labels[name], output, "calls[0].arguments"),
            (wanted, raw[name], to_text((0, next(iter(raw[name][0]))))),
        ):
            tally = compare(label, document, select=path, default=exact(normalize=False)).root.tally
            assert (tally.found, tally.expected, tally.actual) == (right, len(wanted), len(found)), name
        compared += 1
    assert compared >= 10


def read_outputs(data_set: str, file: str) -> dict[str, Any]:
    """Return the recorded outputs of one model by case."""
    return {line["id"]: line["output"] for line in read_jsonl(shared_path("data", data_set, file))}


def test_text_is_a_value_unless_it_is_to_be_parsed() -> None:
    """With parse= it is read as an output is: fenced, or repaired."""
    assert compare("a b", "a c").precision == pytest.approx(1 / 3)
    fenced = '```json\n{"a": 1}\n```'
    assert compare({"a": 1}, fenced, parse="strict").precision == 1.0
    with pytest.raises(UsageError, match=r"actual is not JSON: .* line 1, column 1"):
        compare({"a": 1}, "Here: {'a': 1}", parse="strict")


def test_a_side_that_is_not_json_is_an_error() -> None:
    """Named with side and path."""
    with pytest.raises(UsageError, match="actual: a is nan"):
        compare({"a": 1}, {"a": float("nan")})


@given(st.integers(0, 10**6))
@settings(max_examples=25, deadline=None)
def test_shuffling_a_list_changes_no_figure(seed: int) -> None:
    """Whichever side is shuffled."""
    shuffle = random.Random(seed)
    rows = [{"n": shuffle.randrange(4), "t": shuffle.choice(["a b", "b c", "c"])} for _ in range(6)]
    other = [{"n": shuffle.randrange(4), "t": shuffle.choice(["a b", "b c", "c"])} for _ in range(5)]
    before = compare(rows, other)
    shuffle.shuffle(rows)
    shuffle.shuffle(other)
    after = compare(rows, other)
    assert after.precision == pytest.approx(before.precision)
    assert after.recall == pytest.approx(before.recall)


@given(DOCUMENTS, DOCUMENTS)
@settings(max_examples=150, deadline=None)
def test_every_scalar_is_counted_once(expected: Any, actual: Any) -> None:
    """All of the expected side in recall, all of the actual side in precision."""
    tally = compare(expected, actual).root.tally
    assert (tally.expected, tally.actual) == (count(expected), count(actual))
    assert 0 <= tally.found <= tally.expected
    assert 0 <= tally.right <= tally.actual


def count(value: Any) -> int:
    """Count scalars, in the plainest way."""
    if isinstance(value, dict):
        return sum(map(count, value.values()))
    return sum(map(count, value)) if isinstance(value, list) else 1


def test_text_shows_figures_pairs_and_differences() -> None:
    """Without colour unless asked for."""
    text = compare(HOBBIES_EXPECTED, HOBBIES_ACTUAL).to_text()
    assert "precision 80.4 %   recall 66.2 %   F1 72.6 %" in text
    assert "[2] = [1]" in text
    assert 'expected "reading", actual "literature"' in text
    assert "\x1b" not in text
    assert "\x1b[31m" in compare({"a": 1}, {"a": 2}).to_text(color=True)


def test_text_keeps_hostile_values_on_their_line() -> None:
    """Newlines and escape codes in keys and values steer no terminal."""
    text = compare({"k\n\x1b[2J": "a\nb\x1b[0m"}, {"k\n\x1b[2J": "c"}).to_text()
    assert "\x1b" not in text
    assert len(text.splitlines()) == 5


def test_json_holds_the_whole_tree() -> None:
    """Figures, pairs with both indexes, and the rule at each leaf."""
    data = json.loads(compare(HOBBIES_EXPECTED, HOBBIES_ACTUAL).to_json(beta=2))
    assert data["format"] == "schemascore-comparison/1"
    assert data["f_score"] == pytest.approx(5 * 0.8035017 * 0.6617073 / (4 * 0.8035017 + 0.6617073), abs=1e-6)
    hobbies = next(child for child in data["root"]["children"] if child["name"] == "hobbies")
    assert hobbies["pairs"] == [[0, 2], [1, 0], [2, 1]]
    assert hobbies["unmatched_expected"] == [3]
    assert hobbies["children"][0]["children"][0]["rule"] == "jaccard()"
    assert data["distance"]["score"] == 11


class Tags(HTMLParser):
    """Collects the names of a page's tags."""

    def __init__(self) -> None:
        super().__init__()
        self.tags: set[str] = set()

    def handle_starttag(self, tag: str, attrs: object) -> None:
        del attrs
        self.tags.add(tag)


def test_html_is_one_page_in_which_nothing_runs() -> None:
    """Hostile keys and values stay text; nothing is loaded from elsewhere."""
    hostile = "<img src=x onerror=alert(1)></script><script>"
    page = compare({hostile: hostile}, {hostile: "x", "b": hostile}).to_html()
    parser = Tags()
    parser.feed(page)
    assert not parser.tags & {"img", "script", "link", "iframe"}
    assert "default-src 'none'" in page
    assert "&lt;img" in page


def test_names_far_down_are_still_shown() -> None:
    """A document may be nested 200 levels deep; its indent ends before the name has no room."""
    document: dict[str, Any] = {"bottom": 1}
    for _ in range(150):
        document = {"down": document}
    lines = compare(document, document).to_text().splitlines()
    assert sum("down" in line for line in lines) == 150
    assert "bottom" in lines[-1]
