"""Hostile texts and values against all that reads or scores them: one kind of error, or a right answer."""

from __future__ import annotations

import json
import tempfile
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, Final

from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from pytest_schemascore.cases import load_cases
from pytest_schemascore.documents import paths
from pytest_schemascore.documents.json_types import ABSENT
from pytest_schemascore.documents.reading import NotJson, read_output
from pytest_schemascore.errors import CaseError, PathError
from pytest_schemascore.scoring.compiling import compile_scorer
from pytest_schemascore.scoring.outcomes import Outcome
from tests.soak.figures import Figures

TEXT: Final = st.text(st.characters(exclude_categories=()), max_size=12)

VALUES: Final = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | TEXT,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(TEXT, inner, max_size=4),
    max_leaves=12,
)

PIECES: Final = st.sampled_from(
    [
        *"{}[]:,\"\\$.*'` \n\0\ufeff\u2028",
        *("\\u", "d800", "null", "true", "1e9", "-0", "NaN", "```", "json\n", "\r\n"),
        *("..", "$.", "[*]", "[0]", "['", "']", "$any", "$ignore", '"id"', '"input"', '"expected"'),
        '{"id": "a", "input": 1, "expected": {"a": 1}}',
    ]
)

SOUP: Final = st.lists(PIECES | TEXT, max_size=12).map("".join)


def read_outputs(text: str) -> None:
    """A text is not JSON, or it is what the standard library makes of it, whole or in its fence."""
    for raw in (text, text.encode("utf-8", "surrogatepass")):
        try:
            found = read_output(raw).value
        except NotJson:
            continue
        try:
            plain = json.loads(text.lstrip("\ufeff"))
        except ValueError:
            assert "```" in text or "~~~" in text
        else:
            assert found == plain


def read_paths(text: str) -> None:
    """A path is refused, or its normal form reads back as the same."""
    try:
        segments = paths.parse(text)
    except PathError:
        return
    assert paths.parse(paths.to_text(segments)) == segments


def read_cases(text: str) -> None:
    """A case file gives cases with ids of their own, or one error."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "cases.jsonl"
        path.write_bytes(text.encode("utf-8", "surrogatepass"))
        try:
            cases = load_cases(path)
        except CaseError:
            return
        assert len({case.id for case in cases}) == len(cases) > 0


def score_values(pair: tuple[Any, Any]) -> None:
    """Scores are shares, the label decides how many leaves count, and a value agrees with itself."""
    label, value = pair
    scorer = compile_scorer([label]).scorer
    counted = [leaf for leaf in scorer.score(label, value).leaves if leaf.outcome is not Outcome.EXTRA]
    nothing = [leaf for leaf in scorer.score(label, ABSENT).leaves if leaf.outcome is not Outcome.EXTRA]
    same = scorer.score(label, label).leaves
    assert len(counted) == len(nothing)
    assert all(leaf.score is None or 0 <= leaf.score <= 1 for leaf in counted)
    assert all(leaf.outcome is Outcome.CORRECT for leaf in same)


def _plain(value: Any) -> bool:
    """Say whether no key begins with ``$``, which labels may give a meaning of their own."""
    if isinstance(value, Mapping):
        return all(not key.startswith("$") and _plain(item) for key, item in value.items())
    return all(map(_plain, value)) if isinstance(value, list) else True


TARGETS: Final[dict[str, tuple[st.SearchStrategy[Any], Callable[[Any], None]]]] = {
    "outputs": (SOUP | VALUES.map(json.dumps), read_outputs),
    "paths": (SOUP, read_paths),
    "case files": (SOUP | st.lists(VALUES.map(json.dumps), max_size=3).map("\n".join), read_cases),
    "scoring": (st.tuples(VALUES.filter(_plain), VALUES), score_values),
}


def fuzz(name: str, examples: int) -> Figures:
    """Try *examples* examples on one target."""
    strategy, check = TARGETS[name]
    tried = 0

    @settings(
        max_examples=examples,
        deadline=None,
        database=None,
        suppress_health_check=list(HealthCheck),
        phases=[Phase.generate, Phase.shrink],
    )
    @given(strategy)
    def attempt(example: Any) -> None:
        nonlocal tried
        tried += 1
        check(example)

    try:
        attempt()
    except Exception as error:  # noqa: BLE001 - whatever it is, it is the finding
        notes = "; ".join(getattr(error, "__notes__", ()))
        return Figures(f"fuzz {name}", tried, tried - 1, 0, (f"{type(error).__name__}: {error} {notes}",))
    return Figures(f"fuzz {name}", tried, tried, 0)
