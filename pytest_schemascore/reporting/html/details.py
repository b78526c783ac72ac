"""What the case view shows: input, label beside output, and the story of every run, cut at stated sizes."""

from __future__ import annotations

from itertools import islice
from typing import TYPE_CHECKING, Any, Final, TypeAlias

from pytest_schemascore.documents.json_types import ABSENT, Absent, Json, type_name
from pytest_schemascore.reporting import numbers, visible
from pytest_schemascore.reporting.html.reasons import reason_of
from pytest_schemascore.reporting.html.tree import Row, rows_of
from pytest_schemascore.reporting.html.values import document_text, scalar_text
from pytest_schemascore.scoring.outcomes import Outcome

if TYPE_CHECKING:
    from collections.abc import Iterable

    from pytest_schemascore.report.results import CaseResult, RunResult
    from pytest_schemascore.scoring.outcomes import Leaf

VALUE_LIMIT: Final = 2_000
"""Characters shown of one value in the tree."""
DOCUMENT_LIMIT: Final = 20_000
"""Characters shown of one input, output or message."""
LEAF_LIMIT: Final = 1_500
"""Leaves shown of one output; those that aren't correct come first."""
RUN_LIMIT: Final = 10
"""Runs shown of one case."""
_KEY_LIMIT: Final = 200
_PREVIEW_LIMIT: Final = 300

# JSON for the page; its shape is described where it is made and read by the script alone.
PageData: TypeAlias = dict[str, Any]


def detail_of(case: CaseResult) -> PageData:
    """Return the documents of *case* for the page: ``input`` and ``runs``."""
    return {
        "input": _document(case.document),
        "runs": [_run(case, run) for run in case.runs[:RUN_LIMIT]],
        "runsLeftOut": max(0, len(case.runs) - RUN_LIMIT),
    }


def _run(case: CaseResult, run: RunResult) -> PageData:
    leaves = _most_telling(run.leaves)
    trimmed = len(leaves) < len(run.leaves)
    readable = run.valid and not trimmed
    rows = rows_of(leaves, case.expected if readable else ABSENT, run.output if readable else ABSENT)
    return {
        "error": None if run.error is None else [run.error.kind.value, _text(run.error.message)],
        "score": None if run.score is None else numbers.percent(run.score),
        "facts": _facts(run),
        "notes": [_text(note) for note in run.notes],
        "judgeErrors": [_text(message) for message in run.judge_errors],
        "output": None if run.output is ABSENT else _document(run.output),
        "metadata": None if run.metadata in (None, {}) else _document(run.metadata),
        "rows": [_row(row, run.valid) for row in islice(rows, 2 * LEAF_LIMIT)],
        "leavesLeftOut": len(run.leaves) - len(leaves),
    }


def _most_telling(every: Iterable[Leaf]) -> list[Leaf]:
    """Return at most `LEAF_LIMIT` leaves in their order: all that aren't correct before any that is."""
    leaves = list(every)
    if len(leaves) <= LEAF_LIMIT:
        return leaves
    order = sorted(range(len(leaves)), key=lambda i: leaves[i].outcome is Outcome.CORRECT)
    return [leaves[i] for i in sorted(order[:LEAF_LIMIT])]


def _facts(run: RunResult) -> list[tuple[str, str]]:
    facts: list[tuple[str, str]] = []
    if run.duration is not None:
        facts.append(("Time", numbers.seconds(run.duration)))
    if run.cost is not None:
        facts.append(("Cost", numbers.plain(run.cost)))
    if run.tokens is not None:
        facts.append(("Tokens", f"{run.tokens:,}"))
    facts += [(name.capitalize(), numbers.plain(value)) for name, value in run.measures.items()]
    if run.repaired:
        facts.append(("Reading", "lenient: the text was repaired"))
    if run.defaults:
        facts.append(("Schema defaults", numbers.counted(run.defaults, "leaf", "leaves")))
    return facts


def _row(row: Row, valid: bool) -> PageData:
    """Return one line of the tree; absent keys mean nothing to show."""
    entry: PageData = {"depth": row.depth, "key": _key(row.step), "side": row.side}
    if row.moved_to is not None:
        entry["moved"] = row.moved_to
    if row.leaf is not None:
        entry |= _leaf(row.leaf, valid)
    elif row.leaves:
        entry |= {"bad": row.bad, "leaves": row.leaves, "isItem": isinstance(row.step, int)}
    else:
        entry |= {"outcome": "not scored", "expected": _cell(row.expected), "actual": _cell(row.actual)}
    return entry


def _leaf(leaf: Leaf, valid: bool) -> PageData:
    entry: PageData = {"outcome": leaf.outcome.value}
    if leaf.outcome is Outcome.WRONG and isinstance(leaf.expected, str) and isinstance(leaf.actual, str):
        expected, actual = visible.pair(leaf.expected, leaf.actual, VALUE_LIMIT)
        entry |= {"expected": ["string", expected], "actual": ["string", actual]}
    else:
        entry["expected"] = _cell(leaf.expected)
        same = type(leaf.expected) is type(leaf.actual) and leaf.expected == leaf.actual
        entry["actual"] = "same" if same else _cell(leaf.actual)
    if leaf.rule:
        entry["rule"] = visible.plain(leaf.rule, VALUE_LIMIT)
    if reason := reason_of(leaf, valid=valid):
        entry["reason"] = reason
    if leaf.score is not None and leaf.outcome is not Outcome.CORRECT:
        entry["score"] = numbers.percent(leaf.score)
    return entry


def _key(step: str | int) -> list[visible.Part]:
    return [f"[{step}]"] if isinstance(step, int) else visible.excerpt(step, _KEY_LIMIT)


def _cell(value: Json | Absent) -> list[object]:
    """Return the type and the parts of one value; containers are previewed on one line."""
    if isinstance(value, str):
        return ["string", visible.excerpt(value, VALUE_LIMIT)]
    if value is ABSENT:
        return ["absent", []]
    if isinstance(value, (dict, list)):
        text, cut = document_text(value, _PREVIEW_LIMIT, indented=False)
        return [type_name(value), visible.parts_of(text + "…" * cut)]
    return [type_name(value), [scalar_text(value)]]


def _document(value: Json | Absent) -> PageData:
    """Return a document's parts, and a note where it was cut; a text stands as it is, not as JSON."""
    if isinstance(value, str):
        return _text(value)
    text, cut = document_text(value, DOCUMENT_LIMIT)
    note = f"The first {DOCUMENT_LIMIT:,} characters; the rest is left out." if cut else ""
    return {"parts": visible.parts_of(text), "note": note}


def _text(text: str) -> PageData:
    note = ""
    if len(text) > DOCUMENT_LIMIT:
        note = f"The first {DOCUMENT_LIMIT:,} of {len(text):,} characters; the rest is left out."
    return {"parts": visible.parts_of(text[:DOCUMENT_LIMIT]), "note": note}
