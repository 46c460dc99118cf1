"""Who pays a tagged deposit, and whom its note names, is looked at before anything is quoted."""

from decimal import Decimal
from typing import Any

import pytest
from django.contrib.auth.models import User

from apps.backoffice.review import services
from apps.backoffice.review.models import Case, DecisionEvent
from apps.backoffice.review.payment_hold_findings import Finding, list_unanswered_findings
from apps.backoffice.review.views.evidence import draw_case_evidence
from apps.backoffice.sar.models import SarEntry
from apps.compliance.aml.models import AmlScreen, WalletProfile
from apps.compliance.screening.combined.party_findings import PartyScreen
from apps.insight.stability.models import Quote
from apps.payments.banking.integrity import verify_bank_rows
from apps.payments.banking.models import BankTransaction
from apps.payments.banking.rules.payers import (
    Payer,
    PayerFacts,
    Place,
    find_payer_rules,
    parse_payer,
)
from apps.payments.banking.services import route_deposit
from apps.platform.common.clock import now
from tests.api.endpoint_walk import key_client
from tests.banking.webhook_deliveries import LISTED, WALLET, deliver, event, tagged, update
from tests.payees.registration.conftest import NORTHWIND
from tests.review.people import OFFICER, SENIOR, person

NOTE = "Seen with the bank: it is another of the same name."


def the(said: dict[str, Any]) -> BankTransaction:
    return BankTransaction.objects.get(resource_id=said["resourceId"])


def living(country: str) -> dict[str, Any]:
    place = {"address1": "1 Main Street", "city": "City", "country": country}
    return {"details": {"address": place}}


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("told", "decision", "risk"),
    [
        ({"counterpartyName": "Lazarus Group"}, "BLOCKED", "HIGH"),
        ({"counterpartyNickname": "Lazarus Group"}, "BLOCKED", "HIGH"),
        ({"counterpartyName": "Grey Plover", **living("KP")}, "BLOCKED", "HIGH"),
        ({"counterpartyName": "Grey Plover", **living("CU")}, "HOLD", "MEDIUM"),
    ],
)
def test_a_deposit_of_somebody_against_whom_the_screen_stands_is_halted(
    sample: Any, told: dict[str, Any], decision: str, risk: str
) -> None:
    said = tagged(**told)
    answer = deliver(said)
    assert (answer["action"], answer["rule"]) == ("held", "BR-17")
    assert "quoteId" not in answer and not Quote.objects.exists()
    case = Case.objects.get(kind="bank_payment")
    assert (case.risk, case.evidence["decision"]) == (risk, decision)
    entries = [
        sar_entry.data["party"] for sar_entry in SarEntry.objects.filter(kind="bank_payment")
    ]
    named = next(iter(told.values()))
    assert entries == ([named] if decision == "BLOCKED" else [])
    assert the(said).state == "HALTED" and list(verify_bank_rows(lambda _: None)) == []


@pytest.mark.django_db
def test_a_deposit_of_somebody_against_whom_nothing_stands_is_routed(sample: Any) -> None:
    told = {"counterpartyName": "Grey Plover Limited", **living("DE")}
    assert deliver(tagged(amount=999, **told))["action"] == "routed"


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("note", "action"),
    [("invoice 7 for Lazarus Group", "held"), ("invoice 7 for Grey Plover Limited", "routed")],
)
def test_whom_a_note_names_is_held_against_the_lists(sample: Any, note: str, action: str) -> None:
    said = event(patch={"note": f"{note} svc:{WALLET}"})
    assert deliver(said)["action"] == action
    assert Case.objects.count() == (action == "held")
    if action == "held":
        case = Case.objects.get()
        assert "Lazarus" in "".join(case.evidence["payer"]["named"])
        assert "Lazarus" in case.rules[0]["sentence"]
        rows = {fact["label"]: fact["value"] for fact in draw_case_evidence(case)["facts"]}
        assert "Lazarus" in rows["Named in the note"] and note in rows["Note"]


def codes_of(case: Case) -> set[str]:
    """The rows of the table of who pays that stand against a deposit, as its case has them."""
    return {check[:4] for check in case.evidence["checks"] if check.startswith("BO-")}


INVOICE = "invoice 4711 for goods delivered; "


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("name", "codes"),
    [
        ("Borealis Elm Trading" + " " * 190 + "Lazarus Group", {"BO-2"}),
        ("Grey Plover" + " " * 400 + "Limited", set()),
        ("Grey Plover " + "x" * 289, {"BO-7"}),
        (("Grey Plover Trading " * 15).strip() + " x " + "Lazarus Group", {"BO-2", "BO-7"}),
    ],
)
def test_a_name_is_never_routed_on_a_part_of_it(sample: Any, name: str, codes: set[str]) -> None:
    answer = deliver(tagged(counterpartyName=name))
    assert answer["action"] == ("held" if codes else "routed")
    assert [codes_of(case) for case in Case.objects.all()] == ([codes] if codes else [])


