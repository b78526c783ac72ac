"""What every comparator promises, on arbitrary JSON values."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Final

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pytest_schemascore.scoring.comparators.by_json_type import ByJsonType
from pytest_schemascore.scoring.comparators.by_value import ByValue
from pytest_schemascore.scoring.comparators.contains import contains
from pytest_schemascore.scoring.comparators.cosine import cosine
from pytest_schemascore.scoring.comparators.date import date
from pytest_schemascore.scoring.comparators.duration import duration
from pytest_schemascore.scoring.comparators.exact import exact
from pytest_schemascore.scoring.comparators.fuzzy import fuzzy
from pytest_schemascore.scoring.comparators.ignore import ignore
from pytest_schemascore.scoring.comparators.jaccard import jaccard
from pytest_schemascore.scoring.comparators.levenshtein import levenshtein
from pytest_schemascore.scoring.comparators.numeric import numeric
from pytest_schemascore.scoring.comparators.one_of import one_of
from pytest_schemascore.scoring.comparators.regex import regex
from pytest_schemascore.scoring.comparators.relative import relative
from pytest_schemascore.scoring.comparators.threshold import threshold
from pytest_schemascore.scoring.comparators.token_ratio import token_ratio
from pytest_schemascore.scoring.comparators.url import url

if TYPE_CHECKING:
    from pytest_schemascore.documents.json_types import Json
    from pytest_schemascore.scoring.comparators.base import Comparator


def letters(texts: list[str]) -> list[list[float]]:
    """Embed texts by how often some letters stand in them; a stand-in for a model."""
    return [[text.count("a"), text.count("b"), -float(text.count("1")), len(text)] for text in texts]


SYMMETRIC: Final[tuple[Comparator, ...]] = (
    exact(),
    exact(normalize=False),
    numeric(),
    numeric(abs_tol=0.5),
    numeric(rel_tol=0.1),
    numeric(abs_tol=0.01, rel_tol=1.5),
    numeric(locale="de_DE"),
    numeric(locale="fr_FR", abs_tol=1),
    fuzzy(),
    fuzzy(0.5),
    fuzzy(0.0),
    one_of(["USD", "US$", 1], ["EUR", "\N{EURO SIGN}", None]),
    one_of(["a", "b"], ["b", "c"]),
    jaccard(),
    jaccard(tokenizer=list),
    levenshtein(),
    token_ratio(),
    threshold(),
    threshold(10, 2),
    threshold(1, 0),
    date(),
    date(tolerance=1.5, day_first=True),
    duration(),
    url(),
    ByValue((numeric(rel_tol=1e-9), date(), url(), duration()), exact(normalize=False)),
    ByValue((numeric(),), ByJsonType(exact(), string=fuzzy(0.5), number=numeric(0.5))),
    cosine(letters),
)
ALL: Final[tuple[Comparator, ...]] = (*SYMMETRIC, contains(), regex(r"[ab]+\d*"), relative())
_GRADED: Final = (cosine, jaccard, levenshtein, relative, threshold, token_ratio)

# Texts that comparators read as something, and near misses of them.
_TEXTS: Final = st.one_of(
    st.text(st.sampled_from("abAB 1\N{LATIN SMALL LETTER SHARP S}\N{COMBINING ACUTE ACCENT}"), max_size=6),
    st.text(st.characters(), max_size=8),  # NUL and lone surrogates among them
    st.sampled_from(
        ["1", "1.0", "01", "1,000", "1.000", "1000", "1.000,5", "-0", "1e3", "1E9999", "5.", "$5", "N/A"]
    ),
    st.sampled_from(["USD", "us$", "EUR", "\N{EURO SIGN}", "None", "null", "true", "nan", "inf", "Infinity"]),
    st.sampled_from(
        ["2024-01-05", "5 Jan 2024", "01/02/2024", "2024-01-05T00:00Z", "2024-01-04T23:00-01:00"]
    ),
    st.sampled_from(
        ["0001-01-01T00:00+23:59", "9999-12-31T23:59-23:59", "10:30", "10:30+01:00", "1 2 3 4 5 6"]
    ),
    st.sampled_from(
        ["http://a.b", "HTTP://A.B:80/./", "http://a.b/%61", "http://[", "http://a:99999999", "//a/b"]
    ),
)
_NUMBERS: Final = st.one_of(
    st.integers(-3, 3),
    st.integers(),
    st.integers(2**53 - 2, 2**53 + 2),
    st.sampled_from([10**10, 10**10 + 1, 10**400, -(10**400), 10**400 + 1, 2**1024, 2**1024 - 2**970]),
    st.sampled_from(
        [0.0, -0.0, 0.1, 0.3, 0.1 + 0.2, 1.0, 1.25, 1 + 1e-9, 1 + 2e-9, 1e10, 5e-324, 2.5e-308, 1.8e307]
    ),
    st.floats(allow_nan=False, allow_infinity=False),
)
_SCALARS: Final = st.one_of(st.none(), st.booleans(), _NUMBERS, _TEXTS)
VALUES: Final = st.recursive(
    _SCALARS,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text("ab", max_size=2), inner, max_size=3),
    max_leaves=5,
)
_SIDES: Final = st.lists(VALUES, max_size=5)
_for_all = settings(deadline=None, max_examples=100)


@_for_all
@given(value=VALUES)
def test_identical_values_score_one(value: Json) -> None:
    """A value against a copy of itself scores 1 under every comparator."""
    copy = json.loads(json.dumps(value))
    for rule in ALL:
        assert rule(value, copy) == 1.0, rule


@_for_all
@given(expected=VALUES, actual=VALUES)
def test_any_two_values_get_a_repeatable_score(expected: Json, actual: Json) -> None:
    """No value makes a comparator raise; scores lie in [0, 1], are 0 or 1 unless graded, and don't change."""
    for rule in ALL:
        score = rule(expected, actual)
        assert isinstance(score, float), rule
        assert 0.0 <= score <= 1.0, rule
        assert isinstance(rule, _GRADED) or score in (0.0, 1.0), rule
        assert rule(expected, actual) == score, rule


