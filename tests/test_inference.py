"""Schemas and rules that are inferred from labels: what they promise holds for every label."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pytest_schemascore.documents.json_types import ABSENT
from pytest_schemascore.documents.label_check import check_label
from pytest_schemascore.documents.schema import adapt_schema
from pytest_schemascore.documents.shape_members import ANYTHING
from pytest_schemascore.inference import infer_rules, infer_schema

if TYPE_CHECKING:
    from pytest_schemascore.documents.json_types import Absent, Json

MISSING: Json = {"$absent": True}
IGNORED: Json = {"$ignore": True}

moments = st.builds(
    "{:04}-{:02}-{:02}{}{}{}".format,
    st.sampled_from([1, 1999, 2024, 9999]),
    st.integers(0, 13),
    st.integers(0, 32),
    st.sampled_from(["", "", "T", "t", " ", "_"]),
    st.sampled_from(["", "10:00", "10:00:00", "24:00:00", "23:59:60", "10:00:00.5", "10:61:00"]),
    st.sampled_from(["", "Z", "z", "+02:00", "-25:00", " "]),
)
days = st.dates().map(str) | st.datetimes().map(lambda moment: f"{moment.isoformat()}Z")
texts = (
    st.sampled_from(["", "a", "12", "\N{ARABIC-INDIC DIGIT TWO}024-01-01", "2024-W01-1", "20240101"])
    | moments
    | days
)
scalars: st.SearchStrategy[Any] = (
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | texts
)
keys = st.sampled_from(["a", "b", "$absent", "$ref", "$any"])


def data_of(parts: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    """Return lists and objects of *parts*, whose keys may look like directives."""
    return st.lists(parts, max_size=3) | st.dictionaries(keys, parts, max_size=2)


plain = st.recursive(scalars, data_of, max_leaves=5)


def labels_of(parts: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    """Return labels that hold *parts*; what may be absent stands at keys, and what is ignored anywhere."""
    at_key = parts | st.sampled_from([MISSING, IGNORED])
    at_key |= st.lists(at_key, min_size=1, max_size=2).map(lambda several: {"$any": several})
    return (
        st.lists(parts | st.just(IGNORED), max_size=3)
        | st.dictionaries(st.sampled_from(["a", "b", "c"]), at_key, max_size=3)
        | st.lists(parts, min_size=1, max_size=3).map(lambda several: {"$any": several})
        | plain.map(lambda data: {"$literal": data})
        | st.just({"$regex": "[A-Z]{3}"})
    )


labels = st.recursive(scalars, labels_of, max_leaves=8)


def met(label: Any, which: int) -> Json | Absent:
    """Return an output that meets *label*: the first alternatives, or the last; what may be absent is."""
    match label:
        case {"$any": [*several]} if several:
            return met(several[which], which)
        case {"$literal": data}:
            return data  # type: ignore[no-any-return]  # labels are JSON data
        case {"$regex": _}:
            return "ABC"
        case {"$ignore": True} | {"$absent": True}:
            return ABSENT
        case dict():
            parts = {key: met(part, which) for key, part in label.items()}
            return {key: part for key, part in parts.items() if part is not ABSENT}
        case list():
            return [part for part in (met(part, which) for part in label) if part is not ABSENT]
        case _:
            return label  # type: ignore[no-any-return]


@given(st.lists(labels, min_size=1, max_size=4))
@settings(deadline=None, max_examples=150)
def test_every_label_passes_what_is_inferred(given_labels: list[Json]) -> None:
    """As a label, and as the outputs that meet it."""
    assert [problem for label in given_labels for problem in check_label(label, ANYTHING)] == []
    schema = adapt_schema(infer_schema(given_labels))
    for label in given_labels:
        assert schema.check_label(label) == []
        for output in (met(label, 0), met(label, -1)):
            if output is not ABSENT:
                assert schema.validate(output).value is output


@pytest.mark.parametrize(
    ("texts", "format_"),
    [
        (["2024-01-01", "1999-12-31"], "date"),
        (["2024-01-01T10:00:00Z", "2024-01-01 10:00:00+02:00"], "date-time"),
        (["2024-01-01", "2024-01-01T10:00:00Z"], None),
        (["2024-01-01T10:00"], None),
        (["2024-13-45"], None),
        (["2024-01-01", {"$regex": "2024.*"}], None),
        ([{"$any": ["2024-01-01", "2024-01-02"]}], "date"),
    ],
)
def test_a_format_is_inferred_where_all_texts_have_it(texts: list[Json], format_: str | None) -> None:
    """By the checker that outputs are validated with."""
    assert infer_schema(texts).get("format") == format_


@pytest.mark.parametrize("label", [MISSING, IGNORED, {"$any": [1, MISSING]}, {"$any": [{"$any": [IGNORED]}]}])
def test_a_key_that_may_be_absent_is_not_required(label: Json) -> None:
    """The others are; what stands in a literal is data, and there."""
    assert infer_schema([{"a": label, "b": 1}])["required"] == ["b"]
    assert infer_schema([{"$literal": {"a": label, "b": 1}}])["required"] == ["a", "b"]


@pytest.mark.parametrize(
    ("texts", "call"),
    [
        (["2024-01-01"], "date()"),
        (["2024-01-01T10:00", "2024-01-01 10:00:00"], "date()"),
        (["2024-13-45"], None),
        (["2024-01-01T25:00"], None),
        (["https://a.example/x"], "url()"),
    ],
)
def test_dates_get_a_rule_where_they_are_dates(texts: list[Json], call: str | None) -> None:
    """A rule is for comparing, so a date without a zone is one too."""
    assert [rule.call for rule in infer_rules(texts)] == ([call] if call else [])
