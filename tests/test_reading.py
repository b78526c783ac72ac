"""Reading outputs: strictly, leniently, and from Python values."""

from __future__ import annotations

import asyncio
import sys
from collections import namedtuple
from contextlib import suppress
from dataclasses import dataclass
from datetime import date
from decimal import Decimal
from enum import Enum, IntEnum, StrEnum
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pydantic import BaseModel

from pytest_schemascore.documents.json_text import MAX_DEPTH, dump_json
from pytest_schemascore.documents.lenient import MAX_FOUND, MAX_LENGTH
from pytest_schemascore.documents.python_values import dumped
from pytest_schemascore.documents.reading import NotJson, ReadOutput, read_output
from pytest_schemascore.documents.schema import adapt_schema
from pytest_schemascore.documents.shapes import ValidationFailed
from pytest_schemascore.errors import UsageError
from tests.shared_data import read_jsonl, shared_path

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Iterator

Pair = namedtuple("Pair", "left right")


class Item(BaseModel):
    sku: str


@dataclass
class Order:
    number: int
    items: tuple[Item, ...] = ()


class Size(StrEnum):
    SMALL = "small"


class Rank(IntEnum):
    FIRST = 1


class Colour(Enum):
    RED = "red"


def refusal(raw: object, *, lenient: bool = False) -> str:
    with pytest.raises(NotJson) as caught:
        read_output(raw, lenient=lenient)
    return str(caught.value)


# Text


@pytest.mark.parametrize(
    "raw",
    [
        '{"a": [1]}',
        ' \n{"a": [1]}\r\n',
        '\ufeff{"a": [1]}',
        b'{"a": [1]}',
        bytearray(b'\xef\xbb\xbf{"a": [1]}'),
        memoryview(b'{"a": [1]}'),
        '```json\n{"a": [1]}\n```',
        '\n ```\n{"a":\n[1]}\n```  \n',
        '```JSON title="x"\r\n{"a": [1]}\r\n```',
        '~~~~\n{"a": [1]}\n~~~~',
        '```json {"a": [1]}```',
        '```{"a": [1]}```',
        '\ufeff```json\n{"a": [1]}\n```',
    ],
)
def test_a_text_that_is_json_or_one_fenced_block_is_read(raw: Any) -> None:
    """Strictly, so nothing counts as repaired."""
    assert read_output(raw) == ReadOutput({"a": [1]}, (), repaired=False)
    assert read_output(raw, lenient=True) == ReadOutput({"a": [1]}, (), repaired=False)


@pytest.mark.parametrize(
    ("text", "value"), [("null", None), ("3", 3), ('"x"', "x"), ("```\ntrue\n```", True)]
)
def test_scalars_are_documents_too(text: str, value: Any) -> None:
    """Text null is an answer, while the object None is none."""
    assert read_output(text).value is value or read_output(text).value == value


def test_a_code_fence_inside_a_string_is_part_of_the_string() -> None:
    """The whole text is tried as JSON before fences are looked for (h3-50)."""
    assert read_output('{"memory":"use ```json\\n{}\\n``` here"}').value == {
        "memory": "use ```json\n{}\n``` here"
    }
    broken = '{"memory":"use ```json\\n{}\\n``` here",}'
    assert read_output(broken, lenient=True).value == {"memory": "use ```json\n{}\n``` here"}


@pytest.mark.parametrize(
    "text",
    [
        'Sure: {"a": 1}',
        '```json\n{"a": 1}\n```\nHope this helps!',
        '```json\n{"a": 1}\n```\n```json\n{"a": 1}\n```',
        '{"items":[{"t":"likes pizza, a lot,"},]}',
        "{'a': 1}",
        '{"a": 1',
        "",
        "```",
        "``````",
        "{}{}",
    ],
)
def test_anything_else_is_invalid_when_reading_strictly(text: str) -> None:
    """It says that it isn't JSON, and where (h3-52)."""
    assert refusal(text).startswith("not JSON: ")
    assert " at line 1, column " in refusal(text)


def test_duplicate_keys_are_noted() -> None:
    """They don't make an output invalid; the last one counts."""
    read = read_output('{"a": 1, "b": {"c": 1, "c": 2}, "a": 3}')
    assert read.value == {"a": 3, "b": {"c": 2}}
    assert read.notes == (
        "duplicate key a; the last one counts",
        "duplicate key b.c; the last one counts",
    )


