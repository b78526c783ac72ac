"""The Markdown report, parsed by a Markdown library: its tables keep their columns, and text stays text."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from pytest_schemascore.gate.status import Status
from pytest_schemascore.reporting.markdown import append_step_summary, render_markdown
from pytest_schemascore.reporting.markdown_text import code, codes, cut, escape, table
from tests.sample_report import case, change, invoices, leaf, regressed, report, suite

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from markdown_it.token import Token

    from pytest_schemascore.gate.diff import Diff

HOSTILE = (
    "<img src=x onerror=alert(1)>",
    "</script><script>alert(1)</script>",
    "a|b\\|c",
    "`` ` `tick`",
    "line one\nline two\r\n\r\n# heading",
    "@octocat and @org/team",
    "[link](javascript:alert(1)) ![image](http://example.org/x.png) <http://example.org>",
    "**bold** _it_ ~~gone~~ $x^2$ :smile: https://example.org www.example.org",
    "\u202eright to left\u2066",
    "\x00\x07\x1b[31m",
    "- item",
    "1. item",
    "lone \ud800 surrogate",
    "   ",
)

EXPECTED = """\
## schemascore: 2 regressions against baseline.json

### Changed metrics

| metric | status | before | after | change | lost | gained | p |
| --- | --- | ---: | ---: | ---: | ---: | ---: | ---: |
| `items[*].price` | **regressed** | 93.1 | 88.4 | −4.7 pts | 20 | 1 | 0.03 |
| `total` | **vanished** | 75.0 | none |  | 0 | 0 |  |
| `<overall>` | within noise | 75.0 | 70.8 | −4.2 pts | 1 | 0 | 0.25 |
| `<precision>` | improved | 90.0 | 94.4 | +4.4 pts | 0 | 1 |  |

### Lost and gained cases

| metric | lost | gained |
| --- | --- | --- |
| `items[*].price` | {lost} | `cedar` |
| `<overall>` | `dune` |  |
| `<precision>` |  | `birch` |

### Suites

| suite | cases | validity | overall | troubles | cost | tokens | latency p50 / p95 |
| --- | --- | ---: | ---: | --- | ---: | ---: | ---: |
| `{key}` | 4 cases | 75.0 % | 70.8 % | invalid: 1 not JSON | 0.04 | 4,400 | 800 ms / 2.2 s |

`{key}`:

- compared: 4 of 5 cases in the baseline
- 1 case gone: elm
- rule changed: total: exact() → ignore()
- 2 fields can't be tested: vendor, notes
- flaky, runs of one case disagree: vendor 12.0 %
- could not have seen a drop under 4.1 points; 120 more cases would show 5 points

### Fields of `{key}`

""".format(
    lost=", ".join(f"`case-{number}`" for number in range(1, 21)), key="tests/test_invoices.py::test_invoices"
)


def parser() -> MarkdownIt:
    """Return a parser of GitHub's dialect, links that link themselves left out."""
    return MarkdownIt("commonmark").enable(["table", "strikethrough"])


def tables(text: str) -> Iterator[list[list[str]]]:
    """Yield the tables of *text* as rows of cells."""
    rows: list[list[str]] = []
    tokens = parser().parse(text)
    for token, following in zip(tokens, [*tokens[1:], None], strict=True):
        if token.type == "table_open":
            rows = []
        elif token.type == "tr_open":
            rows.append([])
        elif token.type in {"th_open", "td_open"} and following is not None:
            rows[-1].append(following.content)
        elif token.type == "table_close":
            yield rows


def inline(text: str) -> Iterator[Token]:
    """Yield all inline tokens of *text*."""
    for token in parser().parse(text):
        yield from token.children or ()


def plain_text(text: str) -> str:
    """Return what a reader sees of inline *text*."""
    return "".join(token.content for token in inline(text))


def hostile_diff() -> Diff:
    """Return a comparison with hostile names in all places."""
    one = regressed().suites[0]
    changes = tuple(
        change(text, 0.5, 0.25, Status.REGRESSED, lost=HOSTILE, gained=HOSTILE, reason=text)
        for text in HOSTILE
    )
    bad = replace(one, changes=changes, new=HOSTILE, notes=HOSTILE, problems=HOSTILE, key=HOSTILE[0])
    return replace(regressed(), suites=(bad, one), problems=HOSTILE, new_suites=HOSTILE, baseline=HOSTILE[4])


def test_the_report_reads_from_the_verdict_down() -> None:
    """Verdict, changed metrics, lost and gained cases, suites, what else to know, fields."""
    text = render_markdown(report(invoices()), regressed())
    assert text.startswith(EXPECTED)
    assert "| `vendor` | 62.5 % | 4 | 2 | 1 | 1 | 0 | 0 | 0 | `exact()` | `birch`: `" in text


