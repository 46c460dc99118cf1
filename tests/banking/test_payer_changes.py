"""Who pays is screened anew where the bank tells it otherwise after a deposit was routed."""

import json
from typing import Any

import pytest

from apps.backoffice.review.models import Case
from apps.backoffice.sar.models import SarEntry
from apps.payments.banking.evidence_view import build_bank_payment_view
from apps.payments.banking.integrity import verify_bank_rows
from apps.payments.banking.merged_deliveries import load_transaction_state
from apps.payments.banking.models import BankEvent, BankTransaction
from apps.payments.banking.rules.payers import parse_payer
from apps.payments.banking.screening import deposits
from apps.payments.banking.services import route_deposit
from apps.payments.chain import expected_transfers
from apps.payments.chain.models import Order
from apps.platform.common.clock import now
from tests.banking.test_payer_screening import NEAR, approve
from tests.banking.webhook_deliveries import WALLET, deliver, tagged, update

pytestmark = pytest.mark.django_db
HASH = "0x" + "1" * 64
LISTED = {"counterpartyName": "Lazarus Group"}
IN_CUBA = {"details": {"address": {"city": "City", "country": "CU"}}}


@pytest.fixture(params=[None, "Grey Plover Limited"])
def routed(request: Any, sample: Any, settings: Any) -> dict[str, Any]:
    """A deposit that was routed on a chain, of nobody who is named or of somebody clean."""
    settings.SETTLEMENT_RAIL = "evm"
    told = {"counterpartyName": request.param} if request.param else {}
    said = tagged(status="pending", amount=500, **told)
    assert deliver(said)["action"] == "routed"
    return said


def the(said: dict[str, Any]) -> BankTransaction:
    return BankTransaction.objects.get(resource_id=said["resourceId"])


def cases() -> Any:
    """The cases of payments; those of the lists or the oracles are another matter."""
    return Case.objects.filter(kind="bank_payment")


def the_case() -> Case:
    found: Case = cases().get()
    return found


@pytest.mark.parametrize("status", [{"status": "sent"}, {}])
def test_a_listed_payer_who_is_told_later_ends_the_order_and_is_in_the_sar_log(
    routed: dict[str, Any], status: dict[str, Any]
) -> None:
    order = the(routed).order_id
    answer = deliver(update(routed, 2, **LISTED, **status))
    assert (answer["action"], answer["rule"]) == ("held", "BR-21") and "execution" not in answer
    assert (the(routed).state, Order.objects.get(order_id=order).state) == ("HALTED", "EXPIRED")
    case, entry = the_case(), SarEntry.objects.get()
    assert (case.risk, case.evidence["decision"]) == ("HIGH", "BLOCKED")
    assert case.evidence["checks"][0].startswith("BO-1")
    assert (entry.data["party"], entry.data["sanctions"]) == ("Lazarus Group", True)
    for again in (update(routed, 3, status="sent"), routed):
        later = deliver(again)
        assert later["action"] == "held" and "execution" not in later
    assert (cases().count(), SarEntry.objects.count()) == (1, 1)
    assert list(verify_bank_rows(lambda _: None)) == []


@pytest.mark.parametrize(
    ("change", "code", "reason"),
    [
        (IN_CUBA, "BO-2", "EMBARGO_LICENSED"),
        ({"note": f"for Lazarus Group svc:{WALLET}"}, "BO-3", "NOTE_EXPLAINED"),
        ({"counterpartyName": "Grey Plover " + "x" * 300}, "BO-7", "CHECK_COMPLETED"),
    ],
)
def test_what_holds_a_deposit_holds_it_when_it_is_told_later_until_an_officer_releases_it(
    routed: dict[str, Any], change: dict[str, Any], code: str, reason: str
) -> None:
    first = the(routed).order_id
    assert deliver(update(routed, 2, status="sent", **change))["rule"] == "BR-21"
    case = the_case()
    assert case.evidence["checks"][0].startswith(code) and not SarEntry.objects.exists()
    approve(case, reason)
    route_deposit.route_waiting_deposit(str(the(routed).pk), now())
    row = the(routed)
    assert row.state == "ROUTED" and row.order_id != first
    answer = deliver(update(routed, 3, status="sent"))
    assert answer["action"] == "routed" and "execution" in answer


def test_once_a_transfer_is_named_the_case_and_the_entry_stand_beside_it(
    routed: dict[str, Any],
) -> None:
    expected_transfers.report_transaction(the(routed).order_id, HASH, now=now())
    for version in (2, 3):
        answer = deliver(update(routed, version, status="sent", **LISTED))
        assert (answer["action"], answer["rule"]) == ("held", "BR-21")
        assert "execution" not in answer and the(routed).state == "ROUTED"
    answer = deliver(update(routed, 4, status="sent"))
    assert answer["rule"] == "BR-21" and "execution" not in answer
    case, entry = the_case(), SarEntry.objects.get()
    assert (case.risk, case.rules[0]["ref"], case.needs_second) == ("HIGH", "BR-21", True)
    assert case.evidence["checks"][0].startswith("BO-1")
    assert entry.data["party"] == "Lazarus Group" and list(verify_bank_rows(lambda _: None)) == []


