"""What a file has besides its JSON, which an update leaves as it is (G7)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

_MARK: Final = "\ufeff"
_SPACE: Final = " \t\r\n"


@dataclass(frozen=True, slots=True)
class FileForm:
    """How a JSON document stands in its file.

    Attributes:
        mark: the byte order mark, or nothing.
        newline: what ends every line; LF too where lines end differently, as those keep what they have.
        before, after: the white space around the document, with LF for *newline*.
    """

    mark: str = ""
    newline: str = "\n"
    before: str = ""
    after: str = "\n"

    def text_of(self, document: str) -> str:
        """Return the file's text for *document*, which has LF where *newline* goes."""
        text = self.before + document + self.after
        return self.mark + (text if self.newline == "\n" else text.replace("\n", self.newline))


def split_form(text: str) -> tuple[FileForm, str]:
    """Return the form of a file's *text*, and the text without its mark and with LF for its newline."""
    mark = _MARK if text.startswith(_MARK) else ""
    text = text.removeprefix(mark)
    newline = "\r\n" if 0 < text.count("\n") == text.count("\r\n") else "\n"
    if newline != "\n":
        text = text.replace(newline, "\n")
    before = text[: len(text) - len(text.lstrip(_SPACE))]
    return FileForm(mark, newline, before, text[len(text.rstrip(_SPACE)) :]), text
