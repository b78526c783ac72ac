"""An output that is the label itself scores 1, whatever the schema makes of it, or the label is refused."""

# Annotations are evaluated here, as pydantic must see the classes that tests define in functions.

import json
from datetime import date, datetime, time, timedelta
from decimal import Decimal
from ipaddress import IPv6Address
from pathlib import Path
from typing import Annotated, Any, Literal, Union, cast
from uuid import UUID

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from pydantic import (
    AnyUrl,
    BaseModel,
    ByteSize,
    ConfigDict,
    Field,
    HttpUrl,
    Json,
    Secret,
    SecretBytes,
    SecretStr,
    TypeAdapter,
    ValidationError,
    create_model,
)

from pytest_schemascore import date as by_date
from pytest_schemascore import evaluate, exact, fuzzy, ignore
from pytest_schemascore.errors import CaseError
from pytest_schemascore.report.report import Report


def run(schema: object, label: Any, output: Any, **options: Any) -> Report:
    """Evaluate one case; a text is given as JSON, since a bare one is read as a document."""
    given = json.dumps(output) if output is None or isinstance(output, str) else output
    return evaluate(schema, [{"id": "a", "input": "i", "expected": label}], lambda _: given, **options)


def overall(schema: object, label: Any, output: Any, **options: Any) -> float | None:
    """Return the score of one case."""
    return run(schema, label, output, **options).overall


def rule(schema: object, label: Any, field: str = "$", **options: Any) -> str:
    """Return the name of a field's rule."""
    return rule_of(run(schema, label, label, **options), field)


def rule_of(report: Report, field: str) -> str:
    """Return the name of a field's rule."""
    found = report.fields[field].rule
    assert found is not None
    return found.rule


class Card(BaseModel):
    """A member of a union whose fields have other types than the next one's."""

    kind: Literal["card"] = "card"
    amount: Decimal
    when: date


class Wire(BaseModel):
    """The other member."""

    kind: Literal["wire"] = "wire"
    amount: int
    when: datetime


FORMATS = {"anyOf": [{"type": "string", "format": "date"}, {"type": "string", "format": "date-time"}]}
BY_KIND = Annotated[Card | Wire, Field(discriminator="kind")]


@pytest.mark.parametrize(
    ("schema", "label", "output", "name"),
    [
        (datetime | date, "2024-01-02", "2024-01-02", "date()"),
        (datetime | date | None, "2024-01-02", "2024-01-02T00:00:00", "date()"),
        (Decimal | int, 10.5, 10.5, "by_value(numeric(), other=exact())"),
        (Decimal | int, 10, "10.00", "by_value(numeric(), other=exact())"),
        # Pydantic makes it the integer 56712953298494144, which the float is, but not as it is written.
        (Decimal | int, 5.671295329849414e16, 5.671295329849414e16, "by_value(numeric(), other=exact())"),
        (timedelta | int, 5.671295329849414e16, 5.671295329849414e16, "by_value(duration(), other=exact())"),
        (Decimal | None, 10.5, "10.50", "numeric()"),
        (Decimal | str, "10.5", "10.50", "numeric()"),
        (Decimal | str, "N/A", "n/a", "numeric()"),
        (Decimal | float, 10.5, Decimal("10.5"), "by_value(numeric(rel_tol=1e-09), other=exact())"),
        (Decimal | float, 0.3, 0.1 + 0.2, "by_value(numeric(rel_tol=1e-09), other=exact())"),
        (Decimal | date, "2024-01-02", "2024-01-02T00:00:00", "by_value(numeric(), date(), other=exact())"),
        (Decimal | date, 10.5, "10.50", "by_value(numeric(), date(), other=exact())"),
        (date | str, "2024-01-02", date(2024, 1, 2), "date()"),
        (Decimal | Literal["N/A"], 10.5, "10.50", "by_value(numeric(), other=exact(normalize=False))"),
        (Decimal | list[Decimal], 10.5, "10.50", "numeric()"),
        (FORMATS, "2 Jan 2024", "2024-01-02", "date()"),
        (FORMATS, "2 Jan 2024", "2024-01-02T00:00:00Z", "date()"),
    ],
)
def test_members_of_a_union_are_compared_by_value(schema: object, label: Any, output: Any, name: str) -> None:
    """Decimals and dates keep their rule beside other types; null never matters."""
    assert overall(schema, label, output) == 1
    assert rule({"type": "object"}, {"a": 1}, "a") == "exact()"
    assert rule_of(run(schema, label, output), "$") == name


