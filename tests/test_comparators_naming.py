"""Names of rules, the rule of a schema's type, and agreement with the reference package's own results."""

from __future__ import annotations

import datetime as dt
import math
from functools import partial
from typing import TYPE_CHECKING, Any

import pytest

from pytest_schemascore.documents.shapes import Kind
from pytest_schemascore.errors import RuleError
from pytest_schemascore.scoring.comparators.by_type import for_kinds
from pytest_schemascore.scoring.comparators.contains import contains
from pytest_schemascore.scoring.comparators.cosine import cosine
from pytest_schemascore.scoring.comparators.date import date
from pytest_schemascore.scoring.comparators.duration import duration
from pytest_schemascore.scoring.comparators.exact import exact
from pytest_schemascore.scoring.comparators.fuzzy import fuzzy
from pytest_schemascore.scoring.comparators.jaccard import jaccard
from pytest_schemascore.scoring.comparators.levenshtein import levenshtein
from pytest_schemascore.scoring.comparators.naming import named
from pytest_schemascore.scoring.comparators.numeric import numeric
from pytest_schemascore.scoring.comparators.one_of import one_of
from pytest_schemascore.scoring.comparators.regex import regex
from pytest_schemascore.scoring.comparators.relative import relative
from pytest_schemascore.scoring.comparators.threshold import threshold
from pytest_schemascore.scoring.comparators.token_ratio import token_ratio
from pytest_schemascore.scoring.comparators.url import url
from pytest_schemascore.scoring.pairing.by_content import by_content
from tests.shared_data import read_jsonl, shared_path

if TYPE_CHECKING:
    from pytest_schemascore.scoring.comparators.base import Comparator


def embed(texts: list[str]) -> list[list[float]]:
    """Embed texts by their length."""
    return [[float(len(text)), 1.0] for text in texts]


@pytest.mark.parametrize(
    ("rule", "name"),
    [
        (exact(), "exact()"),
        (exact(normalize=False), "exact(normalize=False)"),
        (numeric(), "numeric()"),
        (numeric(abs_tol=0.01), "numeric(abs_tol=0.01)"),
        (numeric(1.0, 0.5), "numeric(abs_tol=1, rel_tol=0.5)"),
        (fuzzy(), "fuzzy(threshold=0.85)"),
        (fuzzy(1), "fuzzy(threshold=1)"),
        (contains(), "contains()"),
        (regex(r"\d+"), r"regex('\\d+')"),
        (jaccard(), "jaccard()"),
        (jaccard(tokenizer=str.split), "jaccard(tokenizer=builtins:str.split)"),
        (levenshtein(), "levenshtein()"),
        (token_ratio(), "token_ratio()"),
        (relative(), "relative()"),
        (threshold(), "threshold()"),
        (threshold(10, 0.5), "threshold(t=10, p=0.5)"),
        (date(tolerance=2, day_first=True), "date(tolerance=2, day_first=True)"),
        (date(tolerance=dt.timedelta(hours=1)), "date(tolerance=datetime.timedelta(seconds=3600))"),
        (url(), "url()"),
        (duration(), "duration()"),
        (cosine(embed), f"cosine({__name__}:embed)"),
    ],
)
def test_a_rule_is_named_by_its_call(rule: Comparator, name: str) -> None:
    """The name shows the arguments that aren't the default's."""
    assert repr(rule) == name
    assert named(rule) == (name, True)


def test_rules_with_the_same_arguments_are_equal() -> None:
    """Rules are values: equal, and usable as keys, by their arguments."""
    assert numeric(abs_tol=0.5) == numeric(0.5)
    assert len({fuzzy(), fuzzy(0.85), fuzzy(0.9)}) == 2
    assert cosine(embed) == cosine(embed)


def test_functions_are_named_by_module_and_qualified_name() -> None:
    """A function that can be imported has a stable name."""
    assert named(embed) == (f"{__name__}:embed", True)
    assert named(math.isclose) == ("math:isclose", True)


