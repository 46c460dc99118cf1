"""Threshold what-if: what was recorded of screens, held against thresholds that are proposed."""

from collections.abc import Callable
from datetime import datetime, timedelta
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from hypothesis import given
from hypothesis import strategies as st

from apps.backoffice.review import services
from apps.backoffice.review.models import Case
from apps.compliance.screening.models import Screen
from apps.compliance.screening.rules import threshold_effects
from apps.compliance.screening.rules.facts import ScreenFacts
from apps.compliance.screening.rules.screen import RULES, judge_screen
from apps.compliance.screening.rules.threshold_effects import (
    BY_SCORE,
    EFFECTS,
    SPECIFIED,
    Thresholds,
)
from apps.compliance.screening.simulation import simulate
from apps.compliance.screening.simulation.simulate import (
    SimulationResult,
    ThresholdProposal,
    simulate_thresholds,
)
from apps.compliance.screening.simulation.threshold_decisions import (
    _is_capped_match,
    decide_with_thresholds,
)
from apps.platform.common.clock import now as present
from apps.platform.ledger.verification.verified_reads import filter_verified_records
from tests.review.people import OFFICER, SENIOR, approve, at_desk, case, check_page, person

PAGE = "/admin/screening/screen/thresholds/"
NOTE = "Seen and compared with the papers of the party."
PARTIAL = {"name": "Lazarus Trading Group"}
FULL = {"name": "Lasarus Gruppe"}


@pytest.mark.parametrize(
    ("bars", "sound"),
    [
        (Thresholds(), True),
        (Thresholds(look=20), True),
        (Thresholds(look=19), False),
        (Thresholds(match=100), True),
        (Thresholds(match=101), False),
        (Thresholds(match=46), True),
        (Thresholds(match=45), False),
        (Thresholds(pep=60), True),
        (Thresholds(pep=59), False),
        (Thresholds(pep=100), True),
        (Thresholds(pep=101), False),
    ],
)
def test_a_proposal_lies_within_what_was_ever_scored(bars: Thresholds, sound: bool) -> None:
    assert (bars.fault == "") is sound


@pytest.mark.parametrize(
    ("score", "bars", "decided"),
    [
        (69, Thresholds(), "FLAGGED"),
        (70, Thresholds(), "BLOCKED"),
        (44, Thresholds(), "APPROVED"),
        (45, Thresholds(), "FLAGGED"),
        (79, Thresholds(match=80), "FLAGGED"),
        (80, Thresholds(match=80), "BLOCKED"),
        (65, Thresholds(match=65), "BLOCKED"),
        (64, Thresholds(match=65), "FLAGGED"),
        (49, Thresholds(look=50), "APPROVED"),
        (50, Thresholds(look=50), "FLAGGED"),
        (30, Thresholds(look=30), "FLAGGED"),
        (29, Thresholds(look=30), "APPROVED"),
    ],
)
def test_a_score_decides_on_the_side_of_the_bar_it_lies(
    score: int, bars: Thresholds, decided: str
) -> None:
    facts = ScreenFacts(source="", source_label="", sanctions_score=bars.placed(score))
    assert threshold_effects.decide_by_placed_scores(facts, held=()) == decided


@pytest.mark.parametrize(
    ("score", "pep", "decided"),
    [(60, 60, "FLAGGED"), (84, 85, "APPROVED"), (85, 85, "FLAGGED"), (0, 60, "APPROVED")],
)
def test_an_office_holder_flags_from_the_proposed_score_on(
    score: int, pep: int, decided: str
) -> None:
    facts = ScreenFacts(
        source="",
        source_label="",
        pep_asked=True,
        pep_score=Thresholds(pep=pep).placed_holder(score),
    )
    assert threshold_effects.decide_by_placed_scores(facts, held=()) == decided


@given(st.integers(0, 100), st.one_of(st.none(), st.integers(0, 59), st.integers(60, 100)))
def test_the_specified_thresholds_decide_as_the_rules_do(score: int, pep: int | None) -> None:
    plain = ScreenFacts(
        source="", source_label="", sanctions_score=score, pep_asked=True, pep_score=pep or 0
    )
    placed = ScreenFacts(
        source="",
        source_label="",
        sanctions_score=SPECIFIED.placed(score),
        pep_asked=True,
        pep_score=SPECIFIED.placed_holder(pep or 0),
    )
    assert (
        threshold_effects.decide_by_placed_scores(placed, held=())
        == judge_screen(plain).outcome.decision
    )