def test_only_the_first_duplicate_keys_are_named() -> None:
    """A broken answer doesn't fill the report."""
    notes = read_output("{" + ",".join(f'"k{i}": 1, "k{i}": 2' for i in range(25)) + "}").notes
    assert len(notes) == 11
    assert notes[-1] == "15 more duplicate keys"


@pytest.mark.parametrize("lenient", [False, True])
@pytest.mark.parametrize(
    ("raw", "message"),
    [
        ('{"a": NaN}', "not JSON: NaN is not JSON at line 1, column 7"),
        ("[1e999]", "not JSON: 1e999 is too large for a float at line 1, column 2"),
        (
            '{"a": 1}'.encode("utf-16"),
            "not JSON: the text is UTF-16, not UTF-8; save it as UTF-8 at line 1, column 1",
        ),
        ("1" * 100_000, "not JSON: an integer has more digits than Python reads (4,300) at line 1, column 1"),
        ("[" * 1000 + "]" * 1000, "not JSON: nested deeper than 200 levels at line 1, column 201"),
    ],
)
def test_what_cannot_be_had_exactly_is_invalid_even_when_lenient(
    raw: Any, message: str, lenient: bool
) -> None:
    """Repair would only make up another value."""
    assert refusal(raw, lenient=lenient) == message


# Lenient reading


@pytest.mark.parametrize(
    "text",
    [
        'You close the object with } like so: {"theme":"dark"}',
        'The user asked "what is it: {"theme":"dark"}',
        'An object opens with { like so: {"theme":"dark"}',
        'Sure!\n```json\n{"theme": "dark"}\n```\nAnything else?',
        'Sure!\n```json {"theme": "dark"}```\nAnything else?',
        'As {"type": "object"} demands:\n```json\n{"theme": "dark"}\n```\n',
        'As [1] and [2, 3] say: {"theme":"dark"}.',
        'See [the docs](http://x) {"theme":"dark"}',
        '{"theme":"dark"} and once more {"theme": "dark"}',
        '<think>{ hm }</think>{"theme":"dark"}',
    ],
)
def test_one_object_in_prose_is_found_when_lenient(text: str) -> None:
    """Braces and quotes around it don't hide it (h3-49)."""
    read = read_output(text, lenient=True)
    assert read == ReadOutput(
        {"theme": "dark"}, ("JSON taken out of the text around it",), repaired=True, plain=False
    )


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ('{"items":[{"t":"likes pizza, a lot,"},]}', {"items": [{"t": "likes pizza, a lot,"}]}),
        ("{'a': True, 'b': None}", {"a": True, "b": None}),
        ('{"items": [{"a": 1}, {"a": 2}', {"items": [{"a": 1}, {"a": 2}]}),
        ('{"items": [{"a": 1', {"items": [{"a": 1}]}),
        ('Here: {"a": [{"b": 1},{"b": 2,}, {"b": 3}]} Bye', {"a": [{"b": 1}, {"b": 2}, {"b": 3}]}),
        ('{name: "x", "rows": [{"a": 1}]}', {"name": "x", "rows": [{"a": 1}]}),
        ('```json\n{"a": 1,}\n```', {"a": 1}),
        ('{"n": 123456789012345678901234567890,}', {"n": 123456789012345678901234567890}),
    ],
)
def test_small_faults_are_repaired_when_lenient(text: str, value: Any) -> None:
    """All of a broken object is repaired; an intact part of it is never taken for the answer (h3-52)."""
    assert read_output(text, lenient=True) == ReadOutput(
        value, ("broken JSON repaired",), repaired=True, plain=False
    )


def test_an_array_in_prose_is_found_when_there_is_no_object() -> None:
    """Only beside objects are arrays of numbers taken for footnotes."""
    assert read_output("The values are [1, 2].", lenient=True).value == [1, 2]
    assert read_output('So [{"a": 1}, {"a": 2}] it is.', lenient=True).value == [{"a": 1}, {"a": 2}]


@pytest.mark.parametrize(
    "text",
    ['Either {"a": 1} or {"a": 2}', 'Not {"a": 1} but {"a": 2,}', '```\n{"a": 1}\n```\n```\n{"a": 2}\n```'],
)
def test_two_different_objects_are_an_error(text: str) -> None:
    """None of them is picked silently (h3-49)."""
    assert refusal(text, lenient=True) == (
        'not JSON: 2 different JSON values in the text, any of which might be the answer: {"a":1} and {"a":2}'
    )


