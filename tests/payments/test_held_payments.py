"""A payment that is HELD: one case, released or rejected, and nothing said of why."""

from collections.abc import Callable
from typing import Any

import pytest

from apps.backoffice.review import services
from apps.backoffice.review.models import Case
from apps.compliance.aml.models import Label
from apps.payments.callbacks.selectors import feed
from apps.payments.payments.models import Payment
from apps.payments.payments.rules import messages
from tests.payments.conftest import wallet, work
from tests.review.people import NOTE, OFFICER, person

pytestmark = pytest.mark.django_db
NEAR = {"name": "Sberbank Leasing Consultants", "walletAddress": wallet(44)}


@pytest.fixture
def held(send: Callable[..., Any]) -> Case:
    """A payment whose creditor resembles a listed party in part."""
    send(creditor=NEAR)
    work()
    assert Payment.objects.get().state == "HELD", (
        Payment.objects.get().state,
        Payment.objects.get().trouble,
        Payment.objects.get().found,
    )
    return Case.objects.get()


def decide(case: Case, outcome: str, reason: str) -> None:
    """Decide a case as one officer, and confirm it as another where it asks for two."""
    first, second = person("olivia", OFFICER), person("samir", "Senior officer")
    at = case.opened_at
    services.claim_case(case=case, by=first, now=at)
    stored = services.decide_case(
        case=case, by=first, outcome=outcome, reason_code=reason, note=NOTE, now=at
    )
    if stored.status != "DECIDED":
        services.confirm_decision(case=stored, by=second, reason_code=reason, note=NOTE, now=at)


def test_a_flagged_party_holds_the_payment_with_one_case(held: Case, bank: Any) -> None:
    payment = Payment.objects.get()
    assert (payment.state, held.kind, held.ref) == ("HELD", "payment", str(payment.payment_id))
    body = bank.get(f"/integration/payments/{payment.payment_id}").json()
    assert (body["status"], body["statusDetail"]) == ("HELD", messages.HELD)
    assert "Do not send it again" in messages.HELD
    assert not {"compliance", "error", "settlement", "settledAt"} & body.keys()
    assert [item.name for item in feed.read_feed(owner=payment.owner).items] == ["payment.held"]


def test_a_released_payment_settles(held: Case, bank: Any) -> None:
    decide(held, "APPROVE", "DIFFERENT_PARTY")
    assert Payment.objects.get().state == "VERIFIED"
    work()
    payment = Payment.objects.get()
    body = bank.get(f"/integration/payments/{payment.payment_id}").json()
    assert body["status"] == "SETTLED" and "statusDetail" not in body
    note = body["compliance"]["regulatoryNote"]
    assert "every check that ran lets the payment go" in note
    # it is passed on with the payment, and nobody else learns that it was held
    assert not [word for word in ("officer", "flag", "released", "review") if word in note]


def test_a_rejected_payment_tells_what_any_blocked_one_tells(held: Case, bank: Any) -> None:
    decide(held, "REJECT", "LISTED_PARTY")
    payment = Payment.objects.get()
    body = bank.get(f"/integration/payments/{payment.payment_id}").json()
    assert (body["status"], body["error"]) == ("BLOCKED", messages.BLOCKED)
    assert body["compliance"]["fatfR16Compliant"] is False
    assert not Label.objects.exists()


def test_the_page_of_the_case_draws_it(held: Case) -> None:
    from tests.review.people import at_desk, check_page

    html = check_page(at_desk(person("olivia", OFFICER)).get(f"/admin/review/case/{held.pk}/"))
    assert "Sberbank" in html and "Held payment" in html
