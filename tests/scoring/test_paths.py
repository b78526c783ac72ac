"""Paths: every key has one spelling, and every spelling one meaning (S4)."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pytest_schemascore.documents import paths
from pytest_schemascore.documents.paths import Descendant, Wild
from pytest_schemascore.errors import PathError

segments = st.lists(
    st.one_of(
        st.text(max_size=6),
        st.integers(0, 9999),
        st.sampled_from(list(Wild)),
        st.builds(Descendant, st.text(max_size=4)),
    ),
    max_size=6,
).map(tuple)


@pytest.mark.parametrize(
    ("text", "parsed"),
    [
        ("$", ()),
        ("total", ("total",)),
        ("$.total", ("total",)),
        ("items[0].price", ("items", 0, "price")),
        ("items[*].price", ("items", Wild.ITEM, "price")),
        ("a[0].b[*]", ("a", 0, "b", Wild.ITEM)),
        ("[0]", (0,)),
        ("$[*].x", (Wild.ITEM, "x")),
        ("meta.*", ("meta", Wild.KEY)),
        ("*", (Wild.KEY,)),
        ("..name", (Descendant("name"),)),
        ("a..name", ("a", Descendant("name"))),
        ("..['a b']", (Descendant("a b"),)),
        ("['a.b'].c", ("a.b", "c")),
        ('["a b"]', ("a b",)),
        (r"['it\'s']", ("it's",)),
        (r"['\u00e4']", ("ä",)),
        ("größe", ("größe",)),
        ("post-town", ("post-town",)),
        ("['$ref']", ("$ref",)),
    ],
)
def test_a_path_means_these_segments(text: str, parsed: tuple[object, ...]) -> None:
    """Names, indexes, wildcards, descendants and quoted keys are read as RFC 9535 has them."""
    assert paths.parse(text) == parsed


@pytest.mark.parametrize("text", ["", "a b", "a..", "a[", "a[-1]", "a[01]", "0a", "a.[0]", "a]", "['a", "a$"])
def test_what_is_no_path_is_refused_with_a_column(text: str) -> None:
    """A text outside the subset is an error that names the column."""
    with pytest.raises(PathError, match="column"):
        paths.parse(text)


@given(segments)
def test_every_path_is_read_back_as_it_was_written(path: tuple[paths.Segment, ...]) -> None:
    """Writing and reading are inverse, so no two paths share a spelling."""
    assert paths.parse(paths.to_text(path)) == path


@given(st.lists(st.one_of(st.text(max_size=6), st.integers(0, 99)), max_size=5))
def test_joining_step_by_step_gives_the_same_text(steps: list[str | int]) -> None:
    """The text built while walking a document is the text of the whole path."""
    text = paths.ROOT
    for step in steps:
        text = paths.join_key(text, step) if isinstance(step, str) else paths.join_index(text, step)
    assert text == paths.to_text(tuple(steps))


def test_a_field_is_a_path_with_its_indexes_folded() -> None:
    """items[0].price and items[7].price are one field."""
    assert paths.field_of("items[0].tags[12]") == "items[*].tags[*]"
    assert paths.field_of("$[3]") == "$[*]"
    assert paths.field_of("['a[0]'].b") == "['a[0]'].b"
