"""The journal: what was paid for survives whatever happens to the process."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pytest_schemascore.documents.json_types import ABSENT
from pytest_schemascore.plugin.runs import begin_run
from pytest_schemascore.running import locks
from pytest_schemascore.running.earlier_runs import complete_runs, latest_unfinished, prune
from pytest_schemascore.running.entries import AnswerEntry, OutputEntry, from_line, to_line
from pytest_schemascore.running.job import Finished, Job, JobKey
from pytest_schemascore.running.journal import Encoded, Journal, new_run_id, take_over
from pytest_schemascore.running.recorded import RecordedRun, read_run

if TYPE_CHECKING:
    from collections.abc import Mapping


def encode(value: Any) -> Encoded:
    """Stand in for the caller's encoder: a pair is an output with its cost."""
    return Encoded(value[0], cost=value[1]) if isinstance(value, tuple) else Encoded(value)


def open_journal(folder: Path, run_id: str, worker: str = "main") -> Journal:
    """Begin a journal."""
    return Journal.open_new(folder, run_id, encode=encode, worker=worker)


def finished(
    case: str,
    value: object = None,
    error: BaseException | None = None,
    *,
    run: int = 0,
    timed_out: bool = False,
) -> Finished:
    """Make an outcome."""
    job = Job(JobKey("suite", case, run), lambda: None, False, None, f"hash-{case}")
    return Finished(job, value, error, timed_out, 1000.5, 1002.0, 1.5)


def outputs(run: RecordedRun) -> Mapping[str, OutputEntry]:
    """Return the outputs of *run* by case."""
    return {key.case: entry for key, entry in run.outputs.items()}


def test_outputs_come_back_as_they_were_recorded(tmp_path: Path) -> None:
    """Values, failures and what was attached, each under its key."""
    with open_journal(tmp_path, "1") as journal:
        journal.record(finished("text", '{"a": 1}'))
        journal.record(finished("cost", ({"a": [1.0, 2**70, "\ud800"]}, 0.25)))
        journal.record(finished("null", None))
        journal.record(finished("error", error=ValueError("Bearer abcdef0123456789 refused")))
        journal.record(finished("late", timed_out=True))
        journal.record(finished("text", "second run", run=1))

    run = read_run(tmp_path, "1")

    assert run.outputs[JobKey("suite", "text", 0)] == OutputEntry(
        JobKey("suite", "text", 0), "hash-text", '{"a": 1}', started=1000.5, duration=1.5
    )
    assert run.outputs[JobKey("suite", "text", 1)].value == "second run"
    by_case = outputs(run)
    assert by_case["cost"].value == {"a": [1.0, 2**70, "\ud800"]}
    assert by_case["cost"].cost == 0.25
    assert by_case["null"].value is None
    assert by_case["error"].value is ABSENT
    assert (by_case["error"].error, by_case["error"].message) == ("ValueError", "Bearer *** refused")
    assert by_case["late"].value is ABSENT
    assert by_case["late"].timed_out


def test_an_entry_is_good_only_for_the_same_input(tmp_path: Path) -> None:
    """A case whose input was edited is called again."""
    with open_journal(tmp_path, "1") as journal:
        journal.record(finished("a", "out"))
    run = read_run(tmp_path, "1")

    found = run.output(JobKey("suite", "a", 0), "hash-a")
    assert found is not None
    assert found.value == "out"
    assert run.output(JobKey("suite", "a", 0), "another hash") is None
    assert run.output(JobKey("suite", "a", 1), "hash-a") is None
    assert run.output(JobKey("other", "a", 0), "hash-a") is None


def test_judges_answers_are_kept_under_their_own_kind(tmp_path: Path) -> None:
    """An answer is found by call, judge and question."""
    key = JobKey("suite", "a", 0)
    answer = AnswerEntry(key, "m:judge", "q1", (1.0, None, 0.5))
    with open_journal(tmp_path, "1") as journal:
        journal.record(finished("a", "out"))
        journal.add(answer)
    run = read_run(tmp_path, "1")

    assert run.answer(key, "m:judge", "q1") == answer
    assert run.answer(key, "m:judge", "q2") is None
    assert run.answer(key, "m:other", "q1") is None
    assert set(outputs(run)) == {"a"}