def test_names_that_cannot_tell_a_change_are_marked() -> None:
    """Lambdas, local functions, partials, bound methods and callable objects may differ under one name."""

    def local(expected: object, actual: object) -> bool:
        return expected == actual

    class Judge:
        def __call__(self, expected: object, actual: object) -> bool:
            return expected == actual

        def method(self, expected: object, actual: object) -> bool:
            return expected == actual

    unstable: list[Any] = [lambda e, a: e == a, local, partial(math.isclose, 1), Judge(), Judge().method]
    for function in unstable:
        assert not named(function).stable, function
    assert not named(jaccard(tokenizer=lambda text: text.split())).stable
    assert named(partial(math.isclose, 1)).name == "partial(math:isclose)"


def test_schema_types_choose_their_rule() -> None:
    """Decimals by value, dates by moment, bools and choices strictly, the rest as the suite has it (S2)."""

    def for_kind(kind: Kind) -> Comparator | None:
        return for_kinds(frozenset({kind}), exact())

    decimal, day, choice = for_kind(Kind.DECIMAL), for_kind(Kind.DATE), for_kind(Kind.CHOICE)
    assert decimal is not None
    assert day is not None
    assert choice is not None
    assert decimal("10.50", 10.5) == 1.0
    assert day("2024-01-05", "5 Jan 2024") == 1.0
    assert choice("RED", "red") == 0.0
    assert for_kind(Kind.BOOLEAN) == choice
    assert for_kind(Kind.TIME) == for_kind(Kind.DATETIME) == day
    assert for_kind(Kind.URL) == url()
    assert for_kind(Kind.DURATION) == duration()
    for kind in (Kind.ANY, Kind.NULL, Kind.INTEGER, Kind.NUMBER, Kind.TEXT, Kind.OBJECT, Kind.ARRAY):
        assert for_kind(kind) is None


_RULES = {
    "None": exact(),
    "exact(normalize=False)": exact(normalize=False),
    "numeric()": numeric(),
    "numeric(abs_tol=0.25)": numeric(abs_tol=0.25),
    "numeric(rel_tol=0.01)": numeric(rel_tol=0.01),
    "fuzzy(0.85)": fuzzy(0.85),
    "contains()": contains(),
    "one_of(['USD','US$'])": one_of(["USD", "US$"]),
}
# What the reference gets wrong, as the conformance README says: true is not 1, and null meets null.
_WRONG = {"bool-vs-int", "numeric-null-null"}


def test_flat_conformance_cases_agree() -> None:
    """On cases of one scalar, verdicts are those of schemascore but for the kinds it gets wrong."""
    seen = 0
    for case in read_jsonl(shared_path("conformance", "schemascore.jsonl")):
        expected, actual, options = case["expected"], case["actual"], case["options"]
        flat = isinstance(actual, dict) and list(expected) == list(actual) == ["a"]
        if not flat or isinstance(expected["a"], (dict, list)):
            continue
        rule = _RULES[str(options["comparators"].get("a", options["default"]))]
        right = case["result"]["fields"]["a"] is not (case["id"] in _WRONG)
        assert (rule(expected["a"], actual["a"]) == 1.0) is right, case["id"]
        seen += 1
    assert seen >= 15


@pytest.mark.parametrize(
    ("make", "wrong", "near"),
    [
        (numeric, "abstol", "abs_tol"),
        (fuzzy, "treshold", "threshold"),
        (exact, "normalise", "normalize"),
        (by_content, "treshold", "threshold"),
    ],
)
def test_a_misspelt_argument_names_the_nearest(make: Any, wrong: str, near: str) -> None:
    """A rule refuses an argument it doesn't have, and says which one was probably meant."""
    with pytest.raises(RuleError, match=f"no argument '{wrong}'; did you mean '{near}'"):
        make(**{wrong: 1})
