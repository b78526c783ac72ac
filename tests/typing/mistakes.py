"""What a type checker should stop a user from writing; each marked line is an error, and no other is."""

from __future__ import annotations

import pytest_schemascore as schemascore

schemascore.fuzzy("0.85")  # error
schemascore.numeric(abs_tolerance=0.1)  # error
schemascore.by_key(1)  # error
schemascore.Output({}, tokens="many")  # error
schemascore.case("cases.jsonl")(3)  # error
schemascore.evaluate(None, "cases.jsonl", len, extra="all")  # error
