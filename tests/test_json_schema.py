"""JSON Schemas: what passes, what is refused with a clear message, and the shapes they have."""

from __future__ import annotations

import json
import socket
from datetime import date
from typing import TYPE_CHECKING, Any, NoReturn

import jsonschema
import pytest
from jsonschema import Draft202012Validator

from pytest_schemascore.documents.schema import adapt_schema
from pytest_schemascore.documents.shape_members import members
from pytest_schemascore.documents.shapes import Kind, Shape, ValidationFailed
from pytest_schemascore.errors import SchemaError
from tests.shared_data import read_jsonl, shared_path

if TYPE_CHECKING:
    from pathlib import Path

    from pytest_schemascore.documents.json_types import Json

JACCARD = {"evaluation_type": "jaccard", "evaluation_params": {}}


def passes(schema: dict[str, Any], value: Json) -> bool:
    """Say whether *value* passes *schema*."""
    try:
        result = adapt_schema(schema).validate(value)
    except ValidationFailed:
        return False
    assert result.value is value
    assert result.defaults == 0
    return True


def rejected(schema: dict[str, Any], value: object) -> str:
    """Validate a wrong value and return the message."""
    with pytest.raises(ValidationFailed) as caught:
        adapt_schema(schema).validate(value)
    return str(caught.value)


def refused(schema: object) -> str:
    """Adapt a wrong schema and return the message."""
    with pytest.raises(SchemaError) as caught:
        adapt_schema(schema)
    return str(caught.value)


def kinds(shape: Shape) -> set[Kind]:
    """Return the kinds of the members of *shape*."""
    return {member.kind for member in members(shape)}


def key(shape: Shape, name: str) -> Shape:
    """Return the shape of a key."""
    return shape.keys[name]()


@pytest.mark.parametrize(
    ("schema", "good", "bad"),
    [
        ({"type": "integer"}, [1, 1.0, 10**40], [True, "1", 1.5, None]),
        ({"type": "number"}, [1, 0.5], [True, "1"]),
        ({"type": "boolean"}, [True, False], [0, 1]),
        ({"type": "string"}, ["", "a"], [1, None]),
        ({"type": ["string", "null"]}, ["a", None], [1]),
        ({"enum": [1, "a"]}, [1, 1.0, "a"], [True, "1", "A"]),
        ({"const": 0}, [0, 0.0], [False, None]),
        ({"enum": [True]}, [True], [1]),
        ({"type": "string", "nullable": True}, ["a", None], [1]),
        ({"type": "string", "enum": ["a"], "nullable": True}, ["a", None], ["b"]),
        ({"$ref": "#/$defs/t", "nullable": True, "$defs": {"t": {"type": "string"}}}, ["a", None], [1]),
        ({"type": "string", "nullable": False}, ["a"], [None]),
        ({"anyOf": [{"type": "string"}, {"type": "null"}]}, ["a", None], [1]),
        ({"oneOf": [{"type": "integer"}, {"type": "number"}]}, [0.5], [1]),
        ({"allOf": [{"type": "integer"}, {"minimum": 3}]}, [3], [2, "3"]),
        ({"type": "string", "format": "date"}, ["2024-02-29"], ["2023-02-29", "29.02.2024", "20240229"]),
        (
            {"type": "string", "format": "date-time"},
            ["2024-02-29T10:00:00Z", "2024-02-29t10:00:00.5+01:00"],
            ["2024-02-29", "2024-02-29T10:00:00", "2024-02-29T25:00:00Z", "soon"],
        ),
        ({"type": "string", "format": "time"}, ["10:00:00Z", "00:00:00+00:00"], ["10:00", "25:00:00Z"]),
        ({"type": "string", "format": "email"}, ["not checked"], []),
        ({"properties": {"a": {}}, "additionalProperties": False}, [{"a": 1}, {}], [{"b": 1}]),
        ({"prefixItems": [{"type": "integer"}], "items": False}, [[1], []], [["a"], [1, 2]]),
        ({"type": "object", "properties": {"a": {"default": 1}}}, [{}], []),
    ],
)
def test_values_pass_or_fail(schema: dict[str, Any], good: list[Json], bad: list[Json]) -> None:
    """The standard decides, with OpenAPI's nullable; bool and int are apart; values stay as they are."""
    assert [value for value in good if not passes(schema, value)] == []
    assert [value for value in bad if passes(schema, value)] == []


