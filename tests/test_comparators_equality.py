"""`exact`, `one_of` and `contains` on values worked out by hand."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from pytest_schemascore.errors import RuleError
from pytest_schemascore.scoring.comparators.contains import contains
from pytest_schemascore.scoring.comparators.exact import exact
from pytest_schemascore.scoring.comparators.one_of import one_of

if TYPE_CHECKING:
    from pytest_schemascore.documents.json_types import Json


@pytest.mark.parametrize(
    ("expected", "actual", "score"),
    [
        ("Hello", " hello\t", 1),
        ("a  b", "a\N{NO-BREAK SPACE}b", 1),
        ("STRASSE", "stra\N{LATIN SMALL LETTER SHARP S}e", 1),
        ("caf\u00e9", "CAFE\u0301", 1),
        ("\N{FULLWIDTH DIGIT ONE}", "1", 0),
        ("ab", "a b", 0),
        ("1", 1, 0),
        ("true", True, 0),
        ("", None, 0),
        ("None", None, 0),
        (None, None, 1),
        (True, True, 1),
        (True, 1, 0),
        (False, 0.0, 0),
        (1, 1.0, 1),
        (0.3, 0.1 + 0.2, 1),
        (1.0, 1.0 + 0.9e-9, 1),
        (1.0, 1.0 + 2e-9, 0),
        (12345678901, 12345678902, 0),
        (2**53, 2**53 + 1, 0),
        (10**400, 10**400 + 1, 0),
        (10**400, 1.5, 0),
        (2**1024, 1.7976931348623157e308, 1),
        ([], [], 1),
        ([], {}, 0),
        ({"a": [1, "X"]}, {"a": [1.0, "x"]}, 1),
        ({"a": 1}, {"A": 1}, 0),
        ([True], [1], 0),
        ([1, 2], [2, 1], 0),
    ],
)
def test_exact_is_the_equality_of_s6(expected: Json, actual: Json, score: float) -> None:
    """Texts by their normal form, integers exactly, floats within 1e-9, types never mixed up (S6)."""
    assert exact()(expected, actual) == score


@pytest.mark.parametrize(
    ("expected", "actual", "score"),
    [
        ("Hello", "hello", 0),
        ("a", "a ", 0),
        ("a", "a", 1),
        (1, 1.0, 1),
        (["A"], ["a"], 0),
        ({"k": "A"}, {"k": "A"}, 1),
    ],
)
def test_exact_without_normalizing_takes_texts_as_they_are(
    expected: Json, actual: Json, score: float
) -> None:
    """``normalize=False`` changes texts only, inside containers too."""
    assert exact(normalize=False)(expected, actual) == score


def test_exact_has_no_codes_where_equality_is_not_transitive() -> None:
    """A float between two integers that differ ties them to itself but not to each other."""
    assert exact().codes([10**10, 10**10 + 1]) is not None
    assert exact().codes([10**10, 10**10 + 1, 1e10]) is None
    assert exact().codes([1.0, 1.0 + 0.9e-9, 1.0 + 1.8e-9]) is None
    assert exact().matrix([10**10, 10**10 + 1], [1e10, 10**10]).tolist() == [[1, 1], [1, 0]]


def test_exact_codes_follow_equality() -> None:
    """Equal values share a code whatever their spelling; others don't."""
    codes = exact().codes(["A", "a ", 1, 1.0, True, "1", None, [1], [1], ["x", "X"], ["X", "x"], {}, []])
    assert codes is not None
    assert [codes.index(c) for c in codes] == [0, 0, 2, 2, 4, 5, 6, 7, 7, 9, 9, 11, 12]


@pytest.mark.parametrize(
    ("expected", "actual", "score"),
    [
        ("USD", "us$", 1),
        ("usd", "USD", 1),
        ("EUR", "eur", 1),
        ("USD", "EUR", 0),
        ("EUR", "Euro", 1),
        ("Euro", 1, 1),
        ("GBP", "gbp", 1),
        ("GBP", "USD", 0),
        (None, "USD", 0),
        (True, "Euro", 0),
    ],
)
def test_one_of_ties_the_members_of_a_group(expected: Json, actual: Json, score: float) -> None:
    """Equal values and members of one group match, members of two groups don't."""
    assert one_of(["USD", "US$"], ["EUR", "Euro", 1])(expected, actual) == score


def test_one_of_takes_one_group_as_values() -> None:
    """``one_of("a", "b")`` is the group of both."""
    assert one_of("a", "b") == one_of(["a", "b"])
    assert one_of("a", "b")("A", "b") == 1.0
    assert repr(one_of(["USD", "US$"], ["EUR"])) == "one_of(['USD', 'US$'], ['EUR'])"


def test_one_of_has_no_codes_where_groups_overlap() -> None:
    """A value in two groups ties values that aren't tied to each other."""
    rule = one_of(["a", "b"], ["b", "c"])
    assert rule.codes(["a", "b", "c"]) is None
    assert rule.matrix(["a"], ["b", "c"]).tolist() == [[1, 0]]


@pytest.mark.parametrize("groups", [(), ([],), (["a"], "b"), (["a"], [])])
def test_one_of_refuses_what_is_no_group(groups: tuple[Json, ...]) -> None:
    """No group, an empty one, or lists mixed with values are mistakes."""
    with pytest.raises(RuleError, match="one_of"):
        one_of(*groups)


@pytest.mark.parametrize(
    ("expected", "actual", "score"),
    [
        ("acme", "ACME Corp, Inc.", 1),
        ("acme  corp", "the Acme Corp", 1),
        ("acme corp", "acme", 0),
        ("", "anything", 1),
        ("", None, 0),
        ("1", 12, 0),
        (None, "None", 0),
        (5, 5, 1),
        (["a"], ["a", "b"], 0),
    ],
)
def test_contains_looks_for_the_label_in_the_output(expected: Json, actual: Json, score: float) -> None:
    """The label has to stand in the output, not the other way round; only texts contain."""
    assert contains()(expected, actual) == score


def test_exact_refuses_a_flag_that_is_none() -> None:
    """A wrong argument shows at once."""
    with pytest.raises(RuleError, match=r"exact\(\): normalize is True or False, not 'yes'"):
        exact(normalize="yes")  # type: ignore[arg-type]  # the mistake under test