def test_of_an_output_without_a_json_form_the_reason_is_recorded(tmp_path: Path) -> None:
    """It was called too, and it costs nobody else their record."""
    deep: Any = []
    for _ in range(100_000):
        deep = [deep]
    cyclic: list[object] = []
    cyclic.append(cyclic)
    with open_journal(tmp_path, "1") as journal:
        for number, value in enumerate((object(), deep, cyclic, 10**5000, {1, 2})):
            journal.record(finished(str(number), value))
        journal.record(finished("good", "out"))

    found = outputs(read_run(tmp_path, "1"))
    assert {name for name, entry in found.items() if entry.unfit} == {"0", "1", "2", "3", "4"}
    assert all(entry.value is ABSENT for entry in found.values() if entry.unfit)
    assert found["good"].value == "out"


class Silent(Exception):  # noqa: N818 - it is about its text
    """An exception that raises another instead of telling what it is."""

    def __str__(self) -> str:
        raise RuntimeError


def test_an_exception_without_a_text_is_recorded_by_its_class(tmp_path: Path) -> None:
    """What a user's class does wrong costs no record."""
    with open_journal(tmp_path, "1") as journal:
        journal.record(finished("a", error=Silent()))

    entry = outputs(read_run(tmp_path, "1"))["a"]
    assert (entry.error, entry.message) == ("Silent", "")


@pytest.mark.skipif(sys.platform == "win32", reason="there is no SIGKILL")
def test_the_calls_that_a_process_died_in_are_known(tmp_path: Path) -> None:
    """What had begun and was not over when it died; a process that lives has died in nothing."""
    key, over, skipped = (JobKey("suite", name, 0) for name in ("a", "b", "c"))
    journal = open_journal(tmp_path, "1", "gw0")
    for begun in (key, over, skipped):
        journal.mark(begun, began=True)
    journal.record(finished("b", "out"))
    journal.mark(skipped, began=False)
    assert read_run(tmp_path, "1").died_in == ()
    # What closing does not tell apart from a death is only asked in runs that had one.
    journal.close()

    assert read_run(tmp_path, "1").died_in == (frozenset({key}),)


def test_every_record_is_in_the_file_when_record_returns(tmp_path: Path) -> None:
    """Nothing waits in a buffer of the process."""
    with open_journal(tmp_path, "1") as journal:
        for number in range(3):
            journal.record(finished(str(number), "x"))
            assert journal.path.read_bytes().count(b"\n") == number + 2


KILLED = """
import os, signal, sys
from pathlib import Path
from pytest_schemascore.running.job import Finished, Job, JobKey
from pytest_schemascore.running.journal import Encoded, Journal

journal = Journal.open_new(Path(sys.argv[1]), "1", encode=Encoded)
for n in range(100):
    job = Job(JobKey("suite", str(n), 0), print, False, None, "h")
    journal.record(Finished(job, "x" * 1000, None, False, 0.0, 0.0, 0.0))
    if n == 41:
        os.kill(os.getpid(), signal.SIGKILL)
"""


@pytest.mark.skipif(sys.platform == "win32", reason="there is no SIGKILL")
def test_a_killed_process_leaves_all_it_recorded_and_its_run_can_be_resumed(tmp_path: Path) -> None:
    """SIGKILL after 42 outputs: 42 are there, and the run counts as unfinished and not alive."""
    root = Path(__file__).parents[1]
    done = subprocess.run(
        [sys.executable, "-c", KILLED, str(tmp_path)], cwd=root, check=False, capture_output=True
    )
    run = latest_unfinished(tmp_path)

    assert done.returncode == -signal.SIGKILL
    assert run is not None
    assert sorted(map(int, outputs(run))) == list(range(42))


@given(cut=st.integers(min_value=0, max_value=2_000))
@settings(deadline=None, max_examples=60)
def test_a_file_cut_anywhere_gives_all_whole_lines_before(
    tmp_path_factory: pytest.TempPathFactory, cut: int
) -> None:
    """A half-written last line is no error."""
    folder = tmp_path_factory.mktemp("journal")
    with open_journal(folder, "1") as journal:
        for number in range(10):
            journal.record(finished(str(number), {"text": "é" * number}))
    whole = journal.path.read_bytes()
    journal.path.write_bytes(whole[:cut])
    run = read_run(folder, "1")

    lines = max(0, whole[:cut].count(b"\n") - 1)
    # A last line that lacks only its newline is whole too.
    at_line_end = cut < len(whole) and whole[cut : cut + 1] == b"\n" and whole[:cut].count(b"\n") > 0
    assert sorted(map(int, outputs(run))) == list(range(lines + at_line_end))


