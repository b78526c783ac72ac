"""What is measured, and which budget each figure is held against."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from tests.benchmarks import under_pytest
from tests.benchmarks.child import OURS, Figures, faster, measure
from tests.benchmarks.table import Budget, Results, Row

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

GROWTH = (25, 50, 100, 300, 1000, 2205)
LARGEST = 10_000
STICKLER_RECORDS = 10
"""Stickler needs minutes for more; its seconds a record don't depend on how many there are."""

ROUNDS = 6
"""How often each side of a comparison is measured, by turns."""

SHORT = 300
"""Lines of a list that counts as short."""

QUIET_MILLISECONDS = 0.48
"""What a plain parametrized item took on an idle machine; scales figures that were taken on a busy one."""


@dataclass(frozen=True, slots=True)
class Plan:
    """How much to run."""

    quick: bool
    peers: bool

    def size(self, whole: int) -> int:
        """Return *whole*, or a tenth of it in a quick run."""
        return whole // 10 if self.quick else whole


def flat(plan: Plan, results: Results) -> None:
    """Score flat records, exact and fuzzy."""
    count = plan.size(2_000)
    ours, peer = _race(plan, results, "flat", "schemascore", count, count)
    _add(results, "build", OURS, count, count)
    if ours is None or not plan.peers:
        return
    each = ours.seconds / count
    for name, records in (("structeval", count), ("structured-eval", count), ("stickler", plan.size(200))):
        _add(results, "flat", name, records, records, ours=each)
    if peer is not None:
        _hold(results, "flat records: at least 2x schemascore", peer.seconds / ours.seconds, 2.0)


