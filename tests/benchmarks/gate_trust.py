"""How far the gate can be trusted: what fails when nothing changed, and what it catches when something did.

Run it from the project's folder with ``python -m tests.benchmarks.gate_trust``; it prints tables and takes
some minutes (``--quick``: fewer repeats). It needs no network; the real repeats are read from the folder that
``--data`` names and left out where that is absent.
"""

from __future__ import annotations

import argparse
import itertools
import random
from collections import Counter, defaultdict
from pathlib import Path
from typing import TYPE_CHECKING

from pytest_schemascore.gate.evidence import judge_suite
from pytest_schemascore.gate.metrics import Metric, field_metrics, suite_metrics, value_of
from pytest_schemascore.report.measured import DIGITS
from tests.benchmarks.real_repeats import Run, load, paired
from tests.benchmarks.simulated import Extractor

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from pytest_schemascore.report.measured import CaseCounts

    Sides = tuple[list[CaseCounts], list[CaseCounts]]

ALPHA = 0.05
MAX_DROPS = (0.0, 0.01, 0.02)
SHAPES = ((1, 1), (1, 3), (3, 3))
SIZES = (0.0, 2.0, 3.5, 4.5, 10.0, 100.0)
NER_FIELDS = Path(__file__).parents[2].parent / "shared" / "data" / "ner_fields"


