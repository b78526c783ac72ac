"""When two JSON values are equal (S6), whatever their depth, and codes that settle many such questions."""

from __future__ import annotations

import math
from functools import partial
from itertools import combinations
from typing import TYPE_CHECKING, Final

from pytest_schemascore.scoring.comparators.normalizing import all_normalized, normalized

if TYPE_CHECKING:
    from collections.abc import Hashable, Iterator, Sequence

    import numpy as np
    from numpy.typing import NDArray

    from pytest_schemascore.documents.json_types import Json

RELATIVE: Final = 1e-9
"""How far, relative to the larger one, a float may be from a number that it equals."""

_INVERSE: Final = 10**9
_MOST_CLOSE: Final = 16
_NUMBERS: Final = frozenset({int, float})
_TEXT: Final = frozenset({str})


def equal(expected: Json, actual: Json, *, normalize: bool) -> bool:
    """Say whether two values are equal; containers by their items and keys, without recursion."""
    if not isinstance(expected, (dict, list)):
        return not isinstance(actual, (dict, list)) and _equal_scalars(expected, actual, normalize=normalize)
    stack: list[tuple[Json, Json]] = [(expected, actual)]
    while stack:
        e, a = stack.pop()
        if isinstance(e, dict):
            if not isinstance(a, dict) or e.keys() != a.keys():
                return False
            stack.extend((value, a[key]) for key, value in e.items())
        elif isinstance(e, list):
            if not isinstance(a, list) or len(e) != len(a):
                return False
            stack.extend(zip(e, a, strict=True))
        elif isinstance(a, (dict, list)) or not _equal_scalars(e, a, normalize=normalize):
            return False
    return True


def _equal_scalars(e: str | float | None, a: str | float | None, *, normalize: bool) -> bool:
    if isinstance(e, str):
        return isinstance(a, str) and (e == a or (normalize and normalized(e) == normalized(a)))
    if e is None or a is None or isinstance(e, bool) or isinstance(a, bool):
        return e is a
    return not isinstance(a, str) and equal_numbers(e, a)


def equal_numbers(e: float, a: float) -> bool:
    """Say whether two numbers are equal: integers exactly, a float with a number within 1e-9 relative."""
    if e == a:
        return True
    return not (isinstance(e, int) and isinstance(a, int)) and _close(e, a)


def _close(e: float, a: float) -> bool:
    try:
        return math.isclose(e, a, rel_tol=RELATIVE)
    except OverflowError:  # an integer beyond the floats; a float near it is a whole number
        if not all(isinstance(x, int) or math.isfinite(x) for x in (e, a)):
            return False
        whole, other = int(e), int(a)
        return abs(whole - other) * _INVERSE <= max(abs(whole), abs(other))


def equality_codes(values: Sequence[Json], *, normalize: bool) -> Sequence[Hashable] | None:
    """Return codes that are equal just where two of *values* are; None where that isn't transitive.

    That is so where a float equals two numbers that differ from each other, or (without looking closer)
    where floats stand inside containers.
    """
    kinds = set(map(type, values))
    if kinds == _TEXT:
        return all_normalized(values) if normalize else values  # type: ignore[arg-type,return-value]  # texts, as just found
    numbers: Sequence[Hashable] = values  # type: ignore[assignment]  # where they are, they are their own keys
    keys = numbers if kinds <= _NUMBERS else _keys(values, normalize=normalize)
    if keys is None or float not in kinds:
        return keys
    merged = _merged_numbers({v for v in values if type(v) is int}, {v for v in values if type(v) is float})
    if merged is None:
        return None
    return [merged.get(key, key) for key in keys] if merged else keys


def _keys(values: Sequence[Json], *, normalize: bool) -> Sequence[Hashable] | None:
    """Return keys that are equal where values are, near numbers aside; None where containers hold floats."""
    keys: list[Hashable] = []
    for value in values:
        if isinstance(value, str):
            keys.append(normalized(value) if normalize else value)
            continue
        if isinstance(value, (dict, list)):
            key = _container_key(value, normalize=normalize)
            if key is None:
                return None
            keys.append(key)
            continue
        keys.append((value,) if isinstance(value, bool) else value)
    return keys


def number_off(codes: Sequence[Hashable]) -> NDArray[np.intp]:
    """Return a number for each of *codes*, the same for equal ones and for no others."""
    import numpy as np  # only pairing lists works on arrays (R7)

    numbers = dict(zip(codes, range(len(codes)), strict=True))
    return np.array([numbers[code] for code in codes], np.intp)


def _container_key(container: dict[str, Json] | list[Json], *, normalize: bool) -> Hashable:
    """Return the tokens of *container* in preorder, with sizes so that they tell it; None if floats."""
    tokens: list[Hashable] = []
    stack: list[Json] = [container]
    while stack:
        value = stack.pop()
        if isinstance(value, float):
            return None
        if isinstance(value, dict):
            names = sorted(value)
            tokens.append((dict, *names))
            stack.extend(value[name] for name in names)
        elif isinstance(value, list):
            tokens.append((list, len(value)))
            stack.extend(value)
        else:
            plain = normalized(value) if normalize and isinstance(value, str) else value
            tokens.append((type(value), plain))
    return tuple(tokens)


def _merged_numbers(whole: set[int], floats: set[float]) -> dict[Hashable, Hashable] | None:
    """Map numbers that equal another to one of them; None where some equal it but not each other."""
    merged: dict[Hashable, Hashable] = {}
    ordered = sorted(whole | floats)
    if not _may_be_close(ordered):
        return merged
    for cluster in _clusters(ordered):
        if len(cluster) == 1 or not any(number in floats for number in cluster):
            continue
        if len(cluster) > _MOST_CLOSE or not all(equal_numbers(e, a) for e, a in combinations(cluster, 2)):
            return None
        merged.update(dict.fromkeys(cluster, cluster[0]))
    return merged


def _may_be_close(ordered: list[float]) -> bool:
    """Say whether any two neighbours may be close, as seldom; integers beyond the floats may."""
    try:
        return any(map(partial(math.isclose, rel_tol=RELATIVE), ordered, ordered[1:]))
    except OverflowError:
        return True


def _clusters(ordered: list[float]) -> Iterator[list[float]]:
    cluster: list[float] = []
    for number in ordered:
        if cluster and not _close(cluster[-1], number):
            yield cluster
            cluster = []
        cluster.append(number)
    if cluster:
        yield cluster