def nested(plan: Plan, results: Results) -> None:
    """Pair lists of 50 lines by content."""
    count = plan.size(200)
    ours, peer = _race(plan, results, "nested", "structeval", count, count, 50)
    _add(results, "nested-tolerant", OURS, count, count, 50)
    if ours is None or not plan.peers:
        return
    each = ours.seconds / count
    _add(results, "nested", "structured-eval", plan.size(100), plan.size(100), 50, ours=each)
    _add(results, "nested", "stickler", STICKLER_RECORDS // 5, STICKLER_RECORDS // 5, 50, ours=each)
    if peer is not None:
        _hold(results, "200 records of 50 lines: at least 10x structeval", peer.seconds / ours.seconds, 10.0)


def growth(plan: Plan, results: Results) -> None:
    """Pair one list of n lines."""
    sizes = GROWTH[:4] if plan.quick else (*GROWTH, LARGEST)
    for lines in sizes:
        rival = "structeval" if lines <= GROWTH[-1] else None
        ours, peer = _race(plan, results, "nested", rival, lines, 1, lines)
        _add(results, "nested-tolerant", OURS, lines, 1, lines)
        if plan.peers and ours is not None and lines <= 300:
            _add(results, "nested", "structured-eval", lines, 1, lines, ours=ours.seconds / lines)
        if peer is not None and ours is not None and lines == 300:
            _hold(results, "300 lines: 40x structeval", peer.seconds / ours.seconds, 40.0)
        if ours is not None and lines == GROWTH[-1]:
            _limit(results, "2,205 lines: under 0.3 s", ours.seconds, 0.3, "s")
            _limit(results, "2,205 lines: under 150 MB", ours.megabytes, 150.0, "MB")


def long_list(plan: Plan, results: Results) -> None:
    """Pair a long list of which little changed."""
    lines = plan.size(LARGEST)
    ours = _add(results, "mostly-equal", OURS, lines, lines)
    if ours is not None and not plan.quick:
        _limit(results, "10,000 lines with 5 % changed: under 5 s", ours.seconds, 5.0, "s")


def cosine(plan: Plan, results: Results) -> None:
    """Pair by embeddings, which the comparator keeps."""
    lines = plan.size(1_000)
    _add(results, "cosine", OURS, lines, lines)


def gate(plan: Plan, results: Results) -> None:
    """Judge 40 metrics of many cases, most of which changed, and 10 where hardly any did."""
    count = plan.size(10_000)
    _add(results, "gate", OURS, count, count, 40)
    _add(results, "gate-few", OURS, count, count, 10)


def baseline(plan: Plan, results: Results) -> None:
    """Load, compare and write a large baseline."""
    count = plan.size(100_000)
    for step in ("load", "diff", "write"):
        _add(results, f"baseline-{step}", OURS, count, count, 10)


def items(plan: Plan, results: Results) -> None:
    """Run cases that do nothing, beside plain parametrized tests, by turns."""
    count = plan.size(10_000)
    small = count // 10
    sides = (under_pytest.run_plain, under_pytest.run_cases)
    turns = [[(run(small), run(count)) for run in sides] for _ in range(1 if plan.quick else ROUNDS // 2)]
    plain, ours = (
        under_pytest.least(many for _, many in side).per_item(
            under_pytest.least(few for few, _ in side), count - small
        )
        for side in zip(*turns, strict=True)
    )
    results.notes.append(
        f"{count:,} items under pytest: plain {plain[0]:.3f} ms and {plain[1]:.2f} kB each,"
        f" cases {ours[0]:.3f} ms and {ours[1]:.2f} kB"
    )
    scaled = (ours[0] - plain[0]) * QUIET_MILLISECONDS / plain[0]
    text = "10,000 no-op cases: at most 0.3 ms over plain parametrize"
    _limit(results, f"{text} (scaled to {QUIET_MILLISECONDS} ms a plain item)", scaled, 0.3, "ms")
    _limit(results, "10,000 no-op cases: at most 3 kB an item", ours[1] - plain[1], 3.0, "kB")


def sleeping(plan: Plan, results: Results) -> None:
    """Run cases that wait 50 ms, 50 at once."""
    count = plan.size(1_000)
    turns = [
        (under_pytest.run_plain(count).wall, under_pytest.run_cases(count, under_pytest.SLEEP).wall)
        for _ in range(1 if plan.quick else ROUNDS)
    ]
    bare, ours = (min(seconds) for seconds in zip(*turns, strict=True))
    limit = 1.25 * (count / 50 * 0.05 + bare)
    results.notes.append(f"{count:,} no-op items with plain pytest: {bare:.2f} s")
    _limit(results, f"{count:,} cases of 50 ms, 50 at once: under {limit:.2f} s", ours, limit, "s")


def start_up(plan: Plan, results: Results) -> None:
    """Collect nothing, with the plugin installed and without."""
    with_it, without = under_pytest.start_up_milliseconds(5 if plan.quick else 15)
    results.notes.append(
        f"collect-only of an empty folder: {without:.1f} ms without the plugin, {with_it:.1f} ms with it;"
        f" imports of its own modules {under_pytest.import_milliseconds():.1f} ms"
    )
    counted = under_pytest.start_up_instructions(1 if plan.quick else 4)
    if counted is None:
        _limit(results, "installed and unused: at most 5 ms", with_it - without, 5.0, "ms")
        return
    more = counted[0] - counted[1]
    results.notes.append(f"instructions of the same: {counted[1] / 1e6:.0f} M, and {more / 1e6:.1f} M more")
    milliseconds = more / counted[1] * without
    _limit(results, "installed and unused: at most 5 ms (by instructions)", milliseconds, 5.0, "ms")


SUITES: Mapping[str, Callable[[Plan, Results], None]] = {
    "flat": flat,
    "nested": nested,
    "growth": growth,
    "long-list": long_list,
    "cosine": cosine,
    "gate": gate,
    "baseline": baseline,
    "items": items,
    "sleeping": sleeping,
    "start-up": start_up,
}


def _race(
    plan: Plan, results: Results, work: str, rival: str | None, items: int, size: int, other: int = 0
) -> tuple[Figures | None, Figures | None]:
    """Measure *work* for us and for a *rival* by turns, and add a row each with the best of the rounds.

    A machine is faster in one minute than in the next: what is compared is measured in the same ones. Long
    lists, where the factors are large, are measured once.
    """
    ours: Figures | None = None
    theirs: Figures | None = None
    for _ in range(1 if plan.quick or other > SHORT else ROUNDS):
        ours = faster(ours, measure(OURS, work, size, other))
        if plan.peers and rival is not None:
            theirs = faster(theirs, measure(rival, work, size, other))
    _row(results, work, OURS, ours, items, size, other)
    if rival is not None:
        each = ours.seconds / items if ours else None
        _row(results, work, rival, theirs, items, size, other, ours=each)
    return ours, theirs


def _add(
    results: Results,
    work: str,
    who: str,
    items: int,
    size: int,
    other: int = 0,
    *,
    ours: float | None = None,
) -> Figures | None:
    """Measure *work* once, and add a row."""
    found = measure(who, work, size, other)
    _row(results, work, who, found, items, size, other, ours=ours)
    return found


def _row(
    results: Results,
    work: str,
    who: str,
    found: Figures | None,
    items: int,
    size: int,
    other: int,
    *,
    ours: float | None = None,
) -> None:
    """Add a row; *items* is what the speed is told for, *ours* our seconds for one of them."""
    if found is not None:
        shown = f"{size:,} x {other:,}" if other else f"{size:,}"
        row = Row(work, who, shown, items, found.seconds, found.megabytes, ours, found.figure)
        results.rows.append(row)


def _hold(results: Results, text: str, ratio: float, least: float) -> None:
    results.budgets.append(Budget(text, f"{ratio:.1f}x", ratio >= least))


def _limit(results: Results, text: str, value: float, most: float, unit: str) -> None:
    results.budgets.append(Budget(text, f"{value:.2f} {unit}", value <= most))
