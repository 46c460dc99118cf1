"""A payment that was released, or that waited, is checked again by the lists of now."""

from collections.abc import Callable, Iterator
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.core.management import call_command

from apps.access.keys import tenant_names
from apps.backoffice.review import services
from apps.backoffice.review.models import Case
from apps.backoffice.sar.models import SarEntry
from apps.compliance.aml.case_types import AML
from apps.compliance.aml.integrity import verify_labels
from apps.compliance.aml.models import Label
from apps.compliance.screening.models import Screen
from apps.payments.payments import payment_checks
from apps.payments.payments.integrity import verify_payments
from apps.payments.payments.models import Payment, PaymentEvent
from apps.payments.payments.rules import messages
from apps.payments.payments.rules.transitions import CheckResults, find_transition
from apps.payments.payments.services import advance_payment, payment_case, rechecks
from apps.platform.common.clock import now
from apps.platform.common.transition_tables import NoSuchTransition
from apps.platform.jobs.job_queue import RetryLater
from apps.reference.watchlists import engine
from apps.reference.watchlists.models import Source, SourceKind, SourceTopic
from apps.reference.watchlists.services import list_imports as lists
from tests.payments.conftest import wallet, work
from tests.review.people import NOTE, OFFICER, at_desk, check_page, person

pytestmark = pytest.mark.django_db
ONLY_NEW = "Partial sanctions match at 69%: Zanzibarbank (zanzibarbank)."
TWICE = {"name": "Sberbank Zanzibarbank Leasing Consultants", "walletAddress": wallet(44)}
GREY = "1 §2.7 rule 1 grey list"
PARTIAL = "1 §2.7 rule 3 partial"
NEAR = {"name": "Sberbank Leasing Consultants", "walletAddress": wallet(44)}


@pytest.fixture
def listed(sample: Any, tmp_path: Path, settings: Any) -> Iterator[Callable[[str], None]]:
    """Put a name on a list of ours, from now on."""

    def call(name: str) -> None:
        path = tmp_path / "own.csv"
        path.write_text(f"entity_id,name,schema\none,{name},Organization\n")
        source = Source.objects.create(
            slug=name.replace(" ", "-").lower(),
            title="Own",
            topic=SourceTopic.SANCTION,
            kind=SourceKind.IN_HOUSE,
            format="csv",
        )
        lists.import_files(source=source, paths=[path], now=now())
        call_command("build_index", verbosity=0)
        engine.reset_engine()

    yield call
    engine.reset_engine()


def someone(name: str, role: str) -> User:
    """Return a person of the desk, who may be there already."""
    return User.objects.filter(username=name).first() or person(name, role)


def release(at: datetime | None = None, *, reason: str = "DIFFERENT_PARTY") -> Case:
    """Release the payment that is held, as two officers decide its open case."""
    case = Case.objects.get(status="OPEN")
    first, second = someone("olivia", OFFICER), someone("samir", "Senior officer")
    said = {"reason_code": reason, "note": NOTE, "now": at or now()}
    case = services.decide_case(case=case, by=first, outcome="APPROVE", **said)
    return (
        case
        if case.status == "DECIDED"
        else services.confirm_decision(case=case, by=second, **said)
    )


@pytest.fixture
def held(send: Callable[..., Any]) -> Payment:
    """A payment whose creditor resembles a listed party in part."""
    send(creditor=NEAR)
    work()
    payment = Payment.objects.get()
    assert payment.state == "HELD"
    return payment


def events() -> list[tuple[str, str, str]]:
    """What happened, with the rows of the table."""
    rows = PaymentEvent.objects.order_by("number").values_list("event", "state", "turn")
    return list(rows)


def test_who_is_listed_after_the_release_is_not_paid(
    held: Payment, listed: Callable[[str], None], bank: Any
) -> None:
    release()
    listed(NEAR["name"])
    work()
    assert events()[2:] == [
        ("RELEASED", "VERIFIED", "PAY-9"),
        ("RECHECKED", "BLOCKED", "PAY-17"),
    ]
    body = bank.get(f"/integration/payments/{held.payment_id}").json()
    assert (body["status"], body["error"]) == ("BLOCKED", messages.BLOCKED)
    assert body["compliance"]["fatfR16Compliant"] is False and "settlement" not in body
    assert SarEntry.objects.exists()
    assert list(verify_payments(lambda _: None)) == []


def test_a_released_payment_is_checked_once_more_and_settles(held: Payment) -> None:
    release()
    work()
    assert [(event, state) for event, state, _ in events()[2:]] == [
        ("RELEASED", "VERIFIED"),
        ("RECHECKED", "VERIFIED"),
        ("PRICED", "AWAITING_SETTLEMENT"),
        ("SETTLED", "SETTLED"),
    ]
    payment = Payment.objects.get()
    first, last = payment.found["earlier"][0]["screens"][0], payment.found["screens"][0]
    assert first["screenId"] != last["screenId"]
    assert Screen.objects.filter(owner=tenant_names.build_hidden_owner(payment.owner)).count() == 4
    assert Case.objects.count() == 1


