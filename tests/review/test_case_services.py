"""What happens to cases: opening, claiming, deciding, four eyes."""

from collections.abc import Callable
from datetime import datetime, timedelta
from decimal import Decimal
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.db import connection, transaction

from apps.backoffice.review import services
from apps.backoffice.review.models import Action, Case, DecisionEvent
from tests.review import sample_case_type
from tests.review.people import NOON, NOTE, approve, case, confirm, person, steps

HALF_HOUR = timedelta(minutes=30)
TICK = timedelta(microseconds=1)


# --- opening ------------------------------------------------------------------------


def test_opening_takes_three_queries_and_again_two(db: Any, django_assert_num_queries: Any) -> None:
    with django_assert_num_queries(3):
        new_case = case()
    with django_assert_num_queries(2):
        again = case(party="Another", risk="HIGH")
    assert again == new_case and again.party == "Chen Haddad"
    assert steps(new_case) == ["OPENED"]


def test_a_case_that_cannot_be_is_not_opened_halfway(db: Any) -> None:
    with pytest.raises(KeyError), transaction.atomic():
        case(kind="unheard-of")
    with pytest.raises(KeyError), transaction.atomic():
        case(risk="HUGE")
    assert not Case.objects.exists() and not DecisionEvent.objects.exists()


def test_a_case_goes_with_the_transaction_that_opened_it(db: Any) -> None:
    with pytest.raises(RuntimeError), transaction.atomic():
        case()
        raise RuntimeError
    assert not Case.objects.exists() and not DecisionEvent.objects.exists()


def test_what_was_known_is_digested_at_opening_and_survives_the_database(db: Any) -> None:
    new_case = case(amount=Decimal("0.10"), evidence={"score": 0.5, "ü": ["ß"]})
    stored = Case.objects.get(pk=new_case.pk)
    assert stored.facts_digest() == new_case.facts_digest()
    assert new_case.events.get().data == {"digest": stored.facts_digest()}


@pytest.mark.parametrize(
    ("given", "usd", "rule"),
    [
        ({"currency": "USD", "amount": Decimal(900_000)}, Decimal(900_000), ""),
        ({"currency": "USD", "amount": Decimal(1_000_000)}, Decimal(1_000_000), "SECOND-2"),
        ({"currency": "EUR", "amount": Decimal(5), "amount_usd": Decimal(6)}, Decimal(6), ""),
        # no rate: what it is worth is not known, and never its number in dollars
        ({"currency": "KWD", "amount": Decimal(900_000)}, None, "SECOND-3"),
        ({"currency": "XAF", "amount": Decimal(5)}, None, "SECOND-3"),
        ({"currency": "", "amount": None}, None, ""),
    ],
)
def test_an_amount_that_nobody_converted_is_no_amount_in_dollars(
    db: Any, given: dict[str, Any], usd: Decimal | None, rule: str
) -> None:
    new_case = case(**given)
    assert (new_case.amount_usd, new_case.second_rule, new_case.needs_second) == (
        usd,
        rule,
        bool(rule),
    )


def test_a_converted_amount_may_be_finer_than_a_row_holds(db: Any) -> None:
    new_case = case(currency="EUR", amount=Decimal(10), amount_usd=Decimal("11.123456789"))
    assert new_case.amount_usd == Decimal("11.123457") and not new_case.needs_second


def test_a_caller_learns_the_outcome_and_when_and_nothing_else(olivia: User) -> None:
    new_case = case()
    assert services.load_resolution(kind="screen", ref="1") is None
    approve(new_case, olivia)
    resolution = services.load_resolution(kind="screen", ref="1")
    assert resolution == services.Resolution("APPROVE", NOON)
    assert set(services.Resolution.__slots__) == {"outcome", "decided_at"}
    assert services.load_resolution(kind="other", ref="1") is None


def test_a_first_decision_is_no_resolution(olivia: User) -> None:
    approve(case(risk="HIGH"), olivia)
    assert services.load_resolution(kind="screen", ref="1") is None


# --- claims -------------------------------------------------------------------------


def test_a_claim_holds_for_thirty_minutes_and_then_lets_go(olivia: User, ben: User) -> None:
    one = services.claim_case(case=case(), by=olivia, now=NOON)
    late = NOON + HALF_HOUR
    assert one.holder(late - TICK) == olivia and one.holder(late) is None
    with pytest.raises(
        services.ClaimedByOther, match="olivia has claimed this case until 12:30 UTC"
    ):
        services.claim_case(case=one, by=ben, now=late - TICK)
    assert services.claim_case(case=one, by=ben, now=late).holder(late) == ben


def test_holding_again_prolongs_without_another_event(olivia: User) -> None:
    one = services.claim_case(case=case(), by=olivia, now=NOON)
    again = services.claim_case(case=one, by=olivia, now=NOON + timedelta(minutes=10))
    assert again.claimed_until == NOON + timedelta(minutes=40)
    assert steps(one) == ["OPENED", "CLAIMED"]


