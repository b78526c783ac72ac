"""Strict JSON: what is read exactly, what is refused and where, and what is written."""

from __future__ import annotations

import json
import math
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pytest_schemascore.documents.json_errors import JsonError
from pytest_schemascore.documents.json_text import (
    MAX_DEPTH,
    all_canonical,
    canonical,
    dump_json,
    read_json,
    read_json_at,
)

any_text = st.text(st.characters(exclude_categories=()))  # lone surrogates and all
marks = st.text('\x1e{}[]",:\\')
scalars = (
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | any_text
)
documents = st.recursive(
    scalars,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(any_text, inner, max_size=4),
    max_leaves=20,
)
quick = settings(deadline=None, max_examples=100)


def same(left: Any, right: Any) -> bool:
    """Compare by value and by type, so that 1, 1.0 and true differ and -0.0 isn't 0.0."""
    return repr(left) == repr(right)


def refused(text: str | bytes) -> JsonError:
    with pytest.raises(JsonError) as caught:
        read_json(text)
    return caught.value


@quick
@given(documents, st.booleans(), st.sampled_from([None, 1]))
def test_whatever_the_standard_library_writes_is_read_back(
    document: Any, ascii_only: bool, indent: int | None
) -> None:
    """Reading inverts ``json.dumps``, in every spelling it has."""
    parsed = read_json(json.dumps(document, ensure_ascii=ascii_only, indent=indent))
    assert same(parsed.value, document)
    assert parsed.duplicates == ()


@quick
@given(documents)
def test_what_is_written_is_json_on_one_line_with_the_same_value(document: Any) -> None:
    """Every document is written so that the standard library reads the same value from one line."""
    text = dump_json(document)
    text.encode("utf-8")
    assert "\n" not in text
    assert same(json.loads(text), document)


@quick
@given(documents)
def test_canonical_text_keeps_the_value_and_forgets_the_order_of_keys(document: Any) -> None:
    """The canonical text has the same value, and is the same however the keys are ordered."""

    def turned(value: Any) -> Any:
        if isinstance(value, dict):
            return {key: turned(value[key]) for key in reversed(value)}
        return [turned(item) for item in value] if isinstance(value, list) else value

    assert json.loads(canonical(document)) == document
    assert canonical(turned(document)) == canonical(document)


@quick
@given(st.text('[]{}",:\\ 01eE.-+tnulrasfNI\n', max_size=12))
def test_what_the_standard_library_refuses_is_refused(text: str) -> None:
    """Over texts of JSON's own characters it accepts what ``json.loads`` does, but for what isn't finite."""
    try:
        expected = json.loads(text)
    except ValueError:
        refused(text)
        return
    if all(name not in text for name in ("NaN", "Infinity")) and not _has_infinity(expected):
        assert read_json(text).value == expected


def _has_infinity(value: Any) -> bool:
    if isinstance(value, dict):
        return any(map(_has_infinity, value.values()))
    if isinstance(value, list):
        return any(map(_has_infinity, value))
    return isinstance(value, float) and math.isinf(value)


def test_a_syntax_error_says_line_and_column() -> None:
    """Both are counted from 1."""
    error = refused('{"a": 1,\n "b" 2}')
    assert (error.line, error.column, error.syntax) == (2, 6, True)
    assert str(error).endswith(" at line 2, column 6")


@pytest.mark.parametrize("text", ["", " \r\n\t"])
def test_an_empty_text_says_so(text: str) -> None:
    """White space is no document either."""
    assert refused(text).message == "there is no text"


@pytest.mark.parametrize("constant", ["NaN", "Infinity", "-Infinity"])
def test_constants_that_json_lacks_are_refused_where_they_stand(constant: str) -> None:
    """One inside a string is no reason, and not the place."""
    error = refused(f'{{"{constant}": "{constant}",\n"b": {constant}}}')
    assert error.message == f"{constant} is not JSON"
    assert (error.line, error.column, error.syntax) == (2, 6, False)


def test_a_float_out_of_range_is_refused() -> None:
    """1e400 is JSON, but Python could only say Infinity."""
    assert str(refused("[1.5, -1e400]")) == "-1e400 is too large for a float at line 1, column 7"


def test_integers_are_exact_at_any_size_that_python_reads() -> None:
    """64 bits are no border (orjson's is there)."""
    for value in (2**63, 2**64, -(2**64) - 1, 10**400, 10**4299):
        assert read_json(f"[{value}]").value == [value]


def test_an_integer_beyond_pythons_digit_limit_is_refused_by_place() -> None:
    """A hundred thousand digits are an invalid document, not a crash."""
    error = refused('["' + "1" * 5000 + '", ' + "1" * 100_000 + "]")
    assert error.message == "an integer has more digits than Python reads (4,300)"
    assert (error.line, error.column) == (1, 5006)