@pytest.mark.parametrize(("letters", "overlong"), [(300, False), (301, True)])
def test_a_name_is_read_whole_up_to_300_characters(letters: int, overlong: bool) -> None:
    assert parse_payer({"counterpartyName": f" {'x' * letters}  "}).overlong is overlong


@pytest.mark.parametrize(
    ("note", "overlong"),
    [("ab " * 333, False), ("ab " * 333 + "ab", True), ("x" * 400, False), ("x" * 401, True)],
)
def test_a_note_is_read_whole_up_to_1000_characters(note: str, overlong: bool) -> None:
    assert parse_payer({"note": note}).overlong is overlong


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("note", "codes"),
    [
        (INVOICE * 12 + "for Lazarus Group", {"BO-3"}),
        ("rent for the flat by the river " * 15 + "cement from Lazarus Group by ship", {"BO-3"}),
        ("x" * 395 + " Lazarus Group", {"BO-3", "BO-7"}),
        (INVOICE * 40 + "for Lazarus Group", {"BO-7"}),
        (INVOICE * 12 + "for Grey Plover Limited", set()),
    ],
)
def test_a_note_is_never_routed_on_a_part_of_it(sample: Any, note: str, codes: set[str]) -> None:
    answer = deliver(event(patch={"note": f"{note} svc:{WALLET}"}))
    assert answer["action"] == ("held" if codes else "routed")
    assert [codes_of(case) for case in Case.objects.all()] == ([codes] if codes else [])


def at(country: str) -> dict[str, Any]:
    return {"address": {"country": country}}


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("details", "risk"),
    [
        (at("DE") | {"internationalWireRoutingInfo": {"bankDetails": {"bankCountry": "IR"}}},
         "HIGH"),
        (at("DE") | {"electronicRoutingInfo": at("KP")}, "HIGH"),
        (at("KP") | {"electronicRoutingInfo": at("DE")}, "HIGH"),
        ({"internationalWireRoutingInfo": {"swiftCode": "MELIIRTH"}}, "HIGH"),
        (at("DE") | {"internationalWireRoutingInfo": {"iban": "IR062960000000100324200001"}},
         "HIGH"),
        (at("DE") | {"electronicRoutingInfo": at("CU")}, "MEDIUM"),
        (at("DE") | {"internationalWireRoutingInfo": {"swiftCode": "COBADEFFXXX"},
                     "electronicRoutingInfo": at("FR")}, ""),
    ],
)  # fmt: skip
@pytest.mark.parametrize("name", ["Grey Plover Limited", None])
def test_the_gravest_of_all_countries_of_a_payer_decides(
    sample: Any, details: dict[str, Any], risk: str, name: str | None
) -> None:
    told = {"counterpartyName": name} if name else {}
    answer = deliver(tagged(details=details, **told))
    assert answer["action"] == ("held" if risk else "routed")
    assert [case.risk for case in Case.objects.all()] == ([risk] if risk else [])
    entries = [
        sar_entry.data["facts"]["country"] in ("IR", "KP") for sar_entry in SarEntry.objects.all()
    ]
    assert entries == ([True] if risk == "HIGH" else [])


@pytest.mark.django_db
def test_a_deposit_for_a_listed_wallet_is_of_the_gravest_risk_and_in_the_sar_log(
    sample: Any,
) -> None:
    said = tagged(LISTED)
    deliver(said)
    case, entry = Case.objects.get(kind="bank_payment"), SarEntry.objects.get()
    assert (case.risk, case.needs_second) == ("HIGH", True)
    assert (entry.kind, entry.data["party"], entry.data["sanctions"]) == (
        "bank_payment", LISTED, True,
    )  # fmt: skip
    assert entry.data["facts"]["reference"] == said["resourceId"] and entry.data["lists"]


@pytest.mark.django_db
def test_a_deposit_that_goes_enters_the_profiles_of_payer_and_wallet_once(sample: Any) -> None:
    said = tagged(counterpartyName="Grey Plover Limited", status="pending")
    deliver(said)
    deliver(update(said, status="sent"))
    screen = AmlScreen.objects.get()
    assert screen.counted and screen.counterparty == WALLET
    held = WalletProfile.objects.held((screen.wallet, WALLET))
    assert [one.profile.count for one in held.values()] == [1, 1]
    assert "Plover" not in screen.wallet


@pytest.mark.django_db
def test_a_deposit_that_is_halted_enters_no_profile(sample: Any) -> None:
    deliver(tagged(counterpartyName="Lazarus Group"))
    assert not any(wallet_profile.profile.count for wallet_profile in WalletProfile.objects.all())


