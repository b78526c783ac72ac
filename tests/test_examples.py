"""Every example runs offline, and says what was worked out by hand or counted apart."""

from __future__ import annotations

import importlib.util
import json
import os
import subprocess
import sys
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import httpx
import pytest
import tenacity

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

ROOT = Path(__file__).parents[1]
EXAMPLES = ROOT / "examples"
ENDPOINT = EXAMPLES / "openai_endpoint"


class Ran(NamedTuple):
    """A finished run: its exit code, its terminal, and its suites by the last part of their names."""

    code: int
    text: str
    suites: Mapping[str, Any]


def run_example(tmp_path: Path, name: str, *options: str, **environment: str) -> Ran:
    """Run one example's folder in a process of its own."""
    report = tmp_path / "report.json"
    kept = {key: value for key, value in os.environ.items() if not key.startswith(("OPENAI_", "GITHUB_"))}
    command = [sys.executable, "-m", "pytest", f"examples/{name}", f"--schemascore-report={report}"]
    done = subprocess.run(
        [*command, "-p", "no:cacheprovider", *options],
        cwd=ROOT,
        env={**kept, **environment},
        capture_output=True,
        text=True,
        check=False,
    )
    text = done.stdout + done.stderr
    assert report.exists(), text
    suites = json.loads(report.read_text(encoding="utf-8"))["suites"]
    return Ran(done.returncode, text, {key.rsplit("::")[-1]: suite for key, suite in suites.items()})


def records(path: Path) -> list[dict[str, Any]]:
    """Read a JSONL file."""
    return [json.loads(line) for line in path.read_text(encoding="utf-8").strip().split("\n")]


