"""What an extractor returned comes back from a journal as what the schema makes the same of (R5)."""

from __future__ import annotations

from datetime import date
from typing import TYPE_CHECKING

import pytest
from pydantic import BaseModel, ConfigDict, Field, computed_field

from pytest_schemascore.documents.output import Output
from pytest_schemascore.documents.reading import read_output
from pytest_schemascore.documents.schema import adapt_schema
from pytest_schemascore.plugin.recorded_calls import encoded, finished_of
from pytest_schemascore.running.entries import from_line, to_line
from pytest_schemascore.running.job import Finished, Job, JobKey
from pytest_schemascore.running.journal import Journal
from pytest_schemascore.running.recorded import read_run

if TYPE_CHECKING:
    from pathlib import Path


class Computing(BaseModel):
    """Closed, so that its own dump is refused."""

    model_config = ConfigDict(extra="forbid")

    net: int

    @computed_field  # type: ignore[prop-decorator]  # as pydantic's documentation has it
    @property
    def gross(self) -> int:
        """The sum with tax."""
        return self.net * 2


class Renaming(BaseModel):
    """Written under another name than it is read by."""

    total: int = Field(serialization_alias="sum")


class Aliased(BaseModel):
    """Read and written by the alias alone."""

    total: int = Field(alias="Total")


class Strict(BaseModel):
    """Takes no text for a date, unless it comes from JSON."""

    model_config = ConfigDict(strict=True)

    day: date


@pytest.mark.parametrize(
    "model",
    [Computing(net=1), Renaming(total=1), Aliased(Total=1), Strict(day=date(2024, 5, 1))],
    ids=lambda model: type(model).__name__,
)
def test_a_model_comes_back_as_the_same_document(tmp_path: Path, model: BaseModel) -> None:
    """Through the journal's file, and through the schema that judges it."""
    schema = adapt_schema(type(model))
    job = Job(JobKey("suite", "a", 0), lambda: None, is_async=False, input_hash="h")
    with Journal.open_new(tmp_path, "1", encode=encoded) as journal:
        journal.record(Finished(job, Output(model, cost=0.5), None, False, 1.0, 2.0, 1.0))
    entry = read_run(tmp_path, "1").outputs[job.key]
    again = finished_of(job, from_line(to_line(entry)))  # type: ignore[arg-type]  # it is an output

    assert isinstance(again.value, Output)
    assert again.value.cost == 0.5
    assert schema.validate(read_output(again.value.value).value) == schema.validate(model)
