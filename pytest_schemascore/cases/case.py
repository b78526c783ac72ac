"""What a case is."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

from pytest_schemascore.documents.detached import detached

if TYPE_CHECKING:
    from pytest_schemascore.documents.json_types import Json


@dataclass(frozen=True, slots=True)
class Case:
    """One labelled example.

    Attributes:
        id: unique in its data set.
        input: what the extractor gets; any JSON value from a file, any Python value in a list.
        expected: the label, JSON data; partial labels are fine, and directives such as ``{"$any": [...]}``
            may stand in it (S11).
        tags: group names; keywords for ``-k``, and metrics per tag.
        skip: not run where true or a reason; xfail: changes the item's verdict only, its score counts.
        source: where it was read, ``cases.jsonl:12``; empty for cases made in Python.
        label_hash, input_hash: what says whether a case is still the same (16 hex digits of SHA-256 over
            canonical JSON).
    """

    id: str
    input: Any
    expected: Json
    tags: tuple[str, ...] = ()
    skip: bool | str = False
    xfail: bool | str = False
    source: str = field(default="", compare=False)
    label_hash: str = field(default="", compare=False)
    input_hash: str = field(default="", compare=False)

    def for_call(self) -> Case:
        """Return the case with dicts and lists of its own, since an extractor may change what it gets."""
        return replace(self, input=detached(self.input), expected=detached(self.expected))