@pytest.mark.parametrize(
    ("schema", "label", "output"),
    [
        (datetime | date, "2024-01-02", "2024-01-03"),
        (Decimal | int, 10.5, "10.51"),
        (Decimal | int, 10**10, 10**10 + 1),
        (Decimal | str, "10.5", "ten"),
        (Decimal | str, "12", "12 pcs"),
        (Decimal | Literal["N/A", "n/a"], "N/A", "n/a"),
        (bool | Literal["Yes", "yes"], "Yes", "yes"),
    ],
)
def test_members_of_a_union_that_differ_score_0(schema: object, label: Any, output: Any) -> None:
    """Strict types stay strict in a union."""
    assert overall(schema, label, output) == 0


@pytest.mark.parametrize("schema", [BY_KIND, Card | Wire])
@pytest.mark.parametrize(
    "label",
    [
        {"kind": "card", "amount": 10.5, "when": "2024-01-02"},
        {"kind": "card", "amount": "10.50", "when": "2 Jan 2024"},
        {"kind": "wire", "amount": 10, "when": "2024-01-02"},
    ],
)
def test_a_field_that_members_type_differently_is_compared_by_value(schema: object, label: Any) -> None:
    """Each member dumps its own form of the same value, "10.5" or 10, a date or a date and time."""
    output = label | {"when": "2024-01-02"}
    assert overall(schema, label, output) == 1
    assert rule(schema, output, "amount") == "by_value(numeric(), other=exact())"
    assert rule(schema, output, "when") == "date()"


def test_text_beside_a_decimal_keeps_the_default_rule() -> None:
    """Where both sides are numbers they are compared as such, else as texts are; also inside lists."""
    options: dict[str, Any] = {"default": fuzzy(0.8)}
    name = "by_value(numeric(), other=fuzzy(threshold=0.8))"
    assert rule(Decimal | str, "Acme Ltd", **options) == name
    assert overall(Decimal | str, "Acme Ltd", "Acme Ltd.", **options) == 1
    assert overall(Decimal | str, 1234, "1234.00", **options) == 1
    assert overall(Decimal | str, "1234", "1235", **options) == 0
    labels = ["Acme Ltd", 10.5, "7", "Bolt"]
    assert overall(list[Decimal | str], labels, ["7.0", "Bolts", "10.50", "Acme Ltd."], **options) == 1
    report = run(list[Decimal | str], ["Acme Ltd", 10.5], ["10.50", "acme ltd"])
    assert (report.overall, rule_of(report, "$[*]")) == (1, "numeric()")


def test_an_ignored_default_ignores_unions_too() -> None:
    """What nothing is said of counts nowhere then, as with a single type."""
    model = create_model("M", d=(datetime | date, ...), n=(Decimal | int, ...))
    assert run(model, {"d": "2024-01-02", "n": 1}, {}, default=ignore()).overall is None


TEXTS = st.text(st.characters(codec="utf-8", exclude_characters="\0"), max_size=8)
WHOLE = st.integers(-(10**18), 10**18)
FLOATS = st.floats(allow_nan=False, allow_infinity=False)
SPANS = timedelta(days=-(10**5)), timedelta(days=10**5)
VALUES: dict[Any, st.SearchStrategy[Any]] = {
    Decimal: st.one_of(WHOLE, FLOATS, st.decimals(allow_nan=False, allow_infinity=False).map(str)),
    int: st.integers(),
    float: st.one_of(FLOATS, st.integers(-(2**60), 2**60)),
    str: st.one_of(TEXTS, st.sampled_from(["10.50", "1,234", "007", "2024-01-02", "10:30", "n/a", "true"])),
    date: st.dates().map(date.isoformat),
    datetime: st.datetimes(timezones=st.none() | st.timezones()).map(datetime.isoformat),
    time: st.times().map(time.isoformat),
    timedelta: st.one_of(st.timedeltas(*SPANS).map(str), st.integers(-(10**9), 10**9)),
    UUID: st.uuids().flatmap(lambda found: st.sampled_from([str(found), found.hex, found.urn])),
    HttpUrl: st.sampled_from(["https://acme.com", "HTTP://A.de:80/x/../y?q=ü#z", "https://ü.de/%7ea/"]),
    Path: st.sampled_from(["a", "./a", "a//b/", "/", "."]),
    Literal["N/A", "n/a", 7]: st.sampled_from(["N/A", "n/a", 7]),
    type(None): st.none(),
}


