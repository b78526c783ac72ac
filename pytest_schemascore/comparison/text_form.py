"""A comparison as text: the figures, then the tree, a line a node."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from pytest_schemascore.reporting.numbers import percent, plain
from pytest_schemascore.reporting.values import value_pair, value_text
from pytest_schemascore.reporting.widths import Console, clip_end, display_width, pad
from pytest_schemascore.scoring.outcomes import Outcome

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pytest_schemascore.comparison.comparison import Comparison
    from pytest_schemascore.comparison.tree import Node
    from pytest_schemascore.scoring.outcomes import Leaf

_WIDTH: Final = 100
_VALUE: Final = 36
_WIDEST_NAME: Final = 40
_DEEPEST_INDENT: Final = 12
"""Levels below are indented no further, or nothing would be left of their names."""
_CONSOLE: Final = Console(_WIDTH, "utf-8")

_RED, _GREEN, _YELLOW, _BOLD, _RESET = "\x1b[31m", "\x1b[32m", "\x1b[33m", "\x1b[1m", "\x1b[0m"


def comparison_text(comparison: Comparison, *, color: bool, beta: float) -> str:
    """Return *comparison* as lines; each value is cut so that the difference shows."""
    lines = list(_lines(comparison.root, 0, beta))
    width = min(max(display_width(name) for name, _, _ in lines), _WIDEST_NAME)
    body = [_painted(f"{pad(name, width)}  {text}", score, color) for name, text, score in lines]
    return "\n".join([*_head(comparison, beta, color=color), "", *body]) + "\n"


def _head(comparison: Comparison, beta: float, *, color: bool) -> Iterator[str]:
    root, tally = comparison.root, comparison.root.tally
    figures = (
        f"precision {percent(root.precision)}   recall {percent(root.recall)}"
        f"   F{beta:g} {percent(root.f_score(beta))}"
    )
    yield f"{_BOLD}{figures}{_RESET}" if color else figures
    yield (
        f"{plain(tally.right)} of {plain(tally.actual)} values right,"
        f" {plain(tally.found)} of {plain(tally.expected)} expected ones found;"
        f" distance {plain(comparison.distance.score)}, similarity {plain(comparison.similarity.score)}"
    )


def _lines(node: Node, depth: int, beta: float) -> Iterator[tuple[str, str, float]]:
    """Yield name, text and score of *node* and all below it."""
    name = clip_end("  " * min(depth, _DEEPEST_INDENT) + _CONSOLE.clean(node.name), _WIDEST_NAME, "…")
    if node.leaf is not None:
        yield name, _leaf_text(node.leaf), _shade(node.leaf)
    else:
        score = node.f_score(beta)
        rule = f"   {node.rule}" if node.rule else ""
        yield name, f"{_figures(node, beta)}{rule}{_sides(node)}", score
    for child in node.children:
        yield from _lines(child, depth + 1, beta)


def _figures(node: Node, beta: float) -> str:
    return f"P {node.precision:.4f}  R {node.recall:.4f}  F{beta:g} {node.f_score(beta):.4f}"


def _sides(node: Node) -> str:
    if node.actual_path is None:
        return "   missing"
    return "   surplus" if node.path is None else ""


def _leaf_text(leaf: Leaf) -> str:
    rule = f"   {_CONSOLE.clean(leaf.rule)}" if leaf.rule else ""
    match leaf.outcome:
        case Outcome.CORRECT:
            value = leaf.expected
            return f"{leaf.score:.4f}  {clip_end(_CONSOLE.clean(value_text(value)), 2 * _VALUE, '…')}{rule}"
        case Outcome.EXTRA:
            return f"surplus {clip_end(_CONSOLE.clean(value_text(leaf.actual)), 2 * _VALUE, '…')}"
        case Outcome.NOT_JUDGED:
            return f"not judged{rule}"
        case _:
            expected, actual = value_pair(leaf.expected, leaf.actual, _CONSOLE, _VALUE)
            return f"{leaf.score or 0.0:.4f}  expected {expected}, actual {actual}{rule}"


def _shade(leaf: Leaf) -> float:
    return 0.0 if leaf.outcome is Outcome.EXTRA else 1.0 if leaf.score is None else leaf.score


def _painted(text: str, score: float, color: bool) -> str:
    text = text.rstrip()
    if not color:
        return text
    code = _GREEN if score == 1 else _YELLOW if score > 0 else _RED
    return f"{code}{text}{_RESET}"
