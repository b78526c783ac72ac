"""Loading cases: every way to write them, and every way to get them wrong."""

from __future__ import annotations

import hashlib
import json
import threading
from dataclasses import dataclass
from datetime import date
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pydantic import BaseModel, Field

from pytest_schemascore.cases import Case, load_cases
from pytest_schemascore.errors import CaseError
from tests.shared_data import shared_path

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path


def digits(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()[:16]


def problem(source: Any) -> str:
    with pytest.raises(CaseError) as caught:
        load_cases(source)
    return str(caught.value)


@pytest.fixture(autouse=True)
def in_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Work in a folder of its own, so that messages hold plain file names."""
    monkeypatch.chdir(tmp_path)


def write(folder: Path, content: str | bytes, name: str = "cases.jsonl") -> str:
    (folder / name).write_bytes(content if isinstance(content, bytes) else content.encode("utf-8"))
    return name


# What is read


def test_a_case_line_is_read_whole(tmp_path: Path) -> None:
    """All keys, the place, and both hashes."""
    line = (
        '{"id": "a", "input": {"y": 1, "x": "é"}, "expected": {"t": 1.0},'
        ' "tags": ["p", "q", "p"], "xfail": "why"}'
    )
    (case,) = load_cases(write(tmp_path, line))
    assert case == Case("a", {"y": 1, "x": "é"}, {"t": 1.0}, ("p", "q"), skip=False, xfail="why")
    assert case.source == "cases.jsonl:1"
    assert case.label_hash == digits('{"t":1.0}')
    assert case.input_hash == digits('{"x":"é","y":1}')


def test_an_id_is_taken_from_the_input_where_there_is_none(tmp_path: Path) -> None:
    """So that inserting a line renames nothing."""
    (case,) = load_cases(write(tmp_path, '{"input": "x", "expected": {}}'))
    assert case.id == digits('"x"')[:8]


def test_integer_ids_become_text() -> None:
    """Ids are texts everywhere else."""
    assert [case.id for case in load_cases([{"id": 7, "expected": None}, {"id": "x", "expected": None}])] == [
        "7",
        "x",
    ]


def test_blank_lines_crlf_and_byte_order_mark_are_fine(tmp_path: Path) -> None:
    """A file saved on Windows is the same file (h3-41)."""
    text = '{"id": "a", "expected": {}}\n\n{"id": "b", "expected": {}}\n'
    windows = b"\xef\xbb\xbf" + text.replace("\n", "\r\n").encode()
    assert load_cases(write(tmp_path, windows)) == load_cases(write(tmp_path, text, "other.jsonl"))
    assert [case.source for case in load_cases("cases.jsonl")] == ["cases.jsonl:1", "cases.jsonl:3"]


@pytest.mark.parametrize("character", ["\u2028", "\u2029", "\x85", "\x0b", "\x0c", "\x1c", "\u00a0"])
def test_only_line_feeds_split_lines(tmp_path: Path, character: str) -> None:
    """Other line ends may stand in strings (h3-40); outside they aren't JSON's white space."""
    escaped = character if character > "\x1f" else json.dumps(character)[1:-1]
    line = f'{{"id": "1", "expected": {{"a": "x{escaped}yz"}}}}'
    (case,) = load_cases(write(tmp_path, line + "\n"))
    assert case.expected == {"a": f"x{character}yz"}
    assert problem(write(tmp_path, f"{line}{character}\n")).startswith("cases.jsonl:1: not JSON: Extra data")


def test_a_json_file_holds_one_list(tmp_path: Path) -> None:
    """Each case knows the line on which it begins."""
    text = '\n[\n{"id": "a", "expected":\n {"x": [1, "]"]}}, {"id": "b", "expected": {}},\n\n'
    text += '{"id": "c", "expected": 1}\n]\n'
    cases = load_cases(write(tmp_path, text, "cases.json"))
    assert [(case.id, case.source) for case in cases] == [
        ("a", "cases.json:3"),
        ("b", "cases.json:4"),
        ("c", "cases.json:6"),
    ]
    assert cases[0].expected == {"x": [1, "]"]}


def test_cases_from_python_are_checked_and_hashed_like_those_of_a_file(tmp_path: Path) -> None:
    """As dicts, as `Case` objects, from a function, from a generator, from a path that a function returns."""
    rows = [{"id": "a", "input": [1], "expected": {"x": 1}, "tags": ["t"], "skip": True}]
    objects = [Case("a", [1], {"x": 1}, ("t",), skip=True)]
    file = write(tmp_path, json.dumps(rows[0]))

    def generated() -> Iterator[Case]:
        yield from objects

    expected = load_cases(file)
    for source in (rows, objects, lambda: rows, generated, iter(objects), lambda: tmp_path / file, expected):
        loaded = load_cases(source)
        assert loaded == expected
        assert (loaded[0].label_hash, loaded[0].input_hash) == (digits('{"x":1}'), digits("[1]"))
    assert load_cases(rows)[0].source == ""
    assert load_cases(expected)[0].source == "cases.jsonl:1"


class Invoice(BaseModel):
    total: int = Field(alias="Total")
    day: date


@dataclass
class Label:
    vendor: str
    lines: tuple[int, ...]


def test_models_and_dataclasses_may_be_labels() -> None:
    """They become JSON data, aliases as they are serialised."""
    cases = load_cases(
        [
            {"id": "a", "expected": Invoice(Total=1, day=date(2024, 1, 2))},
            Case("b", None, Label("x", (1, 2))),  # type: ignore[arg-type]  # what a user of plain Python may well do
        ]
    )
    assert [case.expected for case in cases] == [
        {"Total": 1, "day": "2024-01-02"},
        {"vendor": "x", "lines": [1, 2]},
    ]


def test_an_input_without_a_stable_form_is_known_by_its_id() -> None:
    """An open connection has nothing but an address."""
    first, again = (load_cases([{"id": "a", "input": threading.Lock(), "expected": {}}])[0] for _ in range(2))
    assert first.input_hash == again.input_hash
    assert problem([{"input": threading.Lock(), "expected": {}}]) == (
        "cases[0]: there is no 'id', and the input has nothing stable to take one from: lock; add an 'id'"
    )


# What is refused

KNOWN = "; the keys of a case are 'id', 'input', 'expected', 'tags', 'skip', 'xfail'"
ROWS = '{"id": "a", "expected": {}}\n'


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ('{"id": "1" "expected": {}}', "not JSON: Expecting ',' delimiter (column 12)"),
        ('{"id": "1", "expected": {"a": NaN}}', "not JSON: NaN is not JSON (column 31)"),
        ("[", "not JSON: Expecting value (column 2); a file that is one list is named .json"),
        ('{"id": "1", "expected": {"a": 1, "a": 2}}', "duplicate key expected.a; keep one of them"),
        ('{"id": "1", "id": "2", "expected": {}}', "duplicate key id; keep one of them"),
        ('{"id": "1", "input": "x"}', "there is no 'expected', the label of the case"),
        ('{"id":"1","input":"x","expectd":{"a":1}}', "unknown key 'expectd'; did you mean 'expected'?"),
        ('{"id": "1", "expected": {}, "zzz": 1}', f"unknown key 'zzz'{KNOWN}"),
        ('{"id": "1", "expected": {}, "accepted": {}}', f"unknown key 'accepted'{KNOWN}"),
        ('{"expected": {}}', "there is no 'id', and no 'input' to take one from"),
        ('{"id": null, "expected": {}}', "'id' is a text or an integer, not None"),
        ('{"id": "", "expected": {}}', "'id' is a text or an integer, not ''"),
        ('{"id": true, "expected": {}}', "'id' is a text or an integer, not True"),
        ('{"id": 1.5, "expected": {}}', "'id' is a text or an integer, not 1.5"),
        (
            '{"id": "1", "expected": {}, "tags": "scanned"}',
            "'tags' is a list of texts, [\"scanned\"], not 'scanned'",
        ),
        ('{"id": "1", "expected": {}, "tags": [1]}', "'tags' is a list of texts, [\"scanned\"], not [1]"),
        ('{"id": "1", "expected": {}, "skip": 1}', "'skip' is true, false or a reason, not 1"),
        ('{"id": "1", "expected": {}, "xfail": null}', "'xfail' is true, false or a reason, not None"),
        ("[1]", f"a case is an object, not a list{KNOWN}"),
        ('{"id": "a", "expected": 1}', "the id 'a' is taken by line 1; ids must be unique"),
    ],
)
def test_a_wrong_line_is_refused_by_file_and_line(tmp_path: Path, line: str, message: str) -> None:
    """Before anything is called (h3-43, h3-47)."""
    assert problem(write(tmp_path, f"{ROWS}\n{line}\n")) == f"cases.jsonl:3: {message}"


def test_ids_that_differ_only_in_type_clash(tmp_path: Path) -> None:
    """1 and "1" would be one case in every report (h3-43)."""
    text = '{"id": 1, "expected": {}}\n{"id": "1", "expected": {}}\n'
    assert problem(write(tmp_path, text)) == (
        "cases.jsonl:2: the id '1' is the same text as 1 in line 1; ids must differ as text"
    )


def test_equal_inputs_without_ids_are_explained(tmp_path: Path) -> None:
    """The user never wrote the id that clashes."""
    text = '{"input": {"a": 1, "b": 2}, "expected": 1}\n{"input": {"b": 2, "a": 1}, "expected": 2}\n'
    assert problem(write(tmp_path, text)) == (
        "cases.jsonl:2: same input as line 1;"
        " where there is no 'id' it comes from the input: add an 'id' to each"
    )


def test_an_id_that_clashes_with_one_taken_from_an_input_is_explained() -> None:
    """Whichever comes first."""
    taken = digits('"x"')[:8]
    assert problem([{"id": taken, "expected": 1}, {"input": "x", "expected": 1}]) == (
        f"cases[1]: its id '{taken}' is also that of [0], and one is taken from its input; add an 'id'"
    )


def test_all_problems_of_a_file_are_told_at_once(tmp_path: Path) -> None:
    """Ten of them, and how many more there are."""
    text = ROWS + '{"expectd": 1}\n' * 8 + "x\n" + '{"id": 1.5, "expected": {}, "skip": 3}\n'
    message = problem(write(tmp_path, text)).split("\n  ")
    assert message[0] == "cases.jsonl: 19 problems"
    assert message[1] == "cases.jsonl:2: unknown key 'expectd'; did you mean 'expected'?"
    assert message[2] == "cases.jsonl:2: there is no 'id', and no 'input' to take one from"
    assert message[11:] == ["and 9 more"]


@pytest.mark.parametrize(
    ("name", "content"), [("cases.jsonl", ""), ("cases.jsonl", "\n \r\n"), ("cases.json", "")]
)
def test_a_file_without_cases_is_refused(tmp_path: Path, name: str, content: str) -> None:
    """Nothing to run is no success."""
    assert problem(write(tmp_path, content, name)) == f"{name}:1: there are no cases in it"


def test_an_empty_list_is_refused(tmp_path: Path) -> None:
    """From a file or from Python."""
    assert problem(write(tmp_path, "[]", "cases.json")) == "cases.json:1: there are no cases in it"
    assert problem([]) == "cases: there are no cases in it"


def test_a_missing_file_is_told_with_the_nearest_name(tmp_path: Path) -> None:
    """Or with the case files that are there, or with the missing folder."""
    assert problem("invoice.jsonl") == "invoice.jsonl: there is no such case file"
    write(tmp_path, ROWS, "invoices.jsonl")
    assert (
        problem("invoice.jsonl")
        == "invoice.jsonl: there is no such case file; did you mean 'invoices.jsonl'?"
    )
    assert problem("x.jsonl") == "x.jsonl: there is no such case file; there is invoices.jsonl"
    assert problem("data/x.jsonl") == "data/x.jsonl: there is no such case file, and no folder data either"


def test_a_folder_is_no_case_file(tmp_path: Path) -> None:
    """It says which files are in it."""
    for number in range(7):
        write(tmp_path, ROWS, f"{number}.jsonl")
    assert problem(tmp_path) == (
        ".: is a folder; name the case file in it; there is 0.jsonl, 1.jsonl, 2.jsonl, 3.jsonl, 4.jsonl"
        " and 2 more"
    )


@pytest.mark.parametrize("encoding", ["utf-16", "utf-16-be"])
def test_another_encoding_is_named(tmp_path: Path, encoding: str) -> None:
    """With file and line, as UTF-16 is what some editors call Unicode (h3-41)."""
    assert problem(write(tmp_path, ROWS.encode(encoding))) == (
        "cases.jsonl:1: the text is UTF-16, not UTF-8; save it as UTF-8 (column 1)"
    )


def test_bytes_that_are_no_utf8_are_found(tmp_path: Path) -> None:
    """A file in a code page names the line of its first umlaut (h3-53)."""
    text = ROWS + '{"id": "K\xc4RCHER", "expected": {}}\n'
    assert problem(write(tmp_path, text.encode("cp1252"))) == (
        "cases.jsonl:2: the text is not UTF-8 (byte 0xC4); save it as UTF-8 (column 10)"
    )


def test_a_json_file_that_is_no_list_of_cases_is_refused(tmp_path: Path) -> None:
    """It says where, and what the suffix promises."""
    assert problem(write(tmp_path, '{"id": "a"}', "c.json")) == (
        "c.json:1: a .json file of cases holds one list; one case a line is .jsonl"
    )
    assert problem(write(tmp_path, ROWS + ROWS, "c.json")) == (
        "c.json:2: not JSON: Extra data (column 1); a file of one case a line is named .jsonl"
    )
    assert problem(write(tmp_path, '[\n{"id": 1,}]', "c.json")).startswith("c.json:2: not JSON: ")
    assert problem(write(tmp_path, '[\n[[1]], \n{"id": 1, "expected": {"a": 1, "a": 1}}]', "c.json")) == (
        "c.json: 2 problems\n"
        f"  c.json:2: a case is an object, not a list{KNOWN}\n"
        "  c.json:3: duplicate key expected.a; keep one of them"
    )


def test_labels_that_are_no_json_are_refused_by_path() -> None:
    """Before anything is called."""
    assert problem([{"id": "a", "expected": {"x": [float("nan")]}}]) == (
        "cases[0]: x[0] of 'expected' is nan, which is not JSON"
    )
    assert problem([{"id": "a", "expected": {"x": {1, 2}}}]) == (
        "cases[0]: x of 'expected' is a set, which has no order; make it a sorted list"
    )
    assert problem([{"id": "a", "expected": object()}]).startswith("cases[0]: 'expected' has no JSON form")


async def later() -> list[Case]:
    return []


def numbers() -> Any:
    return 3


@pytest.mark.parametrize(
    ("source", "message"),
    [
        (
            later,
            "later() is a coroutine; cases are loaded before any event loop runs: make it a plain function",
        ),
        (numbers, "numbers(): cases are a path, a list of cases or a function that returns one, not int"),
        ({"id": "a"}, "cases: cases are a path, a list of cases or a function that returns one, not dict"),
        (None, "cases: cases are a path, a list of cases or a function that returns one, not NoneType"),
    ],
)
def test_a_source_of_the_wrong_kind_is_refused(source: Any, message: str) -> None:
    """A coroutine is closed, so that Python doesn't warn of it later."""
    assert problem(source) == message


rows = st.lists(
    st.fixed_dictionaries(
        {"id": st.text(min_size=1, max_size=5), "input": st.text(max_size=9), "expected": st.integers()},
        optional={"tags": st.lists(st.text(min_size=1, max_size=3), unique=True, max_size=2)},
    ),
    min_size=1,
    max_size=6,
    unique_by=lambda row: row["id"],
)


@settings(deadline=None, max_examples=60)
@given(rows)
def test_lines_lists_and_python_give_the_same_cases(
    tmp_path_factory: pytest.TempPathFactory, rows: list[dict[str, Any]]
) -> None:
    """Whatever the texts hold, and however they are escaped."""
    folder = tmp_path_factory.mktemp("cases")
    lines = "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows)
    write(folder, lines)
    write(folder, json.dumps(rows, indent=1), "cases.json")
    from_python = load_cases(rows)
    assert load_cases(folder / "cases.jsonl") == load_cases(folder / "cases.json") == from_python
    assert [case.id for case in from_python] == [row["id"] for row in rows]


@pytest.mark.parametrize(
    ("name", "count"),
    [("sroie_receipts", 626), ("matsci_general", 310), ("ner_fields", 100), ("extractbench_10q", 7)],
)
def test_real_data_sets_load(name: str, count: int) -> None:
    """With as many cases as their description says."""
    assert len(load_cases(shared_path("data", name, "cases.jsonl"))) == count
