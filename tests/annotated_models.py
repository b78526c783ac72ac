"""Models with rules in their annotations, for the tests of pydantic schemas."""

# Annotations are evaluated here, as pydantic must see them.

from dataclasses import dataclass
from typing import Annotated, Optional

from pydantic import (
    BaseModel,
    Field,
)

from pytest_schemascore.scoring.comparators.base import Comparator
from pytest_schemascore.scoring.pairing.base import Pairing


@dataclass(frozen=True, slots=True)
class Near(Comparator):
    """A comparator to be found again."""

    name: str = "near"


@dataclass(frozen=True, slots=True)
class ByKey(Pairing):
    """A pairing to be found again."""

    name: str = "key"


class Vendor(BaseModel):
    """A nested model."""

    name: str
    city: str | None = None


class Line(BaseModel):
    """An item."""

    sku: str
    price: Annotated[float, Near("price")]


class Invoice(BaseModel):
    """The usual kind of schema."""

    number: Annotated[str, Near("number")]
    vendor: Annotated[Vendor, Near("vendor")]
    payer: Vendor
    note: Annotated[str, Near("note"), Field(max_length=9)] | None = None
    lines: Annotated[list[Line], ByKey("sku")]
    tags: list[Annotated[str, Near("tag")]] = []


class Node(BaseModel):
    """A model that holds itself."""

    value: Annotated[int, Near("value")]
    children: list["Node"] = []
    parent: Optional["Node"] = None
