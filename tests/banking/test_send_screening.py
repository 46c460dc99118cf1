"""Every payment out of an account is screened and judged, by whatever call it comes."""

from dataclasses import replace
from typing import Any

import pytest

from apps.backoffice.review import services
from apps.backoffice.review.models import Case
from apps.backoffice.sar.models import SarEntry
from apps.compliance.aml.models import AmlScreen, WalletProfile
from apps.compliance.aml.rules.payment_judgement import PaymentView
from apps.compliance.screening.case_types import screens as screening
from apps.payments.banking.models import Send
from apps.payments.banking.services import judge_send
from apps.payments.banking.simulator.server import BankServer
from apps.platform.common.clock import now
from tests.banking.banks import Payer, ach_recipient, work
from tests.banking.test_payer_screening import NEAR, PARTIAL
from tests.banking.test_sends import paid
from tests.review.people import OFFICER, at_desk, check_page, person

pytestmark = pytest.mark.django_db


def living(country: str, **changes: Any) -> dict[str, Any]:
    """A recipient whose address is in a country."""
    body = ach_recipient(**changes)
    routing = body["electronicRoutingInfo"]
    address = routing["address"] | {"country": country, "city": "City", "region": ""}
    return body | {"electronicRoutingInfo": routing | {"address": address}}


@pytest.mark.parametrize("country", ["KP", "IR"])
def test_nobody_in_a_country_under_a_call_for_action_is_paid(
    alice: Payer, bank: BankServer, country: str
) -> None:
    recipient = alice.save(living(country))["recipientId"]
    assert alice.send(recipient, answers=403)["code"] == "payment_blocked"
    refused = alice.authorize(recipient, answers=403)
    assert (refused["decision"], refused["compliance"]["sanctionsClean"]) == ("BLOCKED", False)
    work()
    assert not paid(bank) and {send.state for send in Send.objects.all()} == {"STOPPED"}
    assert [sar_entry.data["rules"] for sar_entry in SarEntry.objects.all()] == [["ACH-9"]] * 2


@pytest.mark.parametrize(
    "body", [living("CU"), living("KE"), ach_recipient(name="Keir Starmer")],
    ids=["embargo", "monitored", "pep"],
)  # fmt: skip
def test_what_the_screen_flags_waits_for_an_officer(
    alice: Payer, bank: BankServer, body: dict[str, Any]
) -> None:
    recipient = alice.save(body)["recipientId"]
    assert alice.send(recipient)["status"] == "PENDING"
    answer = alice.authorize(recipient, accountName=body["name"])
    assert (answer["decision"], answer["autoExecute"]) == ("FLAGGED", False)
    work()
    assert not paid(bank)
    flagged = screening.COUNTRY | screening.EMBARGO | screening.PEP
    for case in Case.objects.filter(kind="bank_send"):
        assert flagged & set(case.refs) and "ACH-10" not in case.refs


def test_the_case_of_a_recipient_who_resembles_a_listed_party_says_so_first(
    alice: Payer, bank: BankServer
) -> None:
    alice.send(alice.save(ach_recipient(name=NEAR))["recipientId"])
    case = Case.objects.get(kind="bank_send")
    assert (case.party, case.risk, case.risk_score, case.needs_second) == (NEAR, "HIGH", 69, True)
    assert case.rules[0]["ref"] == PARTIAL and "69" in case.rules[0]["sentence"]


def test_a_name_that_was_given_and_resembles_a_listed_party_is_the_party_of_the_case(
    alice: Payer, bank: BankServer
) -> None:
    alice.authorize(alice.save()["recipientId"], accountName=NEAR)
    case = Case.objects.get(kind="bank_send")
    assert (case.party, case.risk) == (NEAR, "HIGH") and {PARTIAL, "ACH-5"} <= set(case.refs)


@pytest.mark.parametrize(
    ("note", "state"),
    [("on behalf of Lazarus Group", "HELD"), ("on behalf of Grey Plover Limited", "SENT")],
)
def test_a_note_that_names_a_listed_party_waits_for_an_officer(
    alice: Payer, bank: BankServer, note: str, state: str
) -> None:
    recipient = alice.save()["recipientId"]
    alice.send(recipient, note=note)
    answer = alice.authorize(recipient, memo=note)
    assert answer["autoExecute"] is (state == "SENT")
    work()
    assert {send.state for send in Send.objects.all()} == {state}
    refs = [[row["ref"] for row in case.rules] for case in Case.objects.filter(kind="bank_send")]
    assert refs == ([["ACH-11"]] * 2 if state == "HELD" else [])


