"""Fixtures: what a batch can share, what it can't, and where async ones run."""

from __future__ import annotations

import pytest

from tests.plugin.project import Project, assert_outcomes, told

SHARED = """
@pytest.fixture(scope="session")
def settings():
    note("settings")
    yield {"factor": 2}
    note("settings closed")

@pytest.fixture(scope="module")
async def client(settings):
    note("client")
    loop = asyncio.get_running_loop()
    yield loop
    assert asyncio.get_running_loop() is loop
    note("client closed")

@pytest.fixture(scope="class")
async def token(client):
    note("token")
    return asyncio.get_running_loop()

class Base:
    @schemascore.case("cases.jsonl", concurrency=3)
    async def test_read(self, case, client, token, settings, request):
        assert asyncio.get_running_loop() is client is token
        self.seen = getattr(self, "seen", 0) + 1
        await anyio.sleep(0.001)
        return {"total": case.input * settings["factor"], "seen": self.seen, "name": request.node.name}

class TestFirst(Base):
    pass

class TestSecond(Base):
    @pytest.fixture(scope="class", autouse=True)
    async def own(self, client):
        note("own")
        yield
        note("own closed")

    @schemascore.case("cases.jsonl")
    def test_sync(self, case, client):
        return {"total": case.input * 2, "seen": 1, "name": f"test_read[{case.id}]"}
"""


def test_fixtures_are_set_up_once_and_async_ones_share_the_loop_of_the_cases(project: Project) -> None:
    """Session, module and class scope, coroutines and generators; each case has its own self."""
    labels = {name: {"total": name * 2, "seen": 1, "name": f"test_read[{name}]"} for name in "abcd"}
    project.cases(labels)
    project.test_file(SHARED)
    result = project.run("--schemascore-min-overall=1")
    assert_outcomes(result, passed=12)
    assert project.calls() == {
        "settings": 1,
        "settings closed": 1,
        "client": 1,
        "client closed": 1,
        "token": 2,
        "own": 1,
        "own closed": 1,
    }


def test_async_fixtures_and_cases_share_a_trio_loop(project: Project) -> None:
    """A nursery that a fixture opened serves the cases, and is closed in the task that opened it."""
    project.cases({name: {"total": name} for name in "abc"})
    project.test_file("""
import trio

@pytest.fixture(scope="session")
async def nursery():
    async with trio.open_nursery() as nursery:
        yield nursery
        note("closed")

@schemascore.case("cases.jsonl")
async def test_read(case, nursery):
    done = trio.Event()
    nursery.start_soon(answer, done)
    await done.wait()
    return {"total": case.input}

async def answer(done):
    done.set()
""")
    assert_outcomes(project.run("--schemascore-backend=trio", "--schemascore-min-overall=1"), passed=3)
    assert project.calls() == {"closed": 1}


@pytest.mark.parametrize(
    ("signature", "way_out"),
    [
        ("case, tmp_path", "'tmp_path' has function scope*use tmp_path_factory"),
        ("case, own", '\'own\' has function scope*scope="class", "module" or "session"'),
        ("case, caplog", "'caplog' has function scope*each case's log is captured by itself"),
    ],
)
def test_a_fixture_of_function_scope_is_refused_with_the_way_out(
    project: Project, signature: str, way_out: str
) -> None:
    """One collection error a function, and nothing is called."""
    project.cases({"a": {}, "b": {}})
    project.test_file(f"""
@pytest.fixture
def own():
    return 1

@schemascore.case("cases.jsonl")
def test_read({signature}):
    note("call")
""")
    result = project.run()
    assert result.ret == pytest.ExitCode.INTERRUPTED
    assert_outcomes(result, errors=1)
    result.stdout.fnmatch_lines([f"*test_it.py::test_read: the fixture {way_out}*"])
    assert not project.calls()


