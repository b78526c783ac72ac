"""`numeric`, `relative` and `threshold` on values worked out by hand."""

from __future__ import annotations

import sys
from fractions import Fraction
from typing import TYPE_CHECKING

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pytest_schemascore.errors import RuleError, UsageError
from pytest_schemascore.scoring.comparators.numeric import numeric
from pytest_schemascore.scoring.comparators.relative import relative
from pytest_schemascore.scoring.comparators.threshold import threshold

if TYPE_CHECKING:
    from decimal import Decimal

    from pytest_schemascore.documents.json_types import Json


@pytest.mark.parametrize(
    ("rule", "expected", "actual", "score"),
    [
        (numeric(abs_tol=0.25), 1.0, 1.25, 1),
        (numeric(abs_tol=0.1), 1.1, 1.2, 1),
        (numeric(abs_tol=0.1), 1.1, 1.2000001, 0),
        (numeric(abs_tol=0.01), 10.01, 10.0, 1),
        (numeric(abs_tol=0.5), 6714795744484.493, 6714795744484.502, 1),
        (numeric(abs_tol=0.000001), "999.99999999", "999.9999999999", 1),
        (numeric(abs_tol=0.01), "41", 41, 1),
        (numeric(abs_tol=0.01), "0.102", "0.101", 1),
        (numeric(rel_tol=0.01), 100, 101, 1),
        (numeric(rel_tol=0.01), 101, 100, 1),
        (numeric(rel_tol=0.01), 100, 102, 0),
        (numeric(rel_tol=0.5), 1, -1, 0),
        (numeric(abs_tol=1, rel_tol=0.01), 10, 11, 1),
        (numeric(abs_tol=1), 10**400, 10**400 + 1, 1),
        (numeric(abs_tol=1), 10**400, 10**400 + 2, 0),
        (numeric(), 2**53, 2**53 + 1, 0),
        (numeric(), "10.50", 10.5, 1),
        (numeric(), "0012", "12", 1),
        (numeric(), "1,234", 1234, 1),
        (numeric(), "1.234", 1.234, 1),
        (numeric(), "-1,234,567.5e0", -1234567.5, 1),
        (numeric(), " +5 ", 5, 1),
        (numeric(), "\N{MINUS SIGN}5", -5, 1),
        (numeric(), "1E3", 1000, 1),
        (numeric(), "$5", 5, 0),
        (numeric(), "1.234,5", 1234.5, 0),
        (numeric(), "1,23", 123, 0),
        (numeric(), "0,123", 123, 0),
        (numeric(), "1_000", 1000, 0),
        (numeric(), "\N{ARABIC-INDIC DIGIT FIVE}", 5, 0),
        (numeric(), "1e99999", "1e99999", 1),
        (numeric(), "N/A", "n/a", 1),
        (numeric(abs_tol=5), "N/A", 0, 0),
        (numeric(abs_tol=5), None, 0, 0),
        (numeric(), None, None, 1),
        (numeric(abs_tol=5), True, 1, 0),
        (numeric(), True, True, 1),
        (numeric(), "", "", 1),
        (numeric(abs_tol=5), [1], [2], 0),
    ],
)
def test_numeric_compares_values_within_a_tolerance(
    rule: numeric, expected: Json, actual: Json, score: float
) -> None:
    """Inclusive at the edge as the user writes it, texts read by one rule, nothing guessed."""
    assert rule(expected, actual) == score
    assert rule.matrix([expected], [actual]).tolist() == [[score]]


@settings(deadline=None, max_examples=200)
@given(
    e=st.decimals(-1000, 1000, places=2),
    a=st.decimals(-1000, 1000, places=2),
    tolerance=st.decimals(0, 3, places=2),
    share=st.decimals(0, 1, places=2),
)
def test_numeric_agrees_with_rational_arithmetic(
    e: Decimal, a: Decimal, tolerance: Decimal, share: Decimal
) -> None:
    """Floats with two decimals are judged as if they were the fractions that they are written as."""
    gap = abs(Fraction(e) - Fraction(a))
    passes = gap <= Fraction(tolerance) or gap <= Fraction(share) * max(abs(Fraction(e)), abs(Fraction(a)))
    rule = numeric(abs_tol=float(tolerance), rel_tol=float(share))
    assert rule(float(e), float(a)) == float(passes)
    assert rule.matrix([float(e)], [float(a), str(a)]).tolist() == [[float(passes)] * 2]


def test_numeric_has_codes_only_where_its_tolerance_is_transitive() -> None:
    """Values in clusters apart have codes; a chain of neighbours has none."""
    codes = numeric(abs_tol=1).codes([0, 1, 5, 5.5, "6", None])
    assert codes is not None
    assert [codes.index(c) for c in codes] == [0, 0, 2, 2, 2, 5]
    assert numeric(abs_tol=1).codes([0, 1, 2]) is None
    assert numeric(rel_tol=1).codes([0, 1]) is None


