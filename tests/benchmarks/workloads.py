"""Seeded workloads: pairs of a label and an output, the same on every machine."""

from __future__ import annotations

import random
import string
from typing import Any

Record = dict[str, Any]
Pair = tuple[Record, Record]

SEED = 20261130
CHANGED = 0.1
"""Share of the fields in which an output differs from its label."""


class Workloads:
    """Makes invoices; two of the same seed make the same ones.

    Args:
        seed: of the random generator.
        changed: share of the fields that differ.
    """

    def __init__(self, seed: int = SEED, changed: float = CHANGED) -> None:
        self._random = random.Random(seed)
        self._changed = changed
        self._words = [
            "".join(self._random.choices(string.ascii_lowercase, k=self._random.randint(3, 9)))
            for _ in range(800)
        ]

    def flat(self, count: int) -> list[Pair]:
        """Return *count* invoices of 12 scalar fields."""
        return [(record, self._perturbed(record)) for record in map(self._invoice, range(count))]

    def nested(self, count: int, lines: int) -> list[Pair]:
        """Return *count* invoices with *lines* lines of 5 fields, shuffled in the output."""
        return [self._with_lines(number, lines, shuffled=True) for number in range(count)]

    def in_order(self, lines: int) -> list[Pair]:
        """Return one invoice whose *lines* lines stand in the same order on both sides."""
        return [self._with_lines(0, lines, shuffled=False)]

    def _with_lines(self, number: int, lines: int, *, shuffled: bool) -> Pair:
        wanted = [self._line() for _ in range(lines)]
        label = {"invoice_no": f"INV-{number:06d}", "vendor": self._text(3), "items": wanted}
        items = [self._perturbed(line) for line in wanted]
        if shuffled:
            self._random.shuffle(items)
        return label, {**label, "items": items}

    def _text(self, words: int) -> str:
        return " ".join(self._random.choices(self._words, k=words))

    def _invoice(self, number: int) -> Record:
        r = self._random
        return {
            "invoice_no": f"INV-{number:06d}",
            "vendor": self._text(3),
            "address": self._text(5),
            "currency": r.choice(["USD", "EUR", "GBP"]),
            "total": round(r.uniform(1, 9999), 2),
            "tax": round(r.uniform(0, 999), 2),
            "qty": r.randint(1, 99),
            "paid": r.random() < 0.5,
            "date": f"2026-{r.randint(1, 12):02d}-{r.randint(1, 28):02d}",
            "email": f"{r.choice(self._words)}@{r.choice(self._words)}.com",
            "note": self._text(8),
            "po": None if r.random() < 0.3 else f"PO{r.randint(1000, 9999)}",
        }

    def _line(self) -> Record:
        r = self._random
        return {
            "sku": f"SKU-{r.randint(0, 10**6):06d}",
            "desc": self._text(4),
            "qty": r.randint(1, 50),
            "price": round(r.uniform(1, 500), 2),
            "unit": r.choice(["ea", "box", "kg"]),
        }

    def _perturbed(self, record: Record) -> Record:
        return {key: self._maybe_other(value) for key, value in record.items()}

    def _maybe_other(self, value: Any) -> Any:
        if self._random.random() >= self._changed or value is None:
            return value
        if isinstance(value, bool):
            return not value
        if isinstance(value, str):
            place = self._random.randrange(len(value))
            return value[:place] + self._random.choice(string.ascii_lowercase) + value[place + 1 :]
        return value + 1 if isinstance(value, int) else round(value * 1.01, 2)