def test_hostile_names_keep_every_table_in_its_columns() -> None:
    """Pipes, newlines and backticks in ids, fields, values and rules add no cell and no row."""
    cases = [case(text, *(leaf("total", other, text, 0) for other in HOSTILE)) for text in HOSTILE]
    text = render_markdown(report(suite(*cases, key=HOSTILE[0])), hostile_diff())
    found = list(tables(text))
    assert [{len(row) for row in rows} for rows in found] == [{9}, {3}, {8}, {11}]
    assert [len(rows) - 1 for rows in found] == [len(HOSTILE) + 4, len(HOSTILE) + 3, 1, 2]


def test_hostile_names_stay_text() -> None:
    """No HTML but our own line breaks, no link, no image, no heading, no emphasis comes from names."""
    text = render_markdown(
        report(suite(*(case(t, leaf("total", t, "x", 0)) for t in HOSTILE))), hostile_diff()
    )
    html = {token.content for token in inline(text) if token.type == "html_inline"}
    assert html <= {"<br>"}
    kinds = {token.type for token in inline(text)}
    assert not kinds & {"link_open", "image", "em_open", "s_open"}
    headings = [
        token.content for token in parser().parse(text) if token.type == "inline" and token.level == 1
    ]
    assert "heading" not in headings
    assert not [
        token for token in parser().parse(text) if token.type in {"html_block", "fence", "code_block"}
    ]


@pytest.mark.parametrize("text", ["@octocat", "see @org/team", "`@octocat`", "a|@octocat"])
def test_mentions_call_nobody(text: str) -> None:
    """An @ stands in a code span, or a zero-width space follows it: GitHub mentions neither."""
    for written in (escape(text), code(text)):
        tokens = list(inline(written))
        assert tokens
        for token in tokens:
            assert token.type == "code_inline" or "@o" not in token.content


@settings(deadline=None, max_examples=150)
@given(st.text(st.characters(exclude_categories=["Cc", "Cf", "Cs", "Zl", "Zp"]), min_size=1, max_size=40))
def test_escaped_text_reads_as_it_was(text: str) -> None:
    """Escaping loses nothing: what the parser shows is the text, in prose, code spans and cells."""
    shown = text.strip()
    if not shown:
        return
    assert plain_text(f"x {escape(text)}").removeprefix("x ").replace("\u200b", "") == shown
    ((_, row),) = tables("\n".join(table(("a", "b"), [(code(text), escape(text))])))
    assert len(row) == 2
    assert plain_text(row[0]).replace("\u200b", "").strip() == shown


def test_escaped_text_begins_no_list() -> None:
    """A line that begins like a list, a heading or a quote is a paragraph."""
    for text in ("- a", "+ a", "1. a", "1) a", "# a", "> a", "=== a", "--- a"):
        assert next(token.type for token in parser().parse(escape(text))) == "paragraph_open"


def test_long_names_and_many_names_are_cut() -> None:
    """A megabyte of id takes 200 characters, and twenty names stand for all."""
    assert len(code("x" * 1_000_000)) == 203
    assert codes(["a", "b", "c"], 2) == "`a`, `b` and 1 more"


def test_a_large_report_is_cut_to_the_limit_with_its_verdict() -> None:
    """The most important comes first, and a note says that something is left out."""
    cases = [
        case(f"case-{n}", *(leaf(f"field{f}", "é" * 50, "è" * 50, 0) for f in range(40))) for n in range(3)
    ]
    text = render_markdown(report(suite(*cases)), regressed(), limit=6000)
    assert len(text.encode()) <= 6000
    assert text.startswith("## schemascore: 2 regressions against baseline.json\n")
    assert text.endswith("\n\n_Cut to fit: the report file holds the rest._\n")


@settings(deadline=None)
@given(st.lists(st.text("aé\u4fa1", max_size=30), max_size=30), st.integers(20, 300))
def test_cutting_never_exceeds_the_limit(lines: list[str], limit: int) -> None:
    """Bytes count, not characters; what fits is left whole."""
    text = cut(lines, limit, "note")
    assert len(text.encode()) <= limit
    whole = "\n".join(lines).rstrip("\n") + "\n"
    assert text == whole or text.endswith("\nnote\n")


def test_the_step_summary_is_appended_to_and_stays_within_its_limit(tmp_path: Path) -> None:
    """What other programs wrote stays; past the limit GitHub would show nothing at all."""
    path = tmp_path / "summary.md"
    append_step_summary(path, "# one\n")
    append_step_summary(path, "# two\n")
    assert path.read_bytes() == b"# one\n\n# two\n"
    append_step_summary(path, "long line\n" * 100, limit=200)
    assert path.stat().st_size <= 200
    assert path.read_text(encoding="utf-8").endswith("_Cut to fit: the report file holds the rest._\n")
    before = path.read_bytes()
    append_step_summary(path, "more\n", limit=len(before) + 10)
    assert path.read_bytes() == before


def test_an_interrupted_run_and_one_without_baseline_have_a_report() -> None:
    """The heading says what was not done."""
    text = render_markdown(report(invoices(), interrupted=True), None)
    assert text.startswith("## schemascore: interrupted: 4 of 4 finished; not compared\n")
    assert render_markdown(report(invoices()), None).startswith("## schemascore: not compared, no baseline")