@pytest.mark.parametrize(
    ("text", "value", "paths"),
    [
        ('{"a": 1, "a": 2}', {"a": 2}, ("a",)),
        ('{"x": [{"a": 1, "b": 0, "a": 2, "a": 3}]}', {"x": [{"a": 3, "b": 0}]}, ("x[0].a",)),
        ('{"a.b": {"c": 1, "\\u0063": 2}}', {"a.b": {"c": 2}}, ("['a.b'].c",)),
        ('[{"a": 1}, {"a": 2}]', [{"a": 1}, {"a": 2}], ()),
    ],
)
def test_duplicate_keys_are_noted_by_path_and_the_last_wins(
    text: str, value: Any, paths: tuple[str, ...]
) -> None:
    """Only keys of one and the same object are duplicates, however they are spelt."""
    parsed = read_json(text)
    assert parsed.value == value
    assert type(parsed.value) in (dict, list)
    assert parsed.duplicates == paths


def test_values_next_to_duplicates_are_plain_dicts() -> None:
    """Nothing of how duplicates were found is left in the value."""
    value: Any = read_json('{"x": {"a": 1, "a": 2}}').value
    assert type(value["x"]) is dict


@pytest.mark.parametrize("opening", ["[", '{"a":'])
def test_nesting_is_read_to_the_limit_and_refused_beyond(opening: str) -> None:
    """The limit doesn't depend on the stack that is left."""
    closing = "]" if opening == "[" else "}"
    at_limit = opening * MAX_DEPTH + "1" + closing * MAX_DEPTH
    assert json.dumps(read_json(at_limit).value, separators=(",", ":")) == at_limit
    error = refused(opening + at_limit + closing)
    assert error.message == "nested deeper than 200 levels"
    assert (error.line, error.column) == (1, MAX_DEPTH * len(opening) + 1)


@pytest.mark.parametrize("levels", [1_000, 100_000])
def test_hopelessly_deep_nesting_is_an_error_like_any_other(levels: int) -> None:
    """Neither closed nor open brackets exhaust the stack."""
    for text in ("[" * levels + "]" * levels, "[" * levels, '{"a":' * levels):
        assert refused(text).message == "nested deeper than 200 levels"


def test_many_brackets_side_by_side_are_not_deep() -> None:
    """Depth is what counts, not how many there are, nor those in strings."""
    assert read_json("[" + ",".join(["[]"] * 1000) + "]").value == [[]] * 1000
    assert read_json('"' + "[" * 1000 + '"').value == "[" * 1000


def test_lone_surrogates_are_kept() -> None:
    """They can't be encoded, but they can be compared."""
    assert read_json('["\\ud800"]').value == ["\ud800"]
    assert dump_json(["\ud800", "é"]) == '["\\ud800","\\u00e9"]'


def test_a_byte_order_mark_is_skipped() -> None:
    """In text and in bytes."""
    assert read_json("\ufeff[1]").value == [1]
    assert read_json(b"\xef\xbb\xbf[1]").value == [1]


@pytest.mark.parametrize("encoding", ["utf-16", "utf-16-le", "utf-16-be", "utf-32"])
def test_another_encoding_is_named(encoding: str) -> None:
    """With or without byte order mark."""
    name = encoding[:6].upper()
    assert refused('{"a": 1}'.encode(encoding)).message == f"the text is {name}, not UTF-8; save it as UTF-8"


def test_bytes_that_are_no_utf8_are_refused_where_they_stand() -> None:
    """Columns count characters, not bytes."""
    error = refused('["é",\n"é'.encode() + b'\xe4"]')
    assert error.message == "the text is not UTF-8 (byte 0xE4); save it as UTF-8"
    assert (error.line, error.column) == (2, 3)


def test_numbers_that_json_lacks_are_written_as_null() -> None:
    """On the fast way and on the other."""
    assert dump_json([math.nan, math.inf]) == "[null,null]"
    assert dump_json([{"a": -math.inf}, 2**70]) == '[{"a":null},1180591620717411303424]'


@quick
@given(st.lists(st.dictionaries(any_text | marks, scalars | marks, max_size=4)))
def test_the_canonical_texts_of_many_are_those_of_each(objects: list[dict[str, Any]]) -> None:
    """Whatever their texts hold: braces, quotes, separators and control characters too."""
    assert all_canonical(objects) == [canonical(each) for each in objects]


def test_canonical_text_is_as_specified() -> None:
    """Hashes in committed baselines are taken of this very text, so it may never change."""
    document: Any = {"b": [1, 1.0, 1e16, 1e-7, None, True], "a": {"é\n": "\u2028"}, "B": 2**64}
    assert canonical(document) == (
        '{"B":18446744073709551616,"a":{"é\\n":"\u2028"},"b":[1,1.0,1e+16,1e-07,null,true]}'
    )


def test_a_value_inside_a_text_is_read_with_its_end() -> None:
    """What follows is not looked at."""
    assert read_json_at('so: {"a": [1]} and', 4) == ({"a": [1]}, 14)
    with pytest.raises(JsonError, match="column 6"):
        read_json_at("so: {a", 4)


def test_reading_in_several_threads_at_once_is_safe() -> None:
    """The shared scanner keeps nothing between documents."""
    text = json.dumps([{f"key{i}": i, "x": [i]} for i in range(300)])
    with ThreadPoolExecutor(4) as pool:
        values = list(pool.map(lambda _: read_json(text).value, range(80)))
    assert all(value == json.loads(text) for value in values)