def test_corrupt_lines_in_the_middle_are_skipped(tmp_path: Path) -> None:
    """What can be read is used."""
    with open_journal(tmp_path, "1") as journal:
        journal.record(finished("a", "out"))
        journal.record(finished("b", "out"))
    lines = journal.path.read_bytes().split(b"\n")
    lines[2:2] = [b"{half", b"\xff\xfe\x00", b"[]", b'{"suite": "s"}', b"[" * 100_000, b"7", b""]
    journal.path.write_bytes(b"\n".join(lines))
    run = read_run(tmp_path, "1")

    assert set(outputs(run)) == {"a", "b"}


def test_a_journal_of_another_format_is_not_read(tmp_path: Path) -> None:
    """What a newer version wrote isn't guessed at."""
    with open_journal(tmp_path, "1") as journal:
        journal.record(finished("a", "out"))
    text = journal.path.read_text().replace("schemascore-journal/1", "schemascore-journal/2")
    journal.path.write_text(text)

    assert read_run(tmp_path, "1").outputs == {}


def test_the_header_says_what_the_file_is(tmp_path: Path) -> None:
    """Its format, by which a later version can tell it."""
    open_journal(tmp_path, "1", "gw3").close()

    header = json.loads((tmp_path / "run-1" / "gw3.jsonl").read_text().split("\n")[0])
    assert header == {"format": "schemascore-journal/1"}


def test_a_header_may_say_more(tmp_path: Path) -> None:
    """Journals that name their worker and suites are read as well."""
    with open_journal(tmp_path, "1") as journal:
        journal.record(finished("a", "out"))
    _, rest = journal.path.read_text().split("\n", 1)
    header = {"format": "schemascore-journal/1", "worker": "main", "suites": ["suite"]}
    journal.path.write_text(f"{json.dumps(header)}\n{rest}")

    assert set(outputs(read_run(tmp_path, "1"))) == {"a"}


def test_workers_of_one_run_are_read_together(tmp_path: Path) -> None:
    """Each has its own file; the run is complete when the controller says so."""
    for worker in ("gw0", "gw1"):
        with open_journal(tmp_path, "1", worker) as journal:
            journal.record(finished(worker, "out"))
    assert complete_runs(tmp_path) is None
    open_journal(tmp_path, "1", "controller").close(done=True)

    run = complete_runs(tmp_path)
    assert run is not None
    assert set(outputs(run)) == {"gw0", "gw1"}


def test_two_runs_at_once_do_not_mix(tmp_path: Path) -> None:
    """Each writes to its own folder, and neither is offered for resuming while its process lives."""
    first, second = open_journal(tmp_path, new_run_id()), open_journal(tmp_path, new_run_id())
    first.record(finished("a", "first"))
    second.record(finished("a", "second"))

    assert latest_unfinished(tmp_path) is None
    first.close()
    run = latest_unfinished(tmp_path)
    assert run is not None
    assert run.id == first.run_id
    assert outputs(run)["a"].value == "first"
    second.close()
    run = latest_unfinished(tmp_path)
    assert run is not None
    assert outputs(run)["a"].value == "second"


def test_without_a_cache_neither_option_says_to_run_once_more() -> None:
    """That would record nothing either, so what is said is where outputs would have been."""
    assert begin_run(None, resume=True, rescore=False).note == (
        "pytest has no cache here (-p no:cacheprovider?), which is where outputs are recorded,"
        " so --schemascore-resume ran everything"
    )
    assert begin_run(None, resume=False, rescore=True).problem.startswith(
        "--schemascore-rescore: pytest has no cache here"
    )


def test_where_only_a_run_that_lives_is_unfinished_resuming_says_so(tmp_path: Path) -> None:
    """It is passed over, and "none is recorded" would be wrong."""
    assert begin_run(tmp_path, resume=True, rescore=False).note.startswith("no unfinished run is recorded")
    with open_journal(tmp_path, "20240501T123059.000001-abcdef01"):
        note = begin_run(tmp_path, resume=True, rescore=False).note

    assert note == (
        "the run begun 2024-05-01 12:30 UTC is still under way, so --schemascore-resume ran everything"
    )