def test_what_no_score_decides_stays_as_it_was_recorded() -> None:
    facts = ScreenFacts(source="", source_label="")
    assert (
        threshold_effects.decide_by_placed_scores(facts, held={"country.call_for_action"})
        == "BLOCKED"
    )
    assert (
        threshold_effects.decide_by_placed_scores(
            facts, held={"country.embargo", "amount.reporting"}
        )
        == "FLAGGED"
    )
    # a rule by score that held then does not hold by that alone
    assert threshold_effects.decide_by_placed_scores(facts, held=BY_SCORE) == "APPROVED"
    assert {rule.code for rule in RULES} > BY_SCORE


CASES = [
    (("FLAGGED", "FLAGGED", True, True), None),
    (("FLAGGED", "APPROVED", True, False, True), "missed"),
    (("FLAGGED", "APPROVED", True, True, True), "missed"),
    (("FLAGGED", "APPROVED", True, False), "refused_passes"),
    (("BLOCKED", "APPROVED"), "unblocked"),
    (("FLAGGED", "BLOCKED", True, True, False, True), "stopped"),
    (("FLAGGED", "BLOCKED", True, False, True), "blocked_too"),
    (("APPROVED", "BLOCKED"), "blocked_anew"),
    (("BLOCKED", "FLAGGED"), "queued_less_grave"),
    (("APPROVED", "FLAGGED"), "queued_more"),
    (("FLAGGED", "APPROVED", True, True, False, True), "saved"),
    (("FLAGGED", "APPROVED", True, True), "cleared"),
]


@pytest.mark.parametrize(("told", "code"), CASES)
def test_each_effect_is_told_by_what_officers_found(told: Any, code: str | None) -> None:
    effect = threshold_effects.classify_effect(threshold_effects.RecordedScreen(*told))
    assert (effect.code if effect else None) == code


def test_every_effect_is_reached() -> None:
    assert {code for _, code in CASES if code} == {effect.code for effect in EFFECTS}


@pytest.mark.parametrize(
    ("row", "held"),
    [
        ({"score": 69, "explanation": {"score": "0.6950"}, "effects": []}, False),
        ({"score": 68, "explanation": {"score": "0.9000"}, "effects": []}, False),
        ({"score": 70, "explanation": None, "effects": []}, False),
        ({"score": 69, "explanation": None, "effects": []}, True),
        ({"score": 69, "explanation": {"score": "0.9100"}, "effects": []}, True),
        ({"score": 69, "explanation": {"score": "0.6900", "weak_alias": True}}, True),
        (
            {
                "score": 69,
                "explanation": {"score": "0.6900"},
                "effects": [{"what": "bounds", "effect": "-0.2"}],
            },
            True,
        ),
        (
            {
                "score": 69,
                "explanation": {"score": "0.6900"},
                "effects": [{"what": "bounds", "effect": "0.2"}],
            },
            False,
        ),
        (
            {
                "score": 69,
                "explanation": {"score": "0.6900"},
                "effects": [{"what": "countries", "effect": "-0.05"}],
            },
            False,
        ),
    ],
)
def test_what_holds_a_match_below_a_block_is_told_from_its_record(row: Any, held: bool) -> None:
    assert _is_capped_match(row) is held


Asks = Callable[..., dict[str, Any]]
SCREENS: list[dict[str, Any]] = [
    {},
    PARTIAL,
    {"name": "Lazarus Group"},
    {"name": "Sberbank"},
    {"name": "Sberbank", "country": "KP"},
    {"name": "Blue Heron Stationery Limited", "country": "HT"},
    {"name": "Vladimir Putin", "individual": True, "birthDate": "1990-01-01"},
    {"name": "Emmanuel Macron", "individual": True},
    {"name": "Jane Doe", "individual": True},
    {"name": "Acme", "lei": "549300WE6TAF5EEWQS81"},
    {"name": "Acme", "lei": "5493001KJTIIGC8Y1R12", "amount": 200000},
    {"name": "Rahman", "individual": True},
]


def records(screen: Asks) -> list[Screen]:
    for asked in SCREENS:
        screen(**asked)
    return list(Screen.objects.order_by("pk"))