def test_the_page_of_a_released_payment_has_the_records_of_both_times(held: Payment) -> None:
    release()
    work()
    html = check_page(
        at_desk(person("edgar", "Examiner")).get(f"/admin/payments/payment/{held.pk}/")
    )
    assert "Checked again" in html
    assert html.count("Creditor screen") == 2 and "before the release" in html


def checked_then_listed(
    send: Callable[..., Any], listed: Callable[[str], None], monkeypatch: Any
) -> None:
    """Have a payment checked, and its creditor listed before it goes on."""
    send()
    monkeypatch.setitem(advance_payment.STEPS, "VERIFIED", _nothing)
    work()
    monkeypatch.undo()
    listed("Blue Heron Stationery Limited")


@pytest.mark.parametrize("hours", [0.5, 30])
def test_checks_made_by_a_clock_that_is_set_back_are_made_again(
    send: Callable[..., Any], listed: Callable[[str], None], monkeypatch: Any, hours: float
) -> None:
    checked_then_listed(send, listed, monkeypatch)
    moment = now() - timedelta(hours=hours)
    Payment.objects.update(due_at=moment)
    work(moment)
    assert Payment.objects.get().state == "BLOCKED", events()


def test_what_was_released_by_a_clock_that_is_set_back_is_checked_once_more(held: Payment) -> None:
    ahead = now() + timedelta(hours=2)
    release(ahead)
    work()
    assert [event for event, _, _ in events()[2:]] == ["RELEASED", "RECHECKED", "PRICED", "SETTLED"]


@pytest.mark.parametrize(("minutes", "again"), [(59, False), (61, True)])
def test_checks_of_an_hour_ago_are_made_again(
    send: Callable[..., Any],
    listed: Callable[[str], None],
    monkeypatch: Any,
    minutes: int,
    again: bool,
) -> None:
    checked_then_listed(send, listed, monkeypatch)
    work(now() + timedelta(minutes=minutes))
    assert Payment.objects.get().state == ("BLOCKED" if again else "SETTLED"), events()


def test_who_is_near_a_list_since_is_looked_at(
    send: Callable[..., Any], listed: Callable[[str], None], monkeypatch: Any
) -> None:
    send(creditor={"name": "Zanzibarbank Leasing Consultants", "walletAddress": wallet(41)})
    monkeypatch.setitem(advance_payment.STEPS, "VERIFIED", _nothing)
    work()
    monkeypatch.undo()
    listed("Zanzibarbank")
    work(now() + timedelta(hours=2))
    assert events()[-1] == ("RECHECKED", "HELD", "PAY-19")
    case = Case.objects.get()
    payment = Payment.objects.get()
    assert case.ref == f"{payment.payment_id}/{payment.steps}"


def rule_of(case: Case) -> list[tuple[str, str]]:
    """Return reference and sentence of each rule that a case shows."""
    return [(rule["ref"], rule["sentence"]) for rule in case.rules]


def test_a_release_lets_go_what_it_answers_and_another_match_holds_with_a_case_of_its_own(
    send: Callable[..., Any], listed: Callable[[str], None]
) -> None:
    send(creditor=TWICE)
    work()
    first = release()
    listed("Zanzibarbank")
    work()
    assert events()[2:] == [("RELEASED", "VERIFIED", "PAY-9"), ("RECHECKED", "HELD", "PAY-19")]
    again = Case.objects.get(status="OPEN")
    assert again.pk != first.pk and again.party == TWICE["name"]
    assert rule_of(again) == [(PARTIAL, f"Creditor {TWICE['name']}: {ONLY_NEW}")]
    assert again.entity_key == "zanzibarbank:zanzibarbank:one"
    release()
    work()
    assert Payment.objects.get().state == "SETTLED", events()
    assert list(verify_payments(lambda _: None)) == []


def test_a_second_hold_shows_what_is_new_alone(
    send: Callable[..., Any], listed: Callable[[str], None]
) -> None:
    send(
        creditor=NEAR, debtor={"name": "Zanzibarbank Leasing Company", "walletAddress": wallet(45)}
    )
    work()
    release()
    listed("Zanzibarbank")
    work()
    again = Case.objects.get(status="OPEN")
    assert [ref for ref, _ in rule_of(again)] == [PARTIAL]
    assert "Debtor Zanzibarbank Leasing Company" in rule_of(again)[0][1]
    assert [screen["side"] for screen in again.evidence["screens"]] == ["debtor"]


def test_who_is_another_party_may_still_behave_unusually(send: Callable[..., Any]) -> None:
    send(creditor=NEAR, amount="60000.00")
    work()
    first = release()
    behaviour = set(first.refs) & set(AML.rules)
    assert PARTIAL in first.refs and behaviour
    work()
    assert events()[-1] == ("RECHECKED", "HELD", "PAY-19")
    again = Case.objects.get(status="OPEN")
    assert set(again.refs) == behaviour and not again.entity_key
    assert "aml" in again.evidence and "screens" not in again.evidence
    release(reason="PURPOSE_SHOWN")
    work()
    assert Payment.objects.get().state == "SETTLED", events()
    # each decision is counted, and borne out by the case that it was made on
    assert Label.objects.count() == 2 and not list(verify_labels(lambda _: None))


