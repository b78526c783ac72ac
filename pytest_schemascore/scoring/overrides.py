"""Rules written as JSON: ``x-override-evaluator`` in a JSON Schema, and the values of a ``--config`` file."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Final

from pytest_schemascore._suggest import did_you_mean
from pytest_schemascore.errors import RuleError
from pytest_schemascore.scoring.comparators.cosine import cosine
from pytest_schemascore.scoring.comparators.exact import exact
from pytest_schemascore.scoring.comparators.jaccard import jaccard
from pytest_schemascore.scoring.comparators.threshold import threshold

if TYPE_CHECKING:
    from pytest_schemascore.scoring.comparators.base import Comparator

PARAMETERS: Final[Mapping[str, tuple[str, ...]]] = {
    "binary": (),
    "jaccard": (),
    "cosine": ("embedding_model",),
    "threshold": ("threshold", "difference_penalty_weighting"),
}


def override(spec: Mapping[str, object]) -> Comparator:
    """Return the comparator that ``{"evaluation_type": ..., "evaluation_params": {...}}`` describes.

    Raises:
        RuleError: an unknown type or key (with the nearest known one), or a parameter of the wrong kind.
    """
    for key in spec:
        if key not in ("evaluation_type", "evaluation_params"):
            known = ("evaluation_type", "evaluation_params")
            msg = f"unknown key {key!r} in an evaluator{did_you_mean(key, known)}"
            raise RuleError(msg)
    params = spec.get("evaluation_params")
    params = {} if params is None else params
    if not isinstance(params, Mapping):
        msg = f"evaluation_params is {params!r}; it must be an object"
        raise RuleError(msg)
    return evaluator(str(spec.get("evaluation_type")), params)


def evaluator(kind: str, params: Mapping[str, object]) -> Comparator:
    """Return the comparator named *kind* in configuration files, with *params*.

    ``binary`` is equality, case and all; ``threshold`` is 1 - (d/t)^(1/p) up to the distance t (the formula
    of structeval's code); ``cosine`` needs ``embedding_model``.

    Raises:
        RuleError: see `override`.
    """
    if kind not in PARAMETERS:
        near, known = did_you_mean(kind, PARAMETERS), ", ".join(PARAMETERS)
        msg = f"unknown evaluation type {kind!r}{near} (known: {known})"
        raise RuleError(msg)
    for name in params:
        if name not in PARAMETERS[kind]:
            near, takes = did_you_mean(name, PARAMETERS[kind]), ", ".join(PARAMETERS[kind]) or "no parameters"
            msg = f"evaluation type {kind!r}: unknown parameter {name!r}{near} (it takes {takes})"
            raise RuleError(msg)
    match kind:
        case "binary":
            return exact(normalize=False)
        case "jaccard":
            return jaccard()
        case "cosine":
            model = params.get("embedding_model")
            if not isinstance(model, str):
                msg = "evaluation type 'cosine' needs embedding_model, a sentence-transformers model"
                raise RuleError(msg)
            return cosine(model)
        case _:
            return threshold(
                _number(params, "threshold", 0.001), _number(params, "difference_penalty_weighting", 0.1)
            )


def _number(params: Mapping[str, object], name: str, default: float) -> float:
    value = params.get(name, default)
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        msg = f"{name} is {value!r}; it must be a number"
        raise RuleError(msg)
    return value
