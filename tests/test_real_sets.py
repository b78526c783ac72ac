"""Real labels and real systems' outputs, against a plain count that shares no code with scoring."""

from __future__ import annotations

import unicodedata
from collections import Counter
from typing import Any

import numpy as np
import pytest
from scipy.optimize import linear_sum_assignment

from pytest_schemascore import by_content, by_position
from pytest_schemascore.cases import Case
from pytest_schemascore.scoring.counting import count_by_field
from pytest_schemascore.scoring.outcomes import Counts
from pytest_schemascore.spec import SuiteSpec
from pytest_schemascore.suite import Suite
from pytest_schemascore.suite.evaluating import Answer, evaluate
from tests.shared_data import read_jsonl, shared_path


def evaluated(
    cases: list[dict[str, Any]], outputs: dict[str, Any], **spec: Any
) -> dict[str, dict[str, Counts]]:
    """Return case id -> field -> counts, by the whole pipeline; a case without output was not run."""
    made = [Case(id=case["id"], input=case["input"], expected=case["expected"]) for case in cases]
    suite = Suite.build(SuiteSpec("set", **spec), made)
    return {
        case.id: count_by_field(evaluate(suite, case.id, Answer(outputs[case.id])).result.leaves)
        for case in made
        if case.id in outputs
    }


def total(by_case: dict[str, dict[str, Counts]], *fields: str) -> Counts:
    """Add up all fields, or those named."""
    return Counts.total(
        counts
        for by_field in by_case.values()
        for name, counts in by_field.items()
        if not fields or name in fields
    )


def read_set(name: str) -> list[dict[str, Any]]:
    """Return the cases of a set."""
    return read_jsonl(shared_path("data", name, "cases.jsonl"))


def outputs_of(name: str, system: str) -> dict[str, Any]:
    """Return case id -> output of a system."""
    return {
        row["id"]: row["output"] for row in read_jsonl(shared_path("data", name, f"outputs-{system}.jsonl"))
    }


# The plain count: nothing below uses the package.


def text_form(text: str) -> str:
    """Return *text* as exact() compares it."""
    composed = unicodedata.normalize("NFC", unicodedata.normalize("NFC", text).casefold())
    return " ".join(composed.split())


def same(label: Any, value: Any) -> bool:
    """Compare two scalars: texts in normal form, numbers by value, bools with bools."""
    if isinstance(label, str) and isinstance(value, str):
        return text_form(label) == text_form(value)
    if isinstance(label, bool) or isinstance(value, bool):
        return label is value
    if isinstance(label, (int, float)) and isinstance(value, (int, float)):
        return bool(abs(label - value) <= 1e-9 * max(abs(label), abs(value)))
    return False


def plain_count(label: Any, value: Any) -> tuple[float, int]:
    """Return how many labelled leaves are met, and how many there are; lists in the best order."""
    if isinstance(label, dict) and label:
        parts = [
            plain_count(part, value.get(key) if isinstance(value, dict) else None)
            for key, part in label.items()
        ]
        return sum(right for right, _ in parts), sum(leaves for _, leaves in parts)
    if isinstance(label, list) and label:
        leaves = [plain_count(item, None)[1] for item in label]
        found = value if isinstance(value, list) else []
        if not found:
            return 0.0, sum(leaves)
        right = np.array([[plain_count(item, other)[0] for other in found] for item in label])
        share = right / np.array(leaves)[:, None]
        rows, columns = linear_sum_assignment(share, maximize=True)
        return sum(right[i, j] for i, j in zip(rows, columns, strict=True) if right[i, j]), sum(leaves)
    empty = value is None or value in ([], {})
    if label in (None, [], {}):
        return float(empty), 1
    return float(not empty and same(label, value)), 1


def plain_total(cases: list[dict[str, Any]], outputs: dict[str, Any]) -> tuple[float, int]:
    """Add up the plain counts of all cases that have an output."""
    counted = [plain_count(case["expected"], outputs[case["id"]]) for case in cases if case["id"] in outputs]
    return sum(right for right, _ in counted), sum(leaves for _, leaves in counted)