def test_errors_name_paths_and_the_innermost_reason() -> None:
    """One line an error; a union's best branch speaks."""
    schema = {
        "type": "object",
        "required": ["total"],
        "properties": {
            "lines": {"items": {"anyOf": [{"type": "object", "properties": {"a.b": {"type": "integer"}}}]}}
        },
    }
    assert set(rejected(schema, {"lines": [{"a.b": "x"}]}).split("\n")) == {
        "lines[0]['a.b']: 'x' is not of type 'integer'",
        "$: 'total' is a required property",
    }


def test_long_values_and_many_errors_are_cut() -> None:
    """jsonschema repeats the value in its messages."""
    text = rejected({"items": {"type": "integer"}}, [f"{index}{'x' * 10_000}" for index in range(40)])
    assert text.count("\n") == 10
    assert text.endswith("\nand 30 more")
    assert len(text) < 3_000


def test_nan_and_instances() -> None:
    """NaN isn't JSON; a model instance is validated by its JSON form."""
    assert "nan" in rejected({}, [float("nan")])
    schema = {"type": "object", "properties": {"day": {"type": "string", "format": "date"}}}
    assert adapt_schema(schema).validate({"day": date(2026, 1, 5)}).value == {"day": "2026-01-05"}


def test_an_endless_reference_fails_the_validation() -> None:
    """A definition that is only itself."""
    schema = {"$ref": "#/$defs/a", "$defs": {"a": {"$ref": "#/$defs/a"}}}
    assert adapt_schema(schema).shape.kind is Kind.ANY
    assert "RecursionError" in rejected(schema, 1)


@pytest.mark.parametrize(
    ("schema", "message"),
    [
        ({"type": "strng"}, "unknown type 'strng' at type; did you mean 'string'?"),
        ({"properties": {"a": {"type": "float"}}}, "unknown type 'float' at properties.a.type"),
        ({"properties": {"a": {"minimum": "1"}}}, "properties.a.minimum"),
        ({"required": "a"}, "at required"),
        ({"$ref": "https://example.com/other.json"}, "nothing is fetched"),
        ({"properties": {"a": {"items": {"$ref": "other.json#/x"}}}}, "'other.json#/x' leads out"),
        ({"properties": {"a": {"$ref": "#/$defs/b"}}, "$defs": {}}, "'#/$defs/b' leads nowhere"),
        ({"$ref": "#/prefixItems/x", "prefixItems": [True]}, "leads nowhere"),
        ({"$schema": "https://example.com/mine"}, "unknown $schema"),
    ],
)
def test_what_is_no_json_schema_is_an_error(schema: dict[str, Any], message: str) -> None:
    """The message names the place and the reason."""
    assert message in refused(schema)


def test_nothing_is_fetched(monkeypatch: pytest.MonkeyPatch) -> None:
    """A remote reference is refused without a connection, also in a definition that nobody uses."""

    def connect(*_: object) -> NoReturn:
        pytest.fail("a connection was tried")

    monkeypatch.setattr(socket.socket, "connect", connect)
    assert "leads out" in refused({"$defs": {"unused": {"$ref": "http://127.0.0.1:9/x"}}})