def test_only_the_holder_gives_a_case_back(olivia: User, ben: User) -> None:
    one = services.claim_case(case=case(), by=olivia, now=NOON)
    with pytest.raises(services.CaseNotHeld):
        services.release_case(case=one, by=ben, now=NOON)
    assert services.release_case(case=one, by=olivia, now=NOON).claimed_by is None
    with pytest.raises(services.CaseNotHeld):
        services.release_case(case=one, by=olivia, now=NOON)
    assert steps(one) == ["OPENED", "CLAIMED", "RELEASED"]


def test_a_decided_case_cannot_be_claimed(olivia: User) -> None:
    one = approve(case(), olivia)
    with pytest.raises(services.AlreadyDecided):
        services.claim_case(case=one, by=olivia, now=NOON)


def test_a_case_that_waits_for_a_second_officer_is_claimed_by_another_senior(
    olivia: User, ben: User, samir: User
) -> None:
    one = approve(case(risk="HIGH"), olivia)
    with pytest.raises(services.StepNotAllowed):
        services.claim_case(case=one, by=ben, now=NOON)
    assert services.claim_case(case=one, by=samir, now=NOON).holder(NOON) == samir


def test_take_next_gives_each_officer_another_case(olivia: User, ben: User) -> None:
    case("1"), case("2")
    first = services.claim_next_case(by=olivia, now=NOON)
    second = services.claim_next_case(by=ben, now=NOON)
    assert first and second and first != second
    # an officer who holds one already gets it again, not a second one
    assert services.claim_next_case(by=olivia, now=NOON) == first


# --- decisions ----------------------------------------------------------------------


def test_one_officer_decides_what_is_not_high(olivia: User) -> None:
    one = approve(case(), olivia)
    assert (one.status, one.outcome, one.reason_code) == ("DECIDED", "APPROVE", "NAME_ONLY")
    assert (one.first_by, one.second_by, one.decided_at) == (olivia, None, NOON)
    event = one.events.get(action=Action.DECIDED)
    assert (event.by, event.outcome, event.recorded_at) == (olivia, "APPROVE", NOON)
    words = {"reason": "Another party: only a common name agrees", "basis": "FATF R.6"}
    said = {"reason_code": "NAME_ONLY", "note": NOTE, "digest": one.facts_digest()}
    assert event.data == said | words | {"earlier": [], "answered": one.rules}


def test_a_decision_ends_the_claim(olivia: User) -> None:
    one = approve(services.claim_case(case=case(), by=olivia, now=NOON), olivia)
    assert (one.claimed_by, one.claimed_until) == (None, None)


@pytest.mark.parametrize(
    ("given", "fields"),
    [
        ({"outcome": "MAYBE"}, ["outcome"]),
        ({"outcome": ""}, ["outcome"]),
        ({"reason_code": "LISTED_PARTY"}, ["reason_code"]),
        ({"note": " short    "}, ["note"]),
        ({"reason_code": "", "note": ""}, ["reason_code", "note"]),
    ],
)
def test_an_incomplete_decision_is_refused_field_by_field(
    olivia: User, given: dict[str, str], fields: list[str]
) -> None:
    new_case = case()
    with pytest.raises(services.InvalidDecision) as caught:
        approve(new_case, olivia, **given)
    assert [error["field"] for error in caught.value.errors] == fields
    assert steps(new_case) == ["OPENED"]


def test_nobody_decides_what_another_holds_until_the_claim_ends(olivia: User, ben: User) -> None:
    one = services.claim_case(case=case(), by=olivia, now=NOON)
    with pytest.raises(services.ClaimedByOther):
        approve(one, ben, now=NOON + HALF_HOUR - TICK)
    assert approve(one, ben, now=NOON + HALF_HOUR).first_by == ben


def test_a_case_is_decided_once(olivia: User, ben: User) -> None:
    new_case = case()
    approve(new_case, olivia)
    with pytest.raises(services.AlreadyDecided):
        approve(new_case, ben, outcome="REJECT", reason_code="OTHER")
    assert steps(new_case) == ["OPENED", "DECIDED"]


def test_high_risk_takes_two_different_officers(olivia: User, samir: User) -> None:
    one = approve(case(risk="HIGH"), olivia)
    assert (one.status, one.first_outcome, one.outcome) == ("AWAITING_SECOND", "APPROVE", "")
    with pytest.raises(services.AlreadyDecided):
        approve(case(risk="HIGH"), samir)
    with pytest.raises(services.InvalidDecision, match="or return the case with a note"):
        confirm(one, samir, reason_code="OTHER")
    done = confirm(one, samir)
    assert (done.status, done.outcome, done.reason_code) == ("DECIDED", "APPROVE", "NAME_ONLY")
    assert (done.first_by, done.second_by) == (olivia, samir)
    assert steps(one) == ["OPENED", "PROPOSED", "DECIDED"]