def test_receipts_by_content_count_the_lines_that_are_right() -> None:
    """Line items in whatever order: the best pairing's correct leaves."""
    cases, outputs = read_set("cord_receipts"), outputs_of("cord_receipts", "deepcpcfg")
    found = total(evaluated(cases, outputs))
    assert (found.score, found.labelled) == plain_total(cases, outputs)
    assert found.correct == found.score


def test_receipts_by_position_lose_the_lines_that_moved() -> None:
    """The same outputs, each line with the one at its place: every outcome by hand."""
    cases, outputs = read_set("cord_receipts"), outputs_of("cord_receipts", "deepcpcfg")
    by_hand: Counter[str] = Counter()
    for case in cases:
        label, value = case["expected"], outputs[case["id"]]
        pairs = [(label["TotalPrice"], value.get("TotalPrice"))] if "TotalPrice" in label else []
        lines = value.get("LineItem") or []
        for i, line in enumerate(label.get("LineItem", [])):
            other = lines[i] if i < len(lines) else {}
            pairs += [(part, other.get(key)) for key, part in line.items()]
        for part, other in pairs:
            by_hand["missing" if other is None else "correct" if same(part, other) else "wrong"] += 1
        for line in lines[len(label.get("LineItem", [])) :]:
            by_hand["extra"] += len(line)
    found = total(evaluated(cases, outputs, comparators={"LineItem": by_position()}))
    assert {name: getattr(found, name) for name in by_hand} == by_hand
    assert found.correct < total(evaluated(cases, outputs)).correct


@pytest.mark.parametrize("system", ["diffbot", "extruct", "zyte"])
def test_product_pages_accept_each_of_several_values(system: str) -> None:
    """Labels are made of ``accepted``; a field is right where its value is one of them."""
    cases, outputs = read_set("product_pages"), outputs_of("product_pages", system)
    right: Counter[str] = Counter()
    labelled: Counter[str] = Counter()
    for case in cases:
        for name, accepted in case["accepted"].items():
            if case["id"] not in outputs:
                continue
            value = outputs[case["id"]].get(name)
            labelled[name] += 1
            right[name] += value is not None and any(same(one, value) for one in accepted)
        case["expected"] = {name: {"$any": accepted} for name, accepted in case["accepted"].items()}
    assert labelled
    by_case = evaluated(cases, outputs)
    for name in labelled:
        field = total(by_case, name)
        assert (field.correct, field.labelled) == (right[name], labelled[name]), name


@pytest.mark.parametrize("system", ["gpt3_eng", "gpt3_json", "llama2_json"])
def test_graphs_whose_keys_are_ids_are_scored_key_by_key(system: str) -> None:
    """Hosts and dopants under made-up ids, and lists of ids that link them."""
    cases, outputs = read_set("matsci_doping"), outputs_of("matsci_doping", system)
    outputs = {name: output for name, output in outputs.items() if isinstance(output, dict)}
    found = total(evaluated(cases, outputs))
    assert (found.score, found.labelled) == plain_total(cases, outputs)


PAPERS = "extractbench_papers"


@pytest.mark.parametrize(
    "system", ["claude-haiku-4.5-setup3", "claude-haiku-4.5-setup4", "gemini-3-flash-preview-setup6"]
)
def test_a_thousand_citations_are_a_multiset(system: str) -> None:
    """Texts and objects in lists of up to 1,081: each equal text counts as often as both sides have it."""
    cases, outputs = read_set(PAPERS), outputs_of(PAPERS, system)
    by_case = evaluated(cases, outputs)
    answered = [case for case in cases if case["id"] in outputs]
    assert answered
    for case in answered:
        label, found = case["expected"], by_case[case["id"]]
        value = outputs[case["id"]]
        citations = label["citations"]
        if all(isinstance(citation, str) for citation in citations):
            given = value.get("citations") if isinstance(value, dict) else None
            texts = [text_form(each) for each in given or [] if isinstance(each, str)]
            common = Counter(map(text_form, citations)) & Counter(texts)
            field = found["citations[*]"]
            assert (field.correct, field.labelled) == (sum(common.values()), len(citations))
        scalars = {key: part for key, part in label.items() if not isinstance(part, (list, dict))}
        right, leaves = plain_count(scalars, value)
        ours = Counts.total(found[key] for key in scalars)
        assert (ours.score, ours.labelled) == (right, leaves)