def test_each_record_bears_out_its_own_decision_under_the_specified_thresholds(
    screen: Asks,
) -> None:
    screens = records(screen)
    assert [decide_with_thresholds(one, SPECIFIED) for one in screens] == [
        one.decision for one in screens
    ]
    assert {one.decision for one in screens} == {"APPROVED", "FLAGGED", "BLOCKED"}


def test_a_higher_match_lets_an_officer_look_and_a_lower_one_blocks(screen: Asks) -> None:
    screen(**PARTIAL)
    screen(**FULL)
    partial, full = Screen.objects.order_by("pk")
    assert [partial.decision, full.decision] == ["FLAGGED", "BLOCKED"]
    low, high = (one.data["evidence"]["sanctions"][0]["score"] for one in (partial, full))
    assert decide_with_thresholds(partial, Thresholds(match=low)) == "BLOCKED"
    assert decide_with_thresholds(partial, Thresholds(match=low + 1)) == "FLAGGED"
    assert decide_with_thresholds(partial, Thresholds(look=low)) == "FLAGGED"
    assert decide_with_thresholds(partial, Thresholds(look=low + 1)) == "APPROVED"
    assert decide_with_thresholds(full, Thresholds(match=high)) == "BLOCKED"
    assert decide_with_thresholds(full, Thresholds(match=high + 1)) == "FLAGGED"
    assert decide_with_thresholds(full, Thresholds(match=100, look=high + 1)) == "APPROVED"


def test_a_match_that_is_held_below_a_block_never_blocks(screen: Asks) -> None:
    screen(name="Sberbank Leasing Consultants")
    record = Screen.objects.get()
    assert record.data["evidence"]["sanctions"][0]["score"] == 69
    assert (
        decide_with_thresholds(record, Thresholds(match=46))
        == decide_with_thresholds(record, Thresholds(match=69))
        == "FLAGGED"
    )
    assert decide_with_thresholds(record, Thresholds(match=100, look=69)) == "FLAGGED"
    assert decide_with_thresholds(record, Thresholds(match=100, look=70)) == "APPROVED"


def test_a_record_that_does_not_bear_out_its_decision_is_not_counted(screen: Asks) -> None:
    screen(**PARTIAL)
    record = Screen.objects.get()
    record.decision = "APPROVED"
    assert decide_with_thresholds(record, Thresholds(look=50)) is None
    record.decision = "FLAGGED"
    assert decide_with_thresholds(record, SPECIFIED) == "FLAGGED"
    record.rules = "some.rule that left"
    assert decide_with_thresholds(record, SPECIFIED) is None
    record.payload = record.salt = ""
    assert decide_with_thresholds(record, SPECIFIED) is None


def decide(answer: dict[str, Any], outcome: str, code: str, note: str = NOTE) -> Case:
    one = Case.objects.get(ref=answer["screenId"])
    names = f"o{one.pk}", f"s{one.pk}"
    said = {"reason_code": code, "note": note, "now": present()}
    one = services.decide_case(case=one, by=person(names[0], OFFICER), outcome=outcome, **said)
    if one.needs_second:
        one = services.confirm_decision(case=one, by=person(names[1], SENIOR), **said)
    assert one.outcome == outcome
    return one


@pytest.fixture
def closed(screen: Asks) -> tuple[Case, Case]:
    """A partial match that was another party, and one that was the listed one; one more is open."""
    another = decide(screen(**PARTIAL), "APPROVE", "NAME_ONLY")
    listed = decide(screen(**PARTIAL, reference="R2"), "REJECT", "LISTED_PARTY")
    screen(**PARTIAL, reference="open")
    screen(**FULL)
    screen(country="HT")
    return another, listed


def test_closed_cases_tell_what_would_have_been_missed_and_what_saved(
    closed: tuple[Case, Case],
) -> None:
    simulation_result = simulate_thresholds(ThresholdProposal(Thresholds(look=69)))
    assert dict(simulation_result.pairs) == {("FLAGGED", "APPROVED"): 2}
    assert dict(simulation_result.effects) == {"missed": 1, "saved": 1}
    assert [(line.effect.code, line.case) for line in simulation_result.lines] == [
        ("missed", closed[1].pk),
        ("saved", closed[0].pk),
    ]
    assert (
        simulation_result.closed,
        simulation_result.without,
        simulation_result.listed,
        simulation_result.another,
    ) == (2, 0, 1, 1)
    assert (
        not simulation_result.more
        and not simulation_result.unknown
        and not simulation_result.unproved
    )


