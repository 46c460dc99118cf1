"""A seeded sandbox: believable work in every state, the same for the same seed, never for real."""

import io
import re
from collections import Counter
from datetime import timedelta
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from django.utils import timezone

from apps.backoffice.oversight.models import Sample
from apps.backoffice.review.models import Case, DecisionEvent
from apps.backoffice.review.rules.note_templates import GAP
from apps.backoffice.review.views.evidence import draw_case_evidence
from apps.backoffice.review.views.note_templates import build_case_note_facts, build_note_template
from apps.backoffice.sar.models import SarEntry
from apps.compliance.screening.case_types.screens import SCREEN
from apps.entry.sandbox import invented_names
from apps.entry.sandbox.seed import _find_note_subject, _is_shown_by_case, seed_desk
from apps.entry.sandbox.services import NotASandbox
from apps.platform.ledger.records import ledger_models
from apps.platform.ledger.verification import verifier
from apps.reference.watchlists import engine
from tests.review.people import NOON, OFFICER, SENIOR, person
from tests.screening.conftest import sample  # noqa: F401

CASES = 50


@pytest.fixture
def staff(db: Any) -> None:
    person("olivia", OFFICER)
    for name in ("samir", "sofia"):
        person(name, SENIOR)


def work() -> list[tuple[Any, ...]]:
    names = ("party", "country", "amount", "opened_at", "status", "outcome", "first_by__username")
    return list(Case.objects.order_by("pk").values_list(*names))


@pytest.fixture
def month(staff: None, sample: None) -> Counter[str]:  # noqa: F811
    return seed_desk(now=NOON, cases=CASES, seed=5)


def test_a_month_of_work_has_every_state(month: Counter[str]) -> None:
    assert Case.objects.count() >= month["cases"] == CASES  # and what its stories opened
    states = Counter(Case.objects.values_list("status", flat=True))
    assert states["DECIDED"] > states["OPEN"] > 0
    assert states["DECIDED"] == month["decided"]
    assert Case.objects.late(NOON).exists()
    assert {"HIGH", "MEDIUM"} <= set(Case.objects.values_list("risk", flat=True))
    assert SarEntry.objects.count() == month["blocked"] > 0
    assert Sample.objects.filter(month="2026-10").count() == month["samples"] > 0
    assert not Case.objects.exclude(opened_at__range=(NOON - timedelta(days=30), NOON)).exists()


def test_nobody_is_told_to_differ_in_what_was_never_given(month: Counter[str]) -> None:
    told = [
        (one, event.data["note"])
        for event in DecisionEvent.objects.filter(outcome="APPROVE").select_related("case")
        if (one := event.case) and event.data.get("reason_code") == "DIFFERENT_PARTY"
        and event.action in ("PROPOSED", "DECIDED") and one.first_by_id == event.by_id
    ]  # fmt: skip
    for case, note in told:
        template = build_note_template(case, outcome="APPROVE", code="DIFFERENT_PARTY")
        assert note == template and not template.endswith(GAP)
    [reason] = [one for one in SCREEN.reasons["APPROVE"] if one.code == "DIFFERENT_PARTY"]
    bare = case_of_a_firm()
    assert not _is_shown_by_case(bare, "APPROVE", reason.code)
    assert _is_shown_by_case(bare, "APPROVE", "NAME_ONLY") and _is_shown_by_case(
        bare, "APPROVE", "OTHER"
    )


def case_of_a_firm() -> Case:
    """Return a case that matches a firm by name, of which nothing else was given."""
    flagged = Case.objects.filter(rule_refs__contains="1 §2.7 rule 3 partial|")
    bare = [
        one
        for one in flagged
        if not SCREEN.reasons["APPROVE"][0].speaks(
            build_case_note_facts(one, draw_case_evidence(one))
        )
    ]
    return bare[0]


def test_every_ledger_of_it_verifies(month: Counter[str]) -> None:
    for ledger in ledger_models():
        report = verifier.verify_ledger(ledger=ledger)
        assert (report.faults, report.unsealed) == ([], 0), ledger


