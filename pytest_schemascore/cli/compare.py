"""``pytest-schemascore compare``: two JSON files."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from pytest_schemascore.cli.arguments import add_color_argument, named, positive
from pytest_schemascore.errors import UsageError

if TYPE_CHECKING:
    import argparse

HELP: Final = "compare two JSON files: precision, recall and F at every place"
EXAMPLE: Final = """\
  pytest-schemascore compare label.json output.json
  my-extractor | pytest-schemascore compare label.json - --schema schema.json --report html > page.html"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the command's arguments."""
    parser.add_argument(
        "expected", type=named, metavar="EXPECTED", help="what should be there; - reads standard input"
    )
    parser.add_argument("actual", type=named, metavar="ACTUAL", help="what is there; - reads standard input")
    parser.add_argument(
        "--schema",
        type=named,
        metavar="FILE",
        help="a JSON Schema (.json), or module:NAME: what to compare, and how",
    )
    parser.add_argument("--config", type=named, metavar="FILE", help="rules by JSON type, as JSON")
    parser.add_argument(
        "--comparators", type=named, metavar="M:N", help="a dict path -> rule, as module:NAME"
    )
    parser.add_argument("--select", metavar="PATH", help="the part to compare, tool_calls[0].arguments")
    parser.add_argument(
        "--extra", choices=("count", "ignore"), default="count", help="keys that EXPECTED lacks (count)"
    )
    parser.add_argument(
        "--parse", choices=("strict", "lenient"), default="strict", help="lenient: ACTUAL may need repair"
    )
    parser.add_argument("--beta", type=positive, default=1.0, metavar="B", help="weight of recall in F (1)")
    parser.add_argument(
        "--report", choices=("text", "html", "json"), default="text", help="form of the output (text)"
    )
    add_color_argument(parser)


def run(options: argparse.Namespace) -> int:
    """Compare and print; the result never makes the exit code."""
    from pytest_schemascore.cli.output import wants_color, write_document, write_text
    from pytest_schemascore.cli.references import load_comparators, load_schema_reference
    from pytest_schemascore.comparison import compare

    if options.expected == options.actual == "-":
        msg = "EXPECTED and ACTUAL can't both be standard input; name a file for one of them"
        raise UsageError(msg)
    comparison = compare(
        _read(options.expected, lenient=False),
        _read(options.actual, lenient=options.parse == "lenient"),
        schema=load_schema_reference(options.schema),
        comparators=load_comparators(options.comparators),
        select=options.select,
        extra=options.extra,
        config=options.config,
    )
    match options.report:
        case "json":
            write_document(comparison.to_json(beta=options.beta) + "\n")
        case "html":
            write_document(comparison.to_html(beta=options.beta))
        case _:
            write_text(comparison.to_text(color=wants_color(options.color), beta=options.beta))
    return 0


def _read(name: str, *, lenient: bool) -> Any:
    """Return the JSON value in the file *name*, or on standard input."""
    from pytest_schemascore.cli.output import note
    from pytest_schemascore.documents.reading import NotJson, read_output
    from pytest_schemascore.documents.text_files import FileError, read_text, text_of

    shown = "standard input" if name == "-" else name
    try:
        text = text_of(sys.stdin.buffer.read(), shown) if name == "-" else read_text(Path(name), "JSON")
    except FileError as error:
        raise UsageError(str(error)) from None
    try:
        read = read_output(text, lenient=lenient)
    except NotJson as error:
        msg = f"{shown}: {error}"
        raise UsageError(msg) from None
    for remark in read.notes:
        note(f"{shown}: {remark}")
    return read.value