@pytest.mark.parametrize(
    ("locale", "text", "value"),
    [
        ("de_DE", "1.234,5", 1234.5),
        ("de-DE", "1.234", 1234),
        ("de_DE", "1,5", 1.5),
        ("de_DE", "1234,50", 1234.5),
        ("es_ES", "1.234", 1234),
        ("fr_FR", "1\N{NARROW NO-BREAK SPACE}234,5", 1234.5),
        ("fr_FR", "1 234,5", 1234.5),
        ("sv_SE", "\N{MINUS SIGN}1\N{NO-BREAK SPACE}000", -1000),
        ("hi_IN", "12,34,567.5", 1234567.5),
        ("de_CH", "1\N{RIGHT SINGLE QUOTATION MARK}234.5", 1234.5),
        ("de_CH", "1'234.5", 1234.5),
        ("en_US", "1,234.5", 1234.5),
    ],
)
def test_numeric_reads_texts_as_the_locale_writes_them(locale: str, text: str, value: float) -> None:
    """Separators and group sizes are those of the CLDR."""
    pytest.importorskip("babel")
    assert numeric(locale=locale)(text, value) == 1.0


@pytest.mark.parametrize(
    ("locale", "text", "value"),
    [("de_DE", "1.5", 1.5), ("de_DE", "1.5", 15), ("de_DE", "0.123", 123), ("hi_IN", "1234,567", 1234567)],
)
def test_numeric_refuses_what_the_locale_does_not_write(locale: str, text: str, value: float) -> None:
    """A separator in the wrong place makes a text no number."""
    pytest.importorskip("babel")
    assert numeric(locale=locale)(text, value) == 0.0


def test_unknown_locale_is_an_error() -> None:
    """It shows when the rule is made."""
    pytest.importorskip("babel")
    with pytest.raises(RuleError, match="locale='xx_YY' is not known"):
        numeric(locale="xx_YY")


def test_missing_babel_is_named_with_the_command(monkeypatch: pytest.MonkeyPatch) -> None:
    """Without the extra the error says what to install."""
    monkeypatch.setitem(sys.modules, "babel.core", None)
    with pytest.raises(UsageError, match=r"pip install 'pytest-schemascore\[locale\]'"):
        numeric(locale="de_DE")


@pytest.mark.parametrize("wrong", [-0.1, float("nan"), float("inf"), True, "1", None])
def test_impossible_tolerances_are_refused(wrong: float) -> None:
    """A tolerance is a finite number of at least 0."""
    with pytest.raises(RuleError, match=r"numeric\(\): abs_tol is a finite number of at least 0"):
        numeric(abs_tol=wrong)
    with pytest.raises(RuleError, match=r"numeric\(\): rel_tol is a finite number of at least 0"):
        numeric(rel_tol=wrong)


@pytest.mark.parametrize(
    ("expected", "actual", "score"),
    [
        (100, 110, 0.9),
        (100, 90, 0.9),
        (100, 50, 0.5),
        (-10, -5, 0.5),
        (5, -5, 0.0),
        (100, 250, 0.0),
        (0, 0, 1.0),
        (0, 0.0, 1.0),
        (0, 1e-9, 0.0),
        (0.3, 0.1 + 0.2, 1.0),
        (10**400, 11 * 10**399, 0.9),
        (10**400, 1, 0.0),
        (1, 10**400, 0.0),
        ("5", 5, 0.0),
        ("a", "A", 1.0),
        (None, None, 1.0),
        (True, 1, 0.0),
    ],
)
def test_relative_measures_by_the_label(expected: Json, actual: Json, score: float) -> None:
    """1 - |e - a| / |e|, never below 0."""
    assert relative()(expected, actual) == pytest.approx(score, abs=1e-12)


@pytest.mark.parametrize("rule", [relative(), threshold(10, 1)], ids=repr)
@pytest.mark.parametrize("number", [12345678901, 2**53, 10**30, 10**400])
def test_different_integers_never_score_one(rule: relative | threshold, number: int) -> None:
    """However near two integers are, they differ."""
    assert rule(number, number + 1) < 1.0
    assert rule.matrix([number], [number + 1])[0, 0] < 1.0


@pytest.mark.parametrize(
    ("t", "p", "expected", "actual", "score"),
    [
        (0.001, 0.1, 1.0, 1.0005, 1 - 0.5**10),
        (0.001, 0.1, 1.0, 1.01, 0.0),
        (10, 2, 10, 12, 1 - 0.2**0.5),
        (10, 0.5, 10, 12, 1 - 0.2**2),
        (10, 0, 10, 20, 1.0),
        (10, 0, 10, 21, 0.0),
        (10, 1, 10, 20, 0.0),
        (0.001, 0, 0.5, 0.501, 1.0),
        (0, 0, 1, 1, 1.0),
        (0, 1, 1, 2, 0.0),
        (10, 1, 5, "5", 0.0),
        (10, 1, None, None, 1.0),
    ],
)
def test_threshold_is_its_formula(t: float, p: float, expected: Json, actual: Json, score: float) -> None:
    """0 beyond t, else 1 - (d / t)^(1 / p), and 1 where p is 0."""
    assert threshold(t, p)(expected, actual) == pytest.approx(score)


@pytest.mark.parametrize(("t", "p"), [(-1, 0), (1, -1), (float("inf"), 1), (1, float("nan"))])
def test_impossible_thresholds_are_refused(t: float, p: float) -> None:
    """Both arguments are finite and at least 0."""
    with pytest.raises(RuleError, match=r"threshold\(\)"):
        threshold(t, p)
