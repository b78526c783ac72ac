"""What a rule is called in reports and baselines, where a change of name is how a change of rule shows."""

from __future__ import annotations

from dataclasses import MISSING, dataclass, fields, is_dataclass
from functools import partial
from types import ModuleType
from typing import TYPE_CHECKING, NamedTuple

from pytest_schemascore.scoring.comparators.base import Comparator

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator


class Name(NamedTuple):
    """The name of a rule; not `stable` where two different rules can bear the same one, as with a lambda."""

    name: str
    stable: bool


def named(rule: Callable[..., object]) -> Name:
    """Name a comparator by its call, ``numeric(abs_tol=0.01)``, and a function ``module:qualname``.

    A lambda, a function made inside another, a partial and an object with state are not stable.
    """
    if isinstance(rule, Comparator):
        return Name(repr(rule), all(named(function).stable for function in _functions(rule)))
    if isinstance(rule, partial):
        return Name(f"partial({named(rule.func).name})", stable=False)
    qualname = getattr(rule, "__qualname__", None)
    if qualname is None:
        return Name(f"{type(rule).__module__}:{type(rule).__qualname__}", stable=False)
    bound_to = getattr(rule, "__self__", None)
    has_state = bound_to is not None and not isinstance(bound_to, (type, ModuleType))
    module = getattr(rule, "__module__", None) or "builtins"
    return Name(f"{module}:{qualname}", stable=not has_state and "<" not in qualname)


def _functions(rule: object) -> Iterator[Callable[..., object]]:
    """Yield the arguments of a comparator that are functions."""
    for field in fields(rule) if is_dataclass(rule) else ():
        value = getattr(rule, field.name)
        if field.repr and callable(value):
            yield value


@dataclass(frozen=True, slots=True, repr=False)
class BuiltIn(Comparator):
    """Base of the comparators that are dataclasses: the `repr` is the shortest call that makes an equal one.

    Arguments without a default stand by position, others by keyword where they differ from the default
    or where the field's metadata says ``always``.
    """

    def __repr__(self) -> str:
        arguments = []
        for field in fields(self):
            value = getattr(self, field.name)
            if not field.repr:
                continue
            if field.default is MISSING:
                arguments.append(spelled(value))
            elif field.metadata.get("always") or value != field.default:
                arguments.append(f"{field.name}={spelled(value)}")
        return f"{type(self).__name__}({', '.join(arguments)})"


def spelled(argument: object) -> str:
    """Spell an argument such that equal ones look alike: ``1.0`` as ``1``, a function by its name."""
    if isinstance(argument, float) and argument.is_integer():
        return repr(int(argument))
    return named(argument).name if callable(argument) else repr(argument)