def test_a_senior_does_not_confirm_their_own_decision(samir: User, sofia: User) -> None:
    one = approve(case(risk="HIGH"), samir)
    for step in (
        confirm,
        lambda c, by: services.return_decision(case=c, by=by, note=NOTE, now=NOON),
    ):
        with pytest.raises(services.SameOfficer):
            step(one, samir)
    assert confirm(one, sofia).status == "DECIDED"


def test_an_officer_is_no_second_officer(olivia: User, ben: User) -> None:
    one = approve(case(risk="HIGH"), olivia)
    with pytest.raises(services.StepNotAllowed):
        confirm(one, ben)


def test_what_is_returned_can_be_decided_anew_by_anyone(olivia: User, samir: User) -> None:
    one = approve(case(risk="HIGH"), olivia)
    back = services.return_decision(case=one, by=samir, note="The passport is missing.", now=NOON)
    assert (back.status, back.first_by, back.first_outcome) == ("OPEN", None, "")
    with pytest.raises(services.NoDecisionWaiting):
        confirm(back, samir)
    with pytest.raises(services.NoDecisionWaiting):
        services.return_decision(case=back, by=samir, note=NOTE, now=NOON)
    again = approve(back, samir, outcome="REJECT", reason_code="LISTED_PARTY")
    assert again.first_by == samir
    assert steps(one) == ["OPENED", "PROPOSED", "RETURNED", "PROPOSED"]


def test_a_second_officer_cannot_confirm_what_changed_since_they_read_it(
    olivia: User, samir: User, sofia: User
) -> None:
    read = approve(case(risk="HIGH"), olivia)
    back = services.return_decision(case=read, by=sofia, note=NOTE, now=NOON)
    with pytest.raises(services.NoDecisionWaiting, match="returned in the meantime"):
        confirm(read, samir)
    later = NOON + timedelta(minutes=1)
    approve(back, olivia, outcome="REJECT", reason_code="OTHER", now=later)
    with pytest.raises(services.AlreadyDecided):
        confirm(read, samir)


@pytest.mark.parametrize("group", ["Registrar", "Examiner", "Operator"])
def test_others_may_neither_claim_nor_decide(db: Any, group: str) -> None:
    one, stranger = case(), person("stranger", group)
    with pytest.raises(services.StepNotAllowed):
        services.claim_case(case=one, by=stranger, now=NOON)
    with pytest.raises(services.StepNotAllowed):
        approve(one, stranger)


def test_an_officer_who_left_decides_nothing(olivia: User) -> None:
    new_case = case()
    olivia.is_active = False
    with pytest.raises(services.StepNotAllowed):
        approve(new_case, olivia)


@pytest.mark.parametrize(
    "change", [{"party": "X"}, {"risk_score": 1}, {"rules": []}, {"evidence": {}}, {"amount": None}]
)
def test_altered_facts_cannot_be_decided_on(olivia: User, change: dict[str, Any]) -> None:
    new_case = case()
    Case.objects.filter(pk=new_case.pk).update(**change)
    with pytest.raises(services.EvidenceAltered):
        approve(Case.objects.get(pk=new_case.pk), olivia)
    new_case.refresh_from_db()
    assert new_case.status == "OPEN" and steps(new_case) == ["OPENED"]


# --- what the domain is told -----------------------------------------------------------

TOLD: list[tuple[str, str, datetime]] = []


def hear(*, ref: str, outcome: str, now: datetime) -> None:
    """Stand in for a domain's function."""
    assert connection.in_atomic_block
    TOLD.append((ref, outcome, now))


def refuse(*, ref: str, outcome: str, now: datetime) -> None:
    raise RuntimeError("the domain cannot")


def _kind(monkeypatch: pytest.MonkeyPatch, function: Callable[..., None]) -> None:
    sample_case_type.use(monkeypatch, decided=function)
    TOLD.clear()


def test_the_domain_is_told_the_outcome_once_it_is_final(
    monkeypatch: pytest.MonkeyPatch, olivia: User, samir: User
) -> None:
    _kind(monkeypatch, hear)
    one = approve(case("7", risk="HIGH"), olivia)
    assert TOLD == []
    confirm(one, samir)
    assert TOLD == [("7", "APPROVE", NOON)]


def test_when_the_domain_fails_nothing_was_decided(
    monkeypatch: pytest.MonkeyPatch, olivia: User
) -> None:
    _kind(monkeypatch, refuse)
    new_case = case()
    with pytest.raises(RuntimeError):
        approve(new_case, olivia)
    new_case.refresh_from_db()
    assert new_case.status == "OPEN" and steps(new_case) == ["OPENED"]