@pytest.mark.parametrize("text", ["I can't help with that.", "", "42 is the answer", "a } b ] c", "{ ... }"])
def test_prose_without_json_is_invalid_when_lenient(text: str) -> None:
    """An answer is never made up."""
    assert refusal(text, lenient=True) == "not JSON: there is no JSON object or array in the text"


def test_numbers_that_json_lacks_are_not_repaired_into_something_else() -> None:
    """NaN in an object in prose stays invalid (S1)."""
    assert "NaN is not JSON" in refusal('Here: {"a": NaN}', lenient=True)


def test_searching_has_announced_limits() -> None:
    """What is too long or too littered is given up, with the limit named."""
    assert "at most 5,000,000" in refusal("x" * (MAX_LENGTH + 1), lenient=True)
    assert "more than 1,000 would-be" in refusal(
        '{"a" ' * 3 + "} " * 3 + '{"a"} ' * (MAX_FOUND + 1), lenient=True
    )


def test_deep_nesting_in_prose_is_invalid() -> None:
    """Never a RecursionError."""
    assert "nested" in refusal("So: " + "[" * 5000, lenient=True)
    assert "nested" in refusal("So: " + '{"a":' * 300 + "1" + "}" * 300, lenient=True)


def test_lenient_reading_without_its_library_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    """The library is an extra, and only needed once something is to be repaired."""
    monkeypatch.setitem(sys.modules, "json_repair", None)
    assert read_output('So: {"a": 1}', lenient=True).value == {"a": 1}
    with pytest.raises(UsageError, match=r"pip install 'pytest-schemascore\[lenient\]'"):
        read_output('{"a": 1,}', lenient=True)


documents = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text() | st.floats(allow_nan=False, allow_infinity=False),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=10,
)


@settings(deadline=None, max_examples=100)
@given(st.dictionaries(st.text(), documents, min_size=1, max_size=3))
def test_any_object_is_found_in_prose(document: dict[str, Any]) -> None:
    """Whatever its strings hold: braces, fences, quotes."""
    read = read_output(f"Certainly! It is {dump_json(document)} (see above).", lenient=True)
    assert dump_json(read.value) == dump_json(document)  # type: ignore[arg-type]  # JSON text gives JSON data


@settings(deadline=None, max_examples=100)
@given(st.text('{}[]",:` \n\\1atrue~', max_size=40), st.booleans())
def test_no_text_crashes_the_reading(text: str, lenient: bool) -> None:
    """A text is read or refused, nothing else."""
    with suppress(NotJson):
        assert read_output(text, lenient=lenient).repaired <= lenient


@pytest.mark.parametrize(("model", "invalid"), [("gpt3", 5), ("llama2", 1)])
def test_recorded_answers_of_models_are_read_or_refused(model: str, invalid: int) -> None:
    """Of GPT-3's 310 answers five are no JSON, of Llama-2's one."""
    rows = read_jsonl(shared_path("data", "matsci_general", f"outputs-{model}-rawtext.jsonl"))
    read = []
    for row in rows:
        with suppress(NotJson):
            read.append(read_output(row["output"]))
    assert (len(rows), len(rows) - len(read)) == (310, invalid)


# Python values


def test_plain_data_is_passed_on_without_a_copy() -> None:
    """Identity is the proof."""
    value = {"a": [1, 2.5, "x", None, True, {"b": []}]}
    assert read_output(value).value is value


@pytest.mark.parametrize(
    ("raw", "value"),
    [
        ((1, (2, 3)), [1, [2, 3]]),
        (Pair(1, 2), [1, 2]),
        ({"a": (1,)}, {"a": [1]}),
        (MappingProxyType({"a": 1}), {"a": 1}),
        ([Size.SMALL, Rank.FIRST], ["small", 1]),
        ({Size.SMALL: np.float64(0.5)}, {"small": 0.5}),
        (Order(1), {"number": 1, "items": []}),
        ({"orders": [Order(1)]}, {"orders": [{"number": 1, "items": []}]}),
        (10**400, 10**400),
        ([False, 0, -0.0], [False, 0, -0.0]),
    ],
)
def test_python_values_become_json_data(raw: Any, value: Any) -> None:
    """Tuples are lists, dataclasses are objects, subclasses of plain types are plain."""
    read = read_output(raw).value
    assert repr(read) == repr(value)


