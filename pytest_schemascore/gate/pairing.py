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

    from pytest_schemascore.gate.collected import Collected
    from pytest_schemascore.gate.measured_suite import MeasuredSuite
    from pytest_schemascore.report.measured import CaseCounts, SuiteCounts


@dataclass(frozen=True, slots=True)
class SuitePairing:
    """Suites, paired and apart.

    Attributes:
        pairs: key now -> key in the baseline; the two differ where the suite moved.
        new: keys that the baseline lacks.
        gone: keys of the baseline whose file was collected whole without them.
        not_run: keys of the baseline that were left out.
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
    before: Mapping[str, SuiteCounts], after: Mapping[str, SuiteCounts], collected: Collected
) -> SuitePairing:
    """Pair suites by key, then those that moved: one gone, one new, the same cases with the same labels.

    Where several could be the one that moved, none is; one that was merely left out of the run has not moved.
    """
    pairs = {key: key for key in after if key in before}
    new = {key: after[key] for key in after if key not in before}
    lost = {key: before[key] for key in before if key not in after}
    pairs |= moved({key: suite for key, suite in lost.items() if collected.may_have_moved(suite.test)}, new)
    left = sorted(lost.keys() - set(pairs.values()))
    gone = tuple(key for key in left if collected.is_gone(before[key].test))
    return SuitePairing(
        pairs,
        new=tuple(sorted(new.keys() - pairs.keys())),
        gone=gone,
        not_run=tuple(key for key in left if key not in gone),
    )


def moved(lost: Mapping[str, SuiteCounts], new: Mapping[str, SuiteCounts]) -> dict[str, str]:
    """Return new key -> lost key of the suites that hold the same cases with the same labels, one to one.

    Among variants, which share their cases, the name and then the variant tell which is which.
    """
    pairs: dict[str, str] = {}
    for trait in (_name, _variant, _nothing):
        alike: dict[object, tuple[list[str], list[str]]] = defaultdict(lambda: ([], []))
        for side, suites, done in ((0, lost, set(pairs.values())), (1, new, pairs.keys())):
            for key in suites.keys() - done:
                labels = frozenset((case.id, case.label) for case in suites[key].cases.values())
                if labels:
                    alike[labels, trait(key)][side].append(key)
        pairs |= {now[0]: then[0] for then, now in alike.values() if len(then) == len(now) == 1}
    return pairs


def _name(key: str) -> str:
    return key.partition("::")[2]


def _variant(key: str) -> str:
    return key.partition("[")[2]


def _nothing(key: str) -> str:  # noqa: ARG001 - a trait like the others, which all share
    return ""


def pair_named(
    before: Mapping[str, SuiteCounts], after: Mapping[str, SuiteCounts], names: Iterable[tuple[str, str]]
) -> SuitePairing:
    """Pair suites as the user says, OLD with NEW, and nothing else; an OLD may be held against several.

    Raises:
        UsageError: there is no suite of that name (names the nearest one), or a NEW has several OLDs, which
            no report can show.
    """
    pairs: dict[str, str] = {}
    for old, new in names:
        for name, side, suites in ((old, "before", before), (new, "after", after)):
            if name not in suites:
                near = did_you_mean(name, suites)
                msg = f"--suite: there is no suite {name!r} {side} ({_listed(suites)}){near}"
                raise UsageError(msg)
        if pairs.setdefault(new, old) != old:
            msg = (
                f"--suite: {new!r} can't be compared with both {pairs[new]!r} and {old!r} in one report;"
                f" compare it once with each"
            )
            raise UsageError(msg)
    return SuitePairing(pairs, (), (), ())


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
