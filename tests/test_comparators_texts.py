"""`fuzzy`, `levenshtein`, `token_ratio`, `jaccard` and `regex` on values worked out by hand."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from rapidfuzz import fuzz

from pytest_schemascore.errors import RuleError
from pytest_schemascore.scoring.comparators.fuzzy import fuzzy
from pytest_schemascore.scoring.comparators.jaccard import jaccard
from pytest_schemascore.scoring.comparators.levenshtein import levenshtein
from pytest_schemascore.scoring.comparators.normalizing import all_normalized, normalized
from pytest_schemascore.scoring.comparators.regex import regex
from pytest_schemascore.scoring.comparators.token_ratio import token_ratio

if TYPE_CHECKING:
    from pytest_schemascore.documents.json_types import Json

_WORDS = st.text("ab ", max_size=9)


@pytest.mark.parametrize(
    ("threshold", "expected", "actual", "score"),
    [
        (0.85, "Globex Corporation", "Globex Corporaton", 1),
        (0.85, "Globex", "Initech", 0),
        (0.8, "bca", "bc", 1),
        (0.81, "bca", "bc", 0),
        (0.9, "abcdefghij", "abcdefghik", 1),
        (0.85, "GLOBEX  corp", "globex Corp", 1),
        (0.85, "", "", 1),
        (0.85, "", "a", 0),
        (0, "a", "b", 1),
        (1, "a", "A", 1),
        (1, "ab", "a", 0),
        (0, None, "None", 0),
        (0, None, None, 1),
        (0, 5, 6, 0),
        (0, "5", 5, 0),
    ],
)
def test_fuzzy_passes_from_its_threshold_on(
    threshold: float, expected: Json, actual: Json, score: float
) -> None:
    """The verdict at the threshold itself is a pass, in calls and in matrices; only texts are alike."""
    assert fuzzy(threshold)(expected, actual) == score
    assert fuzzy(threshold).matrix([expected], [actual]).tolist() == [[score]]


@settings(deadline=None, max_examples=200)
@given(e=st.text("abc", max_size=8), a=st.text("abc", max_size=8), hundredths=st.integers(0, 100))
def test_fuzzy_agrees_with_the_longest_common_subsequence(e: str, a: str, hundredths: int) -> None:
    """Indel similarity is 2 * LCS / (n + m); computed here by the textbook recurrence and in integers."""
    row = [0] * (len(a) + 1)
    for x in e:
        row = _next_row(row, x, a)
    passes = 200 * row[-1] >= hundredths * (len(e) + len(a))
    assert fuzzy(hundredths / 100)(e, a) == float(passes)


def _next_row(above: list[int], x: str, text: str) -> list[int]:
    row = [0]
    for j, y in enumerate(text):
        row.append(above[j] + 1 if x == y else max(above[j + 1], row[j]))
    return row


@pytest.mark.parametrize("wrong", [-0.1, 1.1, 85, float("nan"), "0.85", None, True])
def test_impossible_likeness_is_refused(wrong: float) -> None:
    """A threshold is a number from 0 to 1, so 85 is a mistake."""
    with pytest.raises(RuleError, match=r"fuzzy\(\): threshold is a number from 0 to 1"):
        fuzzy(wrong)


@pytest.mark.parametrize(
    ("expected", "actual", "score"),
    [
        ("kitten", "sitting", 1 - 3 / 7),
        ("ABC", "abc", 0.0),
        ("", "", 1.0),
        ("", "abc", 0.0),
        ("2024-01-05", "01/05/2024", 0.1),
        (None, "None", 0.0),
        (1, 1.0, 1.0),
    ],
)
def test_levenshtein_is_one_less_edits_over_the_longer_length(
    expected: Json, actual: Json, score: float
) -> None:
    """Texts are taken as they are."""
    assert levenshtein()(expected, actual) == pytest.approx(score)


@settings(deadline=None, max_examples=100)
@given(e=_WORDS, a=_WORDS)
def test_token_ratio_is_that_of_rapidfuzz(e: str, a: str) -> None:
    """The score of texts with words is ``token_sort_ratio`` / 100."""
    if e.split() or a.split():
        assert token_ratio()(e, a) == pytest.approx(fuzz.token_sort_ratio(e, a) / 100)
    else:
        assert token_ratio()(e, a) == 1.0


def test_token_ratio_does_not_see_case_or_order() -> None:
    """The same words in another order are the same."""
    assert token_ratio()("Jane van Doe", "doe  VAN jane") == 1.0
    assert token_ratio()("jane doe", "jane dow") == pytest.approx(1 - 2 / 16)


@pytest.mark.parametrize(
    ("expected", "actual", "score"),
    [
        ("Hello World", "hello WORLD", 1.0),
        ("Caf\u00e9 Stra\u00dfe", "cafe\u0301 STRASSE", 1.0),
        ("a b b c", "c b a", 1.0),
        ("a b c", "b c d", 0.5),
        ("", "", 1.0),
        ("", " ", 1.0),
        ("x", "", 0.0),
        ("5", 5, 0.0),
        (["a b"], ["b a"], 0.0),
    ],
)
def test_jaccard_is_the_share_of_common_words(expected: Json, actual: Json, score: float) -> None:
    """Words as sets, so that order and repetition don't count."""
    assert jaccard()(expected, actual) == score


def test_jaccard_takes_a_tokenizer() -> None:
    """A function from a text to tokens replaces the split into words."""
    assert jaccard(tokenizer=list)("abc", "bcd") == 0.5
    with pytest.raises(RuleError, match=r"jaccard\(\): tokenizer is a function"):
        jaccard(tokenizer="words")  # type: ignore[arg-type]  # the mistake under test


@pytest.mark.parametrize(
    ("expected", "actual", "score"),
    [
        ("INV-1", "INV-2024", 1),
        ("INV-1", "INV-2024 ", 0),
        ("INV-1", "see INV-2024", 0),
        ("none yet", "none yet", 1),
        ("none yet", "None yet", 0),
        ("INV-1", None, 0),
        (None, "INV-1", 0),
        (7, 7, 1),
    ],
)
def test_regex_matches_the_whole_output(expected: Json, actual: Json, score: float) -> None:
    """The label's text counts only where the output is just that; a null label asks for null."""
    assert regex(r"INV-\d+")(expected, actual) == score


@pytest.mark.parametrize("wrong", ["(", "*a", 5, None])
def test_patterns_that_do_not_compile_are_refused(wrong: str) -> None:
    """The mistake shows when the rule is made."""
    with pytest.raises(RuleError, match="regex"):
        regex(wrong)


@settings(deadline=None, max_examples=200)
@given(st.lists(st.text(st.sampled_from("aA \t\n\x1f\x85\u00a0\u00e9\u0301\u0130\u00df\ud800"), max_size=6)))
def test_texts_are_normalized_together_as_they_are_one_by_one(texts: list[str]) -> None:
    """Whitespace, case, accents and duplicates of all kinds."""
    assert all_normalized(texts) == [normalized(text) for text in texts]