@pytest.mark.parametrize(
    ("body", "message"),
    [
        (
            "class TestIt:\n    def setup_method(self): ...\n",
            "setup_method would run for the first case only",
        ),
        ("def setup_function(): ...\nclass TestIt:\n    pass\n", ""),
    ],
)
def test_set_up_that_runs_once_a_test_is_refused(project: Project, body: str, message: str) -> None:
    """It would be missing for all cases but the first."""
    project.cases({"a": {}})
    method = '    @schemascore.case("cases.jsonl")\n    def test_read(self, case):\n        return {}\n'
    project.test_file(f"{body}{method}")
    result = project.run()
    if not message:
        assert_outcomes(result, passed=1)
    else:
        assert_outcomes(result, errors=1)
        assert message in told(result)


def test_a_method_of_a_test_case_is_refused(project: Project) -> None:
    """Pytest doesn't parametrize those."""
    project.cases({"a": {}})
    project.test_file("""
import unittest

class TestIt(unittest.TestCase):
    @schemascore.case("cases.jsonl")
    def test_read(self, case):
        return {}
""")
    result = project.run()
    assert result.ret == pytest.ExitCode.USAGE_ERROR
    assert "TestIt::test_read: a method of a unittest.TestCase can't be given cases" in told(result)


def test_an_async_fixture_that_other_async_tests_use_too_is_refused(project: Project) -> None:
    """A client that lives in two event loops fails now and then; here it is one clear message."""
    project.cases({"a": {}})
    project.test_file("""
@pytest.fixture(scope="session")
async def client():
    return 1

@schemascore.case("cases.jsonl")
async def test_read(case, client):
    note("call")

async def test_other(client):
    pass
""")
    result = project.run()
    assert result.ret == pytest.ExitCode.USAGE_ERROR
    assert (
        "the async fixture 'client' is used by test_it.py::test_other and by test_it.py::test_read[a]"
        in told(result)
    )
    assert not project.calls()


def test_autouse_fixtures_of_function_scope_wrap_the_batch(project: Project) -> None:
    """An environment that one sets is there in every body."""
    project.cases({name: {"total": "set"} for name in "abcd"})
    project.test_file("""
@pytest.fixture(autouse=True)
def environment(monkeypatch):
    monkeypatch.setenv("EXTRACTOR", "set")

@schemascore.case("cases.jsonl")
async def test_read(case):
    await anyio.sleep(0.001)
    return {"total": os.environ.get("EXTRACTOR")}
""")
    assert_outcomes(project.run("--schemascore-min-overall=1"), passed=4)


@pytest.mark.parametrize(
    ("options", "failing"), [((), 0), (("--setup-show",), 0), (("-p", "rerunfailures", "--reruns=1"), 1)]
)
def test_fixtures_of_items_can_ask_for_the_case(
    project: Project, options: tuple[str, ...], failing: int
) -> None:
    """As for any parametrized argument: by name, by the request, and among the item's arguments."""
    project.cases({name: {"total": name} for name in "abc"})
    project.test_file(
        f"FAILING = {failing}\n"
        """
@pytest.fixture(autouse=True)
def named(case):
    note(f"named {case.id}")

@pytest.fixture(autouse=True)
def asked(request):
    note(f"asked {request.getfixturevalue('case').id}")
    yield
    note(f"argument {request.node.funcargs['case'].id}")

@pytest.mark.parametrize("model", ["x", "y"])
@schemascore.case("cases.jsonl")
async def test_read(case, model):
    note(f"called {case.id}")
    assert case.id != "b" or (HERE / "calls.txt").read_text().count("called b") > FAILING
    return {"total": case.input}
"""
    )
    result = project.run("--schemascore-min-overall=1", *options)
    assert_outcomes(result, passed=6, **({"rerun": failing} if failing else {}))
    assert project.calls() == {
        f"{what} {name}": 2 + (failing if name == "b" else 0)
        for what in ("named", "asked", "argument", "called")
        for name in "abc"
    }


