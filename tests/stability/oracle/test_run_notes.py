"""What a language model makes of a run: kept beside it, or left out; it is part of no figure."""

from collections.abc import Callable
from typing import Any

import pytest

from apps.insight.stability.models import RunNote, StabilityRun
from apps.insight.stability.oracle.services import model_notes, oracle_runs
from apps.insight.stability.oracle.services.model_notes import (
    contradicts_run_facts,
    record_model_note,
)
from apps.platform.advisory import opinions
from apps.platform.jobs.models import Job
from apps.platform.upstreams.http import UpstreamError
from tests.conftest import NOON

pytestmark = pytest.mark.django_db
Ran = Callable[..., StabilityRun]
SAID = """{"reasoning": "All layers are calm and the peg holds.", "confidence": 0.85,
           "alerts": ["Gold moved."], "outlook": "STABLE"}"""


@pytest.fixture
def model(monkeypatch: pytest.MonkeyPatch) -> dict[str, Any]:
    """A model that says what a test puts into `said`; `told` is what it was told."""
    state: dict[str, Any] = {"said": SAID, "told": []}

    def said(self: Any, **asked: Any) -> str:
        state["told"].append(asked)
        if not state["said"]:
            raise UpstreamError("it is late")
        return str(state["said"])

    monkeypatch.setattr(opinions, "is_model_configured", lambda: True)
    monkeypatch.setattr(opinions.ChatClient, "complete", said)
    return state


def test_a_note_is_kept_with_its_run_and_moves_no_number(
    ran: Ran, model: dict[str, Any], settings: Any
) -> None:
    settings.ADVISORY_MODEL = "a-model"
    run = ran()
    before = run.payload
    record_model_note(str(run.pk), NOON)
    note = RunNote.objects.get()
    assert (note.run, note.outlook, note.model, note.alerts) == (
        run, "STABLE", "a-model", ["Gold moved."],
    )  # fmt: skip
    run.refresh_from_db()
    assert run.payload == before and model["told"][0]["deadline"] == 8.0


def test_a_run_is_asked_about_once(ran: Ran, model: dict[str, Any]) -> None:
    run = ran()
    record_model_note(str(run.pk), NOON)
    record_model_note(str(run.pk), NOON)
    assert len(model["told"]) == 1 == RunNote.objects.count()


@pytest.mark.parametrize(
    "said",
    ["", "not JSON", SAID.replace("calm", "at 42.5 points"), SAID.replace("STABLE", "FINE"),
     SAID.replace("0.85", "1.5"), SAID.replace('["Gold moved."]', '["a", "b", "c", "d"]'),
     SAID.replace("calm", "see https://evil.example")],
)  # fmt: skip
def test_a_note_that_fails_or_errs_is_left_out(ran: Ran, model: dict[str, Any], said: str) -> None:
    run = ran()
    model["said"] = said
    record_model_note(str(run.pk), NOON)
    assert not RunNote.objects.exists()


def test_nobody_is_asked_about_a_run_without_a_number(ran: Ran, model: dict[str, Any]) -> None:
    run = ran(without=("stable.usdc.price",))
    record_model_note(str(run.pk), NOON)
    record_model_note("999", NOON)
    assert model["told"] == []


@pytest.mark.parametrize(("there", "asked"), [(True, 1), (False, 0)])
def test_the_run_plans_the_note_where_there_is_a_model(
    ran: Ran, monkeypatch: Any, there: bool, asked: int
) -> None:
    monkeypatch.setattr(oracle_runs, "is_model_configured", lambda: there)
    run = ran()
    planned = Job.objects.filter(name="stability.narrate")
    assert planned.count() == asked and all(job.key == str(run.pk) for job in planned)


@pytest.mark.parametrize(
    ("text", "errs"),
    [("The score is 97.43.", False), ("The score is 97.4 of 100.", False), ("It is 97.", False),
     ("The score is 96.", True), ("Below 75 it would halt.", False)],
)  # fmt: skip
def test_a_figure_that_is_none_of_the_runs_is_a_contradiction(text: str, errs: bool) -> None:
    said = {"reasoning": text, "alerts": []}
    assert contradicts_run_facts(note=said, facts={"score": "97.4312"}) is errs
    assert model_notes.QUESTION.longest >= 300
