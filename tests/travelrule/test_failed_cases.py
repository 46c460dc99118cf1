"""What could not be sent, or came broken, is a case: officers have it sent again, or settle it."""

import json
from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest

from apps.backoffice.review import services
from apps.backoffice.review.models import Case
from apps.payments.travelrule import cases
from apps.payments.travelrule.case_types import RecordAltered
from apps.payments.travelrule.integrity import verify_records
from apps.payments.travelrule.models import TravelAttempt, TravelEvent, TravelRecord
from apps.platform.common.clock import now
from tests.review.people import NOTE, OFFICER, at_desk, check_page, person
from tests.travelrule.conftest import CREDITOR, DEBTOR
from tests.travelrule.directory import NAME, enter
from tests.travelrule.peers import Peer, run_until
from tests.travelrule.test_receive import message, post, receive, signed

pytestmark = pytest.mark.django_db
LONG = timedelta(days=2)


def only_case() -> Case:
    return Case.objects.get(kind="travel_rule")


def decide(case: Case, outcome: str, reason: str) -> None:
    by = person("olivia", OFFICER)
    services.decide_case(
        case=case, by=by, outcome=outcome, reason_code=reason, note=NOTE, now=now()
    )


def shown(case: Case, name: str = "oscar") -> str:
    return check_page(at_desk(person(name, OFFICER)).get(f"/admin/review/case/{case.pk}/"))


def page_of(record: TravelRecord) -> str:
    return f"/admin/travelrule/travelrecord/{record.pk}/"


@pytest.fixture
def failed(pay: Any, other: Peer) -> TravelRecord:
    """A record whose message the counterparty refused."""
    other.answers = [422]
    enter(endpoint=other.url)
    one: TravelRecord = pay()
    run_until(now())
    one.refresh_from_db()
    assert one.status == "FAILED"
    return one


def test_a_message_that_was_given_up_is_a_case_with_its_attempts(failed: TravelRecord) -> None:
    case = only_case()
    html = shown(case)
    assert "The counterparty refused the message, HTTP 422" in html
    assert NAME in html and str(failed.payment_id) in html
    assert "COUNTERPARTY_READY" in html and "SENDER_TOLD" not in html


def test_a_record_says_why_its_message_was_not_delivered(failed: TravelRecord, read: Any) -> None:
    notes = read(str(failed.payment_id))["notes"]
    assert "not delivered: the counterparty refused the message." in notes
    assert "could not be reached" not in notes
    html = check_page(at_desk(person("oscar", OFFICER)).get(page_of(failed)))
    assert "The counterparty refused the message" in html
    assert "HTTP 422" in html and "1 attempt" in html


def test_a_case_names_no_party_of_the_transfer(failed: TravelRecord) -> None:
    case = only_case()
    said = str(case.evidence) + case.title + case.summary + str(case.rules)
    for hidden in (CREDITOR.name, CREDITOR.wallet, DEBTOR.wallet, "Gannet", "Redmond"):
        assert hidden not in said


def test_an_officer_has_it_sent_again(failed: TravelRecord, other: Peer) -> None:
    decide(only_case(), "APPROVE", "COUNTERPARTY_READY")
    failed.refresh_from_db()
    assert failed.status == "PENDING"
    run_until(now())
    failed.refresh_from_db()
    assert failed.status == "SENT" and len(other.came) == 2
    events = TravelEvent.objects.filter(record=failed).order_by("number")
    named = ["PENDING", "GAVE_UP", "SEND_AGAIN", "DELIVERED"]
    assert [event.event for event in events] == named
    assert not list(verify_records(lambda _: None))


def test_what_fails_once_more_is_a_further_case(failed: TravelRecord, other: Peer) -> None:
    other.answers = [422]
    decide(only_case(), "APPROVE", "COUNTERPARTY_READY")
    run_until(now() + LONG)
    assert Case.objects.filter(kind="travel_rule").count() == 2
    assert TravelAttempt.objects.count() == 2


def test_what_is_settled_otherwise_stays_failed(failed: TravelRecord, other: Peer) -> None:
    decide(only_case(), "REJECT", "OTHER_WAY")
    run_until(now() + LONG)
    failed.refresh_from_db()
    assert failed.status == "FAILED" and len(other.came) == 1


def test_a_case_of_a_record_that_was_altered_has_nothing_sent(failed: TravelRecord) -> None:
    TravelRecord.objects.filter(pk=failed.pk).update(counterparty="Mallory")
    with pytest.raises(RecordAltered):
        decide(only_case(), "APPROVE", "COUNTERPARTY_READY")
    assert only_case().status != "DECIDED"


