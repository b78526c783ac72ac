"""A comparison as one HTML page, without script, that needs no network."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from jinja2 import Environment, PackageLoader, StrictUndefined

from pytest_schemascore.documents.json_types import ABSENT
from pytest_schemascore.reporting.html.values import document_text
from pytest_schemascore.reporting.numbers import percent
from pytest_schemascore.reporting.visible import plain as visible
from pytest_schemascore.scoring.outcomes import Outcome

if TYPE_CHECKING:
    from pytest_schemascore.comparison.comparison import Comparison
    from pytest_schemascore.comparison.tree import Node
    from pytest_schemascore.documents.json_types import Absent, Json

_VALUE: Final = 2_000


def comparison_html(comparison: Comparison, *, beta: float) -> str:
    """Return *comparison* as a page; every text in it is escaped, and what hides in one is made visible."""
    environment = Environment(
        loader=PackageLoader("pytest_schemascore.comparison", "."),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters |= {"percent": percent, "value": _value, "visible": visible, "tone": _tone}
    template = environment.get_template("comparison.html.j2")
    return template.render(comparison=comparison, root=comparison.root, beta=beta, absent=ABSENT)


def _value(value: Json | Absent) -> str:
    text, cut = document_text(value, _VALUE, indented=False)
    return visible(text, _VALUE) + ("…" if cut else "")


def _tone(node: Node) -> str:
    """Name how well a node agrees, for its mark: a word as well as a colour."""
    if node.leaf is not None and not node.children:
        return node.leaf.outcome.value if node.leaf.outcome is not Outcome.EXTRA else "surplus"
    if node.actual_path is None:
        return "missing"
    if node.path is None:
        return "surplus"
    return "correct" if node.precision == 1 and node.recall == 1 else "differs"