def test_one_file_has_one_writer(tmp_path: Path) -> None:
    """The same run and worker twice is an error, not a mixture, whether the first still lives or not."""
    journal = open_journal(tmp_path, "1")
    with pytest.raises(BlockingIOError):
        open_journal(tmp_path, "1")
    journal.record(finished("a", "out"))
    journal.close()
    with pytest.raises(FileExistsError):
        open_journal(tmp_path, "1")

    assert set(outputs(read_run(tmp_path, "1"))) == {"a"}


def test_run_ids_are_unique_and_sort_by_time() -> None:
    """A thousand made in a row stay in order, as far as the clock tells them apart."""
    ids = [new_run_id() for _ in range(1000)]

    assert len(set(ids)) == 1000
    stamps = [run_id.rsplit("-", 1)[0] for run_id in ids]
    assert stamps == sorted(stamps)


def test_a_resumed_run_is_taken_over_whole_and_not_resumed_twice(tmp_path: Path) -> None:
    """The new run holds all that the old one held, so that it can itself be resumed."""
    answer = AnswerEntry(JobKey("suite", "a", 0), "m:judge", "q", (1.0,))
    with open_journal(tmp_path, "1") as old:
        old.record(finished("a", "out"))
        old.add(answer)
    interrupted = latest_unfinished(tmp_path)
    assert interrupted is not None
    take_over(tmp_path, "2", interrupted)
    with open_journal(tmp_path, "2") as new:
        assert latest_unfinished(tmp_path) is None
        new.record(finished("b", "out"))
        new.record(finished("c", "out"))

    run = latest_unfinished(tmp_path)
    assert run is not None
    assert run.id == "2"
    assert set(outputs(run)) == {"a", "b", "c"}
    assert list(run.answers.values()) == [answer]


def write_run(
    folder: Path, run_id: str, cases: str, *, done: bool = False, whole: tuple[str, ...] = ()
) -> None:
    """Write the journal of a run that is over and in which each letter of *cases* is a case."""
    journal = open_journal(folder, run_id)
    for case in cases:
        journal.record(finished(case, f"{case} of {run_id}"))
    journal.close(done=done, whole=whole)


def test_a_run_that_was_all_run_again_is_not_resumed(tmp_path: Path) -> None:
    """There is nothing to resume after a complete run of the same cases, whatever was interrupted before."""
    write_run(tmp_path, "1", "ab")
    write_run(tmp_path, "2", "abc", done=True)
    assert latest_unfinished(tmp_path) is None
    write_run(tmp_path, "3", "a")

    unfinished, complete = latest_unfinished(tmp_path), complete_runs(tmp_path)
    assert unfinished is not None
    assert complete is not None
    assert (unfinished.id, complete.id) == ("3", "2")


def test_a_look_at_one_case_gives_up_nothing(tmp_path: Path) -> None:
    """After a killed run, a complete run of a few of its cases leaves it to be resumed."""
    write_run(tmp_path, "1", "abc")
    write_run(tmp_path, "2", "b", done=True)

    run = latest_unfinished(tmp_path)
    assert run is not None
    assert run.id == "1"


def test_a_run_that_was_killed_before_its_first_output_hides_no_other(tmp_path: Path) -> None:
    """What was paid for before it is still there to be taken."""
    write_run(tmp_path, "1", "abc")
    write_run(tmp_path, "2", "")

    run = latest_unfinished(tmp_path)
    assert run is not None
    assert run.id == "1"


def test_old_runs_are_pruned(tmp_path: Path) -> None:
    """The newest stay, and the newest complete one, one to be resumed, those that run, what isn't ours."""
    write_run(tmp_path, "0", "a", done=True)
    alive = open_journal(tmp_path, "1")
    write_run(tmp_path, "2", "b")
    for number in range(3, 9):
        open_journal(tmp_path, str(number)).close()
    (tmp_path / "notes").mkdir()
    prune(tmp_path, keep=3)
    assert sorted(path.name for path in tmp_path.iterdir()) == [
        "notes",
        "run-0",
        "run-1",
        "run-2",
        "run-6",
        "run-7",
        "run-8",
    ]
    alive.close()
    prune(tmp_path, keep=3)

    assert not (tmp_path / "run-1").exists()