@_for_all
@given(expected=VALUES, actual=VALUES)
def test_sides_can_be_swapped(expected: Json, actual: Json) -> None:
    """Comparators that are documented as symmetric score the same with the sides swapped."""
    for rule in SYMMETRIC:
        assert rule(expected, actual) == rule(actual, expected), rule


@_for_all
@given(expected=_SIDES, actual=_SIDES)
def test_matrix_holds_what_calls_return(expected: list[Json], actual: list[Json]) -> None:
    """Each cell of the matrix is, bit for bit, what a call returns."""
    for rule in ALL:
        scores = rule.matrix(expected, actual)
        assert scores.shape == (len(expected), len(actual)), rule
        assert scores.dtype == np.float64, rule
        assert scores.tolist() == [[rule(e, a) for a in actual] for e in expected], rule


@_for_all
@given(values=st.lists(VALUES, max_size=8))
def test_codes_agree_just_where_the_score_is_one(values: list[Json]) -> None:
    """Where a comparator gives codes, two values score 1 if their codes agree and 0 if they don't."""
    for rule in ALL:
        codes = rule.codes(values)
        if codes is None:
            continue
        assert len(codes) == len(values), rule
        agree = [[left == right for right in codes] for left in codes]
        assert agree == [[rule(e, a) == 1.0 for a in values] for e in values], rule
        assert len(set(codes)) == len({tuple(row) for row in agree}), rule


@pytest.mark.parametrize("rule", ALL, ids=repr)
def test_very_deep_values_are_compared(rule: Comparator) -> None:
    """Nesting far beyond the recursion limit doesn't make a comparator raise."""

    def nested(leaf: Json) -> Json:
        value: Json = leaf
        for _ in range(20_000):
            value = [value]
        return value

    left, same, other = nested("a"), nested("a"), nested("b")
    assert rule(left, same) == 1.0
    assert rule(left, other) == 0.0


def test_ignored_values_get_no_score() -> None:
    """`ignore` judges nothing, equal or not."""
    assert ignore()(1, 1) is None
    assert ignore()("a", None) is None
    assert repr(ignore()) == "ignore()"