def is_number(value: Any) -> bool:
    """Say whether Python reads *value* as a number."""
    try:
        return isinstance(float(value), float)
    except (ValueError, OverflowError):
        return False


@st.composite
def labelled_unions(draw: st.DrawFn, values: dict[Any, st.SearchStrategy[Any]]) -> tuple[Any, Any]:
    """Draw a union of some types, in one of several surroundings, and what an output of it may say."""
    members = draw(st.lists(st.sampled_from(list(values)), min_size=1, max_size=3, unique=True))
    value = draw(values[draw(st.sampled_from(members))])
    # To pydantic a number, as text too, is a timestamp where it may be one, which no label means.
    assume(Path not in members or len(members) == 1)  # any text is a path
    assume(
        value is None or not is_number(value) or not {date, datetime, time, timedelta}.intersection(members)
    )
    union: Any = Union[tuple(members)]  # noqa: UP007 - of as many as were drawn
    match draw(st.sampled_from(["alone", "list", "field", "branches"])):
        case "alone":
            return union, value
        case "list":
            return list[union], [value, draw(values[members[0]])]
        case "field":
            return create_model("M", f=(union, ...)), {"f": value}
        case _:
            branches = tuple(create_model(f"M{k}", f=(member, ...)) for k, member in enumerate(members))
            return Union[branches], {"f": value}  # noqa: UP007 - of as many as were drawn


@settings(deadline=None, max_examples=150)
@given(labelled_unions(VALUES))
def test_the_same_output_scores_1_or_the_label_is_refused(drawn: tuple[Any, Any]) -> None:
    """Whatever types a union has and whichever member takes the value; null has no wrong form."""
    schema, label = drawn
    try:
        TypeAdapter(schema).validate_python(label)
    except ValidationError:
        return
    try:
        report = run(schema, label, label)
    except CaseError:
        return
    assert report.validity == 1
    assert report.overall == 1


def refusal(schema: object, label: Any, **options: Any) -> str | None:
    """Return what is said of a label that no output can meet."""
    try:
        run(schema, label, label, **options)
    except CaseError as error:
        return str(error)
    return None


@pytest.mark.parametrize(
    ("schema", "label", "advice"),
    [
        (date, "02.01.2024", "write '2024-01-02' or '2024-02-01', or give the path the rule date(day_first="),
        (date, "Jan 2024", "write it in the form of '2024-12-31'"),
        (date, "2024", "write it in the form of '2024-12-31'"),
        (date, "10", "write it in the form of '2024-12-31'"),
        (date, "10:30", "write it in the form of '2024-12-31'"),
        (date, "2024-01-02T10:00:00", "write '2024-01-02'"),
        (date, "20240102", "write '2024-01-02'"),
        (datetime, "10:30", "write it in the form of '2024-12-31T10:30:00'"),
        (time, "10:30 AM", "write it in the form of '10:30:00'"),
        (time, "10h30", "write it in the form of '10:30:00'"),
        (time, "2024-01-02", "write it in the form of '10:30:00'"),
        (Decimal, "1_000", "write '1000'"),
        (Decimal, "٣", "write '3'"),
        (date | None, "2024", "write it in the form of '2024-12-31'"),
        (date | Decimal, "10:30", "write it in the form of '2024-12-31'"),
        (date | datetime, "Jan 2024", "write it in the form of '2024-12-31' or '2024-12-31T10:30:00'"),
        ({"type": "string", "format": "date"}, "Jan 2024", "write it in the form of '2024-12-31'"),
        ({"type": "string", "format": "time"}, "10:30 AM", "write it in the form of '10:30:00'"),
    ],
)
def test_a_label_that_no_output_can_meet_is_refused_with_what_to_write(
    schema: object, label: Any, advice: str
) -> None:
    """At its path, before anything is called; within lists, objects and directives too."""
    for wrapped, whole, path in (
        (label, schema, "$"),
        ({"$any": [label]}, schema, "$"),
        ({"$literal": label}, schema, "$"),
    ):
        said = refusal(whole, wrapped)
        assert said is not None
        assert said.startswith(f"1 label that no output can meet:\n  case 'a': {path}: no ")
        assert f"meets {label!r} under" in said
        assert advice in said