def test_complete_runs_hold_together_the_newest_output_of_each_call(tmp_path: Path) -> None:
    """Down to the one in which the suite ran whole, beyond which its cases are gone."""
    write_run(tmp_path, "1", "abxy", done=True, whole=("suite",))
    write_run(tmp_path, "2", "abc", done=True, whole=("suite",))
    write_run(tmp_path, "3", "d", done=True)
    write_run(tmp_path, "4", "ab")
    write_run(tmp_path, "5", "ad", done=True)

    run = complete_runs(tmp_path)
    assert run is not None
    assert (run.id, run.oldest) == ("5", "2")
    found = {case: entry.value for case, entry in outputs(run).items()}
    assert found == {"a": "a of 5", "b": "b of 2", "c": "c of 2", "d": "d of 5"}
    earlier = complete_runs(tmp_path, "3")
    assert earlier is not None
    assert (earlier.id, outputs(earlier)["d"].value) == ("3", "d of 3")


def test_the_newest_run_of_a_whole_suite_is_not_pruned(tmp_path: Path) -> None:
    """Runs of a few cases come and go; and a mark that can't be read is that of such a run."""
    write_run(tmp_path, "1", "abc", done=True, whole=("suite",))
    write_run(tmp_path, "2", "abc", done=True, whole=("suite",))
    for number in range(3, 9):
        write_run(tmp_path, str(number), "a", done=True)
    (tmp_path / "run-5" / "done").write_text("")
    (tmp_path / "run-6" / "done").write_text("7")
    prune(tmp_path, keep=2)

    assert sorted(path.name for path in tmp_path.iterdir()) == ["run-2", "run-7", "run-8"]


def test_a_folder_that_is_not_there_holds_no_runs(tmp_path: Path) -> None:
    """Before the first run there is nothing to resume, rescore or prune."""
    nowhere = tmp_path / "nowhere"

    assert latest_unfinished(nowhere) is None
    assert complete_runs(nowhere) is None
    prune(nowhere)
    assert read_run(nowhere, "1").outputs == {}
    assert not nowhere.exists()


def test_a_folder_that_cannot_be_made_is_an_error(tmp_path: Path) -> None:
    """The caller says so; no output is paid for that could not be recorded."""
    (tmp_path / "file").write_text("")

    with pytest.raises(OSError, match="file"):
        open_journal(tmp_path / "file", "1")


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs a device that is always full")
def test_a_full_disk_is_an_error_when_recording(tmp_path: Path) -> None:
    """A record that isn't on disk must not pass for one that is."""
    journal = open_journal(tmp_path, "1")
    full = os.open("/dev/full", os.O_WRONLY)
    assert journal._file is not None
    os.dup2(full, journal._file)
    os.close(full)

    with pytest.raises(OSError, match="No space left"):
        journal.record(finished("a", "out"))
    journal.close()


def test_a_closed_journal_takes_nothing_more(tmp_path: Path) -> None:
    """Closing twice is harmless, writing afterwards is an error."""
    journal = open_journal(tmp_path, "1")
    journal.close()
    journal.close()

    with pytest.raises(ValueError, match="closed"):
        journal.record(finished("a", "out"))


def test_a_lock_is_free_once_let_go(tmp_path: Path) -> None:
    """No file, a free lock and a held one are told apart."""
    path = tmp_path / "x.lock"
    assert not locks.is_held(path)
    lock = locks.hold(path)
    assert locks.is_held(path)
    lock.close()
    lock.close()
    assert not locks.is_held(path)


JSON = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats(allow_nan=False)
    | st.text(st.characters(exclude_categories=()), max_size=20),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=5), inner, max_size=4),
    max_leaves=12,
)


@given(
    value=JSON,
    case=st.text(st.characters(exclude_categories=())),
    message=st.text(),
    cost=st.none() | st.floats(allow_nan=False),
    tokens=st.none() | st.integers(min_value=0),
)
@settings(deadline=None, max_examples=60)
def test_any_entry_is_one_line_that_reads_back_the_same(
    value: Any, case: str, message: str, cost: float | None, tokens: int | None
) -> None:
    """Line separators, lone surrogates, NUL and all: one line of ASCII."""
    entry = OutputEntry(
        JobKey("s\n\u2028", case, 3), "h", value, "Error", message, True, 1.5, 2.5, cost, tokens, value
    )
    line = to_line(entry)

    assert line.isascii()
    assert len(line.splitlines()) == 1
    assert from_line(line) == entry
