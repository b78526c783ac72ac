"""What the user asked for by command-line options and their ini twins."""

from __future__ import annotations

from dataclasses import dataclass
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any, Final, Literal

import pytest

from pytest_schemascore._checks import COUNTED, MOST
from pytest_schemascore._suggest import did_you_mean
from pytest_schemascore.errors import UsageError
from pytest_schemascore.plugin import SETTINGS, key_of
from pytest_schemascore.plugin.compat import written_in_ini

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from pathlib import Path

_WANTED: Final = {
    "string": "a text",
    "int": "a whole number, such as 4",
    "float": "a number, such as 0.05",
    "linelist": "a list of texts",
}
"""What an ini value is to be, by its type."""


@dataclass(frozen=True, slots=True)
class Options:
    """What the user asked for; None where nothing was said and the decorator or a default decides.

    Attributes:
        baseline_text: the baseline's path as the user wrote it.
        floors_typed: whether `floors` come from the command line, and not from an ini file.
    """

    baseline: Path | None
    baseline_text: str
    update: bool
    update_all: bool
    reports: tuple[Path, ...]
    max_drop: float | None
    alpha: float | None
    floors: Mapping[str, float]
    floors_typed: bool
    min_overall: float | None
    min_validity: float | None
    concurrency: int | None
    timeout: float | None
    repeat: int | None
    backend: Literal["asyncio", "trio"]
    resume: bool
    rescore: bool

    @property
    def updates(self) -> bool:
        """Whether the baseline is to be written."""
        return self.update or self.update_all

    @property
    def has_floors(self) -> bool:
        """Whether a floor was given for the whole run."""
        return bool(self.floors) or self.min_overall is not None or self.min_validity is not None


def read_options(config: pytest.Config) -> Options:
    """Resolve options: the command line, then the ini file.

    Paths on the command line are relative to the invocation folder, those of ini files to rootdir.

    Raises:
        pytest.UsageError: a value that can't be; names the option.
    """
    get = _Getter(config)
    baseline, baseline_text = get.baseline()
    options = Options(
        baseline=baseline,
        baseline_text=baseline_text,
        update=bool(get("update")),
        update_all=bool(get("update-all")),
        reports=get.reports(),
        max_drop=get.number("max-drop", lambda n: 0 <= n <= 1, "a share from 0 to 1 (0.02 is two points)"),
        alpha=get.number("alpha", lambda n: 0 < n < 1, "a level between 0 and 1, such as 0.05"),
        floors=_floors(get("min") or ()),
        floors_typed=bool(config.getoption(key_of("min"))),
        min_overall=get.number("min-overall", lambda n: 0 <= n <= 1, "a share from 0 to 1"),
        min_validity=get.number("min-validity", lambda n: 0 <= n <= 1, "a share from 0 to 1"),
        concurrency=get.number("concurrency", lambda n: 1 <= n <= MOST, COUNTED),
        timeout=get.number("timeout", lambda n: 0 < n < float("inf"), "seconds, more than 0"),
        repeat=get.number("repeat", lambda n: 1 <= n <= MOST, COUNTED),
        backend=_backend(get("backend") or "asyncio"),
        resume=bool(get("resume")),
        rescore=bool(get("rescore")),
    )
    _check_together(options)
    return options


@dataclass(frozen=True, slots=True)
class _Getter:
    config: pytest.Config

    def __call__(self, name: str) -> Any:
        """Return the option's value from the command line, else from the ini file, else None."""
        key = key_of(name)
        value = self.config.getoption(key)
        return self._ini(key) if value is None else value

    def _ini(self, key: str) -> Any:
        kind = next((ini for name, _, _, ini in SETTINGS if key_of(name) == key), None)
        if kind is None:
            return None
        try:
            value = self.config.getini(key)
        except (ValueError, TypeError, pytest.UsageError):
            text = written_in_ini(self.config, key)
            if isinstance(text, str) and not text.strip():
                return None
            msg = f"{self.config.inipath or 'ini options'}: {key} = {text}: give {_WANTED[kind]}"
            raise pytest.UsageError(msg) from None
        return None if value in ("", []) else value

    def number(self, name: str, fits: Callable[[Any], bool], wanted: str) -> Any:
        value = self(name)
        if value is not None and not fits(value):
            msg = f"--schemascore-{name} is {value}; give {wanted}"
            raise pytest.UsageError(msg)
        return value

    def baseline(self) -> tuple[Path | None, str]:
        """Return the baseline's path, and how the user wrote it."""
        key = key_of("baseline")
        text = self.config.getoption(key)
        if text is not None:
            _check_not_empty("baseline", text)
            return self.config.invocation_params.dir / text, text
        text = self._ini(key)
        return (self.config.rootpath / text, text) if text else (None, "")

    def reports(self) -> tuple[Path, ...]:
        key = key_of("report")
        given = self.config.getoption(key)
        for text in given or ():
            _check_not_empty("report", text)
        folder = self.config.invocation_params.dir if given else self.config.rootpath
        paths = tuple(folder / text for text in given or self._ini(key) or ())
        if paths:
            from pytest_schemascore.reporting.render import check_suffix  # few runs write reports
        for path in paths:
            try:
                check_suffix(path.name, path.suffix)
            except UsageError as error:
                msg = f"--schemascore-report {error}"
                raise pytest.UsageError(msg) from None
        return paths


def _check_not_empty(name: str, path: str) -> None:
    """Check a path of the command line; left empty, as by an unset variable, it would ask for nothing.

    Raises:
        pytest.UsageError: it is.
    """
    if not path.strip():
        msg = f"--schemascore-{name} is empty; give a path, or leave the option out"
        raise pytest.UsageError(msg)


def _floors(texts: tuple[str, ...]) -> dict[str, float]:
    floors: dict[str, float] = {}
    if texts:
        from pytest_schemascore.report.floors import read_floor  # likewise
    for text in texts:
        try:
            name, floor = read_floor(text)
        except UsageError as error:
            msg = f"--schemascore-min {text}: {error}"
            raise pytest.UsageError(msg) from None
        floors[name] = floor
    return floors


def _backend(name: str) -> Literal["asyncio", "trio"]:
    if name == "asyncio":
        return "asyncio"
    if name == "trio":
        if find_spec(name) is None:
            msg = "--schemascore-backend is 'trio', which isn't installed; type: pip install trio"
            raise pytest.UsageError(msg)
        return "trio"
    msg = f"--schemascore-backend is {name!r}{did_you_mean(name, ('asyncio', 'trio'))} (known: asyncio, trio)"
    raise pytest.UsageError(msg)


def _check_together(options: Options) -> None:
    if options.updates and options.baseline is None:
        msg = "--schemascore-update needs to know which file: add --schemascore-baseline PATH"
        raise pytest.UsageError(msg)
    if options.resume and options.rescore:
        msg = "--schemascore-resume calls what is missing and --schemascore-rescore nothing; give one of them"
        raise pytest.UsageError(msg)


def header(options: Options) -> str | None:
    """Return the line of pytest's header; None where neither baseline nor update was asked for."""
    if not options.baseline_text:
        return None
    return f"schemascore: {'updates' if options.updates else 'baseline'} {options.baseline_text}"