def test_an_incomplete_message_is_a_case_with_its_faults_and_sent_when_an_officer_says_so(
    pay: Any, other: Peer
) -> None:
    enter(endpoint=other.url)
    one = pay(debtor=replace(DEBTOR, address=None))
    assert one.status == "FAILED"
    case = only_case()
    html = shown(case)
    assert "Rule X1 is not met" in html and "/originator" in html
    assert "SENT_AS_IT_IS" in html
    decide(case, "APPROVE", "SENT_AS_IT_IS")
    run_until(now())
    one.refresh_from_db()
    assert one.status == "SENT" and len(other.came) == 1


def test_broken_messages_of_a_counterparty_are_one_case_a_day(sample: Any) -> None:
    for number in range(3):
        receive({"Grey Plover": str(number)}, answers=400)
    case = only_case()
    html = shown(case)
    assert "Rule S1 is not met" in html and "Plover" not in html
    assert "Required: Originator and beneficiary are present" in html
    assert "SENDER_TOLD" in html and "COUNTERPARTY_READY" not in html
    assert TravelRecord.objects.filter(reason="MESSAGE_BROKEN").count() == 3


def test_a_refused_message_cannot_be_sent_again(sample: Any) -> None:
    receive({"hello": "world"}, answers=400)
    case = only_case()
    html = shown(case)
    assert "Send again" not in html and 'value="APPROVE"' not in html
    with pytest.raises(services.InvalidDecision):
        decide(case, "APPROVE", "OTHER")


def test_a_refused_message_is_settled_with_its_sender(sample: Any) -> None:
    receive({"hello": "world"}, answers=400)
    decide(only_case(), "REJECT", "SENDER_TOLD")
    assert only_case().status == "DECIDED"


def test_a_case_is_titled_and_found_by_the_counterparty(sample: Any) -> None:
    receive(by("Heron Custody"), answers=400)
    case = only_case()
    assert case.party == "Heron Custody" and Case.objects.numbers("heron", most=9) == [case.pk]
    assert '<h1 class="party">Heron Custody</h1>' in shown(case)


def test_broken_messages_of_two_counterparties_are_two_cases(sample: Any) -> None:
    enter(secret="k" * 40)
    raw = json.dumps({"hello": "world"}).encode()
    assert post(raw).status_code == 400
    assert post(raw, signature=signed(raw, "k" * 40)).status_code == 400
    assert Case.objects.filter(kind="travel_rule").count() == 2


def by(name: str) -> dict[str, Any]:
    """Return a broken message that says who sends it."""
    called = {"legalPersonName": name, "legalPersonNameIdentifierType": "LEGL"}
    return {"originatorVASP": {"vasp": {"name": {"nameIdentifier": [called]}}}}


def test_by_a_shared_key_one_counterparty_does_not_hide_another(sample: Any) -> None:
    for name in ("Heron Custody", "HERON custody", "Plover Custody"):
        receive(by(name), answers=400)
    receive({"hello": "world"}, answers=400)
    assert Case.objects.filter(kind="travel_rule").count() == 3


def test_who_names_thousands_opens_a_bounded_number_of_cases(sample: Any) -> None:
    for number in range(cases.MAX_NAMED + 5):
        receive(by(f"Custody {number}"), answers=400)
    assert Case.objects.filter(kind="travel_rule").count() == cases.MAX_NAMED + 1
    receive(by("Custody 3"), answers=400)
    assert Case.objects.filter(kind="travel_rule").count() == cases.MAX_NAMED + 1


def test_a_message_that_holds_opens_no_case(sample: Any) -> None:
    receive(message())
    assert not Case.objects.filter(kind="travel_rule").exists()


def test_the_case_of_a_record_that_was_altered_says_so_and_does_nothing_with_it(
    failed: TravelRecord, other: Peer
) -> None:
    TravelRecord.objects.filter(pk=failed.pk).update(owner="account:999")
    case, desk = only_case(), at_desk(person("olivia", OFFICER))
    assert "which failed its integrity check" in check_page(
        desk.get(f"/admin/review/case/{case.pk}/")
    )
    given = {"outcome": "APPROVE", "reason_APPROVE": "COUNTERPARTY_READY", "note": NOTE}
    answer = desk.post(f"/admin/review/case/{case.pk}/decide/", given)
    assert answer.status_code == 409
    assert "it is not sent again" in check_page(answer, 409)
    failed.refresh_from_db()
    case.refresh_from_db()
    assert (failed.status, len(other.came), case.outcome) == ("FAILED", 1, "")
