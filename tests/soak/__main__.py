"""`python -m tests.soak`: long runs of what the test suite tries briefly; prints what survived."""

from __future__ import annotations

import argparse
import sys
import time
from typing import TYPE_CHECKING, Final

from hypothesis import settings
from hypothesis.stateful import run_state_machine_as_test

from tests.soak.baseline_machine import BaselineMachine
from tests.soak.figures import Figures
from tests.soak.fuzz import TARGETS, fuzz
from tests.soak.kill import kill_runs
from tests.soak.many import run_many

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

PROGRAMS: Final = ("kill", "many", "baseline", "fuzz")


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the programs; return 0 where everything survived."""
    parser = argparse.ArgumentParser(prog="python -m tests.soak", description=__doc__)
    parser.add_argument("programs", nargs="*", choices=[*PROGRAMS, []], help="which (all)")
    parser.add_argument("--quick", action="store_true", help="a minute or two instead of an hour")
    parser.add_argument("--kills", type=int, default=None, help="rounds of the kill program")
    parser.add_argument("--seed", type=int, default=1, help="of the random moments")
    given = parser.parse_args(arguments)
    print(f"{'program':<18}{'injected':>10}{'survived':>10}{'lost':>6}{'seconds':>9}", flush=True)
    sound = True
    for run in _chosen(given.programs or PROGRAMS, given):
        began = time.perf_counter()
        found = run()
        seconds = time.perf_counter() - began
        print(f"{found.program:<18}{found.injected:>10}{found.survived:>10}{found.lost:>6}{seconds:>9.0f}")
        for problem in found.problems:
            print(f"  {problem}")
        sys.stdout.flush()
        sound = sound and not found.problems
    return 0 if sound else 1


def _chosen(programs: Sequence[str], given: argparse.Namespace) -> Iterator[Callable[[], Figures]]:
    quick: bool = given.quick
    if "kill" in programs:
        yield lambda: kill_runs(given.kills or (5 if quick else 50), given.seed)
    if "many" in programs:
        yield lambda: run_many(1_000 if quick else 10_000, 200, given.seed)
    if "baseline" in programs:
        yield lambda: run_machine(100 if quick else 5_000)
    if "fuzz" in programs:
        for name in TARGETS:
            yield lambda name=name: fuzz(name, 1_000 if quick else 100_000)  # type: ignore[misc]  # bound at once


def run_machine(examples: int) -> Figures:
    """Run *examples* histories of a baseline."""
    try:
        run_state_machine_as_test(
            BaselineMachine, settings=settings(max_examples=examples, stateful_step_count=30, deadline=None)
        )
    except Exception as error:  # noqa: BLE001 - whatever it is, it is the finding
        return Figures("baseline", examples, examples - 1, 0, (f"{type(error).__name__}: {error}",))
    return Figures("baseline", examples, examples, 0)


if __name__ == "__main__":
    sys.exit(main())
