"""Which suites and cases of a run are held against which of the baseline (G1)."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from pytest_schemascore._suggest import did_you_mean
from pytest_schemascore.errors import UsageError
from pytest_schemascore.gate.tallied import tallied

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from pytest_schemascore.gate.measured_suite import MeasuredSuite
    from pytest_schemascore.report.measured import CaseCounts, SuiteCounts


@dataclass(frozen=True, slots=True)
class SuitePairing:
    """Suites, paired and apart.

    Attributes:
        pairs: key now -> key in the baseline; the two differ where the suite moved.
        new: keys that the baseline lacks.
        gone: keys of the baseline whose file was collected whole without them.
        not_run: keys of the baseline whose file was not collected.
    """

    pairs: Mapping[str, str]
    new: tuple[str, ...]
    gone: tuple[str, ...]
    not_run: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class CasePairing:
    """Cases of one suite, paired and apart; each tuple of ids is sorted.

    Attributes:
        before, after: ``before[i]`` and ``after[i]`` are the same case, with the tags it has now.
    """

    before: tuple[CaseCounts, ...]
    after: tuple[CaseCounts, ...]
    new: tuple[str, ...]
    gone: tuple[str, ...]
    relabelled: tuple[str, ...]
    not_run: tuple[str, ...]


def pair_suites(
    before: Mapping[str, SuiteCounts], after: Mapping[str, SuiteCounts], files: Iterable[str]
) -> SuitePairing:
    """Pair suites by key, then those that moved: one gone, one new, the same cases with the same labels.

    Where several could be the one that moved, none is. *files* are node-id prefixes, collected whole.
    """
    pairs = {key: key for key in after if key in before}
    new = {key: after[key] for key in after if key not in before}
    lost = {key: before[key] for key in before if key not in after}
    pairs |= moved(lost, new)
    left = sorted(lost.keys() - set(pairs.values()))
    prefixes = tuple(files)
    gone = tuple(key for key in left if was_collected(before[key].test, prefixes))
    return SuitePairing(
        pairs,
        new=tuple(sorted(new.keys() - pairs.keys())),
        gone=gone,
        not_run=tuple(key for key in left if key not in gone),
    )


def moved(lost: Mapping[str, SuiteCounts], new: Mapping[str, SuiteCounts]) -> dict[str, str]:
    """Return new key -> lost key of the suites that hold the same cases with the same labels, one to one."""
    by_cases: dict[frozenset[tuple[str, str]], tuple[list[str], list[str]]] = defaultdict(lambda: ([], []))
    for side, suites in enumerate((lost, new)):
        for key, suite in suites.items():
            by_cases[frozenset((case.id, case.label) for case in suite.cases.values())][side].append(key)
    return {
        now[0]: then[0] for cases, (then, now) in by_cases.items() if cases and len(then) == len(now) == 1
    }


def was_collected(test: str, prefixes: Iterable[str]) -> bool:
    """Say whether the node id *test* lies in a file or folder that was collected whole."""
    return any(test == prefix or test.startswith((f"{prefix}::", f"{prefix}/")) for prefix in prefixes)


def pair_named(
    before: Mapping[str, SuiteCounts], after: Mapping[str, SuiteCounts], names: Mapping[str, str]
) -> SuitePairing:
    """Pair suites as the user says, OLD -> NEW, and nothing else.

    Raises:
        UsageError: there is no suite of that name; names the nearest one.
    """
    for name, side, suites in [
        *((old, "before", before) for old in names),
        *((new, "after", after) for new in names.values()),
    ]:
        if name not in suites:
            msg = (
                f"--suite: there is no suite {name!r} {side} ({_listed(suites)}){did_you_mean(name, suites)}"
            )
            raise UsageError(msg)
    return SuitePairing({new: old for old, new in names.items()}, (), (), ())


def _listed(suites: Iterable[str]) -> str:
    return "known: " + (", ".join(sorted(suites)) or "none")


def pair_cases(before: SuiteCounts, after: MeasuredSuite) -> CasePairing:
    """Pair the cases that both sides hold with the same label.

    A case that was not measured is gone only where the whole data set was; otherwise it was not run.
    """
    now = after.counts.cases
    both = sorted(before.cases.keys() & now.keys())
    same = [case_id for case_id in both if before.cases[case_id].label == now[case_id].label]
    missing = sorted(before.cases.keys() - now.keys())
    gone = {case_id for case_id in missing if after.complete and case_id not in after.skipped}
    pairs = [_pair(before.cases[case_id], now[case_id]) for case_id in same]
    return CasePairing(
        before=tuple(then for then, _ in pairs),
        after=tuple(present for _, present in pairs),
        new=tuple(sorted(now.keys() - before.cases.keys())),
        gone=tuple(sorted(gone)),
        relabelled=tuple(i for i in both if before.cases[i].label != now[i].label),
        not_run=tuple(case_id for case_id in missing if case_id not in gone),
    )


def _pair(before: CaseCounts, after: CaseCounts) -> tuple[CaseCounts, CaseCounts]:
    """Return the same case before, with its present tags, and after; equal runs become the same objects."""
    now = tallied(after)
    runs = now.runs if before.runs == after.runs else tallied(before).runs
    return replace(before, tags=after.tags, runs=runs), now