def main() -> None:
    """Print every table."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--quick", action="store_true", help="a tenth of the repeats")
    parser.add_argument("--data", type=Path, default=NER_FIELDS, help="where the real repeats are")
    parser.add_argument("--only", choices=("real", "simulated"), help="print one part")
    options = parser.parse_args()
    rng = random.Random(4)
    if options.only != "simulated" and options.data.is_dir():
        systems = load(options.data)
        show_unchanged(systems, 9 if options.quick else 90, rng)
        show_different(systems, 5 if options.quick else 50, rng)
    if options.only != "real":
        show_simulated(20 if options.quick else 200, rng)


def gated(cases: Sequence[CaseCounts]) -> list[Metric]:
    """Return every metric the gate watches on these cases."""
    fields = sorted({name for case in cases for run in case.runs for name in run.fields})
    return [*suite_metrics(), *itertools.chain.from_iterable(map(field_metrics, fields))]


def rejects(sides: Sides, max_drop: float = 0.0) -> bool:
    """Whether the gate fails the change at alpha (G4)."""
    metrics = gated(sides[0])
    evidence = judge_suite(*sides, metrics, [max_drop] * len(metrics), suites=1, alpha=ALPHA)
    return any(metric.rejected for metric in evidence.metrics)


def largest_fall(sides: Sides) -> float:
    """Return how far the worst metric got worse, which is what a fixed max-drop is held against (G2)."""
    falls = [0.0]
    for metric in gated(sides[0]):
        before, after = (value_of(metric, side) for side in sides)
        if before is not None and after is not None:
            fall = round(before, DIGITS) - round(after, DIGITS)
            falls.append(round(-fall if metric.rises else fall, DIGITS))
    return max(falls)


def show_unchanged(systems: dict[str, list[Run]], repeats: int, rng: random.Random) -> None:
    """Print how many unchanged re-runs fail, by system and pooled."""
    print("Unchanged re-runs of real systems that fail, by gate")
    print(_row("system", "runs", *(f"drop {drop:g}" for drop in MAX_DROPS), f"alpha {ALPHA:g}"))
    for shape in SHAPES:
        pooled: list[tuple[bool, ...]] = []
        for name, runs in systems.items():
            verdicts = [_verdicts(sides) for sides in _reruns(runs, shape, repeats, rng)]
            print(_row(name, _runs(shape), *map(_share, zip(*verdicts, strict=True))), flush=True)
            pooled += verdicts
        shares = list(zip(*pooled, strict=True))
        within = "within" if sum(shares[-1]) <= 0.08 * len(pooled) else "OVER"
        print(_row("pooled", _runs(shape), *map(_share, shares)), f"  {within} the budget of 8 %\n")


def show_different(systems: dict[str, list[Run]], repeats: int, rng: random.Random) -> None:
    """Print how often a better system replaced by a worse one is caught at alpha, by points of overall."""
    print(f"Real differences caught at alpha {ALPHA:g}")
    print(_row("better", "points", *map(_runs, SHAPES)), "  worse")
    overall = {name: _overall(runs) for name, runs in systems.items()}
    by_size: defaultdict[float, list[list[bool]]] = defaultdict(lambda: [[] for _ in SHAPES])
    for better, worse in itertools.permutations(sorted(overall), 2):
        points = 100 * (overall[better] - overall[worse])
        if points <= 0:
            continue
        caught = [
            [
                rejects(paired(rng.sample(systems[better], before), rng.sample(systems[worse], after)))
                for _ in range(repeats)
            ]
            for before, after in SHAPES
        ]
        print(_row(better, f"{points:.1f}", *map(_share, caught)), f"  {worse}", flush=True)
        for all_caught, more in zip(by_size[max(s for s in SIZES if s <= points)], caught, strict=True):
            all_caught += more
    for low, high in itertools.pairwise(SIZES):
        if low in by_size:
            print(_row("all", f"{low:g} to {high:g}", *map(_share, by_size[low])))
    print()


def show_simulated(repeats: int, rng: random.Random) -> None:
    """Print how often made-up extractors fail at alpha, whose true change is known."""
    shapes = (*SHAPES, (1, 5))
    print(f"Made-up extractors of 12 fields that fail at alpha {ALPHA:g}")
    print("(only a true drop beyond max-drop should)")
    print(_row("cases, noise", "max-drop", *map(_runs, shapes)), "  true drop")
    false_alarms: Counter[bool] = Counter()
    for cases, noise in itertools.product((30, 100, 300, 1000), (0.02, 0.1, 0.3)):
        extractor = Extractor(cases, noise, invalid=noise / 10)
        times = max(5, repeats * 100 // (100 + cases))
        for drop, max_drop in ((0.0, 0.0), (0.0, 0.02), (0.02, 0.02), (0.05, 0.0), (0.05, 0.02)):
            failed = [
                [rejects(extractor.pair(rng, *shape, drop), max_drop) for _ in range(times)]
                for shape in shapes
            ]
            print(
                _row(f"{cases}, {noise:.0%}", f"{max_drop:g}", *map(_share, failed)),
                f"  {drop:g} ({times} times)",
                flush=True,
            )
            if drop <= max_drop:
                false_alarms.update(itertools.chain.from_iterable(failed))
    print(
        f"All where the true drop is not beyond max-drop: {false_alarms[True]} of {false_alarms.total()} fail"
    )


def _reruns(runs: list[Run], shape: tuple[int, int], repeats: int, rng: random.Random) -> Iterator[Sides]:
    """Yield both sides of unchanged re-runs: every ordered pair of single runs, or random choices."""
    before, after = shape
    every = len(runs) * (len(runs) - 1)
    choices: Iterable[Sequence[Run]] = (
        itertools.permutations(runs, 2)
        if shape == (1, 1) and every <= repeats
        else (rng.sample(runs, before + after) for _ in range(repeats))
    )
    for chosen in choices:
        yield paired(chosen[:before], chosen[before:])


def _verdicts(sides: Sides) -> tuple[bool, ...]:
    """Return whether each fixed max-drop and then alpha fail the change."""
    fall = largest_fall(sides)
    return (*(fall > drop for drop in MAX_DROPS), rejects(sides))


def _overall(runs: list[Run]) -> float:
    values = [value_of(suite_metrics()[0], paired([run], [run])[0]) or 0.0 for run in runs]
    return sum(values) / len(values)


def _runs(shape: tuple[int, int]) -> str:
    return f"{shape[0]} v {shape[1]}"


def _share(hits: Sequence[bool]) -> str:
    return f"{100 * sum(hits) / len(hits):.1f} %"


def _row(name: str, detail: str, *cells: str) -> str:
    return f"{name:18}{detail:>10}" + "".join(f"{cell:>11}" for cell in cells)


if __name__ == "__main__":
    main()