@pytest.mark.parametrize("backend", ["asyncio", "trio"])
def test_an_async_fixture_that_skips_or_fails_spares_the_others(project: Project, backend: str) -> None:
    """The event loop they share lives on: their cases run in it, and each teardown's own error is shown."""
    project.cases({"a": {}, "b": {}})
    project.test_file("""
@pytest.fixture(scope="session")
async def client():
    token = anyio.lowlevel.current_token()
    yield token
    assert anyio.lowlevel.current_token() == token
    raise RuntimeError("the client's own")

@pytest.fixture(scope="module")
async def skips():
    pytest.skip("no api key")

@pytest.fixture(scope="module")
async def skips_in_generator():
    pytest.skip("no api key")
    yield

@pytest.fixture(scope="module")
async def fails():
    pytest.fail("no server")

@pytest.fixture(scope="class")
async def fails_late():
    yield
    pytest.fail("not left clean")

@schemascore.case("cases.jsonl")
async def test_before(case, client):
    return {}

@schemascore.case("cases.jsonl")
async def test_skips(case, skips):
    return {}

@schemascore.case("cases.jsonl")
async def test_skips_too(case, skips_in_generator):
    return {}

@schemascore.case("cases.jsonl")
async def test_fails(case, fails):
    return {}

class TestIt:
    @schemascore.case("cases.jsonl")
    async def test_fails_late(self, case, fails_late):
        return {}

@schemascore.case("cases.jsonl")
async def test_after(case, client):
    assert anyio.lowlevel.current_token() == client
    return {}
""")
    result = project.run(f"--schemascore-backend={backend}")
    # Two teardowns and two set-ups end in an error.
    assert_outcomes(result, passed=6, skipped=4, errors=4)
    result.stdout.fnmatch_lines_random(["*no server*", "*not left clean*", "*the client's own*"])


def test_exiting_in_an_async_fixture_ends_the_run(project: Project) -> None:
    """With the exit code it asked for, and the other fixtures are closed."""
    project.cases({"a": {}, "b": {}})
    project.test_file("""
@pytest.fixture(scope="module")
async def client():
    yield
    note("closed")

@pytest.fixture(scope="class")
async def ends(client):
    pytest.exit("enough", returncode=7)

@schemascore.case("cases.jsonl")
async def test_read(case, ends):
    note("called")
""")
    assert project.run().ret == 7
    assert project.calls() == {"closed": 1}


@pytest.mark.parametrize("backend", ["asyncio", "trio"])
def test_context_variables_of_async_fixtures_reach_the_cases(project: Project, backend: str) -> None:
    """As those of sync ones do; they are set for fixtures built on them too, and undone with the fixture."""
    project.cases({"a": {"total": "outer inner"}, "b": {"total": "outer inner"}})
    project.test_file("""
from contextvars import ContextVar, copy_context

OUTER, INNER = ContextVar("outer", default="unset"), ContextVar("inner", default="unset")
BEFORE = set(copy_context())

@pytest.fixture(scope="class")
async def outer():
    token = OUTER.set("outer")
    yield
    OUTER.reset(token)

@pytest.fixture(scope="class")
async def inner(outer):
    INNER.set(f"{OUTER.get()} inner")

class TestIt:
    @schemascore.case("cases.jsonl")
    async def test_async(self, case, inner):
        return {"total": INNER.get()}

    @schemascore.case("cases.jsonl")
    def test_sync(self, case, inner):
        return {"total": INNER.get()}

    def test_nothing_else_is_set(self, inner):
        assert set(copy_context()) - BEFORE <= {OUTER, INNER}

def test_after():
    assert (OUTER.get(), INNER.get()) == ("unset", "unset")
""")
    result = project.run(f"--schemascore-backend={backend}", "--schemascore-min-overall=1")
    assert_outcomes(result, passed=6)


IN_THE_LOOP = """
@schemascore.case("cases.jsonl")
async def test_read(case, client):
    assert asyncio.get_running_loop() is client
    return {}
"""

