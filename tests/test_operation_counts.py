"""Guards against decay that need no clock: how often the costly things are done."""

from __future__ import annotations

import re
import subprocess
import sys
from collections import Counter
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np
import pytest

from pytest_schemascore.cases import load_cases
from pytest_schemascore.gate import power
from pytest_schemascore.gate.evidence import judge_suite
from pytest_schemascore.gate.metrics import suite_metrics
from pytest_schemascore.report import results
from pytest_schemascore.report.document import suite_to_json
from pytest_schemascore.scoring import columns, key_codes
from pytest_schemascore.scoring.comparators.exact import exact
from pytest_schemascore.scoring.compiling import compile_scorer
from pytest_schemascore.scoring.pairing.by_key import by_key
from pytest_schemascore.scoring.rules import RuleNode
from pytest_schemascore.spec import SuiteSpec
from pytest_schemascore.suite import Suite
from pytest_schemascore.suite.evaluating import Answer, case_result, evaluate, suite_result
from tests.gate_cases import single_leaf

if TYPE_CHECKING:
    from collections.abc import Callable

HEAVY = {"scipy", "numpy", "pydantic", "rapidfuzz", "jinja2", "orjson", "anyio", "jsonschema", "dateutil"}
RUNNING = {"orjson", "anyio"}
"""What every case needs: its output is JSON, and its extractor may be async."""
UNUSED = {"pytest_schemascore", "pytest_schemascore.plugin"}
"""Our own modules that every run of pytest loads."""


class Counting:
    """A comparator of a user's that counts how often it is asked."""

    def __init__(self) -> None:
        self.asked = 0

    def __call__(self, expected: object, actual: object) -> bool:
        """Say whether both are the same."""
        self.asked += 1
        return expected == actual


def counted(monkeypatch: pytest.MonkeyPatch, owner: Any, name: str) -> Counter[str]:
    """Count the calls of ``owner.name`` from now on."""
    calls: Counter[str] = Counter()
    whole: Callable[..., Any] = getattr(owner, name)

    def counting(*args: Any, **kwargs: Any) -> Any:
        calls[name] += 1
        return whole(*args, **kwargs)

    monkeypatch.setattr(owner, name, counting)
    return calls


def test_a_flat_record_asks_once_a_leaf() -> None:
    """A comparator is asked once for each labelled leaf that has a value, and for nothing else."""
    counting = Counting()
    label: Any = {f"field_{number}": number for number in range(12)}
    value: Any = {**{name: number + 1 for name, number in label.items()}, "unlabelled": 1}
    scorer = compile_scorer([label], default=counting).scorer

    scorer.score(label, value)
    assert counting.asked == 12

    del value["field_0"]
    scorer.score(label, value)
    assert counting.asked == 12 + 11


def test_a_list_asks_no_more_than_once_a_pair_and_once_a_leaf() -> None:
    """With a function that knows no matrix, n by n items cost n * n calls to pair and n to score."""
    size = 20
    counting = Counting()
    label: Any = {"items": [{"a": number, "b": -number} for number in range(size)]}
    value: Any = {"items": [{"a": number + 0.5, "b": -number} for number in reversed(range(size))]}

    compile_scorer([label], comparators={"items[*].a": counting}).scorer.score(label, value)

    assert 0 < counting.asked <= size * size + size


def test_built_in_rules_pair_without_a_call_per_pair(monkeypatch: pytest.MonkeyPatch) -> None:
    """`exact` fills its column at once: what is left are the leaves of the pairs, n a field."""
    size = 40
    label: Any = {"items": [{"a": f"name {number}", "b": number} for number in range(size)]}
    value: Any = {"items": [{"a": f"name {number}!", "b": number} for number in reversed(range(size))]}
    scorer = compile_scorer([label]).scorer
    calls = counted(monkeypatch, exact, "__call__")

    leaves = scorer.score(label, value).leaves

    assert len(leaves) == 2 * size
    assert calls["__call__"] <= 2 * size


