"""From marked functions to suites and items: everything that is known before anything is called (R1, R3)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import pytest

from pytest_schemascore.errors import UsageError
from pytest_schemascore.plugin.fixture_checks import check_fixtures
from pytest_schemascore.plugin.mark import ARGUMENT, MARK, CaseMark
from pytest_schemascore.plugin.naming import test_of, variant_of, with_variant
from pytest_schemascore.spec import Scoring, SuiteSpec

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from pytest_schemascore.cases import Case
    from pytest_schemascore.suite import Suite

Marks = tuple[pytest.MarkDecorator | pytest.Mark, ...]


class CaseItem(NamedTuple):
    """What an item is to us: a case of a suite."""

    suite: Suite
    mark: CaseMark
    case: Case


CASE_ITEM = pytest.StashKey[CaseItem]()


class Collector:
    """Makes suites as the functions come along; each data set is read once a session.

    Attributes:
        suites: by key.
        clash: why two of them can't be told apart; empty where all can.
    """

    def __init__(self) -> None:
        self.suites: dict[str, Suite] = {}
        self.clash = ""
        self._owners: dict[str, tuple[str, object]] = {}
        self._files: dict[Path, tuple[Case, ...]] = {}
        self._built: dict[str, Suite] = {}
        self._named: dict[str, str] = {}

    def parametrize(self, metafunc: pytest.Metafunc) -> None:
        """Make one item a case of *metafunc*'s function, if it is marked.

        Raises:
            pytest.Collector.CollectError: the cases, fixtures, rules or labels can't be used; one message.
        """
        mark = mark_of(metafunc.definition)
        if mark is None:
            return
        test = metafunc.definition.nodeid
        try:
            check_fixtures(metafunc)
            self._check_name(mark, test)
            cases, marks = self._cases(mark)
            self._built[test] = _build(mark, test, cases)
        except UsageError as error:
            msg = f"{test}: {error}"
            raise pytest.Collector.CollectError(msg) from None
        parameters = [
            pytest.param(case, id=case.id, marks=(*_marks_of(case), *own))
            for case, own in zip(cases, marks, strict=True)
        ]
        metafunc.parametrize(ARGUMENT, parameters)

    @property
    def tests(self) -> set[str]:
        """The test ids of all marked functions, of each variant where its items are known."""
        return self._built.keys() | {suite.spec.test for suite in self.suites.values()}

    def _check_name(self, mark: CaseMark, test: str) -> None:
        if mark.name is not None and (other := self._named.setdefault(mark.name, test)) != test:
            msg = f"name={mark.name!r} is the name of {other} already; give each its own"
            raise UsageError(msg)

    def _cases(self, mark: CaseMark) -> tuple[tuple[Case, ...], Sequence[Marks]]:
        from pytest_schemascore.cases import load_cases

        if isinstance(mark.source, (str, Path)):
            path = mark.folder / mark.source
            if path not in self._files:
                self._files[path] = load_cases(path)
            cases = self._files[path]
            return cases, [()] * len(cases)
        source = mark.source() if callable(mark.source) else mark.source
        if not isinstance(source, (list, tuple)):
            cases = load_cases(source)
            return cases, [()] * len(cases)
        values, marks = _unwrapped(source)
        return load_cases(values), marks

    def adopt(self, item: pytest.Function) -> None:
        """Note which case of which suite *item* is, and give it its tags as keywords for ``-k``."""
        mark = mark_of(item)
        if mark is None or not hasattr(item, "callspec"):
            return  # Of a unittest.TestCase, whose methods pytest doesn't parametrize; refused later.
        case = case_of(item)
        test, variant = test_of(item), variant_of(item, case.id)
        key = with_variant(mark.name or test, variant)
        self._own(key, item, test)
        if key not in self.suites:
            built = self._built[test]
            self.suites[key] = replace(
                built, spec=replace(built.spec, key=key, test=with_variant(test, variant))
            )
        item.stash[CASE_ITEM] = CaseItem(self.suites[key], mark, case)
        item.extra_keyword_matches.update(case.tags)

    def _own(self, key: str, item: pytest.Function, test: str) -> None:
        """Note whose *key* is: ids of parameters joined by hyphens, or a ``name=``, may be equal."""
        values = {name: id(value) for name, value in item.callspec.params.items() if name != ARGUMENT}
        owner, whose = self._owners.setdefault(key, (item.nodeid, (test, values)))
        if whose != (test, values):
            self.clash = self.clash or (
                f"{owner} and {item.nodeid} would both be cases of the suite {key!r};"
                f" give their parameters other ids=, or case() another name="
            )


def case_of(item: pytest.Function) -> Case:
    """Return the case that *item* was made for."""
    case: Any = item.callspec.params[ARGUMENT]
    return case  # type: ignore[no-any-return]  # pytest keeps parameters untyped


def mark_of(node: pytest.Item) -> CaseMark | None:
    """Return the arguments of the function's ``schemascore.case``, or None where it has none.

    Raises:
        pytest.Collector.CollectError: the mark was written by hand; only the decorator can hide a coroutine.
    """
    mark = node.get_closest_marker(MARK)
    if mark is None:
        return None
    if len(mark.args) == 1 and isinstance(mark.args[0], CaseMark):
        return mark.args[0]
    msg = f"{node.nodeid}: pytest.mark.{MARK} alone does nothing; write @schemascore.case(...)"
    raise pytest.Collector.CollectError(msg)


def _build(mark: CaseMark, test: str, cases: Iterable[Case]) -> Suite:
    from pytest_schemascore.suite import Suite

    return Suite.build(_spec(mark, test), cases)


def _spec(mark: CaseMark, test: str) -> SuiteSpec:
    """Return what *mark* says of a suite; a JSON Schema's path is relative to the test file."""
    said = {f.name: getattr(mark, f.name) for f in fields(Scoring)}
    if isinstance(mark.schema, (str, Path)):
        said["schema"] = mark.folder / mark.schema
    return SuiteSpec(mark.name or test, test, mark.line, **said)


def _marks_of(case: Case) -> Marks:
    marks: list[pytest.MarkDecorator] = []
    if case.skip is not False:
        marks.append(pytest.mark.skip(reason=case.skip if isinstance(case.skip, str) else "skip in the case"))
    if case.xfail is not False:
        reason = case.xfail if isinstance(case.xfail, str) else "xfail in the case"
        # What is expected to fail may be fixed; the score tells, and the item must not.
        marks.append(pytest.mark.xfail(reason=reason, strict=False))
    return tuple(marks)


def _unwrapped(source: Sequence[Any]) -> tuple[list[Any], list[Marks]]:
    """Take `pytest.param` apart: its id becomes the case's, its marks the item's.

    A value that is no case is passed on as it is, for `load_cases` to say so.
    """
    from pytest_schemascore.cases import Case

    values: list[Any] = []
    marks: list[Marks] = []
    for entry in source:
        if not _is_param(entry):
            values.append(entry)
            marks.append(())
            continue
        if len(entry.values) != 1:
            msg = f"{entry!r} has {len(entry.values)} values; a case is one value"
            raise UsageError(msg)
        value = entry.values[0]
        if isinstance(entry.id, str) and isinstance(value, Mapping):
            value = {**value, "id": entry.id}
        elif isinstance(entry.id, str) and isinstance(value, Case):
            value = replace(value, id=entry.id)
        values.append(value)
        marks.append(tuple(entry.marks))
    return values, marks


def _is_param(entry: object) -> bool:
    return isinstance(entry, type(pytest.param(None)))