@pytest.mark.django_db
@pytest.mark.parametrize("again", ["the same", "another note"])
def test_what_an_officer_saw_and_released_goes_and_what_changed_since_does_not(
    sample: Any, again: str
) -> None:
    said = tagged(counterpartyName="Grey Plover", **living("CU"))
    deliver(said)
    approve(Case.objects.get(), "EMBARGO_LICENSED")
    if again == "another note":
        deliver(update(said, 3, note=f"something else svc:{WALLET}"))
    route_deposit.route_waiting_deposit(str(the(said).pk), now())
    assert the(said).state == ("ROUTED" if again == "the same" else "HALTED")


def approve(case: Case, reason: str, also: list[str] | None = None) -> Case:
    """Approve a case as two officers, where it asks for two."""
    olga, samir = (
        User.objects.filter(username=name).first() or person(name, role)
        for name, role in (("olga", OFFICER), ("samir", SENIOR))
    )
    said: dict[str, Any] = {"reason_code": reason, "note": NOTE, "now": now()}
    done = services.decide_case(case=case, by=olga, outcome="APPROVE", also=also, **said)
    if done.status == "AWAITING_SECOND":
        done = services.confirm_decision(case=done, by=samir, **said)
    return done


def finding(key: str, *, blocks: bool = False) -> Finding:
    return Finding("BO-2", "rule", "It stands.", blocks, key)


def test_what_is_answered_holds_no_more_and_nothing_else_is_let_go() -> None:
    found = (finding("a"), finding("b"), finding("c", blocks=True))
    unanswered_findings = list_unanswered_findings(found, cleared={"a", "c"})
    assert [unanswered_finding.key for unanswered_finding in unanswered_findings] == ["c", "b"], (
        "nobody releases what blocks"
    )


PARTIAL = "1 §2.7 rule 3 partial"
NEAR = "Sberbank Leasing Consultants"


@pytest.mark.django_db
def test_the_case_of_a_payer_who_resembles_a_listed_party_says_so_first(sample: Any) -> None:
    deliver(tagged(counterpartyName=NEAR))
    case = Case.objects.get(kind="bank_payment")
    assert (case.party, case.risk, case.risk_score, case.needs_second) == (NEAR, "HIGH", 69, True)
    assert case.rules[0]["ref"] == PARTIAL and "69" in case.rules[0]["sentence"]
    assert Case.objects.numbers("leasing sberbank", most=9) == [case.pk]


@pytest.mark.django_db
def test_a_wallet_registered_under_a_name_near_a_listed_one_is_the_party_of_the_case(
    sample: Any,
) -> None:
    body = NORTHWIND | {"walletAddress": WALLET, "legalName": NEAR}
    answer = key_client("Rita", "SIGNING").post("/compliance/register", body, format="json")
    assert answer.status_code == 201
    deliver(tagged(counterpartyName="Grey Plover Limited"))
    case = Case.objects.get(kind="bank_payment")
    assert (case.party, case.risk, case.risk_score) == (NEAR, "HIGH", 69)
    # what the AML engine finds is shown with the rest, not by a second case after that
    assert {PARTIAL, "FLOW-8", "BO-6"} <= set(case.refs)
    assert not any(wallet_profile.profile.count for wallet_profile in WalletProfile.objects.all())
    approve(case, "DIFFERENT_PARTY", also=case.refs)
    assert again()[0] == "ROUTED" and Case.objects.filter(kind="bank_payment").count() == 1
    screen = AmlScreen.objects.latest("pk")
    held = WalletProfile.objects.held((screen.wallet, WALLET))
    assert [one.profile.count for one in held.values()] == [1, 1]


@pytest.mark.django_db
def test_the_same_entry_that_payer_and_bank_resemble_is_one_case(sample: Any) -> None:
    bank = {"internationalWireRoutingInfo": {"bankDetails": {"bankName": "Sberbank Consulting AG"}}}
    deliver(tagged(counterpartyName=NEAR, details=bank))
    case = Case.objects.get(kind="bank_payment")
    sentences = [rule["sentence"] for rule in case.rules if rule["ref"] == PARTIAL]
    assert len(sentences) == 2 and sentences[1].startswith(
        "Bank of the payer Sberbank Consulting AG: "
    )
    approve(case, "DIFFERENT_PARTY", also=case.refs)
    assert again()[0] == "ROUTED" and Case.objects.count() == 1


@pytest.fixture
def two_findings(db: Any, sample: Any) -> Case:
    """A deposit of somebody near a listed party, to a wallet that is not registered."""
    deliver(tagged(counterpartyName=NEAR, amount=5000))
    case = Case.objects.get(kind="bank_payment")
    assert {PARTIAL, "FLOW-10"} <= set(case.refs)
    return case