EARLIER = """
def test_earlier(client):
    assert client.is_running()
"""

FIXTURE = "import asyncio, pytest{0}\n@{1}\nasync def client():\n    yield asyncio.get_running_loop()\n"


@pytest.mark.parametrize(
    ("fixture", "options"),
    [
        (FIXTURE.format("", 'pytest.fixture(scope="session", autouse=True)'), ["-o", "asyncio_mode=auto"]),
        (FIXTURE.format("", 'pytest.fixture(scope="session")'), ["-o", "asyncio_mode=auto"]),
        (FIXTURE.format("_asyncio", 'pytest_asyncio.fixture(scope="session")'), []),
        (FIXTURE.format(", anyio", 'pytest.fixture(scope="session")'), ["-p", "anyio.pytest_plugin"]),
    ],
    ids=["auto, autouse", "auto", "strict", "anyio"],
)
def test_async_fixtures_of_cases_live_in_their_loop_though_a_sync_test_asks_first(
    project: Project, fixture: str, options: list[str]
) -> None:
    """The same holds beside another test file as without it, in all modes of the async plugins."""
    project.cases({"a": {}, "b": {}})
    project.write("conftest.py", fixture)
    project.test_file(EARLIER, "test_0.py")
    project.test_file(IN_THE_LOOP)
    ini = ("-W", "ignore::pytest.PytestDeprecationWarning", "-W", "ignore:.*:DeprecationWarning")
    asyncio = ("-p", "pytest_asyncio.plugin", "-o", "asyncio_default_fixture_loop_scope=session")
    assert_outcomes(project.run(*asyncio, *options, *ini), passed=3)


def test_async_fixtures_of_other_tests_that_are_built_on_one_of_cases_join_it(project: Project) -> None:
    """Through sync fixtures too; those that have nothing to do with the cases stay where they were."""
    project.cases({"a": {}})
    project.write("conftest.py", FIXTURE.format("", 'pytest.fixture(scope="session")'))
    project.test_file(
        """
@pytest.fixture(scope="module")
def wrapped(client):
    return client

@pytest.fixture
async def user(wrapped):
    assert asyncio.get_running_loop() is wrapped
    yield
    assert asyncio.get_running_loop() is wrapped

@pytest.fixture
async def apart():
    return asyncio.get_running_loop()

def test_earlier(user):
    pass

def test_apart(client, apart):
    assert apart is not client

async def test_theirs(apart):
    assert asyncio.get_running_loop() is apart
""",
        "test_0.py",
    )
    project.test_file(IN_THE_LOOP)
    ini = ("-W", "ignore::pytest.PytestDeprecationWarning", "-W", "ignore:.*:DeprecationWarning")
    asyncio = ("-p", "pytest_asyncio.plugin", "-o", "asyncio_default_fixture_loop_scope=function")
    result = project.run(*asyncio, "-o", "asyncio_mode=auto", *ini)
    assert_outcomes(result, passed=4)


def test_an_async_fixture_that_the_cases_override_is_none_of_theirs(project: Project) -> None:
    """Other async tests may use it."""
    project.cases({"a": {}})
    project.write("conftest.py", FIXTURE.format("", 'pytest.fixture(scope="module")'))
    project.test_file("""
async def test_other(client):
    assert asyncio.get_running_loop() is client
""")
    override = """
@pytest.fixture(scope="module")
async def client():
    return asyncio.get_running_loop()
"""
    project.test_file(override + IN_THE_LOOP, "test_m.py")
    asyncio = ("-p", "pytest_asyncio.plugin", "-o", "asyncio_default_fixture_loop_scope=module")
    loop = ("-o", "asyncio_mode=auto", "-o", "asyncio_default_test_loop_scope=module")
    assert_outcomes(project.run(*asyncio, *loop), passed=2)


