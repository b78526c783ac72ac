"""Hashes of labels and inputs: the same for the same content, in every process."""

from __future__ import annotations

import hashlib
import subprocess
import sys
import threading
from collections import OrderedDict
from dataclasses import dataclass
from datetime import UTC, date, datetime
from decimal import Decimal
from enum import Enum
from pathlib import Path, PurePosixPath
from typing import Any

import numpy as np
import pytest
from pydantic import BaseModel

from pytest_schemascore.documents.hashing import NoStableFormError, short_hash


class Colour(Enum):
    RED = 1
    BLUE = 2


@dataclass
class Page:
    number: int
    text: bytes


class Request(BaseModel):
    url: str
    tags: set[str] = set()


class Slotted:
    __slots__ = ("a", "b")

    def __init__(self, a: int) -> None:
        self.a = a


class Plain:
    def __init__(self, value: object) -> None:
        self.value = value


def test_a_hash_is_sha256_of_canonical_json() -> None:
    """The first 16 digits of it."""
    digest = hashlib.sha256('{"a":[1,"é"],"b":null}'.encode()).hexdigest()
    assert short_hash({"b": None, "a": [1, "é"]}) == digest[:16]


@pytest.mark.parametrize(
    ("one", "same", "other"),
    [
        ((1, 2), [1, 2], [2, 1]),
        (OrderedDict(b=1, a=2), {"a": 2, "b": 1}, {"a": 1, "b": 2}),
        ({1: "a", "b": 2}, {"b": 2, 1: "a"}, {1: "a", "b": 3}),
        ({(1, 2): "a"}, {(1, 2): "a"}, {(2, 1): "a"}),
        ({"a", "b", "c"}, frozenset(["c", "b", "a"]), {"a", "b"}),
        (b"\x00\xff", bytearray(b"\x00\xff"), b"\x00\xfe"),
        (PurePosixPath("a/b"), PurePosixPath("a//b"), PurePosixPath("a/c")),
        (date(2024, 1, 2), date(2024, 1, 2), date(2024, 1, 3)),
        (datetime(2024, 1, 2, tzinfo=UTC), datetime(2024, 1, 2, tzinfo=UTC), date(2024, 1, 2)),
        (Decimal("1.10"), Decimal("1.10"), Decimal("1.1")),
        (Colour.RED, Colour.RED, Colour.BLUE),
        (Page(1, b"x"), Page(1, b"x"), Page(1, b"y")),
        (Request(url="u", tags={"a", "b"}), Request(url="u", tags={"b", "a"}), Request(url="v")),
        (Slotted(1), Slotted(1), Slotted(2)),
        (Plain([b"x"]), Plain([b"x"]), Plain([b"y"])),
        (Plain, Plain, Page),
        (np.arange(6).reshape(2, 3), np.arange(6).reshape(2, 3), np.arange(6)),
        ("\ud800", "\ud800", "\ud801"),
        (2**70, 2**70, 2**70 + 1),
    ],
)
def test_equal_content_hashes_alike_and_other_content_does_not(one: Any, same: Any, other: Any) -> None:
    """Whatever Python values an input is made of."""
    assert short_hash({"input": one}) == short_hash({"input": same})
    assert short_hash({"input": one}) != short_hash({"input": other})


def test_hashes_are_the_same_in_another_process() -> None:
    """Neither hash randomisation nor addresses get into them."""
    code = (
        "from pathlib import PurePosixPath\n"
        "from pytest_schemascore.documents.hashing import short_hash\n"
        "class Plain:\n    def __init__(self, value): self.value = value\n"
        "print(short_hash(Plain([{'a', 'b', 'c', 'd'}, b'x', PurePosixPath('a/b'), Plain(1.5)])))"
    )
    root = Path(__file__).parents[1]
    outputs = {
        subprocess.run(
            [sys.executable, "-c", code], cwd=root, capture_output=True, text=True, check=True
        ).stdout
        for _ in range(2)
    }
    assert outputs == {
        short_hash(Plain([{"a", "b", "c", "d"}, b"x", PurePosixPath("a/b"), Plain(1.5)])) + "\n"
    }


def holding_itself() -> list[Any]:
    value: list[Any] = []
    value.append(value)
    return value


@pytest.mark.parametrize(
    ("value", "name"),
    [
        (threading.Lock(), "lock"),
        ([object()], "object"),
        (Plain(threading.Lock()), "lock"),
        (holding_itself(), "list"),
        (np.array([object()]), "ndarray"),
        ([10**5000], "list"),
    ],
)
def test_what_has_no_stable_form_is_refused_by_type(value: Any, name: str) -> None:
    """Better no hash than one that changes with every run."""
    with pytest.raises(NoStableFormError, match=name):
        short_hash(value)
