"""Measures one call in a process of its own, and starts such processes.

``python -m tests.benchmarks.child SIDE WORK SIZE OTHER`` prints one JSON object.
"""

from __future__ import annotations

import gc
import json
import os
import resource
import subprocess
import sys
import time
import timeit
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from tests.benchmarks.workloads import Workloads

if TYPE_CHECKING:
    from collections.abc import Callable

    from tests.benchmarks.workloads import Pair, Record

OURS = "ours"
BEST_OF = 3
ROOT = Path(__file__).parents[2]


@dataclass(frozen=True, slots=True)
class Figures:
    """What one call took.

    Attributes:
        seconds: of processor time, the best of three, since wall time on a busy machine says little; a short
            call is repeated until that takes a fifth of a second, as `timeit` does.
        megabytes: how far the process's peak memory rose above what it held before the first call.
        figure: what the call returned, so that a reader sees that work was done.
    """

    seconds: float
    megabytes: float
    figure: float


def measure(side: str, work: str, size: int, other: int = 0, *, limit: float = 900) -> Figures | None:
    """Run *work* in a process of its own; None where *side* can't or takes longer than *limit* seconds."""
    command = [sys.executable, "-m", __name__, side, work, str(size), str(other)]
    try:
        done = subprocess.run(
            command,
            cwd=ROOT,
            # Threads that wait for one another on a busy machine would count as work.
            env=os.environ | {"OPENBLAS_NUM_THREADS": "1"},
            capture_output=True,
            text=True,
            timeout=limit,
            check=False,
        )
    except subprocess.TimeoutExpired:
        return None
    if done.returncode:
        sys.stderr.write(f"{side} {work} {size}: {done.stderr.strip().splitlines()[-1:]}\n")
        return None
    return Figures(**json.loads(done.stdout.splitlines()[-1]))


def faster(one: Figures | None, other: Figures | None) -> Figures | None:
    """Return the figures with fewer seconds; None where both are None."""
    return min((each for each in (one, other) if each), key=lambda each: each.seconds, default=None)


def main() -> None:
    """Measure what the command line names."""
    side, work, size, other = sys.argv[1], sys.argv[2], int(sys.argv[3]), int(sys.argv[4])
    warm_up, call = _calls(side, work, size, other)
    warm_up()
    held = _peak_megabytes()
    figure = call()
    megabytes = _peak_megabytes() - held
    timer = timeit.Timer(call, gc.enable, timer=time.process_time)  # which turns it off unasked
    number, _ = timer.autorange()
    best = min(timer.repeat(BEST_OF, number)) / number
    sys.stdout.write(json.dumps({"seconds": best, "megabytes": megabytes, "figure": figure}))


def _calls(side: str, work: str, size: int, other: int) -> tuple[Callable[[], float], Callable[[], float]]:
    """Return a small call to warm up with, and the one to measure."""
    if side == OURS:
        from tests.benchmarks.ours import call_of

        small = (min(size, 2), other) if work in ("flat", "build") else (min(size, 20), min(other, 20))
        return call_of(work, *small), call_of(work, size, other)
    from tests.benchmarks.peers import PEERS

    score = PEERS[side]("flat" if work == "flat" else "nested")
    loads = Workloads()
    pairs = loads.flat(size) if work == "flat" else loads.nested(size, other)
    first = [_short(*pairs[0])] if len(pairs) == 1 else pairs[:1]
    return (lambda: score(first)), (lambda: score(pairs))


def _short(expected: Record, actual: Record) -> Pair:
    return {**expected, "items": expected["items"][:5]}, {**actual, "items": actual["items"][:5]}


def _peak_megabytes() -> float:
    """Return the most memory that this process has held so far; Linux counts it in kilobytes."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


if __name__ == "__main__":
    main()