def load(path: Path) -> Any:
    """Import a module of an example by its file."""
    spec = importlib.util.spec_from_file_location(path.stem, path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[path.stem] = module
    spec.loader.exec_module(module)
    return module


def entities_found() -> tuple[int, int]:
    """Count, without the package, how many of the labelled entities the recorded answers name."""
    answers = {record["id"]: json.loads(record["content"]) for record in records(ENDPOINT / "answers.jsonl")}
    found = labelled = 0
    for case in records(ENDPOINT / "cases.jsonl"):
        for kind, texts in case["expected"].items():
            wanted = Counter(" ".join(text.casefold().split()) for text in texts)
            given = Counter(" ".join(text.casefold().split()) for text in answers[case["id"]].get(kind, []))
            found += (wanted & given).total()
            labelled += wanted.total()
    return found, labelled


@pytest.fixture
def recorded() -> Iterator[Any]:
    """A local endpoint that is busy for one case at first, and doesn't answer another's first request."""
    module = load(ENDPOINT / "recorded_model.py")
    with module.serving(busy=frozenset({"ner_fields-050"}), slow=frozenset({"ner_fields-074"})) as server:
        yield server


def test_invoices(tmp_path: Path) -> None:
    """Of 4 answers 3 are valid, of 24 labelled leaves 17 are right."""
    ran = run_example(tmp_path, "invoices")
    assert ran.code == 0, ran.text
    assert "validity 75.0 %  overall 70.8 %" in ran.text
    assert ran.suites["test_invoices"]["metrics"]["overall"] == pytest.approx(17 / 24)


def test_materials_of_the_recorded_model_pass(tmp_path: Path) -> None:
    """GPT-3's answers are those of the baseline: 61.0 % overall, 5 of 310 can't be read."""
    ran = run_example(tmp_path, "materials", "--schemascore-baseline=baselines/materials.json")
    assert ran.code == 0, ran.text
    assert "310 cases  validity 98.4 %  overall 61.0 %" in ran.text


def test_materials_of_another_model_fail(tmp_path: Path) -> None:
    """Llama-2 has 1,862 of 3,334 leaves right: it fails and names fields, though more of it can be read."""
    ran = run_example(
        tmp_path, "materials", "--schemascore-baseline=baselines/materials.json", MATERIALS_MODEL="llama2"
    )
    assert ran.code == 1, ran.text
    assert "61.0 → 55.8" in ran.text
    assert "1 failed, 310 passed" in ran.text
    assert "entries[*].formula" in ran.text


def test_a_class_with_two_suites(tmp_path: Path) -> None:
    """Whole tickets: 6 of 10 leaves; their steps alone: 4 of 4."""
    ran = run_example(tmp_path, "class_based")
    assert ran.code == 0, ran.text
    assert ran.suites["test_ticket"]["metrics"]["overall"] == pytest.approx(6 / 10)
    assert ran.suites["test_steps"]["metrics"]["overall"] == 1


def test_variants_side_by_side(tmp_path: Path) -> None:
    """Two of four totals are right under the first variant, three under the second; all currencies are."""
    ran = run_example(tmp_path, "variants")
    assert ran.code == 0, ran.text
    assert ran.suites["test_receipts[first]"]["metrics"]["overall"] == pytest.approx(6 / 8)
    assert ran.suites["test_receipts[last]"]["metrics"]["overall"] == pytest.approx(7 / 8)


def test_variants_against_each_other(tmp_path: Path) -> None:
    """The command holds one variant of a report against the other, and names what got worse."""
    run_example(tmp_path, "variants")
    report = str(tmp_path / "report.json")
    key = "examples/variants/test_variants.py::test_receipts"
    done = subprocess.run(
        [
            sys.executable,
            "-m",
            "pytest_schemascore",
            "diff",
            report,
            report,
            "--suite",
            f"{key}[last]={key}[first]",
        ],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 1, done.stdout + done.stderr
    assert "75.0 → 50.0" in done.stdout


def test_an_endpoint_that_is_at_times_unwell(tmp_path: Path, recorded: Any) -> None:
    """A 429 and a time-out are tried again, no case is asked more often than that, and the score is right."""
    ran = run_example(tmp_path, "openai_endpoint", OPENAI_BASE_URL=recorded.url, OPENAI_TIMEOUT="1.5")
    assert ran.code == 0, ran.text
    suite = ran.suites["test_entities"]
    found, labelled = entities_found()
    assert suite["metrics"]["overall"] == pytest.approx(found / labelled)
    assert suite["metrics"]["validity"] == 1
    assert recorded.calls == Counter([*recorded.answers, "ner_fields-050", "ner_fields-074"])


def test_no_endpoint_means_not_run(tmp_path: Path) -> None:
    """Without a base URL nothing is called and nothing fails."""
    ran = run_example(tmp_path, "openai_endpoint")
    assert ran.code == 0, ran.text
    assert "12 skipped" in ran.text


@pytest.mark.parametrize(
    ("error", "again"),
    [
        (httpx.ReadTimeout("slow"), True),
        (httpx.ConnectError("refused"), True),
        (httpx.HTTPStatusError("", request=httpx.Request("POST", "/"), response=httpx.Response(429)), True),
        (httpx.HTTPStatusError("", request=httpx.Request("POST", "/"), response=httpx.Response(503)), True),
        (httpx.HTTPStatusError("", request=httpx.Request("POST", "/"), response=httpx.Response(401)), False),
        (ValueError("not HTTP"), False),
    ],
)
def test_what_is_tried_again(error: Exception, again: bool) -> None:
    """Only what may pass by itself is tried again."""
    assert load(ENDPOINT / "client.py").is_passing(error) is again


def test_the_endpoint_says_how_long_to_wait() -> None:
    """``Retry-After`` in seconds is obeyed."""
    response = httpx.Response(429, headers={"Retry-After": "7"})
    error = httpx.HTTPStatusError("", request=httpx.Request("POST", "/"), response=response)
    state = tenacity.RetryCallState(tenacity.AsyncRetrying(), None, (), {})
    state.set_exception((type(error), error, None))
    assert load(ENDPOINT / "client.py").pause(state) == 7


@pytest.mark.skipif(importlib.util.find_spec("pydantic_ai") is None, reason="needs the extra examples")
def test_a_pydantic_ai_agent(tmp_path: Path) -> None:
    """Its stand-in model takes the first part for the name, which is wrong once in 7 leaves."""
    ran = run_example(tmp_path, "pydantic_ai_agent")
    assert ran.code == 0, ran.text
    assert ran.suites["test_contacts"]["metrics"]["overall"] == pytest.approx(6 / 7)


@pytest.mark.skipif(importlib.util.find_spec("instructor") is None, reason="needs the extra examples")
def test_an_instructor_client(tmp_path: Path, recorded: Any) -> None:
    """The same answers through instructor score the same."""
    recorded.slow = frozenset()
    ran = run_example(tmp_path, "instructor_client", OPENAI_BASE_URL=recorded.url)
    assert ran.code == 0, ran.text
    found, labelled = entities_found()
    assert ran.suites["test_instructor"]["metrics"]["overall"] == pytest.approx(found / labelled)


def test_every_example_has_its_line() -> None:
    """The page of examples names each folder, and no other."""
    page = (EXAMPLES / "README.md").read_text(encoding="utf-8")
    folders = {path.parent.name for path in EXAMPLES.glob("*/test_*.py")}
    named = {line.split("`")[1].strip("/") for line in page.splitlines() if line.startswith("| `")}
    assert named == folders