def test_the_same_seed_makes_the_same_work(staff: None, sample: None) -> None:  # noqa: F811
    runs = []
    for seed in (3, 3, 4):
        before = Case.objects.count()
        seed_desk(now=NOON, cases=15, seed=seed)
        runs.append([row[:4] for row in work()[before:]])
    assert runs[0] == runs[1] != runs[2]


def test_steps_are_recorded_in_the_order_of_their_moments(month: Counter[str]) -> None:
    moments = list(
        DecisionEvent.objects.exclude(by=None).order_by("pk").values_list("recorded_at", flat=True)
    )
    assert moments == sorted(moments) and moments[-1] <= NOON


def test_production_gets_no_work_made_up(staff: None, settings: Any) -> None:
    settings.PRODUCTION = True
    with pytest.raises(NotASandbox):
        seed_desk(now=NOON, cases=1, seed=1)
    with pytest.raises(CommandError, match="production"):
        call_command("seed_desk")
    assert not Case.objects.exists()


def test_the_command_shows_progress_and_does_not_add_unasked(
    staff: None,
    sample: None,  # noqa: F811
) -> None:
    out, progress = io.StringIO(), io.StringIO()
    call_command("seed_desk", cases=3, stdout=out, stderr=progress)
    assert "3 of 3 cases" in progress.getvalue() and "3 cases" in out.getvalue()
    with pytest.raises(CommandError, match="--more"):
        call_command("seed_desk")
    before = Case.objects.count()
    call_command("seed_desk", cases=2, more=True, stdout=out, stderr=progress)
    assert Case.objects.count() == before + 2
    assert not Case.objects.filter(opened_at__gt=timezone.now()).exists()


def test_a_sandbox_without_people_is_told_what_to_run(sample: None) -> None:  # noqa: F811
    with pytest.raises(CommandError, match="setup_sandbox"):
        call_command("seed_desk", stderr=io.StringIO())


def test_a_sandbox_without_lists_is_told_what_to_run(staff: None) -> None:
    engine.reset_engine()
    with pytest.raises(CommandError, match="build_index"):
        call_command("seed_desk", stderr=io.StringIO())
    assert not Case.objects.exists()


@pytest.mark.parametrize("outcome", invented_names.NOTES)
def test_what_officers_write_fits_the_reasons_that_there_are(outcome: str) -> None:
    codes = {reason.code for reason in SCREEN.reasons[outcome]}
    assert {code for code, _ in invented_names.NOTES[outcome]} <= codes
    assert all(len(note) >= 10 for _, note in invented_names.NOTES[outcome])


@pytest.mark.parametrize("outcome", invented_names.OTHERS)
def test_another_reason_is_written_about_what_brought_the_case_here(outcome: str) -> None:
    written = invented_names.OTHERS[outcome]
    partial, grey = "1 §2.7 rule 3 partial", "1 §2.7 rule 1 grey list"
    for refs, about in (
        ([grey, partial], "sanctions"),
        (["D §4 Owners, minority"], "owners"),
        (["D §4 Owners, country"], "country"),
        (["1 §2.7 rule 4", grey], "pep"),
        (["1 §2.7 rule 2 large"], "unchecked"),
    ):
        assert _find_note_subject(refs) == about and len(written[about]) >= 10
    assert len(set(written.values())) == len(written)
    assert not any("telephone" in written[about] for about in ("sanctions", "owners", "pep"))


def test_what_is_written_fits_persons_and_firms_alike() -> None:
    """Parties are drawn from both, and a firm has neither a passport nor a birthday."""
    written = [note for notes in invented_names.NOTES.values() for _, note in notes]
    written += [note for notes in invented_names.OTHERS.values() for note in notes.values()]
    written += [
        *invented_names.RETURNS,
        *invented_names.SNOOZES,
        *invented_names.ESCALATIONS,
        *invented_names.RATIONALES,
    ]
    assert len(written) > 20
    of_a_person = re.compile(r"passport|birth|somebody else|\b(?:he|she|his|her)\b")
    assert not [note for note in written if of_a_person.search(note)]
