"""An item's own verdict (R8), and how its case's output and log become its own (R2)."""

from __future__ import annotations

import sys
from functools import partial
from typing import TYPE_CHECKING

import pytest

from pytest_schemascore.errors import ComparatorError
from pytest_schemascore.plugin.compat import pytest_log_handlers
from pytest_schemascore.plugin.raised import ENDING, NOT_RUN, fails_item
from pytest_schemascore.report.measured import Failure

if TYPE_CHECKING:
    import logging
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from pytest_schemascore.plugin.batches import Run
    from pytest_schemascore.report.results import RunResult
    from pytest_schemascore.running.job import Finished


def replay(calls: Iterable[Finished], *, streams: bool) -> Exception | None:
    """Print and log again what the bodies printed and logged, so that pytest shows it with this item.

    *streams* is false where it was printed for all to see already, as with ``-s``. Returns the first failure:
    a text that the stream can't encode, or a record whose arguments don't fit its message.
    """
    failure: Exception | None = None
    for show in _shows(calls, streams=streams):
        try:
            show()
        except Exception as error:  # noqa: BLE001 - handlers raise what formatting does
            failure = failure or error
    return failure


def _shows(calls: Iterable[Finished], *, streams: bool) -> Iterator[Callable[[], object]]:
    for call in calls:
        if streams and call.stdout:
            yield partial(sys.stdout.write, call.stdout)
        if streams and call.stderr:
            yield partial(sys.stderr.write, call.stderr)
        for record in call.records:
            for handler in pytest_log_handlers():
                if record.levelno >= handler.level:
                    yield partial(_log, handler, record)


def _log(handler: logging.Handler, record: logging.LogRecord) -> None:
    try:
        handler.handle(record)
    except Exception as error:
        error.add_note(f"logged in {record.pathname}:{record.lineno}")
        raise


def raise_what_ends(calls: Iterable[Finished]) -> None:
    """Raise again what ends the run, or says that the case was not run."""
    for call in calls:
        if isinstance(call.error, (*ENDING, *NOT_RUN)):
            raise call.error


def results_of(runs: Iterable[Run]) -> list[RunResult]:
    """Return what the runs came to; a bug of the evaluation fails the item (S7)."""
    results: list[RunResult] = []
    for run in runs:
        if isinstance(run.result, ComparatorError):
            pytest.fail(str(run.result), pytrace=False)
        results.append(run.result)
    return results


def raise_verdict(
    runs: Sequence[Run], results: Sequence[RunResult], *, noticed: bool, min_score: float | None
) -> None:
    """Fail the item where its body asked for it, or where nothing else would notice what went wrong.

    Args:
        runs, results: of the case.
        noticed: whether a baseline of the suite, or a floor, would notice a failed call.
        min_score: smallest score that passes by itself.
    """
    for run in runs:
        error = run.call.error
        if error is not None and (
            isinstance(error, pytest.xfail.Exception) or fails_item(run.call, noticed=noticed)
        ):
            raise error
    for result in results:
        if result.error is not None and result.error.kind is Failure.TIMED_OUT and not noticed:
            pytest.fail(result.error.message, pytrace=False)
        if min_score is not None and result.score is not None and result.score < min_score:
            pytest.fail(f"score {result.score:.3f} is below min_score={min_score:g}", pytrace=False)