def test_a_schema_file_is_read(tmp_path: Path) -> None:
    """By Path or text, with or without a byte order mark."""
    file = tmp_path / "schema.json"
    file.write_text('\ufeff{"type": "integer"}', encoding="utf-8")
    assert adapt_schema(file).validate(3).value == 3
    assert adapt_schema(str(file)).shape.kind is Kind.INTEGER


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b'{\n"type": oops}', r"schema\.json:2: not JSON: Expecting value \(column 9\)"),
        (b"[1]", "must be an object, not array"),
        (b"\xff\xfe", "is UTF-16, not UTF-8"),
        (b'{"type": "strng"}', r"schema\.json: unknown type"),
        (b"", r"schema\.json:1: not JSON: there is no text \(column 1\)"),
        (b'{"minimum":\n' + b"1" * 5000 + b"}", r"schema\.json:2: not JSON: an integer has more digits than"),
        (b"[" * 1000, r"schema\.json:1: not JSON: nested deeper than 200 levels \(column 201\)"),
        (b'{"minimum": NaN}', r"schema\.json:1: not JSON: NaN is not JSON \(column 13\)"),
        (
            b'{"properties": {"v": {}}, "properties": {}}',
            r"schema\.json: duplicate key properties; keep one of them$",
        ),
        (
            b'{"properties": {"v": {"type": 1}, "v": {"type": 1, "type": 2}}, "title": "", "title": ""}',
            r"schema\.json: duplicate key title, properties\.v, properties\.v\.type; keep one of each$",
        ),
    ],
)
def test_a_bad_schema_file_is_an_error(tmp_path: Path, content: bytes, message: str) -> None:
    """The message names the file, and the line where there is one."""
    file = tmp_path / "schema.json"
    file.write_bytes(content)
    with pytest.raises(SchemaError, match=message):
        adapt_schema(file)


def test_a_missing_schema_file_is_an_error(tmp_path: Path) -> None:
    """The message names the path."""
    assert "nowhere.json: there is no such schema file" in refused(tmp_path / "nowhere.json")
    assert "the class itself" in refused("Invoice")


@pytest.mark.parametrize(
    ("schema", "expected"),
    [
        ({}, {Kind.ANY}),
        ({"type": "string"}, {Kind.TEXT}),
        ({"type": "string", "format": "date"}, {Kind.DATE}),
        ({"type": "string", "format": "date-time"}, {Kind.DATETIME}),
        ({"type": "string", "format": "time"}, {Kind.TIME}),
        ({"type": "string", "format": "email"}, {Kind.TEXT}),
        ({"type": ["integer", "null"]}, {Kind.INTEGER, Kind.NULL}),
        ({"type": ["string"]}, {Kind.TEXT}),
        ({"type": "number", "nullable": True}, {Kind.NUMBER, Kind.NULL}),
        ({"type": "string", "enum": ["a"]}, {Kind.CHOICE}),
        ({"const": 1}, {Kind.CHOICE}),
        ({"properties": {}}, {Kind.OBJECT}),
        ({"items": {"type": "string"}}, {Kind.ARRAY}),
        ({"anyOf": [{"type": "string"}, {"type": "null"}]}, {Kind.TEXT, Kind.NULL}),
        ({"allOf": [{"type": "number"}, {"type": "integer"}]}, {Kind.INTEGER}),
        ({"type": "string", "anyOf": [{"format": "date"}, {"maxLength": 3}]}, {Kind.TEXT}),
        ({"type": "string", "allOf": [{"anyOf": [{"type": "string"}, {"type": "null"}]}]}, {Kind.TEXT}),
        ({"enum": [1], "type": "integer", "nullable": True}, {Kind.CHOICE, Kind.NULL}),
    ],
)
def test_schemas_have_their_kinds(schema: dict[str, Any], expected: set[Kind]) -> None:
    """The kind chooses the default rule (S2)."""
    assert kinds(adapt_schema(schema).shape) == expected


def test_objects_know_their_keys() -> None:
    """What is required, what is optional, what unknown keys are."""
    schema: dict[str, Any] = {
        "type": "object",
        "required": ["a"],
        "properties": {"a": {"type": "string"}, "b": {"type": "integer"}},
    }
    open_shape = adapt_schema(schema).shape
    assert set(open_shape.keys) == {"a", "b"}
    assert open_shape.optional == {"b"}
    assert open_shape.others is not None
    assert open_shape.others().kind is Kind.ANY
    assert adapt_schema({**schema, "additionalProperties": False}).shape.others is None
    typed = adapt_schema({**schema, "additionalProperties": {"type": "boolean"}}).shape
    assert typed.others is not None
    assert typed.others().kind is Kind.BOOLEAN
    patterns = {"additionalProperties": False, "patternProperties": {"^x": {"type": "null"}}}
    patterned = adapt_schema({**schema, **patterns}).shape
    assert patterned.others is None
    assert [patterned.patterns[text]().kind for text in patterned.patterns] == [Kind.NULL]


