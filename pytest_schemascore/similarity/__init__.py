"""Two whole JSON documents and one number for both: `json_distance` and `json_similarity`."""

from __future__ import annotations

from pytest_schemascore.similarity.document_metrics import METRICS, measure
from pytest_schemascore.similarity.document_score import DocumentScore
from pytest_schemascore.similarity.json_distance import json_distance
from pytest_schemascore.similarity.json_similarity import json_similarity

__all__ = ["METRICS", "DocumentScore", "json_distance", "json_similarity", "measure"]