def test_one_piece_of_records_is_in_memory_at_once(
    closed: tuple[Case, Case], monkeypatch: Any
) -> None:
    steps = []

    def read(rows: list[Screen]) -> list[Screen]:
        steps.append("read")
        return filter_verified_records(rows)

    def decided(screen: Screen, bars: Thresholds) -> str | None:
        steps.append("decided")
        return decide_with_thresholds(screen, bars)

    monkeypatch.setattr(simulate, "PIECE", 1)
    monkeypatch.setattr(simulate, "filter_verified_records", read)
    monkeypatch.setattr(simulate, "decide_with_thresholds", decided)
    simulate_thresholds(ThresholdProposal(Thresholds(match=100)))
    assert steps == ["read", "decided"] * 3


def test_a_lower_match_tells_whom_it_would_have_stopped(closed: tuple[Case, Case]) -> None:
    simulation_result = simulate_thresholds(ThresholdProposal(Thresholds(match=46)))
    assert dict(simulation_result.effects) == {"stopped": 1, "blocked_too": 1}


def test_screens_that_no_officer_saw_are_held_against_it_too(closed: tuple[Case, Case]) -> None:
    simulation_result = simulate_thresholds(ThresholdProposal(Thresholds(match=100)))
    assert (
        dict(simulation_result.effects) == {"queued_less_grave": 1}
        and simulation_result.without == 1
    )
    assert simulation_result.pairs["BLOCKED", "FLAGGED"] == 1
    (line,) = simulation_result.lines
    assert (line.case, line.screen) == (None, Screen.objects.get(decision="BLOCKED").pk)
    assert (
        dict(simulate_thresholds(ThresholdProposal(Thresholds(match=100, look=99))).effects)[
            "unblocked"
        ]
        == 1
    )
    assert simulate_thresholds(ThresholdProposal(SPECIFIED)).without == 0


def test_what_was_approved_and_now_would_not_be_is_told(screen: Asks) -> None:
    screen(name="Lazarus Stationery Works Limited")
    record = Screen.objects.get()
    near = record.data["response"]["checks"]["sanctions"]["score"]
    assert record.decision == "APPROVED" and 20 <= near < 45
    assert dict(simulate_thresholds(ThresholdProposal(Thresholds(look=near))).effects) == {
        "queued_more": 1
    }
    assert dict(simulate_thresholds(ThresholdProposal(Thresholds(look=near + 1))).effects) == {}
    assert dict(
        simulate_thresholds(ThresholdProposal(Thresholds(look=20, match=near))).effects
    ) == {"blocked_anew": 1}


def test_days_choose_by_decision_and_by_screen(closed: tuple[Case, Case]) -> None:
    today = present().date()

    def count(since: Any, until: Any) -> tuple[int, int]:
        simulation_result = simulate_thresholds(
            ThresholdProposal(Thresholds(match=100), since, until)
        )
        return simulation_result.closed, simulation_result.without

    day = timedelta(days=1)
    assert count(today, today) == (2, 1)
    assert count(today - day, today - day) == count(today + day, None) == (0, 0)
    assert count(None, today) == count(today, None) == (2, 1)


def test_no_more_are_held_than_asked_and_that_is_told(closed: tuple[Case, Case]) -> None:
    simulation_result = simulate_thresholds(ThresholdProposal(Thresholds(look=69), most=1))
    assert simulation_result.more and [line.case for line in simulation_result.lines] == [
        closed[1].pk
    ]
    assert not simulate_thresholds(ThresholdProposal(Thresholds(look=69), most=2)).more


def test_what_somebody_wrote_into_a_record_is_not_counted(closed: tuple[Case, Case]) -> None:
    ref = closed[0].ref

    def altered(rows: Any) -> Any:
        return [row for row in rows if str(row.screen_id) != ref]

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(simulate, "filter_verified_records", altered)
        simulation_result = simulate_thresholds(ThresholdProposal(Thresholds(look=69)))
    assert (simulation_result.unproved, simulation_result.closed) == (1, 1)


