"""Which run this is, and which earlier one it takes outputs from (R5)."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any, Final

from pytest_schemascore.plugin.recording import NOT_RECORDED, Recording
from pytest_schemascore.plugin.workers import KEY, WHOLE_SUITES
from pytest_schemascore.running.journal import new_run_id

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    import pytest

    from pytest_schemascore.plugin.options import Options
    from pytest_schemascore.plugin.workers import Place

NO_CACHE: Final = "pytest has no cache here (-p no:cacheprovider?), which is where outputs are recorded"

FOLDER: Final = "schemascore"
"""Name of our folder below pytest's cache."""


@dataclass(frozen=True, slots=True)
class Run:
    """A run: its id, the same in all its workers, and where it takes outputs from.

    Attributes:
        id: the run's.
        source: id of the run whose outputs are taken; empty for none.
        oldest: id of the oldest of the runs, up to that one, whose outputs are taken.
        resumes: whether what that run lacks is to be called.
        problem: why nothing can be run; empty where it can.
        note: what to tell the user.
    """

    id: str
    source: str = ""
    oldest: str = ""
    resumes: bool = False
    problem: str = ""
    note: str = ""

    def to_json(self) -> dict[str, Any]:
        """Return what a worker is told."""
        return asdict(self)

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Run:
        """Return what a controller told."""
        return cls(**data)


def run_of(config: pytest.Config, options: Options) -> Run:
    """Return which run this process belongs to: the controller's where it is a worker, else a new one."""
    given = getattr(config, "workerinput", None)
    if given is not None:
        return Run.from_json(given[KEY]["run"])
    folder, _ = cache_folder(config)
    return begin_run(folder, resume=options.resume, rescore=options.rescore)


def begin_run(folder: Path | None, *, resume: bool, rescore: bool) -> Run:
    """Return a new run, which takes outputs from an earlier one where that is asked for.

    Resuming where nothing is unfinished starts afresh and says so; rescoring needs a complete run.
    """
    source = None
    problem = note = ""
    if resume or rescore:
        # Most do neither.
        from pytest_schemascore.running.earlier_runs import complete_runs, latest_alive, latest_unfinished
    if resume:
        source = latest_unfinished(folder) if folder else None
        if source is None:
            alive = latest_alive(folder) if folder else ""
            why = "no unfinished run is recorded" if folder else NO_CACHE
            if alive:
                why = f"the run begun {when(alive)} is still under way"
            note = f"{why}, so --schemascore-resume ran everything"
    elif rescore:
        source = complete_runs(folder) if folder else None
        if source is None:
            why = "no complete run is recorded in pytest's cache; run once without it" if folder else NO_CACHE
            problem = f"--schemascore-rescore: {why}"
    if source is None:
        return Run(new_run_id(), problem=problem, note=note)
    return Run(new_run_id(), source.id, source.oldest, resumes=resume)


def when(run_id: str) -> str:
    """Return when a run began, which its id begins with, as ``2024-05-01 12:30 UTC``."""
    return f"{run_id[:4]}-{run_id[4:6]}-{run_id[6:8]} {run_id[9:11]}:{run_id[11:13]} UTC"


def recording_for(config: pytest.Config, options: Options, run: Run, place: Place) -> Recording:
    """Return this process's journal of *run*."""
    folder, trouble = cache_folder(config)
    return Recording(
        folder,
        run.id,
        place.worker or "main",
        source=run.source,
        resumes=options.resume,
        survey=bool(place.worker) and (place.restarted or place.dist in WHOLE_SUITES),
        trouble=trouble,
    )


def cache_folder(config: pytest.Config) -> tuple[Path | None, str]:
    """Return the folder for journals below pytest's cache, or None and why it can't be used.

    Where the cache is switched off there is none, and nothing to say.
    """
    cache = getattr(config, "cache", None)
    if cache is None:
        return None, ""
    try:
        return cache.mkdir(FOLDER), ""
    except OSError as error:
        return None, NOT_RECORDED.format(error)