@pytest.mark.parametrize("system", ["claude-haiku-4.5-setup4", "gemini-3-flash-preview-setup6"])
def test_authors_find_their_partners(system: str) -> None:
    """Items that label different numbers of keys: the mean shares add up to the best there is."""
    cases, outputs = read_set(PAPERS), outputs_of(PAPERS, system)
    made = [Case(id=case["id"], input=case["input"], expected=case["expected"]) for case in cases]
    suite = Suite.build(SuiteSpec("set", comparators={"authors": by_content()}), made)
    with_authors = [case for case in cases if outputs.get(case["id"], {}).get("authors")]
    assert with_authors
    for case in with_authors:
        label, value = case["expected"]["authors"], outputs[case["id"]]["authors"]
        shares = [[plain_count(a, b)[0] / plain_count(a, b)[1] for b in value] for a in label]
        rows, columns = linear_sum_assignment(np.array(shares), maximize=True)
        best = sum(shares[i][j] for i, j in zip(rows, columns, strict=True))
        leaves = evaluate(suite, case["id"], Answer(outputs[case["id"]])).result.leaves
        ours = [leaf for leaf in leaves if leaf.path.startswith("authors[") and leaf.score is not None]
        of_item = Counter(leaf.path.split(".")[0] for leaf in ours)
        assert sum((leaf.score or 0) / of_item[leaf.path.split(".")[0]] for leaf in ours) == pytest.approx(
            best
        )


TOOLS = [
    ("tool_calls_simple", "gpt-4o-2024-05-13-fc"),
    ("tool_calls_simple", "llama-3-8b-instruct"),
    ("tool_calls_simple", "open-mixtral-8x7b"),
    ("tool_calls_java", "gpt-4o-2024-05-13-fc"),
    ("tool_calls_java", "databricks-dbrx-instruct"),
    ("tool_calls_java", "claude-3-haiku-20240307"),
]


def first_arguments(output: Any) -> Any:
    """Return the arguments of the first call, None where there is none."""
    calls = output.get("calls") if isinstance(output, dict) else None
    first = calls[0] if isinstance(calls, list) and calls else None
    return first.get("arguments") if isinstance(first, dict) else None


@pytest.mark.parametrize(("name", "system"), TOOLS)
def test_arguments_of_tool_calls_can_be_selected(name: str, system: str) -> None:
    """Only the arguments of the first call count; an output without any meets no label."""
    cases, outputs = read_set(name), outputs_of(name, system)
    right, leaves = 0.0, 0
    for case in cases:
        label = case["expected"]["calls"][0]["arguments"]
        value = first_arguments(outputs[case["id"]])
        met, there = plain_count(label, value)
        right += met if value is not None else 0
        leaves += there
    found = total(evaluated(cases, outputs, select="calls[0].arguments"))
    assert (found.score, found.labelled) == (right, leaves)


@pytest.mark.parametrize("system", [system for name, system in TOOLS if name == "tool_calls_simple"])
def test_optional_arguments_are_alternatives_with_null(system: str) -> None:
    """Where "" is accepted the argument may be left out; any accepted value is right."""
    cases, outputs = read_set("tool_calls_simple"), outputs_of("tool_calls_simple", system)
    kept, right, leaves = [], 0, 0
    for case in cases:
        ((_, arguments),) = case["accepted"].items()
        scalars = {
            key: accepted
            for key, accepted in arguments.items()
            if not any(isinstance(one, (list, dict)) for one in accepted)
        }
        value = first_arguments(outputs[case["id"]])
        if not scalars or not isinstance(value, dict):
            continue
        for key, accepted in scalars.items():
            given = value.get(key)
            leaves += 1
            if given is None or given in ([], {}):
                right += "" in accepted
            else:
                right += any(same(one, given) for one in accepted)
        label = {
            key: {"$any": [*accepted, None] if "" in accepted else accepted}
            for key, accepted in scalars.items()
        }
        kept.append({"id": case["id"], "input": case["input"], "expected": label})
    found = total(evaluated(kept, outputs, select="calls[0].arguments"))
    assert (found.correct, found.labelled) == (right, leaves)
