"""Gives each case the text it printed and the records it logged, however many run at once (R2)."""

from __future__ import annotations

import codecs
import io
import logging
import sys
from contextvars import ContextVar
from typing import TYPE_CHECKING, Any, BinaryIO, Final, Literal, SupportsIndex, TextIO, TypeAlias, cast

if TYPE_CHECKING:
    from collections.abc import Iterable
    from types import TracebackType
    from typing import Self

    from _typeshed import ReadableBuffer

StreamName: TypeAlias = Literal["stdout", "stderr"]


class CaseOutput:
    """What one case printed and logged; what comes after `close` is dropped."""

    __slots__ = ("_closed", "_decoders", "_records", "_stderr", "_stdout")

    def __init__(self) -> None:
        # Most cases print nothing, so nothing is made before it is needed.
        self._stdout: io.StringIO | None = None
        self._stderr: io.StringIO | None = None
        self._records: list[logging.LogRecord] | None = None
        self._decoders: dict[StreamName, codecs.IncrementalDecoder] | None = None
        self._closed = False

    def write(self, name: StreamName, text: str) -> None:
        """Append *text* to one of the two streams."""
        if self._closed:
            return
        if name == "stdout":
            if self._stdout is None:
                self._stdout = io.StringIO()
            self._stdout.write(text)
        else:
            if self._stderr is None:
                self._stderr = io.StringIO()
            self._stderr.write(text)

    def write_bytes(self, name: StreamName, data: bytes, encoding: str) -> None:
        """Append *data*, of which a character may be only the first part, to one of the two streams."""
        if self._decoders is None:
            self._decoders = {}
        if name not in self._decoders:
            self._decoders[name] = codecs.getincrementaldecoder(encoding)("replace")
        self.write(name, self._decoders[name].decode(data))

    def log(self, record: logging.LogRecord) -> None:
        """Keep *record*."""
        if self._closed:
            return
        if self._records is None:
            self._records = []
        self._records.append(record)

    def close(self) -> tuple[str, str, tuple[logging.LogRecord, ...]]:
        """Return stdout, stderr and the records."""
        self._closed = True
        return _text(self._stdout), _text(self._stderr), tuple(self._records or ())


def _text(stream: io.StringIO | None) -> str:
    return "" if stream is None else stream.getvalue()


_CURRENT: Final[ContextVar[CaseOutput | None]] = ContextVar("schemascore_case_output", default=None)


def capture_into(output: CaseOutput) -> None:
    """Make *output* the one of this context, and of the tasks and threads that copy it."""
    _CURRENT.set(output)


class CaptureRouter:
    """While entered, sends what a case prints and logs to its `CaseOutput`, and all else where it went.

    Contexts tell the cases apart, so tasks and threads that a case starts are its own too (a bare
    `threading.Thread` copies no context before Python 3.14, and its text goes to the original).

    Args:
        tee: also print to the originals, for ``-s``.
        muted: handlers that don't get a case's records while this is entered, such as those that would
            attribute them to whoever waits for the batch.
    """

    def __init__(self, *, tee: bool = False, muted: Iterable[logging.Handler] = ()) -> None:
        self._tee = tee
        self._muted = tuple(muted)
        self._handler = _CaseHandler()
        self._originals: tuple[TextIO, TextIO] | None = None

    def __enter__(self) -> Self:
        self._originals = sys.stdout, sys.stderr
        sys.stdout = self._routed(sys.stdout, "stdout")
        sys.stderr = self._routed(sys.stderr, "stderr")
        logging.getLogger().addHandler(self._handler)
        for handler in self._muted:
            handler.addFilter(_is_of_no_case)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        for handler in self._muted:
            handler.removeFilter(_is_of_no_case)
        logging.getLogger().removeHandler(self._handler)
        if self._originals is not None:
            # Also where an extractor has put a stream of its own there and left it.
            sys.stdout, sys.stderr = self._originals

    def _routed(self, original: TextIO | None, name: StreamName) -> TextIO:
        """Return what stands in for *original*: none, as in a process without a console, stays none."""
        return cast("TextIO", None if original is None else _Routed(original, name, self._tee))


class _CaseHandler(logging.Handler):
    """Keeps each record with the case that logged it; formatting is left to whoever shows it."""

    def emit(self, record: logging.LogRecord) -> None:
        output = _CURRENT.get()
        if output is not None:
            output.log(record)


def _is_of_no_case(record: logging.LogRecord) -> bool:
    del record
    return _CURRENT.get() is None


class _Routed:
    """Stands in for ``sys.stdout`` or ``sys.stderr``: a case writes into its own, and closes nothing.

    All else is the original's.
    """

    def __init__(self, original: TextIO, name: StreamName, tee: bool) -> None:
        self._original = original
        self._name: StreamName = name
        self._tee = tee

    @property
    def buffer(self) -> io.BufferedIOBase:
        """A stream of bytes for the same place, a new one each time: a wrapper around it closes it."""
        return _RoutedBytes(self._original, self._original.buffer, self._name, self._tee)

    def detach(self) -> io.BufferedIOBase:
        """Return what `buffer` does; the stream can still be used."""
        return self.buffer

    def write(self, text: str, /) -> int:
        output = _CURRENT.get()
        if output is not None:
            output.write(self._name, text)
        # A handler or thread made during the batch may hold this for longer than the original lives.
        if (output is None or self._tee) and not self._original.closed:
            self._original.write(text)
        return len(text)

    def writelines(self, lines: Iterable[str], /) -> None:
        for line in lines:
            self.write(line)

    def flush(self) -> None:
        if not self._original.closed:
            self._original.flush()

    def close(self) -> None:
        """Only flush: the original is everybody's, and a case that closes it ends none of the others."""
        self.flush()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def __reduce_ex__(self, protocol: SupportsIndex, /) -> str | tuple[Any, ...]:
        """Be copied or pickled as the original is, which as a rule refuses."""
        return self._original.__reduce_ex__(protocol)

    def __getattr__(self, name: str) -> object:
        return getattr(self._original, name)


class _RoutedBytes(io.BufferedIOBase):
    """The ``buffer`` of such a stand-in; closing it closes nothing else."""

    def __init__(self, text: TextIO, original: BinaryIO, name: StreamName, tee: bool) -> None:
        self._text = text
        self._original = original
        self._name: StreamName = name
        self._tee = tee

    def writable(self) -> bool:
        return True

    def write(self, data: ReadableBuffer, /) -> int:
        content = bytes(memoryview(data))
        output = _CURRENT.get()
        if output is not None:
            output.write_bytes(self._name, content, self._text.encoding or "utf-8")
        if (output is None or self._tee) and not self._original.closed:
            self._text.flush()  # what was printed before comes before
            self._original.write(content)
        return len(content)

    def flush(self) -> None:
        if not self._original.closed:
            self._original.flush()

    def fileno(self) -> int:
        return self._original.fileno()

    def isatty(self) -> bool:
        return self._original.isatty()

    def __getattr__(self, name: str) -> object:
        return getattr(self._original, name)
