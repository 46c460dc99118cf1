"""A payment that was released, or that waited, is checked again by the lists of now."""

from collections.abc import Callable, Iterator
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from django.core.management import call_command

from apps.access import tenants
from apps.core.clock import now
from apps.core.jobs import Again
from apps.payments import advancing, checking, rechecking, reviewing
from apps.payments.models import Payment, PaymentEvent
from apps.payments.projection import compare
from apps.payments.rules import words
from apps.payments.rules.lifecycle import Checks, NoTurn, turn
from apps.review.models import Case
from apps.sar.models import SarEntry
from apps.screening.models import Screen
from apps.watchlists import actions as lists
from apps.watchlists import engine
from apps.watchlists.models import Kind, Source, Topic
from tests.payments.conftest import wallet, work
from tests.review.people import at_desk, look, person

pytestmark = pytest.mark.django_db
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
            topic=Topic.SANCTION,
            kind=Kind.IN_HOUSE,
            format="csv",
        )
        lists.import_files(source=source, paths=[path], now=now())
        call_command("build_index", verbosity=0)
        engine.forget()

    yield call
    engine.forget()


def release() -> None:
    """Release the payment that is held, as its decided case does."""
    reviewing.decided(ref=str(Payment.objects.get().payment_id), outcome="APPROVE", now=now())


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
    told = bank.get(f"/integration/payments/{held.payment_id}").json()
    assert (told["status"], told["error"]) == ("BLOCKED", words.BLOCKED)
    assert told["compliance"]["fatfR16Compliant"] is False and "settlement" not in told
    assert SarEntry.objects.exists()
    assert list(compare(lambda _: None)) == []


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
    assert Screen.objects.filter(owner=tenants.apart(payment.owner)).count() == 4
    assert Case.objects.count() == 1


def test_the_page_of_a_released_payment_has_the_records_of_both_times(held: Payment) -> None:
    release()
    work()
    html = look(at_desk(person("edgar", "Examiner")).get(f"/admin/payments/payment/{held.pk}/"))
    assert "Checked again" in html
    assert html.count("Screen of the creditor") == 2 and "before the release" in html


def checked_then_listed(
    send: Callable[..., Any], listed: Callable[[str], None], monkeypatch: Any
) -> None:
    """Have a payment checked, and its creditor listed before it goes on."""
    send()
    monkeypatch.setitem(advancing.STEPS, "VERIFIED", _nothing)
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
    reviewing.decided(ref=str(held.payment_id), outcome="APPROVE", now=ahead)
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
    monkeypatch.setitem(advancing.STEPS, "VERIFIED", _nothing)
    work()
    monkeypatch.undo()
    listed("Zanzibarbank")
    work(now() + timedelta(hours=2))
    assert events()[-1] == ("RECHECKED", "HELD", "PAY-19")
    case = Case.objects.get()
    assert case.ref == str(Payment.objects.get().payment_id)


def test_what_cannot_be_checked_again_fails_and_says_so(held: Payment, monkeypatch: Any) -> None:
    release()

    def gone(**_: Any) -> Any:
        raise RuntimeError("no lists")

    monkeypatch.setattr(checking, "gather", gone)
    for hours in range(3, 3 * (len(advancing.WAITS) + 2), 3):
        work(now() + timedelta(hours=hours))
    payment = Payment.objects.get()
    assert (payment.state, payment.error) == ("FAILED", words.NOT_CHECKED)
    assert events()[-1][2] == "PAY-21"


def test_a_payment_that_was_just_checked_costs_no_query(
    send: Callable[..., Any], django_assert_num_queries: Any
) -> None:
    send()
    payment = Payment.objects.get()
    with django_assert_num_queries(0):
        assert not rechecking.due(payment, now=now())


@pytest.mark.parametrize(
    ("checks", "code"),
    [
        (Checks("BLOCKED", "PROCEED", ("APPROVED",), released=True), "PAY-17"),
        (Checks("VERIFIED", "BLOCK", ("APPROVED",), released=True), "PAY-17"),
        (Checks("VERIFIED", "FLAG", ("FLAGGED", "BLOCKED"), released=True), "PAY-17"),
        (Checks("VERIFIED", "FLAG", ("FLAGGED",), released=True), "PAY-18"),
        (Checks("VERIFIED", "FLAG", ("APPROVED",)), "PAY-19"),
        (Checks("VERIFIED", "PROCEED", ("FLAGGED",)), "PAY-19"),
        (Checks("VERIFIED", "PROCEED", ("APPROVED",)), "PAY-20"),
    ],
)
def test_what_blocks_blocks_whoever_released_it(checks: Checks, code: str) -> None:
    assert turn("VERIFIED", "RECHECKED", checks).code == code


@pytest.mark.parametrize(
    "checks",
    [Checks(released=True), Checks("VERIFIED", "PROCEED", (), released=True),
     Checks("VERIFIED", "", ("APPROVED",), released=True),
     Checks("VERIFIED", "PROCEED", ("APPROVED", "?"), released=True)],
)  # fmt: skip
def test_a_release_replaces_no_check(checks: Checks) -> None:
    with pytest.raises(NoTurn):
        turn("VERIFIED", "RECHECKED", checks)


def _nothing(payment: Payment, at: Any) -> None:
    raise Again(at)