@pytest.mark.parametrize(
    "change", [{"counterpartyName": "Blue Heron Limited"}, {"note": f"rent svc:{WALLET}"}, {}]
)
def test_somebody_else_against_whom_nothing_stands_changes_nothing(
    routed: dict[str, Any], change: dict[str, Any]
) -> None:
    answer = deliver(update(routed, 2, status="sent", **change))
    assert (answer["action"], answer["rule"]) == ("routed", "BR-16") and answer["execution"]
    assert not cases().exists() and the(routed).state == "ROUTED"


def test_who_cannot_be_screened_then_is_told_to_officers_and_screened_with_the_next_delivery(
    routed: dict[str, Any], monkeypatch: Any
) -> None:
    def fails(*rest: Any, **more: Any) -> Any:
        raise RuntimeError("no lists")

    with monkeypatch.context() as broken:
        broken.setattr(deposits, "screen_deposit", fails)
        answer = deliver(update(routed, 2, status="sent", **LISTED))
    assert answer["rule"] == "BR-21" and "execution" not in answer
    assert the_case().evidence["checks"][0].startswith("BO-8")
    assert deliver(update(routed, 3, status="sent"))["rule"] == "BR-21"
    assert the(routed).state == "HALTED" and SarEntry.objects.count() == 1


def open_cases() -> list[Case]:
    return list(cases().filter(status="OPEN").order_by("pk"))


def test_what_is_told_otherwise_twice_is_one_case_that_shows_all_of_it(
    routed: dict[str, Any],
) -> None:
    expected_transfers.report_transaction(the(routed).order_id, HASH, now=now())
    deliver(update(routed, 2, counterpartyName=NEAR))
    (first,) = open_cases()
    deliver(update(routed, 3, amount=600, counterpartyName="Grey Plover Limited"))
    (case,) = open_cases()
    first.refresh_from_db()
    assert case.pk != first.pk and first.status == "RETIRED"
    assert set(first.refs) <= set(case.refs) and case.party == NEAR and case.risk_score == 69
    facts = {row["label"]: row["value"] for row in build_bank_payment_view(case.evidence)["facts"]}
    assert facts["Reported before: amount"] != facts["Reported now: amount"]
    assert "Sberbank" in str(build_bank_payment_view(case.evidence)["matches"])
    assert list(verify_bank_rows(lambda _: None)) == []


def test_what_waits_of_a_deposit_goes_when_it_waits_for_something_else(sample: Any) -> None:
    said = tagged("0x12", counterpartyName=NEAR)
    deliver(said)
    (first,) = open_cases()
    assert the(said).state == "HELD" and first.status == "OPEN"
    deliver(update(said, 2, note=f"invoice 7 svc:{WALLET}", status="sent"))
    (case,) = open_cases()
    first.refresh_from_db()
    assert (the(said).state, first.status) == ("HALTED", "RETIRED") and case.party == NEAR
    assert first.events.get(action="RETIRED").data["note"] == route_deposit.TAGGED_AGAIN_REASON


def test_what_waits_of_a_deposit_goes_when_it_does_not_come_about(sample: Any) -> None:
    said = tagged("0x12")
    deliver(said)
    assert len(open_cases()) == 1
    deliver(update(said, 2, status="failed"))
    assert the(said).state == "SEEN" and not open_cases()


def forge(row: BankTransaction, event: str, data: dict[str, Any]) -> None:
    """Insert an event as somebody could who writes the database, with the MAC of another."""
    last = BankEvent.objects.filter(subject=row.subject).latest("number")
    BankEvent(
        subject=row.subject, number=last.number + 90, event=event, state=row.state, turn="BT-6",
        payload=json.dumps(data), salt="0" * 32, recorded_at=now(), mac_key=last.mac_key,
        mac=last.mac,
    ).save()  # fmt: skip


def test_a_payer_of_whom_a_forged_event_tells_is_screened(routed: dict[str, Any]) -> None:
    row, told = the(routed), {"status": "sent"} | LISTED
    state = load_transaction_state(row.resource_id, more=[(2, "next", told)])
    forge(row, "ROUTED", {"payer": deposits.payer_digest(parse_payer(state))})
    assert deliver(update(routed, 2, **told))["rule"] == "BR-21"
    assert the(routed).state == "HALTED"


def test_a_forged_release_answers_nothing(sample: Any) -> None:
    said = tagged(counterpartyName="Grey Plover", **IN_CUBA)
    assert deliver(said)["action"] == "held"
    row = the(said)
    halted = BankEvent.objects.get(subject=row.subject, event="HALTED")
    forge(row, "RELEASED", {"answered": [one["key"] for one in halted.data["findings"]]})
    assert deposits.load_released_keys(row, of=halted.data["of"]) == frozenset()
