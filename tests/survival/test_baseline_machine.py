"""The baseline through random histories; `python -m tests.soak` runs far more of them."""

from __future__ import annotations

from hypothesis import settings

from tests.soak.baseline_machine import BaselineMachine

TestBaselineMachine = BaselineMachine.TestCase
TestBaselineMachine.settings = settings(max_examples=25, stateful_step_count=15, deadline=None)