def test_the_path_of_a_refused_label_is_named() -> None:
    """As labels are walked, list by list."""
    model = create_model("M", days=(list[date], ...), more=(dict[str, Decimal], ...))
    said = refusal(model, {"days": ["2024-01-02", "2024"], "more": {"a": "1_0", "b": "1.0"}})
    assert said is not None
    assert [line.split(": ")[1] for line in said.splitlines()[1:]] == ["days[1]", "more.a"]


@pytest.mark.parametrize(
    ("schema", "label", "given", "output"),
    [
        (date, "02.01.2024", by_date(day_first=True), "2024-01-02"),
        (date, "2024-01-02T10:00:00", by_date(tolerance=1), "2024-01-02"),
        (date, "Jan 2024", lambda e, a: e[-4:] == a[:4], "2024-05-01"),
        (date, "2024-01-02", exact(), "2024-01-02"),
        (Decimal, "10.50", exact(), "10.50"),
        (datetime, "2024-01-02T10:00:00Z", exact(), "2024-01-02T10:00:00+00:00"),
        (datetime, "2024-01-02T10:00:00+02:00", exact(), "2024-01-02 10:00:00+02:00"),
        (time, "10:00:00.500000", exact(), "10:00:00.5"),
        ({"type": "string", "format": "time"}, "10:00:00.5Z", exact(), "10:00:00.5Z"),
        (date, "5 Jan 2026", None, "2026-01-05"),
        (date | str, "Jan 2024", None, "jan 2024"),
        (date | Literal["2024"], "2024", None, "2024"),
        (datetime, "2026-01-05", None, "2026-01-05T00:00:00"),
        (datetime, "2024-01-02T10:00:00+02:00", None, "2024-01-02T08:00:00Z"),
        (time, "10:30", None, "10:30:00"),
    ],
)
def test_a_rule_can_make_a_label_meetable(schema: object, label: Any, given: Any, output: Any) -> None:
    """What the rule of the path reads, an output can meet."""
    assert overall(schema, label, output, comparators={} if given is None else {"$": given}) == 1


@pytest.mark.parametrize(
    ("schema", "label", "advice"),
    [
        (date, "2 Jan 2024", "write '2024-01-02'"),
        (Decimal, 10.5, "write '10.5'"),
        (Decimal, "1e1", "write '1E+1'"),
    ],
)
def test_a_strict_rule_needs_the_form_of_outputs(schema: object, label: Any, advice: str) -> None:
    """`exact` compares texts, so a label in another form could never be met."""
    said = refusal(schema, label, comparators={"$": exact()})
    assert said is not None
    assert "under exact()" in said
    assert advice in said
    assert refusal(schema, label, comparators={"$": ignore()}) is None


