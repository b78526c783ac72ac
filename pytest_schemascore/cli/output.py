"""Writing to the terminal or the pipe, whatever its encoding, and whether or not anybody still reads."""

from __future__ import annotations

import os
import re
import shutil
import sys
from contextlib import suppress
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Container, Iterable
    from typing import TextIO

    from pytest_schemascore.reporting.lines import Line, Markup

_CODES: Final[dict[Markup, str]] = {
    "red": "\x1b[31m",
    "green": "\x1b[32m",
    "yellow": "\x1b[33m",
    "bold": "\x1b[1m",
}
_RESET: Final = "\x1b[0m"
_PYTESTS: Final = re.compile(r"--schemascore-([a-z-]*[a-z])")


def width() -> int:
    """Return how many columns the terminal has; 80 where there is none."""
    return shutil.get_terminal_size().columns


def encoding() -> str:
    """Return the encoding of standard output."""
    return getattr(sys.stdout, "encoding", None) or "utf-8"


def wants_color(choice: str = "auto") -> bool:
    """Say whether to write colours: *choice* is ``always``, ``never`` or ``auto``, on a terminal only."""
    if choice != "auto":
        return choice == "always"
    return sys.stdout is not None and sys.stdout.isatty() and not os.environ.get("NO_COLOR")


def in_own_words(text: str, own: Container[str]) -> str:
    """Return *text*, which names pytest's options, with the names here of those that are among *own* too."""

    def name(match: re.Match[str]) -> str:
        return f"--{match[1]}" if match[1].replace("-", "_") in own else match[0]

    return _PYTESTS.sub(name, text)


def write_text(text: str) -> None:
    """Write *text* for a person; what the stream's encoding lacks is escaped."""
    from pytest_schemascore.reporting.widths import encodable

    _write(sys.stdout, encodable(text, encoding()))


def write_lines(lines: Iterable[Line], own: Container[str], *, color: bool) -> None:
    """Write *lines*, each segment with its markup where *color* is asked for; *own* as in `in_own_words`."""
    texts = []
    for line in lines:
        for segment in line.segments:
            codes = "".join(_CODES[name] for name in segment.markup) if color else ""
            text = in_own_words(segment.text, own)
            texts.append(f"{codes}{text}{_RESET}" if codes else text)
        texts.append("\n")
    write_text("".join(texts))


def write_document(text: str) -> None:
    """Write *text* for another program: always UTF-8, newlines as they are."""
    if sys.stdout is None:
        return
    buffer = getattr(sys.stdout, "buffer", None)
    if buffer is None:  # replaced by something that takes text only
        sys.stdout.write(text)
        return
    try:
        sys.stdout.flush()
        buffer.write(text.encode("utf-8", "surrogatepass"))
    except BrokenPipeError:
        _silence(sys.stdout)


def note(text: str) -> None:
    """Write a remark to standard error."""
    _write(sys.stderr, _shown(f"note: {text}", sys.stderr))


def complain(text: str) -> None:
    """Write an error to standard error."""
    _write(sys.stderr, _shown(f"pytest-schemascore: error: {text}", sys.stderr))


def close_quietly() -> None:
    """Flush both streams; nobody is told that the reader of one has gone (``| head``)."""
    for stream in (sys.stdout, sys.stderr):
        if stream is not None:
            try:
                stream.flush()
            except BrokenPipeError:
                _silence(stream)


def _shown(text: str, stream: TextIO | None) -> str:
    """Return the lines of *text* without what would steer a terminal, as *stream* can take them."""
    from pytest_schemascore.reporting.widths import printable

    name = getattr(stream, "encoding", None) or "utf-8"
    lines = "".join(f"{printable(line)}\n" for line in text.split("\n"))
    return lines.encode(name, "backslashreplace").decode(name)


def _write(stream: TextIO | None, text: str) -> None:
    if stream is None:
        return
    try:
        stream.write(text)
    except BrokenPipeError:
        _silence(stream)


def _silence(stream: TextIO) -> None:
    """Send the rest nowhere, so that the interpreter's own flush at exit finds nothing to complain of."""
    with suppress(OSError, ValueError):
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, stream.fileno())
        os.close(nowhere)
