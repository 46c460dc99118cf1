"""Every kind of case that carries a screen shows it alike, and offers what the server accepts."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from itertools import pairwise
from typing import Any
from uuid import uuid4

import pytest
from django.db import transaction
from rest_framework.test import APIClient

from apps.backoffice.review import case_types
from apps.backoffice.review.case_types import CASE_TYPES
from apps.backoffice.review.models import Case
from apps.backoffice.review.rules.note_templates import GAP
from apps.backoffice.review.services import CaseOpening, open_case
from apps.backoffice.review.views.decision_box import build_decision_box
from apps.backoffice.review.views.evidence import draw_case_evidence
from apps.compliance.aml.rules.cases import FLAGGED, SAMPLED
from apps.payments.travelrule.models import TravelRecord
from apps.payments.travelrule.screening.tasks import screen_message_parties as screen_parties
from apps.platform.common.clock import now
from tests.api.endpoint_walk import key_client
from tests.banking.banks import Payer, ach_recipient, simulated
from tests.banking.conftest import _unhurried, lists, sample  # noqa: F401
from tests.banking.webhook_deliveries import deliver, tagged
from tests.payees.registration.conftest import NORTHWIND, wallet
from tests.payments.conftest import instruction
from tests.payments.conftest import work as carry_payments
from tests.process_caches import oracles_forgotten  # noqa: F401
from tests.review.people import OFFICER, SENIOR, at_desk, check_page, person
from tests.screening.rescreening.conftest import goes_live, house, met, rescreen, rescreened  # noqa: F401
from tests.settlement.conftest import PAYER, SETTLE, approved, asks
from tests.stability.oracle.conftest import calm, ran  # noqa: F401
from tests.travelrule.test_receive import message, receive

pytestmark = pytest.mark.django_db
NEAR, LISTED, SCORE = "Sberbank Leasing Consultants", "Sberbank", 69
WALLET = wallet(44)


def post(client: Any, path: str, body: dict[str, Any]) -> None:
    answer = client.post(path, body, format="json")
    assert answer.status_code < 300, answer.content


def screen(request: Any) -> None:
    post(key_client("Sub", "SUBSCRIPTION"), "/compliance/compliance/screen", {"name": NEAR})


def registration(request: Any) -> None:
    body = NORTHWIND | {"walletAddress": WALLET, "legalName": NEAR}
    post(key_client("Registrar Ltd", "SIGNING"), "/compliance/register", body)


def agent(request: Any) -> None:
    body = {"name": "Treasury agent", "ownerEntity": NEAR, "ownerEmail": "owner@a.example"}
    post(APIClient(), "/compliance/agent/register", body)


def payment(request: Any) -> None:
    creditor = {"name": NEAR, "walletAddress": WALLET}
    client = key_client("Alder Bank", "INSTITUTION")
    post(client, "/integration/payments/initiate", instruction(creditor=creditor))
    carry_payments()


def settlement(request: Any) -> None:
    registration(request)
    client = key_client("Alder Bank", "INSTITUTION")
    approved(client, PAYER)
    asked = asks(sandbox=False, recipientAddress=WALLET, referenceId="R-1")
    post(client, SETTLE, asked)


def bank_payment(request: Any) -> None:
    deliver(tagged(counterpartyName=NEAR))


def bank_send(request: Any) -> None:
    settings = request.getfixturevalue("settings")
    with simulated() as server:
        settings.BANK_API_URL, settings.BANK_API_TOKEN = server.url, "secret-token:test"
        payer = Payer(key_client("Alice Bank", "INSTITUTION"))
        payer.send(payer.save(ach_recipient(name=NEAR))["recipientId"])


def rescreened_party(request: Any) -> None:
    load, remember, run = (
        request.getfixturevalue(name) for name in ("goes_live", "met", "rescreened")
    )
    remember(NEAR, now=now(), schema="Organization")
    load({"1": {"name": LISTED, "schema": "Organization"}}, now=now())
    run(now=now())


def travel_party(request: Any) -> None:
    sent = message()
    (person,) = sent["originator"]["originatorPersons"]
    person["legalPerson"]["name"]["nameIdentifier"][0]["legalPersonName"] = NEAR
    receive(sent)
    screen_parties(str(TravelRecord.objects.get().pk), now())


# by kind, what makes a case of somebody near a listed party
CARRY: dict[str, Callable[[Any], None]] = {
    "screen": screen,
    "registration": registration,
    "agent": agent,
    "payment": payment,
    "settlement": settlement,
    "bank_payment": bank_payment,
    "bank_send": bank_send,
    "rescreen": rescreened_party,
    "travel_party": travel_party,
}
WITHOUT = {
    "aml": "behaviour of wallets",
    "chain_transfer": "a transfer that is not as expected",
    "travel_rule": "a message that could not be sent or read",
}


def test_every_kind_carries_a_screen_or_says_what_else_it_is_about() -> None:
    assert {*CARRY, *WITHOUT} == {*CASE_TYPES} and not {*CARRY} & {*WITHOUT}


@pytest.fixture(params=CARRY)
def case(request: Any, sample: Any) -> Case:  # noqa: F811
    """The case of a kind, whose party is near a listed one."""
    CARRY[request.param](request)
    return Case.objects.get(kind=request.param)


def test_a_case_with_a_screen_is_titled_graded_and_found_by_its_party(case: Case) -> None:
    assert case.party == NEAR
    assert (case.risk, case.risk_score, case.needs_second) == ("HIGH", SCORE, True)
    assert case.pk in Case.objects.numbers("consultants sberbank", most=9)
    said = " ".join(one["sentence"] for one in case.told)
    assert LISTED in said and str(SCORE) in said
    best = draw_case_evidence(case)["matches"][0]
    assert best["score"] == SCORE and LISTED in best["name"]
    assert best["compared"] and best["list"] and best["key"]
    desk = at_desk(person("olivia", OFFICER))
    html = check_page(desk.get(f"/admin/review/case/{case.pk}/"))
    assert f'<h1 class="party">{NEAR}</h1>' in html
    assert f'<span class="score">{SCORE} %</span>' in html
    page_text = check_page(desk.get("/admin/search/", {"q": NEAR}))
    assert f"/admin/review/case/{case.pk}/" in page_text


@contextmanager
def undone() -> Iterator[None]:
    with transaction.atomic():
        yield
        transaction.set_rollback(True)


def refused(case: Case) -> list[str]:
    """Try every outcome with every reason that a case offers; return those that are refused."""
    officer = person(f"officer-{case.pk}", OFFICER, SENIOR)
    desk, found = at_desk(officer), []
    offered = build_decision_box(case=case, user=officer, others=[], drawn=draw_case_evidence(case))
    for outcome, _, reasons in offered["choices"]:
        if not reasons:
            found.append(f"{case.kind} {outcome}: no reason")
        for reason in reasons:
            note = (
                reason.template.replace(GAP, "as the papers of today show us here")
                or "Papers seen."
            )
            given = {
                "outcome": outcome,
                f"reason_{outcome}": reason.code,
                "also": list(reason.left),
            }
            with undone():
                answer = desk.post(
                    f"/admin/review/case/{case.pk}/decide/",
                    given | {"note": note, "seen": offered["stamp"]},
                )
            if answer.status_code not in (302, 303):
                found.append(f"{case.kind} {outcome} {reason.code}: {answer.status_code}")
    return found


def test_every_reason_that_a_case_with_a_screen_offers_is_accepted(case: Case) -> None:
    assert refused(case) == []


def combinations(kind: case_types.CaseType) -> Iterator[tuple[str, ...]]:
    """Yield rules that bring cases of a kind here: each alone, and pairs of levels."""
    yield from ((ref,) for ref in kind.rules)
    for one, other in pairwise(level for level in kind.gravity if level):
        yield (min(one), min(other))


@pytest.mark.parametrize("name", CASE_TYPES)
def test_every_reason_that_any_case_offers_is_accepted(
    name: str, db: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    # these cases are of no record: what a decision sets in motion is tried on those that are
    monkeypatch.setattr(
        "apps.backoffice.review.services.case_decisions._notify_case_type", lambda *given: None
    )
    kind, tried, wrong = case_types.get_case_type(name), set(), []
    for refs in combinations(kind):
        offers = {
            (outcome, one.code, tuple(kind.left_open(code=one.code, refs=refs)))
            for outcome in ("APPROVE", "REJECT")
            for one in kind.offered(outcome=outcome, refs=refs)
        }
        if not offers:
            wrong.append(f"{name} {refs}: nothing can be decided")
        if offers <= tried:
            continue
        tried |= offers
        opening = CaseOpening(
            kind=name,
            ref="contest.0.1" if name == "registration" else str(uuid4()),
            owner="account:1",
            title="A case",
            risk="MEDIUM",
            reasons=[{"ref": ref, "sentence": "It holds."} for ref in refs],
        )
        with undone():
            wrong += refused(open_case(opening=opening, now=now()))
    assert wrong == []


def test_a_reason_about_some_signals_is_offered_where_they_hold_and_is_accepted(db: Any) -> None:
    """A held payment offers each reason of the AML screen that the AML screen's own case offers."""
    aml, case_type = case_types.get_case_type("aml"), case_types.get_case_type("payment")
    for outcome, reasons in aml.reasons.items():
        for reason in reasons:
            refs = [FLAGGED, *sorted(reason.rules)[:1]]
            for kind in (case_type, case_types.get_case_type("settlement")):
                codes = {each.code for each in kind.offered(outcome=outcome, refs=refs)}
                assert reason.code in codes, (kind.title, reason.code)
                if reason.rules:
                    left = kind.offered(outcome=outcome, refs=[FLAGGED])
                    assert reason.code not in {each.code for each in left}


def test_what_has_gone_is_not_offered_for_release() -> None:
    """Where nothing waits for a decision, no outcome says that it lets something go."""
    for name, kind in case_types.load_case_types().items():
        for ref in kind.words_by_rule:
            for outcome in ("APPROVE", "REJECT"):
                words = case_types.get_outcome_labels(name, outcome, [ref])
                assert words != kind.words[outcome] and "elease" not in words.does
    assert case_types.get_outcome_labels("aml", "APPROVE", [SAMPLED]).does == "Find nothing unusual"