@pytest.mark.parametrize(
    ("schema", "label", "output", "name"),
    [
        (HttpUrl, "https://acme.com", "https://acme.com", "url()"),
        (HttpUrl | None, "HTTPS://Acme.com:443/a/", "https://acme.com/a", "url()"),
        (HttpUrl | str, "https://acme.com", "https://acme.com", "url()"),
        (AnyUrl, "ftp://acme.com/a", "ftp://acme.com/a", "url()"),
        (timedelta, "01:00:00", "01:00:00", "duration()"),
        (timedelta, 3600, 3600, "duration()"),
        (timedelta, 3600, "PT1H", "duration()"),
        (timedelta, 90.5, "PT1M30.5S", "duration()"),
        (timedelta, "1 day, 01:00:00", "P1DT1H", "duration()"),
        (timedelta | None, "PT60M", timedelta(hours=1), "duration()"),
        (timedelta | str, "01:00:00", "01:00:00", "duration()"),
        (timedelta | float, "01:00:00", "PT1H", "by_value(duration(), other=exact())"),
        (ByteSize, 1000, "1KB", "exact()"),
        (UUID, str(UUID(int=10)).upper(), str(UUID(int=10)), "exact()"),
        (Path, "a/b", "./a//b", "exact()"),
        (IPv6Address, "::1", "::0001", "exact()"),
        (SecretStr, "*" * 10, "hunter2", "exact()"),
        (Json[dict[str, int]], {"a": 1}, '{"a": 1}', "exact()"),
        (Json, "plain", '"plain"', "exact()"),
    ],
)
def test_values_that_pydantic_rewrites_are_compared_by_value(
    schema: object, label: Any, output: Any, name: str
) -> None:
    """URLs by where they lead, durations by length, the rest where the label has the form of outputs."""
    model = create_model("M", f=(cast("Any", schema), ...))
    report = run(model, {"f": label}, {"f": output})
    assert report.overall == 1
    if not isinstance(label, dict):
        assert rule_of(report, "f") == name


@pytest.mark.parametrize(
    ("schema", "label", "advice"),
    [
        (HttpUrl, "acme", "meets 'acme' under url(); write it in the form of 'https://example.com/'"),
        (HttpUrl, "ftp://acme.com", "write it in the form of 'https://example.com/'"),
        (AnyUrl, "https://münchen.de", "write 'https://xn--mnchen-3ya.de/'"),
        (timedelta, "an hour", "meets 'an hour' under duration(); write it in the form of 'PT1H30M'"),
        (ByteSize, "1KB", "the schema gives integer here, never text '1KB'"),
        (UUID, UUID(int=10).hex, f"write '{UUID(int=10)}'"),
        (UUID, "abc", "the schema refuses it"),
        (Path, "./a//b", "write 'a/b'"),
        (IPv6Address, "::0001", "write '::1'"),
        (SecretStr, "hunter2", "outputs hide it as '**********'; leave it out of the label"),
        (SecretBytes, "hunter2", "outputs hide it as '**********'"),
        (Secret[int], 5, "the schema gives text here, never integer 5"),
        (Json, '{"a": 1}', "never text '{\"a\": 1}'"),
        (Json[dict[str, int]], '{"a": 1}', "the schema gives object here, never text"),
    ],
)
def test_a_label_in_a_form_that_outputs_never_have_is_refused(
    schema: object, label: Any, advice: str
) -> None:
    """With the form to write; an ignored path takes anything of the right type."""
    model = create_model("M", f=(cast("Any", schema), ...))
    said = refusal(model, {"f": label})
    assert said is not None
    assert ": f: " in said
    assert advice in said
    if "no output can meet" in said:
        assert refusal(model, {"f": label}, comparators={"f": ignore()}) is None


def test_a_models_way_of_dumping_spans_is_known() -> None:
    """Seconds as a number are the same length; a strict rule then needs the number."""

    class Task(BaseModel):
        model_config = ConfigDict(ser_json_timedelta="float")
        took: timedelta

    assert overall(Task, {"took": "01:00:00"}, {"took": "PT1H"}) == 1
    assert overall(Task, {"took": 3600}, {"took": "PT1H"}, comparators={"took": exact()}) == 1
    said = refusal(Task, {"took": "PT1H"}, comparators={"took": exact()})
    assert said is not None
    assert "write 3600.0" in said


def test_durations_are_paired_by_length() -> None:
    """In lists as elsewhere."""
    labels: list[Any] = ["01:00:00", 90, "P1D"]
    assert overall(list[timedelta], labels, ["PT24H", "PT1M30S", "PT60M"]) == 1
    assert overall(list[timedelta], labels, ["PT24H", "PT1M30S", "PT61M"]) == pytest.approx(2 / 3)