def test_what_a_release_does_not_answer_holds_on(
    send: Callable[..., Any], monkeypatch: Any
) -> None:
    send(creditor=NEAR | {"country": "VN"})
    work()
    monkeypatch.setattr(payment_case, "load_answered_rules", lambda **_: frozenset({GREY}))
    assert {GREY, PARTIAL} <= set(release().refs)
    work()
    assert events()[-1] == ("RECHECKED", "HELD", "PAY-19")
    monkeypatch.undo()
    again = Case.objects.get(status="OPEN")
    assert PARTIAL in again.refs and GREY not in again.refs
    release()
    work()
    assert Payment.objects.get().state == "SETTLED", events()


def test_the_page_of_a_payment_leads_to_the_case_of_each_hold(
    send: Callable[..., Any], listed: Callable[[str], None]
) -> None:
    send(creditor=TWICE)
    work()
    release()
    listed("Zanzibarbank")
    work()
    payment = Payment.objects.get()
    html = check_page(
        at_desk(person("edgar", "Examiner")).get(f"/admin/payments/payment/{payment.pk}/")
    )
    for case in Case.objects.all():
        assert f"/admin/review/case/{case.pk}/" in html


def test_what_could_not_be_checked_is_released_to_be_checked_and_not_to_be_paid(
    send: Callable[..., Any], monkeypatch: Any
) -> None:
    send(creditor=NEAR)

    def gone(**_: Any) -> Any:
        raise RuntimeError("no lists")

    monkeypatch.setattr(payment_checks, "gather_check_inputs", gone)
    for hours in range(0, 3 * (len(advance_payment.RETRY_DELAYS) + 2), 3):
        work(now() + timedelta(hours=hours))
    monkeypatch.undo()
    release(reason="CHECK_COMPLETED")
    work()
    assert events()[-1] == ("RECHECKED", "HELD", "PAY-19")
    assert [ref for ref, _ in rule_of(Case.objects.get(status="OPEN"))] == [PARTIAL]


def test_what_cannot_be_checked_again_fails_and_says_so(held: Payment, monkeypatch: Any) -> None:
    release()

    def gone(**_: Any) -> Any:
        raise RuntimeError("no lists")

    monkeypatch.setattr(payment_checks, "gather_check_inputs", gone)
    for hours in range(3, 3 * (len(advance_payment.RETRY_DELAYS) + 2), 3):
        work(now() + timedelta(hours=hours))
    payment = Payment.objects.get()
    assert (payment.state, payment.error) == ("FAILED", messages.NOT_CHECKED)
    assert events()[-1][2] == "PAY-21"


def test_a_payment_that_was_just_checked_costs_one_query(
    send: Callable[..., Any], monkeypatch: Any, django_assert_num_queries: Any
) -> None:
    send()
    monkeypatch.setitem(advance_payment.STEPS, "VERIFIED", _nothing)
    work()
    payment = Payment.objects.get()
    with django_assert_num_queries(1):
        assert not rechecks.is_recheck_due(payment, now=now())


@pytest.mark.parametrize(
    ("checks", "code"),
    [
        (CheckResults("BLOCKED", "PROCEED", ("APPROVED",), answered=True), "PAY-17"),
        (CheckResults("VERIFIED", "BLOCK", ("APPROVED",), answered=True), "PAY-17"),
        (CheckResults("VERIFIED", "FLAG", ("FLAGGED", "BLOCKED"), answered=True), "PAY-17"),
        (CheckResults("VERIFIED", "FLAG", ("FLAGGED",), answered=True), "PAY-18"),
        (CheckResults("VERIFIED", "PROCEED", ("APPROVED",), answered=True), "PAY-20"),
        (CheckResults("VERIFIED", "FLAG", ("APPROVED",)), "PAY-19"),
        (CheckResults("VERIFIED", "PROCEED", ("FLAGGED",)), "PAY-19"),
        (CheckResults("VERIFIED", "PROCEED", ("APPROVED",)), "PAY-20"),
    ],
)
def test_what_blocks_blocks_whoever_released_it(checks: CheckResults, code: str) -> None:
    assert find_transition("VERIFIED", "RECHECKED", checks).code == code


@pytest.mark.parametrize(
    "checks",
    [CheckResults(answered=True), CheckResults("VERIFIED", "PROCEED", (), answered=True),
     CheckResults("VERIFIED", "", ("APPROVED",), answered=True),
     CheckResults("VERIFIED", "PROCEED", ("APPROVED", "?"), answered=True)],
)  # fmt: skip
def test_a_release_replaces_no_check(checks: CheckResults) -> None:
    with pytest.raises(NoSuchTransition):
        find_transition("VERIFIED", "RECHECKED", checks)


def _nothing(payment: Payment, at: Any) -> None:
    raise RetryLater(at)
