"""The rules of a comparison: what it does by default, and what a config file makes of that."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from pytest_schemascore._suggest import did_you_mean
from pytest_schemascore.documents.text_files import FileError, read_json_file
from pytest_schemascore.errors import RuleError, UsageError
from pytest_schemascore.scoring.comparators.exact import exact
from pytest_schemascore.scoring.comparators.jaccard import jaccard
from pytest_schemascore.scoring.comparators.threshold import threshold
from pytest_schemascore.scoring.overrides import evaluator, override
from pytest_schemascore.scoring.pairing.base import Pairing
from pytest_schemascore.scoring.pairing.by_content import by_content

if TYPE_CHECKING:
    import os

    from pytest_schemascore.scoring.comparators.base import Comparator

ARRAYS: Final = "array_matching_threshold"

_TYPES: Final[Mapping[str, tuple[str, ...]]] = {
    "number_evaluation_type": ("integer", "number"),
    "string_evaluation_type": ("string",),
    "boolean_evaluation_type": ("boolean",),
    "integer_evaluation_type": ("integer",),
    "float_evaluation_type": ("number",),
}
"""Key -> JSON types it rules; the one for all numbers comes first, so that the others refine it."""


def default_rules(default: object = None, config: Mapping[str, object] | None = None) -> dict[str, object]:
    """Return the rule of each JSON type: a comparison's own, then those of *config*, then *default*.

    Texts are compared by ``jaccard()``, bools and integers strictly, a number with a fraction on either side
    by ``threshold(0.001, 0.1)``, lists by ``by_content(threshold=0.3)``.

    Args:
        default: one rule for all scalars, a pairing for all lists, or a mapping JSON type -> rule.
        config: the contents of a config file, see `load_config`.

    Raises:
        RuleError, UsageError: the config holds what it can't.
    """
    rules: dict[str, object] = {
        "string": jaccard(),
        "boolean": exact(normalize=False),
        "integer": exact(normalize=False),
        "number": threshold(0.001, 0.1),
        "array": by_content(threshold=0.3),
    }
    rules |= _configured(config or {})
    if isinstance(default, Mapping):
        return {**rules, **default}
    if isinstance(default, Pairing):
        return rules | {"array": default}
    if default is not None:
        return rules | dict.fromkeys(("string", "boolean", "integer", "number"), default)
    return rules


def load_config(path: str | os.PathLike[str]) -> dict[str, object]:
    """Read a config file: a JSON object with keys such as ``string_evaluation_type``, and check it.

    Raises:
        UsageError: it can't be read, isn't JSON (names the line), or has a key twice or an unknown key or
            value.
    """
    path = Path(path)
    try:
        config = read_json_file(path, "config")
    except FileError as error:
        raise UsageError(str(error)) from None
    if not isinstance(config, dict):
        msg = f'{path}: holds no object; write {{"{ARRAYS}": 0.3}}, for example'
        raise UsageError(msg)
    checked: dict[str, object] = dict(config)
    try:
        _configured(checked)
    except UsageError as error:
        msg = f"{path}: {error}"
        raise type(error)(msg) from error
    return checked


def _configured(config: Mapping[str, object]) -> dict[str, object]:
    """Return the rules that *config* sets, by JSON type."""
    known = (*_TYPES, ARRAYS)
    for key in config:
        if key not in known:
            msg = f"unknown key {key!r}{did_you_mean(key, known)} (known: {', '.join(known)})"
            raise UsageError(msg)
    rules: dict[str, object] = {}
    for key, types in _TYPES.items():
        if key in config:
            rules |= dict.fromkeys(types, _rule(key, config[key]))
    if ARRAYS in config:
        rules["array"] = _pairing(config[ARRAYS])
    return rules


def _rule(key: str, value: object) -> Comparator:
    try:
        if isinstance(value, str):
            return evaluator(value, {})
        if isinstance(value, Mapping):
            return override(value)
    except RuleError as error:
        msg = f"{key}: {error}"
        raise RuleError(msg) from error
    msg = f'{key} is {value!r}; write "binary" or {{"evaluation_type": "binary"}}, for example'
    raise RuleError(msg)


def _pairing(threshold: Any) -> Pairing:
    try:
        return by_content(threshold)
    except RuleError as error:
        msg = f"{ARRAYS}: {error}"
        raise RuleError(msg) from error