def test_arrays_know_their_items() -> None:
    """Prefix items, in the spelling of 2020-12 and of draft 7."""
    new = adapt_schema({"prefixItems": [{"type": "string"}], "items": {"type": "integer"}}).shape
    old = adapt_schema(
        {
            "$schema": "http://json-schema.org/draft-07/schema#",
            "items": [{"type": "string"}],
            "additionalItems": {"type": "integer"},
        }
    ).shape
    for shape in (new, old):
        assert [ref().kind for ref in shape.prefix] == [Kind.TEXT]
        assert shape.item is not None
        assert shape.item().kind is Kind.INTEGER


def test_all_of_is_merged() -> None:
    """Keys of all parts; required by any; a part that is closed to a key forbids it, as the standard says."""
    shape = adapt_schema(
        {
            "allOf": [
                {"properties": {"a": {"type": "string"}, "both": {"type": "number"}}},
                {"properties": {"b": {"type": "integer"}, "both": {"type": "integer"}}, "required": ["a"]},
            ],
            "required": ["b"],
            "unevaluatedProperties": False,
        }
    ).shape
    assert {name: key(shape, name).kind for name in shape.keys} == {
        "a": Kind.TEXT,
        "b": Kind.INTEGER,
        "both": Kind.INTEGER,
    }
    assert shape.optional == {"both"}
    assert shape.others is None
    closed = adapt_schema(
        {"allOf": [{"properties": {"a": {}}, "additionalProperties": False}, {"properties": {"b": {}}}]}
    )
    assert list(closed.shape.keys) == ["a"]


def test_what_stands_beside_a_union_holds_for_all_its_members() -> None:
    """A common way to write alternatives that share keys."""
    shape = adapt_schema(
        {
            "type": "object",
            "properties": {"kind": {"type": "string"}},
            "oneOf": [{"properties": {"a": {"type": "integer"}}}, {"properties": {"b": {"type": "null"}}}],
        }
    ).shape
    assert [set(member.keys) for member in members(shape)] == [{"kind", "a"}, {"kind", "b"}]


DIALECTS = [getattr(jsonschema, name) for name in jsonschema.__all__ if name.startswith("Draft")]

ODD_SCHEMAS: list[dict[str, Any]] = [
    {"type": "any"},
    {"type": ["integer", {"type": "object"}]},
    {"type": ["any", "null"]},
    {"type": []},
    {"type": "object", "properties": {"a": {"type": ["any", {"type": "string"}], "required": True}}},
    {"type": "object", "extends": {"type": "object", "properties": {"a": {"type": "integer"}}}},
    {"extends": [{"type": "integer"}, {"minimum": 1}]},
    {"disallow": ["string", {"type": "object"}]},
    {"type": "object", "dependencies": {"a": "b"}, "additionalProperties": False, "properties": {"a": {}}},
    {"type": "array", "items": [{"type": "string"}], "additionalItems": False},
    {"type": "array", "items": {"$ref": "#/definitions/text"}, "definitions": {"text": {"type": "string"}}},
    {
        "type": "object",
        "definitions": {"x": {"id": "#x", "$id": "#x", "type": "null"}},
        "properties": {"a": {"$ref": "#x"}},
    },
    {"extends": {"type": "object"}, "properties": {"a": {"$ref": "#nowhere"}}},
    {"type": "object", "required": ["a"], "properties": {"a": {"enum": [1]}}},
    {"type": "number", "divisibleBy": 2, "multipleOf": 2, "nullable": True},
    *(dialect.META_SCHEMA for dialect in DIALECTS),
]
VALUES: list[Json] = [None, True, 1, 1.5, "x", {}, {"a": 1}, {"a": "x", "b": None}, [], [1], ["x"], ["x", 1]]


def test_every_dialect_is_known() -> None:
    """From draft-03 on; the list is jsonschema's own."""
    assert {"Draft3Validator", "Draft202012Validator"} <= {dialect.__name__ for dialect in DIALECTS}


