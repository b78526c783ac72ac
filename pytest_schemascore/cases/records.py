"""Checking what stands in a case file or list, and making cases of it; all problems are told at once."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, Final, NamedTuple

from pytest_schemascore._suggest import did_you_mean
from pytest_schemascore.cases.case import Case
from pytest_schemascore.documents.hashing import NoStableFormError, short_hash
from pytest_schemascore.documents.json_types import ABSENT, Json
from pytest_schemascore.documents.python_values import NotJsonValueError, dumped
from pytest_schemascore.errors import CaseError, at_most_ten

KEYS: Final = ("id", "input", "expected", "tags", "skip", "xfail")
_KNOWN_KEYS: Final = "; the keys of a case are " + ", ".join(f"'{key}'" for key in KEYS)


class CaseSource(NamedTuple):
    """What messages call a file or a list, and places in it."""

    name: str
    is_file: bool

    def place(self, number: int) -> str:
        """Return ``cases.jsonl:12`` for line 12 of a file, ``cases[3]`` for item 3 of a list."""
        return f"{self.name}:{number}" if self.is_file else f"{self.name}[{number}]"

    def short_place(self, number: int) -> str:
        """Return ``line 12`` or ``[3]``, for a second place in a message."""
        return f"line {number}" if self.is_file else f"[{number}]"


class Record(NamedTuple):
    """Something that should be a case: where it stands (a line, or an index), and what it is.

    `problems` says what was wrong already with the text of it.
    """

    number: int
    value: object
    problems: tuple[str, ...] = ()


class _Made(NamedTuple):
    """A case, and how it came by its id: ``given`` is what stood there, `ABSENT` if its input gave it."""

    number: int
    case: Case
    given: object


class _Problems(Exception):  # noqa: N818 - several in one, collected by the caller
    def __init__(self, *messages: str) -> None:
        super().__init__(*messages)
        self.messages = messages


def cases_from(source: CaseSource, records: Iterable[Record]) -> tuple[Case, ...]:
    """Make a case of each record.

    Raises:
        CaseError: some can't be, or share an id, or there are none.
    """
    made: dict[str, _Made] = {}
    problems: list[str] = []
    any_record = False
    for record in records:
        any_record = True
        try:
            new = _made(record, source)
            if (other := made.get(new.case.id)) is not None:
                raise _Problems(_clash(new, other, source))
            made[new.case.id] = new
        except _Problems as found:
            problems += [f"{source.place(record.number)}: {message}" for message in found.messages]
    if not any_record:
        where = source.place(1) if source.is_file else source.name
        problems = [f"{where}: there are no cases in it"]
    if problems:
        raise CaseError(_listed(source.name, problems))
    return tuple(each.case for each in made.values())


def _listed(name: str, problems: list[str]) -> str:
    """Return one message for *problems*."""
    if len(problems) == 1:
        return problems[0]
    return "\n  ".join([f"{name}: {len(problems)} problems", *at_most_ten(problems)])


def _made(record: Record, source: CaseSource) -> _Made:
    if record.problems:
        raise _Problems(*record.problems)
    value = record.value
    if isinstance(value, Case):
        given, origin = {key: getattr(value, key) for key in KEYS}, value.source
    elif isinstance(value, Mapping):
        given, origin = dict(value), source.place(record.number) if source.is_file else ""
    else:
        kind = type(value).__qualname__
        msg = f"a case is an object, not {_JSON_NAMES.get(type(value), kind)}{_KNOWN_KEYS}"
        raise _Problems(msg)
    _check_keys(given)
    return _checked(record.number, given, origin, is_json=source.is_file)


_JSON_NAMES: Final[dict[type, str]] = {
    list: "a list",
    str: "a text",
    int: "a number",
    float: "a number",
    bool: "true or false",
    type(None): "null",
}


def _check_keys(given: dict[str, Any]) -> None:
    """Refuse unknown keys: a misspelt one would go unnoticed."""
    unused = [key for key in KEYS if key not in given]
    nearest = {key: did_you_mean(str(key), unused) for key in given if key not in KEYS}
    problems = [f"unknown key {key!r}{guess or _KNOWN_KEYS}" for key, guess in nearest.items()]
    if "expected" not in given and did_you_mean("expected", unused) not in nearest.values():
        problems.append("there is no 'expected', the label of the case")
    if "id" not in given and "input" not in given:
        problems.append("there is no 'id', and no 'input' to take one from")
    if problems:
        raise _Problems(*problems)


def _checked(number: int, given: dict[str, Any], origin: str, *, is_json: bool) -> _Made:
    problems = _of_wrong_type(given)
    expected: Json = None
    case_id = input_hash = ""
    try:
        expected = given["expected"] if is_json else dumped(given["expected"])
    except NotJsonValueError as error:
        problems.append(error.about("'expected'"))
    given_id = given.get("id", ABSENT)
    try:
        case_id, input_hash = _identity(given_id, given.get("input"))
    except _Problems as found:
        problems += found.messages
    if problems:
        raise _Problems(*problems)
    case = Case(
        id=case_id,
        input=given.get("input"),
        expected=expected,
        tags=tuple(dict.fromkeys(given.get("tags", ()))),
        skip=given.get("skip", False),
        xfail=given.get("xfail", False),
        source=origin,
        label_hash=short_hash(expected),
        input_hash=input_hash,
    )
    return _Made(number, case, given_id)


def _of_wrong_type(given: dict[str, Any]) -> list[str]:
    problems = []
    tags = given.get("tags", ())
    if not isinstance(tags, (list, tuple)) or not all(isinstance(tag, str) and tag for tag in tags):
        problems.append(f"'tags' is a list of texts, [\"scanned\"], not {_shown(tags)}")
    for key in ("skip", "xfail"):
        value = given.get(key, False)
        if not isinstance(value, (bool, str)):
            problems += [f"'{key}' is true, false or a reason, not {_shown(value)}"]
    return problems


def _identity(given: object, input_: object) -> tuple[str, str]:
    """Return the id of a case and the hash of its input; each may have to stand in for the other."""
    if given is ABSENT:
        try:
            input_hash = short_hash(input_)
        except NoStableFormError as error:
            msg = f"there is no 'id', and the input has nothing stable to take one from: {error}; add an 'id'"
            raise _Problems(msg) from None
        return input_hash[:8], input_hash
    if not isinstance(given, (str, int)) or isinstance(given, bool) or given == "":
        msg = f"'id' is a text or an integer, not {_shown(given)}"
        raise _Problems(msg)
    try:
        return str(given), short_hash(input_)
    except NoStableFormError:
        return str(given), short_hash(str(given))


def _clash(new: _Made, other: _Made, source: CaseSource) -> str:
    there = source.short_place(other.number)
    if new.given is ABSENT and other.given is ABSENT and new.case.input_hash == other.case.input_hash:
        return f"same input as {there}; where there is no 'id' it comes from the input: add an 'id' to each"
    if new.given is ABSENT or other.given is ABSENT:
        return f"its id {new.case.id!r} is also that of {there}, and one is taken from its input; add an 'id'"
    if type(new.given) is not type(other.given):
        return f"the id {new.given!r} is the same text as {other.given!r} in {there}; ids must differ as text"
    return f"the id {new.given!r} is taken by {there}; ids must be unique"


def _shown(value: object) -> str:
    text = repr(value)
    return text if len(text) <= 60 else f"{text[:60]}…"
