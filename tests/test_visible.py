"""Texts for the page: nothing hides, differences are marked, long texts are cut around them."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from pytest_schemascore.reporting.visible import excerpt, look_alike, pair, parts_of, plain


def _shown(parts: list[str | list[str]]) -> str:
    """Return the text of the parts that are text, without code points and gaps."""
    return "".join(p if isinstance(p, str) else p[0] for p in parts if isinstance(p, str) or p[1] == "d")


def test_hidden_characters_are_shown_by_code_point_and_name() -> None:
    """A no-break space, a zero-width space and a control each become a code point with its name."""
    assert parts_of("a\xa0b\u200bc\x1b") == [
        "a",
        ["U+00A0", "u", "no-break space"],
        "b",
        ["U+200B", "u", "zero width space"],
        "c",
        ["U+001B", "u", "escape"],
    ]


def test_a_run_of_one_hidden_character_is_counted() -> None:
    """A thousand NULs are one code point with a count, not a thousand."""
    assert parts_of("\x00" * 1000) == [["U+0000 \u00d71,000", "u", "null"]]


def test_direction_overrides_and_lone_surrogates_never_reach_the_page() -> None:
    """What reorders the text around it, and what UTF-8 can't hold, is shown by code point only."""
    parts = parts_of("\u202egpj.exe \ud800")
    assert parts == [
        ["U+202E", "u", "right-to-left override"],
        "gpj.exe ",
        ["U+D800", "u", "lone surrogate"],
    ]


def test_accents_piled_on_one_letter_are_cut_after_four() -> None:
    """Stacked accents would be drawn over other lines."""
    assert parts_of("e" + "\u0301" * 10) == [
        "e" + "\u0301" * 4,
        ["U+0301 \u00d76", "u", "combining acute accent"],
    ]


def test_ordinary_emoji_persian_and_cjk_text_is_left_alone() -> None:
    """Joiners, variation selectors and wide spaces belong to these scripts."""
    for text in (
        "\U0001f469\u200d\U0001f52c \u2764\ufe0f",
        "\u0645\u06cc\u200c\u062e\u0648\u0627\u0647\u0645",
        "東京\u3000都",
        "tab\tnew\nline",
    ):
        assert parts_of(text) == [text]


def test_too_many_hidden_characters_are_replaced() -> None:
    """A text that is all controls doesn't become a million parts."""
    assert len(parts_of("\x00\x01" * 100_000)) <= 301


def test_the_difference_of_two_texts_is_marked() -> None:
    """What both share at start and end is plain, the middle is marked."""
    expected, actual = pair("total 12 EUR", "total 13 EUR", 100)
    assert expected == ["total 1", ["2", "d"], " EUR"]
    assert actual == ["total 1", ["3", "d"], " EUR"]


def test_composed_and_decomposed_letters_are_spelled_out() -> None:
    """NFC and NFD look the same, so the code points of both are given, the letter whole."""
    expected, actual = pair("Caf\u00e9!", "Cafe\u0301!", 100)
    assert expected == [
        "Caf",
        ["\u00e9", "d"],
        ["U+00E9", "u", "latin small letter e with acute"],
        "!",
    ]
    assert actual == [
        "Caf",
        ["e\u0301", "d"],
        ["U+0065", "u", "latin small letter e"],
        ["U+0301", "u", "combining acute accent"],
        "!",
    ]


def test_a_trailing_space_is_spelled_out() -> None:
    """A space at the end can't be seen, so its code point is given."""
    expected, actual = pair("Acme", "Acme ", 100)
    assert expected == ["Acme"]
    assert actual == ["Acme", [" ", "d"], ["U+0020", "u", "space"]]


def test_a_long_text_is_cut_around_its_first_difference() -> None:
    """A difference after a million characters is still on the page."""
    expected, actual = pair("x" * 1_000_000 + "a", "x" * 1_000_000 + "b", 1_000)
    assert expected[0] == ["999,001 characters left out", "g"]
    assert expected[-1] == ["a", "d"]
    assert actual[-1] == ["b", "d"]
    assert len(_shown(expected)) == 1_000


def test_an_excerpt_keeps_the_beginning() -> None:
    """The end is left out, and how much is said."""
    assert excerpt("abcdef", 5) == ["abcde", ["1 character left out", "g"]]


def test_plain_text_stands_on_one_line_and_is_cut() -> None:
    """Line breaks become spaces and hidden characters code points in brackets."""
    assert plain("a\r\nb\u202ec", 100) == "a b[U+202E]c"
    assert plain("abcdef", 3) == "abc…"


def test_look_alikes_are_told_from_real_differences() -> None:
    """Unicode form, width, spaces and zero-width characters look alike; another letter doesn't."""
    assert look_alike("é", "e\u0301")
    assert look_alike("a b", "a\xa0b")
    assert look_alike("\uff11", "1")
    assert not look_alike("a", "b")
    assert not look_alike("a", "a")


@settings(deadline=None, max_examples=200)
@given(st.text("ab\u00e9e\u0301 ", max_size=12), st.text("ab\u00e9e\u0301 ", max_size=12))
def test_parts_of_a_pair_add_up_to_the_texts(left: str, right: str) -> None:
    """Marking loses nothing of texts that hold no hidden characters."""
    expected, actual = pair(left, right, 100)
    assert (_shown(expected), _shown(actual)) == (left, right)
    same = [[p for p in parts if isinstance(p, str)] for parts in (expected, actual)]
    assert same[0] == same[1]