@pytest.mark.parametrize("dialect", DIALECTS, ids=lambda dialect: str(dialect.__name__))
@pytest.mark.parametrize("schema", ODD_SCHEMAS, ids=lambda schema: str(schema.get("$schema", schema))[:60])
def test_no_dialect_ends_in_a_traceback(dialect: Any, schema: dict[str, Any]) -> None:
    """A schema is refused, or what jsonschema lets pass passes, as an output and as a label."""
    schema = {**schema, "$schema": dialect.META_SCHEMA["$schema"]}
    try:
        adapted = adapt_schema(schema)
    except SchemaError:
        return
    for value in VALUES:
        nullable = value is None and schema.get("nullable") is True
        if nullable or dialect(schema, format_checker=None).is_valid(value):
            assert adapted.check_label(value) == []
            assert adapted.validate(value).value is value
        else:
            assert rejected(schema, value)


def test_a_type_that_draft_03_lets_stand_says_nothing() -> None:
    """Every name is a type there; what passes is for jsonschema to say, which knows no such type either."""
    schema = {"$schema": "http://json-schema.org/draft-03/schema#", "type": "unheard-of"}
    assert adapt_schema(schema).shape.kind is Kind.ANY
    assert "unheard-of" in rejected(schema, 1)


def test_recursive_schemas_can_be_walked_as_deep_as_one_likes() -> None:
    """References are followed lazily, anchors and ids too."""
    schema = {
        "$id": "https://example.com/tree",
        "$ref": "#node",
        "$defs": {
            "node": {
                "$anchor": "node",
                "type": "object",
                "properties": {
                    "value": {"type": "integer"},
                    "next": {"anyOf": [{"$ref": "tree#/$defs/node"}, {"type": "null"}]},
                },
            }
        },
    }
    shape = adapt_schema(schema).shape
    for _ in range(30):
        assert key(shape, "value").kind is Kind.INTEGER
        shape, null = members(key(shape, "next"))
        assert null.kind is Kind.NULL
    assert adapt_schema(schema).validate({"value": 1, "next": {"value": 2, "next": None}})


def test_overrides_are_kept_as_they_are() -> None:
    """On a key, beside a reference, in a definition, inside a union, on items; the outermost holds."""
    other = {"evaluation_type": "binary"}
    shape = adapt_schema(
        {
            "$defs": {"unit": {"type": "string", "x-override-evaluator": JACCARD}},
            "properties": {
                "plain": {"type": "string", "x-override-evaluator": JACCARD},
                "used": {"$ref": "#/$defs/unit"},
                "own": {"$ref": "#/$defs/unit", "x-override-evaluator": other},
                "union": {"anyOf": [{"$ref": "#/$defs/unit"}, {"type": "null"}]},
                "list": {"type": "array", "items": {"x-override-evaluator": other}},
                "nullable": {"type": "string", "nullable": True, "x-override-evaluator": other},
                "none": {"type": "string"},
            },
        }
    ).shape
    assert key(shape, "plain").rule == JACCARD
    assert key(shape, "plain").named == "x-override-evaluator"
    assert key(shape, "used").rule == JACCARD
    assert key(shape, "own").rule == other
    assert [member.rule for member in members(key(shape, "union"))] == [JACCARD, None]
    item = key(shape, "list").item
    assert item is not None
    assert item().rule == other
    assert key(shape, "nullable").rule == other
    assert key(shape, "none").rule is None


@pytest.mark.parametrize("name", ["extractbench_papers", "extractbench_10q"])
def test_real_schemas_are_read_and_agree_with_jsonschema(name: str) -> None:
    """Real labels pass or fail as they do with the plain validator, but for OpenAPI's nullable."""
    file = shared_path("data", name, "schema.json")
    plain = Draft202012Validator(json.loads(file.read_text(encoding="utf-8")))
    schema = adapt_schema(file)
    for case in read_jsonl(file.parent / "cases.jsonl"):
        try:
            schema.validate(case["expected"])
        except ValidationFailed:
            assert not plain.is_valid(case["expected"])
        else:
            assert plain.is_valid(case["expected"])
