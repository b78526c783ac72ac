"""Chooses among earlier runs: what can be resumed, what can be scored again, and what is old."""

from __future__ import annotations

import json
import shutil
from dataclasses import replace
from itertools import islice
from typing import TYPE_CHECKING, Final

from pytest_schemascore.running import locks
from pytest_schemascore.running.journal import DONE, LOCK_SUFFIX, RESUMED, RUN_PREFIX
from pytest_schemascore.running.recorded import read_run

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from pytest_schemascore.running.entries import AnswerEntry, OutputEntry
    from pytest_schemascore.running.job import JobKey
    from pytest_schemascore.running.recorded import RecordedRun

_KEEP: Final = 5
_KEEP_WHOLE: Final = 20
"""How many more are kept as the newest that hold some suite whole: names of suites may change daily."""


def latest_unfinished(folder: Path) -> RecordedRun | None:
    """Return the newest run with outputs that never came to its end, is over, and that none resumed.

    One is passed over where later runs that came to their end hold an output of each of its calls: then there
    is nothing left in it to pay for again.
    """
    complete: set[JobKey] = set()
    for path in _runs(folder):
        done = (path / DONE).exists()
        if not done and ((path / RESUMED).exists() or _is_alive(path)):
            continue
        run = read_run(folder, _id(path))
        if done:
            complete.update(run.outputs)
        elif not run.outputs.keys() <= complete:
            return run
    return None


def latest_alive(folder: Path) -> str:
    """Return the id of the newest run that is under way; empty where none is."""
    return next((_id(run) for run in _runs(folder) if _is_alive(run)), "")


def complete_runs(folder: Path, newest: str = "") -> RecordedRun | None:
    """Return what the runs that came to their end hold together: the newest output of each call.

    Of a suite, none is older than the newest run in which it ran whole. The id is that of the newest run that
    holds an output; nothing is taken of runs after *newest*.
    """
    used: list[RecordedRun] = []
    outputs: dict[JobKey, OutputEntry] = {}
    answers: dict[tuple[JobKey, str, str], AnswerEntry] = {}
    closed: set[str] = set()
    for path in _runs(folder):
        if not (path / DONE).exists() or (newest and _id(path) > newest):
            continue
        run = read_run(folder, _id(path))
        answers = {**run.answers, **answers}
        new = {key: run.outputs[key] for key in run.outputs.keys() - outputs if key.suite not in closed}
        if new:
            used.append(run)
            outputs |= new
        closed |= _whole_suites(path)
    if not used:
        return None
    return replace(used[0], oldest=used[-1].id, outputs=outputs, answers=answers)


def prune(folder: Path, keep: int = _KEEP) -> None:
    """Remove old runs.

    There stay the newest *keep*, the newest complete one, of some suites the newest that ran them whole, what
    may be resumed, and what runs.
    """
    old = list(_runs(folder))[keep:]
    if not old:
        return
    unfinished = latest_unfinished(folder)
    complete = next((run for run in _runs(folder) if (run / DONE).exists()), None)
    needed = {complete, unfinished.folder if unfinished else None}
    needed |= set(islice((run for run in _newest_whole(folder) if run in old), _KEEP_WHOLE))
    for run in old:
        if run not in needed and not _is_alive(run):
            shutil.rmtree(run, ignore_errors=True)


def _newest_whole(folder: Path) -> Iterator[Path]:
    """Yield each run that is the newest in which some suite ran whole."""
    seen: set[str] = set()
    for run in _runs(folder):
        suites = _whole_suites(run)
        if suites - seen:
            yield run
        seen |= suites


def _whole_suites(run: Path) -> frozenset[str]:
    """Return the keys of the suites that *run* ran whole; none where it did not come to its end."""
    try:
        names = json.loads((run / DONE).read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return frozenset()
    return frozenset(map(str, names)) if isinstance(names, list) else frozenset()


def _runs(folder: Path) -> Iterator[Path]:
    """Yield the runs' folders, newest first."""
    if folder.is_dir():
        yield from sorted(
            (path for path in folder.iterdir() if path.is_dir() and path.name.startswith(RUN_PREFIX)),
            reverse=True,
        )


def _id(run: Path) -> str:
    return run.name.removeprefix(RUN_PREFIX)


def _is_alive(run: Path) -> bool:
    return any(locks.is_held(path) for path in run.glob(f"*{LOCK_SUFFIX}"))