@pytest.mark.parametrize("action", ["BLOCK", "FLAG"])
def test_what_the_aml_engine_says_holds_for_every_call(
    alice: Payer, bank: BankServer, monkeypatch: Any, action: str
) -> None:
    said = {"action": action, "riskScore": 80, "riskTier": "HIGH", "signals": []}
    monkeypatch.setattr(judge_send, "judge_by_aml", lambda *rest, **more: said)
    answers = {"BLOCK": 403, "FLAG": 202}
    alice.send(alice.save()["recipientId"], answers=answers[action])
    work()
    state = {"BLOCK": "STOPPED", "FLAG": "HELD"}[action]
    assert not paid(bank) and Send.objects.get().state == state


def test_the_aml_engine_counts_what_is_sent_by_any_call(alice: Payer, bank: BankServer) -> None:
    recipient = alice.save()["recipientId"]
    alice.send(recipient)
    alice.authorize(recipient)
    assert AmlScreen.objects.count() == 2
    assert [wallet_profile.profile.count for wallet_profile in WalletProfile.objects.all()] == [
        2,
        2,
    ]


def test_the_entry_names_the_listed_name_that_was_given(alice: Payer, bank: BankServer) -> None:
    alice.authorize(alice.save()["recipientId"], accountName="Hidden Cobra", answers=403)
    assert SarEntry.objects.get().data["party"] == "Hidden Cobra"


def test_the_case_shows_what_was_given_beside_who_is_paid(alice: Payer, bank: BankServer) -> None:
    given = {"accountName": "Mud Puppy Kayak", "accountNumber": "9999999987"}
    alice.authorize(alice.save()["recipientId"], **given)
    rows = dict(drawn_rows(Case.objects.get(kind="bank_send")))
    assert rows["Name given by the payer"] == "Mud Puppy Kayak"
    assert rows["Account given by the payer"] == "ending 9987"
    assert rows["Account paid"] == "ending 7890"
    assert rows["Amount"] == "25.00 USD"
    assert rows["Note"] == "invoice 42"


def drawn_rows(case: Case) -> list[tuple[str, str]]:
    from apps.payments.banking.evidence_view import build_bank_send_view

    payment = build_bank_send_view(case.evidence)["request"]["payment"]
    return [(one["label"], one["value"]) for one in payment]


def test_what_waits_for_an_officer_enters_the_profiles_once_it_is_released(
    alice: Payer, bank: BankServer
) -> None:
    alice.send(alice.save(living("KE"))["recipientId"])
    assert [wallet_profile.profile.count for wallet_profile in WalletProfile.objects.all()] == [
        0,
        0,
    ]
    services.decide_case(
        case=Case.objects.get(kind="bank_send"), by=person("olga", OFFICER), outcome="APPROVE",
        reason_code="COUNTRY_EDD", note="The payee is known, and what it is paid for.", now=now(),
    )  # fmt: skip
    assert [wallet_profile.profile.count for wallet_profile in WalletProfile.objects.all()] == [
        1,
        1,
    ]


def test_an_entry_of_the_aml_engine_names_who_is_paid(
    alice: Payer, bank: BankServer, monkeypatch: Any
) -> None:
    judged = PaymentView.judged

    def blocks(self: PaymentView, **more: Any) -> Any:
        return replace(judged(self, **more), action="BLOCK")

    monkeypatch.setattr(PaymentView, "judged", blocks)
    alice.send(alice.save()["recipientId"], answers=403)
    (entry,) = SarEntry.objects.all()
    assert (entry.kind, entry.data["party"]) == ("aml", "Blue Heron Stationery Limited")


@pytest.mark.parametrize("call", ["send", "authorize"])
def test_a_recipient_that_cannot_be_read_is_a_problem_and_nothing_is_sent(
    alice: Payer, bank: BankServer, settings: Any, call: str
) -> None:
    recipient = alice.save()["recipientId"]
    settings.BANK_KEYS = f"other:{'ab' * 32}"
    said = getattr(alice, call)(recipient, answers=503)
    assert said["code"] == "recipient_unreadable"
    assert not Send.objects.exists() and not paid(bank)


@pytest.mark.parametrize("page", ["send", "recipient"])
def test_the_desk_finds_payments_by_a_part_of_the_payee(
    alice: Payer, bank: BankServer, page: str
) -> None:
    alice.send(alice.save()["recipientId"])
    client = at_desk(person("olga", OFFICER))
    for asked, shown in (("Heron", True), ("Kingfisher", False)):
        text = check_page(client.get(f"/admin/banking/{page}/", {"q": asked}))
        assert ("Blue Heron Stationery" in text) is shown