def again() -> tuple[str, list[str]]:
    """Have the deposit tried again; return its state, and what its newest case is for."""
    row = BankTransaction.objects.get()
    route_deposit.route_waiting_deposit(str(row.pk), now())
    row.refresh_from_db()
    return row.state, sorted(Case.objects.filter(kind="bank_payment").latest("pk").refs)


def test_putting_right_one_finding_is_no_answer_to_another(two_findings: Case) -> None:
    with pytest.raises(services.InvalidDecision):
        approve(two_findings, "MENDED")


def test_a_release_lets_go_what_it_answers_and_nothing_else(two_findings: Case) -> None:
    approve(two_findings, "DIFFERENT_PARTY")
    assert again() == ("HALTED", ["FLOW-10"])
    approve(Case.objects.latest("pk"), "BENEFICIARY_KNOWN")
    assert again()[0] == "ROUTED"
    assert list(verify_bank_rows(lambda _: None)) == []


def test_a_release_that_puts_right_what_is_not_so_holds_on(two_findings: Case) -> None:
    approve(two_findings, "DIFFERENT_PARTY")
    again()
    approve(Case.objects.latest("pk"), "MENDED")
    assert again() == ("HALTED", ["FLOW-10"])


def test_an_officer_answers_all_at_once_by_ticking_what_the_reason_leaves(
    two_findings: Case,
) -> None:
    approve(two_findings, "DIFFERENT_PARTY", also=["FLOW-10"])
    decided = DecisionEvent.objects.get(action="DECIDED")
    assert {one["ref"] for one in decided.data["answered"]} == {PARTIAL, "FLOW-10"}
    assert again()[0] == "ROUTED"


def test_one_officer_alone_answers_no_match_of_high_risk(two_findings: Case) -> None:
    olga = person("olga", OFFICER)
    said: dict[str, Any] = {"reason_code": "DIFFERENT_PARTY", "note": NOTE, "now": now()}
    waits = services.decide_case(case=two_findings, by=olga, outcome="APPROVE", **said)
    assert waits.status == "AWAITING_SECOND" and BankTransaction.objects.get().state == "HALTED"


def test_another_listed_party_that_is_matched_since_is_another_finding(
    two_findings: Case, monkeypatch: Any
) -> None:
    approve(two_findings, "DIFFERENT_PARTY", also=["FLOW-10"])
    matched = PartyScreen._entries

    def entries(self: PartyScreen, code: str) -> list[Any]:
        found = matched(self, code)
        return [*found, {"dataset": "other", "entityId": "1", "score": 61, "name": "Leasing Bank"}]

    monkeypatch.setattr(PartyScreen, "_entries", entries)
    assert again() == ("HALTED", [PARTIAL])
    (rule,) = Case.objects.latest("pk").rules
    assert rule["sentence"] == "Partial sanctions match at 61%: Leasing Bank (other)."


BERN = {"city": "Bern", "country": "ch"}


@pytest.mark.parametrize(
    ("seen", "codes"),
    [
        ({}, []),
        ({"blocked": True, "flagged": True}, ["BO-1", "BO-2"]),
        ({"aml": "BLOCK"}, ["BO-5"]),
        ({"aml": "FLAG"}, ["BO-6"]),
        ({"named": ("x",)}, ["BO-3"]),
        ({"overlong": True}, ["BO-7"]),
        ({"unscreened": True}, ["BO-8"]),
        ({"known": False, "amount": Decimal("999.99")}, []),
        ({"known": False, "amount": Decimal(1000)}, ["BO-4"]),
        ({"known": False, "amount": Decimal(1000), "ours": True}, []),
    ],
)
def test_what_stands_against_a_deposit(seen: dict[str, Any], codes: list[str]) -> None:
    assert [
        payer_rule.code
        for payer_rule in find_payer_rules(PayerFacts(**{"amount": Decimal(5000)} | seen))
    ] == codes


@pytest.mark.parametrize(
    ("state", "payer"),
    [
        ({}, Payer()),
        ({"counterpartyName": 7, "details": []}, Payer()),
        (
            {"counterpartyName": " Ada ", "counterpartyNickname": "Ada", "counterpartyId": "c-1"},
            Payer(("Ada",), key=("c-1",)),
        ),
        (
            {"details": {"internationalWireRoutingInfo": {"iban": "DE89370400440532013000"}}},
            Payer(places=(Place("DE"),), key=("DE89370400440532013000",)),
        ),
        (
            {"details": {"electronicRoutingInfo": {"accountNumber": "12", "address": BERN}}},
            Payer(places=(Place("CH", "Bern, ch"),), key=("12",)),
        ),
        ({"note": f"for Ada svc:{WALLET}", "externalMemo": "42"}, Payer(words="for Ada 42")),
    ],
)
def test_who_pays_is_read_as_the_bank_tells_it(state: dict[str, Any], payer: Payer) -> None:
    assert parse_payer(state) == payer
