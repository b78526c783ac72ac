"""How fast the project is, beside other evaluators in the same run, and whether the budgets are kept.

Run it from the project's folder with ``python -m tests.benchmarks``; the other evaluators come with the extra
``bench`` (Python 3.12 and later). Figures are processor time, each in a process of its own, after a warm-up,
the best of three, imports left out. The gate's trustworthiness has a program of its own,
``python -m tests.benchmarks.gate_trust``.
"""

from __future__ import annotations

import argparse
import os
import sys
from typing import TYPE_CHECKING

from tests.benchmarks.suites import SUITES, Plan
from tests.benchmarks.table import Results

if TYPE_CHECKING:
    from collections.abc import Sequence


def main(arguments: Sequence[str] | None = None) -> None:
    """Print every table."""
    parser = argparse.ArgumentParser(
        prog="python -m tests.benchmarks",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--quick", action="store_true", help="smaller sizes, in a few minutes")
    parser.add_argument(
        "--only", action="append", choices=sorted(SUITES), metavar="NAME", help=f"of {', '.join(SUITES)}"
    )
    parser.add_argument(
        "--peers", action=argparse.BooleanOptionalAction, default=True, help="run the other evaluators too"
    )
    given = parser.parse_args(arguments)
    plan = Plan(quick=given.quick, peers=given.peers)
    results = Results()
    try:
        for name, measure in SUITES.items():
            if not given.only or name in given.only:
                sys.stderr.write(f"{name} ...\n")
                measure(plan, results)
    finally:  # what took minutes is shown, whatever came after it
        load = ", ".join(f"{figure:.1f}" for figure in os.getloadavg())
        results.notes.append(f"Python {sys.version.split()[0]}, {os.cpu_count()} processors, load {load}")
        sys.stdout.write("\n".join(results.lines()) + "\n")


if __name__ == "__main__":
    main()
