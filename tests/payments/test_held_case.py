"""The case of a held payment says who pays whom, and of whom each finding is."""

from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest

from apps.backoffice.review import services
from apps.backoffice.review.case_types import draw_evidence
from apps.backoffice.review.models import Case, KnownFalsePositive
from apps.backoffice.review.selectors.known_false_positives import (
    get_party_details,
    list_listed_parties,
)
from apps.backoffice.review.services import known_false_positive_decisions
from apps.backoffice.review.services.known_false_positive_proposals import KnownProposal
from apps.compliance.screening.models import Screen
from apps.payments.payments.models import Payment
from tests.api.endpoint_walk import key_client
from tests.payments.conftest import wallet, work
from tests.review.people import NOTE, OFFICER, SENIOR, at_desk, check_page, person

pytestmark = pytest.mark.django_db
NEAR = {"name": "Sberbank Leasing Consultants", "walletAddress": wallet(44)}
CLEAN = {"name": "Northwind Traders International GmbH", "walletAddress": wallet(45)}


def page(case: Case) -> str:
    """What an officer sees of a case."""
    return str(check_page(at_desk(person("olivia", OFFICER)).get(f"/admin/review/case/{case.pk}/")))


def test_what_is_found_of_the_debtor_says_so(send: Callable[..., Any]) -> None:
    send(creditor=CLEAN, debtor=NEAR, amount="1250.50")
    work()
    case = Case.objects.get()
    assert case.party == CLEAN["name"]
    sentences = [rule["sentence"] for rule in case.rules]
    assert sentences[0].startswith(f"Debtor {NEAR['name']}: Partial sanctions match")
    evidence = draw_evidence(case.kind, case.evidence)
    assert [match["whose"] for match in evidence["matches"]] == [f"Debtor {NEAR['name']}"]
    assert not [row for row in evidence["facts"] if "country is" in row["label"]]
    rows = {row["label"]: row["value"] for row in evidence["request"]["payment"]}
    assert rows["Amount"] == "1,250.50 USD, in USDC"
    assert NEAR["name"] in rows["Debtor"] and NEAR["walletAddress"] in rows["Debtor"]
    assert rows["Creditor"] == f"{CLEAN['name']}, {CLEAN['walletAddress']}"
    assert "not in the registry" in rows["Payee check"] or "Score 0" in rows["Payee check"]
    party = {row["label"]: row["value"] for row in evidence["request"]["party"]}
    assert party == {"Wallet address": CLEAN["walletAddress"]}
    html = page(case)
    assert "1,250.50 USD" in html and "Payee check" in html and "LEI records" not in html
    assert (list_listed_parties(case), case.entity_key) == ([], "")


def test_what_is_found_of_both_sides_is_told_apart(send: Callable[..., Any]) -> None:
    send(creditor=NEAR, debtor=NEAR | {"walletAddress": wallet(46)})
    work()
    case = Case.objects.get()
    whose = {rule["sentence"].split(":")[0] for rule in case.rules}
    assert whose == {f"Creditor {NEAR['name']}", f"Debtor {NEAR['name']}"}
    evidence = draw_evidence(case.kind, case.evidence)
    assert {match.get("of") or "" for match in evidence["matches"]} == {
        "",
        f"Debtor {NEAR['name']}",
    }
    labels = [row["label"] for row in evidence["record"]]
    assert len(labels) == len(set(labels))
    assert "Debtor" in page(case) and case.entity_key


def make_known(case: Case | None = None) -> None:
    """Let two officers find that the party of a case is not the listed one."""
    case = case or Case.objects.get()
    at = case.opened_at
    first, second = person("olivia", OFFICER), person("sven", SENIOR)
    keys = tuple(listed_party.key for listed_party in list_listed_parties(case))
    assert keys
    party_details = get_party_details(draw_evidence(case.kind, case.evidence))
    proposed = KnownProposal(keys, at.date() + timedelta(days=200), party_details)
    said: dict[str, Any] = {"reason_code": "NAME_ONLY", "note": NOTE, "now": at}
    case = services.decide_case(case=case, by=first, outcome="APPROVE", known=proposed, **said)
    if case.needs_second:
        services.confirm_decision(case=case, by=second, **said)
    for known_false_positive in KnownFalsePositive.objects.all():
        known_false_positive_decisions.approve_known(
            known=known_false_positive, by=second, note=NOTE, now=at
        )


def test_a_known_false_positive_does_not_hold_the_next_payment(send: Callable[..., Any]) -> None:
    send(creditor=NEAR)
    work()
    make_known()
    send(creditor=NEAR, tmsReference="INV-2")
    work()
    payment = Payment.objects.get(reference="INV-2")
    assert payment.state == "SETTLED", payment.found
    screen = Screen.objects.get(screen_id=payment.found["screens"][0]["screenId"])
    assert screen.data["response"]["rules"] == ["sanctions.known"]
    assert screen.data["evidence"]["knownFalse"][0]["case"] == Case.objects.get().pk


@pytest.mark.parametrize(
    "creditor",
    [NEAR | {"walletAddress": wallet(47)}, NEAR | {"lei": "INR2EJN1ERAN0W5ZP974"},
     NEAR | {"name": "Sberbank Leasing Consultant"}],
)  # fmt: skip
def test_it_holds_for_exactly_that_party(
    send: Callable[..., Any], creditor: dict[str, str]
) -> None:
    send(creditor=NEAR)
    work()
    make_known()
    send(creditor=creditor, tmsReference="INV-2")
    work()
    assert Payment.objects.get(reference="INV-2").state == "HELD"


def test_what_one_institution_knows_says_nothing_to_another(send: Callable[..., Any]) -> None:
    send(creditor=NEAR)
    work()
    make_known()
    send(creditor=NEAR, client=key_client("Birch Bank", "INSTITUTION"))
    work()
    assert Payment.objects.latest("pk").state == "HELD"