def test_typed_objects_are_left_for_the_schema() -> None:
    """Models, dates, decimals and enum members may be just what it wants."""
    item = Item(sku="x")
    assert read_output(item).value is item
    read: Any = read_output(
        {"items": [item], "day": date(2024, 1, 2), "sum": Decimal(1), "c": Colour.RED}
    ).value
    assert read["items"][0] is item
    assert read["c"] is Colour.RED
    order: Any = read_output(Order(1, (item,))).value
    assert order["items"] == [item]


async def answer() -> str:
    return "{}"


def numbers() -> Iterator[int]:
    yield 1


async def more_numbers() -> AsyncIterator[int]:
    yield 1


@pytest.mark.parametrize(
    ("raw", "message"),
    [
        (
            None,
            "the extractor returned None; return the output (JSON text, a dict or list, or a model instance)",
        ),
        ({1, 2}, "the output is a set, which has no order; make it a sorted list"),
        (
            {"a": [frozenset()]},
            "a[0] of the output is a frozenset, which has no order; make it a sorted list",
        ),
        (numbers(), "the output is a generator; collect its items into a list"),
        (more_numbers(), "the output is an async_generator; collect its items into a list"),
        (iter([1]), "the output is a list_iterator; collect its items into a list"),
        (numbers, "the output is a function, not data"),
        ("x".join, "the output is a builtin_function_or_method, not data"),
        (sys, "the output is a module, not data"),
        (Item, "the output is the class Item, not an instance of it"),
        ({"a": {"b c": float("nan")}}, "a['b c'] of the output is nan, which is not JSON"),
        ([1, float("-inf")], "$[1] of the output is -inf, which is not JSON"),
        ({"a": {1: 2}}, "a of the output has the key 1 (int); the keys of JSON objects are texts"),
        ({None: 2}, "the output has the key None (NoneType); the keys of JSON objects are texts"),
        ([10**5000], "$[0] of the output is an integer of more than 4,300 digits"),
    ],
)
def test_values_that_are_no_data_are_refused_by_type_and_path(raw: Any, message: str) -> None:
    """The message says what it was and what to return instead."""
    assert refusal(raw) == message


def test_a_coroutine_returned_by_mistake_is_named_and_closed() -> None:
    """Closing it keeps Python from warning of it in some later test."""
    assert refusal(answer()) == "the output is a coroutine that was never awaited"


def test_a_future_is_named() -> None:
    """Anything that could be awaited is a mistake."""

    async def main() -> str:
        return refusal(asyncio.get_running_loop().create_future())

    assert "that was never awaited" in asyncio.run(main())


def test_cyclic_values_are_refused() -> None:
    """However they come back to themselves."""
    cycle: list[Any] = [1]
    cycle += [{"again": cycle}, cycle]
    assert refusal(cycle) == "$[1].again of the output is the value that it stands in"


def test_a_value_that_stands_in_two_places_is_no_cycle() -> None:
    """Only what stands inside itself is."""
    shared = {"a": 1}
    assert read_output([shared, shared]).value == [{"a": 1}, {"a": 1}]


@pytest.mark.parametrize("levels", [MAX_DEPTH + 1, 1_000, 100_000])
def test_deep_python_values_are_refused_like_deep_text(levels: int) -> None:
    """The limit is the one of JSON text, and no stack is exhausted."""
    value: Any = 1
    for _ in range(levels):
        value = [value]
    assert refusal(value) == "$" + "[0]" * MAX_DEPTH + " of the output is nested deeper than 200 levels"


def test_python_values_may_be_as_deep_as_text() -> None:
    """Up to the same limit."""
    value: Any = 1
    for _ in range(MAX_DEPTH):
        value = {"a": value}
    assert read_output(value).value is value


def test_dumping_writes_typed_objects_in_json_form() -> None:
    """As pydantic does."""
    value = {"items": (Item(sku="x"),), "day": date(2024, 1, 2), "sum": Decimal("1.10"), "c": Colour.RED}
    assert dumped(value) == {"items": [{"sku": "x"}], "day": "2024-01-02", "sum": "1.10", "c": "red"}


def test_a_number_longer_than_reports_may_hold_is_not_taken_for_plain_data() -> None:
    """Python can be told to read it; the schema then looks for it, and the case says so."""
    usual = sys.get_int_max_str_digits()
    sys.set_int_max_str_digits(0)
    try:
        read = read_output('{"n": ' + "9" * 5000 + "}")
        with pytest.raises(ValidationFailed, match=r"an integer of more than 4,300 digits"):
            adapt_schema(None).validate(read.value, plain=read.plain)
    finally:
        sys.set_int_max_str_digits(usual)
    assert read_output('{"n": 9}').plain