def test_a_case_without_a_record_is_told_as_not_counted(db: Any) -> None:
    for ref in ("closed", "5a1c1f5e-8f6d-4f0e-9d7e-7c1a2b3c4d5e"):
        approve(case(ref=ref), by=person(f"o-{ref}", OFFICER))
    simulation_result = simulate_thresholds(ThresholdProposal(Thresholds(look=50)))
    assert (simulation_result.unknown, simulation_result.closed) == (2, 0)


def test_the_number_of_queries_does_not_grow_with_the_cases(
    closed: tuple[Case, Case], django_assert_num_queries: Any
) -> None:
    for most in (1, 2):
        with django_assert_num_queries(3):  # cases, their decisions, their records
            simulate_thresholds(ThresholdProposal(Thresholds(look=69), most=most))


def test_nothing_is_worked_out_before_something_is_proposed(
    closed: tuple[Case, Case], django_assert_max_num_queries: Any
) -> None:
    sven = at_desk(person("sven", SENIOR))
    with django_assert_max_num_queries(5):
        html = check_page(sven.get(PAGE))
    assert "They are not settings" in html and "Would have been" not in html
    assert 'value="70"' in html and 'value="45"' in html and 'value="60"' in html


def test_a_senior_sees_what_would_have_changed_with_links_to_the_cases(
    closed: tuple[Case, Case],
) -> None:
    sven = at_desk(person("sven", SENIOR))
    before = [list(model.objects.values()) for model in (Screen, Case)]
    html = check_page(sven.get(PAGE, {"look": "69"}))
    assert "Listed parties missed</span> <strong>1</strong> of 1" in html
    assert "False positives saved</span> <strong>1</strong> of 1" in html
    for one in closed:
        assert f'href="/admin/review/case/{one.pk}/"' in html
    assert [list(model.objects.values()) for model in (Screen, Case)] == before
    assert PAGE in check_page(sven.get("/admin/screening/screen/"))


@pytest.mark.parametrize(
    ("asked", "said"),
    [
        ({"match": "x"}, "whole percentages"),
        ({"match": "70.5"}, "whole percentages"),
        ({"match": "45"}, "below the match threshold"),
        ({"look": "19"}, "Lower scores are not recorded"),
        ({"pep": "59"}, "Lower PEP scores are not recorded"),
        ({"look": "50", "since": "yesterday"}, "Enter dates"),
        ({"look": "-5"}, "whole percentages"),
        ({"look": "٥٠"}, "whole percentages"),
    ],
)
def test_what_cannot_be_worked_out_says_why(db: Any, asked: dict[str, str], said: str) -> None:
    html = check_page(at_desk(person("sven", SENIOR)).get(PAGE, asked), 400)
    assert said in html and "Would have been" not in html


def test_the_lines_come_page_by_page(closed: tuple[Case, Case], monkeypatch: Any) -> None:
    monkeypatch.setattr("apps.platform.desk.list_pages.PAGE", 1)
    sven = at_desk(person("sven", SENIOR))
    first = check_page(sven.get(PAGE, {"look": "69"}))
    assert "look=69&amp;after=1" in first and f"case/{closed[1].pk}/" in first
    assert f"case/{closed[0].pk}/" not in first
    second = check_page(sven.get(PAGE, {"look": "69", "after": "1"}))
    assert f"case/{closed[0].pk}/" in second and "after=2" not in second
    assert "No decision would have changed" not in first


def test_the_command_prints_the_same(closed: tuple[Case, Case], capsys: Any) -> None:
    call_command("foresee_thresholds", "--look", "69")
    told = capsys.readouterr().out
    assert "FLAGGED, would have been APPROVED: 2" in told
    assert "Approved, but officers found a listed party: 1" in told
    with pytest.raises(CommandError, match="Lower scores are not recorded"):
        call_command("foresee_thresholds", "--look", "10")
    with pytest.raises(CommandError, match="2026-11-20"):
        call_command("foresee_thresholds", "--look", "50", "--since", "x")


def test_examiners_read_it_and_officers_do_not(db: Any) -> None:
    assert at_desk(person("edgar", "Examiner")).get(PAGE).status_code == 200
    assert at_desk(person("olivia", OFFICER)).get(PAGE).status_code == 403


def test_an_empty_ledger_has_nothing_to_tell(db: Any) -> None:
    assert simulate_thresholds(ThresholdProposal(Thresholds(look=50))) == SimulationResult()
    assert isinstance(present(), datetime)