def test_equal_leaves_ask_nobody(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where a rule scores equal values 1, equal values need no call."""
    label: Any = {"a": "text", "b": 1, "c": {"d": True, "e": 2.5}}
    scorer = compile_scorer([label]).scorer
    calls = counted(monkeypatch, exact, "__call__")

    scorer.score(label, {"a": "text", "b": 1, "c": {"d": True, "e": 2.5}})

    assert calls["__call__"] == 0


def test_rules_are_resolved_once_a_suite(monkeypatch: pytest.MonkeyPatch) -> None:
    """One rule a place; a hundred outputs and lists of any length add none."""
    resolved = counted(monkeypatch, RuleNode, "__post_init__")
    label: Any = {"vendor": "x", "items": [{"sku": "a", "price": 1.0}, {"sku": "b", "price": 2.0}]}
    scorer = compile_scorer([label], comparators={"items[*].price": exact()}).scorer

    scorer.score(label, label)
    # The root, vendor, items, any item, and its two fields.
    assert resolved["__post_init__"] == 6
    for _ in range(100):
        scorer.score(label, {"vendor": "y", "items": label["items"] * 3})
    assert resolved["__post_init__"] == 6


def test_an_output_is_counted_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """From output to report, its leaves are gone through once, however many figures ask for them."""
    calls = counted(monkeypatch, results, "count_by_field")
    cases = load_cases(
        [{"id": f"c{number}", "input": number, "expected": {"n": number}} for number in range(5)]
    )
    suite = Suite.build(SuiteSpec("suite"), cases)

    measured = suite_result(
        suite,
        [case_result(suite, case.id, [evaluate(suite, case.id, Answer({"n": 3})).result]) for case in cases],
        {},
    )
    suite_to_json(measured)
    assert measured.counts().cases["c3"].runs[0].valid

    assert calls["count_by_field"] == len(cases)


def test_importing_loads_nothing_heavy() -> None:
    """The package, and the plugin as every run of pytest imports it, leave the heavy libraries alone (R7)."""
    code = (
        "import sys; before = set(sys.modules)\n"
        "import pytest_schemascore, pytest_schemascore.plugin\n"
        "print(*set(sys.modules) - before)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)

    loaded = set(done.stdout.split())
    assert not loaded.intersection(HEAVY)
    assert {name for name in loaded if name.startswith("pytest_schemascore")} == UNUSED


def modules_after(pytester: pytest.Pytester, monkeypatch: pytest.MonkeyPatch, test: str) -> set[str]:
    """Return what a process has loaded when pytest has run *test* with our plugin and no other."""
    monkeypatch.setenv("PYTEST_DISABLE_PLUGIN_AUTOLOAD", "1")
    pytester.makeconftest(
        "import sys\n"
        "def pytest_unconfigure(config):\n"
        "    (config.rootpath / 'loaded.txt').write_text(' '.join(sys.modules))\n"
    )
    pytester.makepyfile(test_it=test)
    pytester.makeini("[pytest]")
    pytester.plugins = []
    result = pytester.runpytest_subprocess("-p", "pytest_schemascore.plugin")
    result.assert_outcomes(passed=3)
    return set((pytester.path / "loaded.txt").read_text().split())


def test_an_unused_plugin_loads_two_modules(
    pytester: pytest.Pytester, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Where no test is marked, whole runs of pytest need the options' declarations and nothing else (R7)."""
    test = "import pytest\n@pytest.mark.parametrize('n', range(3))\ndef test_plain(n):\n    pass\n"

    loaded = modules_after(pytester, monkeypatch, test)

    assert {name for name in loaded if name.startswith("pytest_schemascore")} == UNUSED


def test_a_plain_suite_loads_no_library_that_it_does_not_need(
    pytester: pytest.Pytester, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Cases without a model, lists and a baseline need neither validators, arrays nor the gate (R7)."""
    test = (
        "import pytest_schemascore as schemascore\n"
        "@schemascore.case([{'id': f'c{i}', 'input': i, 'expected': {'n': i, 's': 'x'}} for i in range(3)])\n"
        "async def test_cases(case):\n"
        "    return {'n': case.input, 's': 'y'}\n"
    )

    loaded = modules_after(pytester, monkeypatch, test)

    assert not loaded.intersection(HEAVY - RUNNING)
    rooms = {".".join(name.split(".")[1:3]) for name in loaded if name.startswith("pytest_schemascore.")}
    assert {room for room in rooms if room.startswith("gate.")} == {"gate.settings", "gate.status"}
    assert not rooms.intersection(
        {"similarity", "documents.pydantic_schema", "documents.json_schema", "running.asking"}
    )


PROBE = """
from collections import Counter
import pytest
from pytest_schemascore.plugin import messages, turns

CALLS = Counter()

def counted(module, name):
    whole = getattr(module, name)
    def counting(*args, **kwargs):
        CALLS[name] += 1
        return whole(*args, **kwargs)
    setattr(module, name, counting)

counted(turns, "to_text")
counted(messages, "from_text")

def pytest_unconfigure(config):
    print(f"\\n{'worker' if hasattr(config, 'workerinput') else 'controller'} {dict(CALLS)}")
    if hasattr(config, "workerinput"):
        (config.rootpath / "worker.txt").write_text(str(CALLS["to_text"]))
"""

CASES = """
import pytest_schemascore as schemascore

@schemascore.case([{"id": f"c{i}", "input": i, "expected": {"n": i}} for i in range(7)])
def test_cases(case):
    return case.expected
"""


@pytest.mark.parametrize(
    ("workers", "written", "read"), [pytest.param(0, 0, 0, id="alone"), pytest.param(1, 7, 7, id="worker")]
)
def test_results_become_text_only_between_processes(
    pytester: pytest.Pytester, monkeypatch: pytest.MonkeyPatch, workers: int, written: int, read: int
) -> None:
    """One message an item, and none where the process that runs the items also reports (R4)."""
    monkeypatch.setenv("PYTEST_DISABLE_PLUGIN_AUTOLOAD", "1")
    pytester.makeconftest(PROBE)
    pytester.makepyfile(test_it=CASES)
    pytester.makeini("[pytest]")
    plugins = ("-p", "pytest_schemascore.plugin", *(("-p", "xdist", f"-n{workers}") if workers else ()))
    pytester.plugins = []
    result = pytester.runpytest_subprocess("-s", "-p", "no:cacheprovider", *plugins)

    result.assert_outcomes(passed=7)
    asked = (pytester.path / "worker.txt").read_text() if workers else "0"
    assert int(asked) == written
    found = next(line for line in result.outlines if line.startswith("controller"))
    assert found == f"controller { ({'from_text': read} if read else {}) }"


@pytest.mark.parametrize("dist", ["load", "loadfile", "loadgroup"])
def test_a_worker_reads_the_journals_of_its_run_once_a_batch(
    pytester: pytest.Pytester, monkeypatch: pytest.MonkeyPatch, dist: str
) -> None:
    """Not once a case where these come one by one, as with a release of xdist that ignores groups."""
    monkeypatch.setenv("PYTEST_DISABLE_PLUGIN_AUTOLOAD", "1")
    pytester.makeconftest(
        "from pytest_schemascore.plugin.recording import Recording\n"
        "READS = []\n"
        "read = Recording._read\n"
        "Recording._read = lambda self, run: READS.append(run) or read(self, run)\n"
        "def pytest_unconfigure(config):\n"
        "    if hasattr(config, 'workerinput'):\n"
        "        (config.rootpath / 'reads.txt').write_text(str(len(READS)))\n"
    )
    pytester.makepyfile(test_it=CASES)
    pytester.makeini("[pytest]")
    pytester.plugins = []
    plugins = ("-p", "pytest_schemascore.plugin", "-p", "xdist", "-n1", "--dist", dist)
    pytester.runpytest_subprocess(*plugins).assert_outcomes(passed=7)

    assert int((pytester.path / "reads.txt").read_text()) == (dist != "load")


@pytest.mark.parametrize("kind", ["async def", "def"])
@pytest.mark.parametrize("has_baseline", [True, False])
def test_what_ends_a_run_is_loaded_while_extractors_are_awaited(
    pytester: pytest.Pytester, monkeypatch: pytest.MonkeyPatch, kind: str, has_baseline: bool
) -> None:
    """What scores and reports always; the gate and its arrays only where something may be judged (R7).

    None of it before the first call: nobody waits for it there.
    """
    late = {"plugin.turns", "plugin.inbox", "report.results", "suite.evaluating", "scoring.walk"}
    ends = late | {"plugin.concluding", "plugin.summary", "plugin.writing"}
    late, ends = ({f"pytest_schemascore.{name}" for name in names} for names in (late, ends))
    gate = {"pytest_schemascore.gate.compare", "numpy", "scipy.special"}
    pytester.makepyfile(
        test_it=f"""
import asyncio, sys, time
import pytest_schemascore as schemascore

LATE = {late!r}
WANTED = {ends | gate if has_baseline else ends!r}
UNWANTED = {set() if has_baseline else gate!r}

@schemascore.case([{{"id": n, "input": n, "expected": {{"it": "loaded"}}}} for n in "abc"], min_score=1)
{kind} test_it(case):
    if case.id == "a" and (early := LATE & sys.modules.keys()):
        return {{"it": f"too early: {{early}}"}}
    for _ in range(200):
        if WANTED <= sys.modules.keys():
            loaded = UNWANTED & sys.modules.keys()
            return {{"it": f"too much: {{loaded}}" if loaded else "loaded"}}
        {"await asyncio.sleep" if kind.startswith("async") else "time.sleep"}(0.1)
    return {{"it": f"too little: {{WANTED - sys.modules.keys()}}"}}
"""
    )
    pytester.makeini("[pytest]")
    pytester.plugins = []
    monkeypatch.setenv("PYTEST_DISABLE_PLUGIN_AUTOLOAD", "1")
    update = ("--schemascore-baseline=b.json", "--schemascore-update") if has_baseline else ()

    result = pytester.runpytest_subprocess("-p", "pytest_schemascore.plugin", *update)

    result.assert_outcomes(passed=3)


@pytest.mark.parametrize("kind", ["async def", "def"])
def test_an_item_sets_up_no_fixture_and_finds_its_place_known(
    pytester: pytest.Pytester, monkeypatch: pytest.MonkeyPatch, kind: str
) -> None:
    """What pytest does for each item is not done for what is known; its place is looked up in the wait."""
    pytester.makeconftest(
        "import pytest\n"
        "COUNTS = {'cases': 0, 'fixtures': 0, 'unplaced': 0}\n"
        "def pytest_fixture_setup(fixturedef):\n"
        "    COUNTS['fixtures'] += 1\n"
        "@pytest.hookimpl(tryfirst=True)\n"
        "def pytest_runtest_protocol(item):\n"
        "    COUNTS['cases'] += 1\n"
        "    COUNTS['unplaced'] += 'location' not in vars(item)\n"
        "def pytest_unconfigure(config):\n"
        "    (config.rootpath / 'counts.txt').write_text(repr(COUNTS))\n"
    )
    pytester.makepyfile(
        test_it=f"""
import time
import anyio
import pytest_schemascore as schemascore

def sleeps(seconds):
    {"return anyio.sleep(seconds)" if kind.startswith("async") else "time.sleep(seconds)"}

@schemascore.case([{{"id": f"c{{n}}", "input": n, "expected": n}} for n in range(250)], concurrency=125)
{kind} test_it(case):
    {"await " if kind.startswith("async") else ""}sleeps(1)
    return case.expected
"""
    )
    pytester.makeini("[pytest]")
    pytester.plugins = []
    monkeypatch.setenv("PYTEST_DISABLE_PLUGIN_AUTOLOAD", "1")

    pytester.runpytest_subprocess("-p", "pytest_schemascore.plugin").assert_outcomes(passed=250)

    # The first, which holds the batch, was in its turn before there was anything to wait for.
    counts = (pytester.path / "counts.txt").read_text()
    assert counts == "{'cases': 250, 'fixtures': 0, 'unplaced': 1}"


@pytest.mark.parametrize("workers", [0, 1])
def test_no_result_outlives_the_session(
    pytester: pytest.Pytester, monkeypatch: pytest.MonkeyPatch, workers: int
) -> None:
    """Neither items nor plugins, which pytest keeps, hold them while it and Python collect garbage."""
    monkeypatch.setenv("PYTEST_DISABLE_PLUGIN_AUTOLOAD", "1")
    pytester.makeconftest(
        "import gc, pytest\n"
        "@pytest.hookimpl(trylast=True)\n"
        "def pytest_unconfigure(config):\n"
        "    kinds = {'CaseResult', 'RunResult', 'Message', 'Turn', 'Finished', 'OutputEntry'}\n"
        "    ours = [o for o in map(type, gc.get_objects()) if 'schemascore' in o.__module__]\n"
        "    left = {kind.__name__ for kind in ours}\n"
        "    assert 'Session' in left\n"
        "    (config.rootpath / f'left{id(config)}.txt').write_text(' '.join(kinds.intersection(left)))\n"
    )
    pytester.makepyfile(test_it=CASES)
    pytester.makeini("[pytest]")
    plugins = ("-p", "pytest_schemascore.plugin", *(("-p", "xdist", f"-n{workers}") if workers else ()))
    pytester.plugins = []
    pytester.runpytest_subprocess(*plugins, "--schemascore-report=r.json").assert_outcomes(passed=7)

    assert [file.read_text() for file in pytester.path.glob("left*.txt")] == [""] * (workers + 1)


def test_keys_that_are_objects_cost_what_they_hold(monkeypatch: pytest.MonkeyPatch) -> None:
    """Objects of different names are looked at once each, not once for each name."""
    looked_at: Counter[str] = Counter()
    whole = columns.codes_of

    def counting(comparator: Any, values: Any) -> Any:
        looked_at["values"] += len(values)
        return whole(comparator, values)

    monkeypatch.setattr(key_codes, "codes_of", counting)
    items: Any = [{"k": {f"name {number}": 1}, "v": number} for number in range(50)]
    found = compile_scorer([items], comparators={"$": by_key("k")}).scorer.score(items, items[::-1])
    assert [leaf.score for leaf in found.leaves] == [1] * 2 * len(items)
    # The keys of both sides, and the value in each.
    assert looked_at["values"] == 4 * len(items)


class CountingBits:
    """Numpy's generator, which counts what is asked of all of its kind."""

    drawn: ClassVar[Counter[str]] = Counter()

    def __init__(self, seed: int, kind: Any = np.random.PCG64) -> None:
        self._bits = kind(seed)

    def random_raw(self, size: int) -> Any:
        """Draw, and count."""
        self.drawn["numbers"] += size
        return self._bits.random_raw(size)


@pytest.mark.parametrize(("differing", "runs"), [(12, 1), (40, 1), (3, 3), (40, 3)])
def test_cases_that_did_not_change_are_drawn_together(
    monkeypatch: pytest.MonkeyPatch, differing: int, runs: int
) -> None:
    """A number for each binary digit of how many cases agree, so 512 cost no more than 8,192."""
    monkeypatch.setattr(np.random, "PCG64", CountingBits)

    def drawn(same: int) -> int:
        CountingBits.drawn.clear()
        alike = [[0.0] * runs, [1.0] * runs] * (same // 2)
        before = single_leaf([[1.0] * runs] * differing + alike)
        after = single_leaf([[place / (2 * differing)] * runs for place in range(differing)] + alike)
        judge_suite(before, after, suite_metrics()[:1], [0.0], suites=1, alpha=0.05)
        return CountingBits.drawn["numbers"]

    assert 0 < drawn(512) == drawn(8_192)


def test_power_counts_only_what_is_likely(monkeypatch: pytest.MonkeyPatch) -> None:
    """Of the 100,001 numbers of differing units, a tenth of a percent of which differ, few have a chance."""
    sizes: Counter[int] = Counter()
    whole = power._more_than

    def counting(k: Any, n: Any, p: float) -> Any:
        sizes[len(k)] += 1
        return whole(k, n, p)

    monkeypatch.setattr(power, "_more_than", counting)
    noise = power.Noise(cases=100_000, units=100_000.0, flip_rate=0.0001, differing=9)
    power.power_at(0.0009, noise, 1.645)
    assert 0 < max(sizes) < 500


AHEAD = """
import sys, time
from unittest import mock
import pytest_schemascore as schemascore

class Broken:
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] == "scipy":
            raise ERROR("broken")

sys.meta_path[:0] = [Broken()] if ERROR else []

@schemascore.case([{"id": n, "input": n, "expected": {"n": n}} for n in "abcdefgh"], timeout=60)
def test_it(case):
    with mock.patch.dict(sys.modules, {"client": mock.Mock()}):
        # A module stands there before all of it is loaded; what it defines comes last.
        while not hasattr(sys.modules.get("pytest_schemascore.gate.LAST"), "LATE"):
            time.sleep(0.1)
        time.sleep(0.5)
    return {"n": case.input if ANSWER is None else ANSWER}
"""


def run_ahead(pytester: pytest.Pytester, *options: str, error: str = "None", answer: str = "None") -> str:
    """Run `AHEAD` in a process of its own, and return what it printed."""
    last, late = ("power", "power_of") if error == "None" else ("evidence", "judge_suite")
    test = AHEAD.replace("ERROR", error).replace("ANSWER", answer)
    pytester.makepyfile(test_it=test.replace("LAST", last).replace("LATE", late))
    pytester.makeini("[pytest]")
    pytester.plugins = []
    plugin = ("-p", "pytest_schemascore.plugin", "--schemascore-baseline=b.json")
    return pytester.runpytest_subprocess(*plugin, *options).stdout.str()


@pytest.mark.parametrize("error", ["ImportError", "ValueError", "AttributeError"])
def test_what_cannot_be_loaded_ahead_costs_no_call(
    pytester: pytest.Pytester, monkeypatch: pytest.MonkeyPatch, error: str
) -> None:
    """A broken library is met while calls run, whatever it raises, and may not be needed at all."""
    monkeypatch.setenv("PYTEST_DISABLE_PLUGIN_AUTOLOAD", "1")

    assert "8 passed" in run_ahead(pytester, "--schemascore-update", error=error)
    assert (pytester.path / "b.json").exists()


def test_an_extractor_that_puts_modules_back_takes_none_of_ours(
    pytester: pytest.Pytester, monkeypatch: pytest.MonkeyPatch
) -> None:
    """numpy, which was loaded meanwhile and can't be loaded twice, is still there for the gate."""
    monkeypatch.setenv("PYTEST_DISABLE_PLUGIN_AUTOLOAD", "1")
    run_ahead(pytester, "--schemascore-update")

    text = run_ahead(pytester, answer="0")

    assert re.search(r"test_it::gate - n 100\.0 \S+ 0\.0 ", text), text  # the arrow is the terminal's
    assert "1 failed, 8 passed" in text