@pytest.mark.parametrize("kind", ["def", "async def"])
def test_a_body_can_ask_for_what_is_set_up_already(project: Project, kind: str) -> None:
    """Shared fixtures by their names, its own case, and whatever else a request tells; all at once."""
    project.cases({name: {"total": name} for name in "abcd"})
    project.test_file(f"""
@pytest.fixture(scope="module")
async def slow():
    note("slow")
    await anyio.sleep(0.2)
    yield object()

@pytest.fixture(scope="module", autouse=True)
def everywhere(slow):
    return slow

@pytest.fixture(scope="class")
def marked():
    return "marked"

@pytest.mark.usefixtures("marked")
@pytest.mark.parametrize("name", ["slow", "everywhere"])
@schemascore.case("cases.jsonl")
{kind} test_read(case, name, request, everywhere):
    assert isinstance(request, pytest.FixtureRequest)
    assert request.getfixturevalue(name) is everywhere
    assert request.getfixturevalue("marked") == "marked"
    assert request.getfixturevalue("name") == name
    assert request.getfixturevalue("request") is request
    assert request.config.rootpath == HERE
    assert request.node.name.startswith("test_read[")
    return {{"total": request.getfixturevalue("case").id}}
""")
    assert_outcomes(project.run("--schemascore-min-overall=1"), passed=8)
    assert project.calls() == {"slow": 1}


@pytest.mark.parametrize("kind", ["def", "async def"])
@pytest.mark.parametrize("name", ["slow", "tmp_path", "own", "unknown"])
def test_a_body_can_set_nothing_up(project: Project, kind: str, name: str) -> None:
    """One clear message a case, with a baseline too, in place of a race for the fixture; none is set up."""
    project.cases({name: {"total": name} for name in "abc"})
    project.test_file(f"""
@pytest.fixture(scope="module")
{kind} slow():
    note("slow")

@pytest.fixture(autouse=True)
def own():
    return "of the first case only"

@schemascore.case("cases.jsonl")
{kind} test_read(case, request):
    try:
        request.getfixturevalue({name!r})
    except Exception:
        pass
""")
    result = project.run("--schemascore-min-overall=0")
    assert_outcomes(result, failed=3)
    message = f"request.getfixturevalue({name!r}): a body can't set up a fixture"
    result.stdout.fnmatch_lines([f"{message}*name it in the signature of test_read*"])
    assert not project.calls()


def test_a_body_can_add_no_finalizer(project: Project) -> None:
    """Which would have worked in the first case only."""
    project.cases({"a": {}, "b": {}})
    project.test_file("""
@schemascore.case("cases.jsonl")
def test_read(case, request):
    request.addfinalizer(print)
""")
    result = project.run()
    assert_outcomes(result, failed=2)
    result.stdout.fnmatch_lines(["request.addfinalizer(*a body can't add one*try/finally in test_read*"])


def test_what_a_class_sets_up_on_self_is_there_for_every_case(project: Project) -> None:
    """An autouse method serves the whole batch, and yet no case sees what another sets."""
    project.test_file(
        """
class TestRead:
    @pytest.fixture(autouse=True)
    def prepare(self):
        self.factor = 2

    @schemascore.case([{"id": f"c{i}", "input": i, "expected": {"total": 2 * i}} for i in range(3)])
    def test_read(self, case):
        assert not hasattr(self, "mine")
        self.mine = case.id
        return {"total": self.factor * case.input}
"""
    )
    assert_outcomes(project.run("--schemascore-min-overall", "1"), passed=3)


def test_a_class_without_attributes_of_its_instances_holds_cases(project: Project) -> None:
    """Nothing can be set on self there, so nothing is to be shared."""
    project.cases({name: {"total": name} for name in "ab"})
    project.test_file("""
class TestRead:
    __slots__ = ()

    @schemascore.case("cases.jsonl")
    def test_read(self, case):
        return {"total": case.id}
""")
    assert_outcomes(project.run("--schemascore-min-overall=1"), passed=2)
