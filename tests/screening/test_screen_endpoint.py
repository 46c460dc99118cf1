"""POST /compliance/screen through the API (document 1 §2.7)."""

from datetime import timedelta
from decimal import Decimal

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from apps.access.keys import metering
from apps.backoffice.review.models import Case
from apps.backoffice.sar.models import SarEntry
from apps.compliance.screening.combined.evidence_view import build_evidence_view
from apps.compliance.screening.combined.replay import replay_screen
from apps.compliance.screening.models import Screen
from apps.platform.common.clock import now
from apps.reference.signals.series import Reading
from apps.reference.signals.services import record_readings
from apps.reference.watchlists.models import Party
from tests.openapi import check_answer
from tests.screening.conftest import CLEAN, PATH, REQUEST

BLOOMBERG = {"name": "Bloomberg Finance L.P.", "lei": "5493001KJTIIGC8Y1R12"}
MICROSOFT = {"name": "Microsoft Corporation", "lei": "INR2EJN1ERAN0W5ZP974"}


def test_a_clean_payee_is_approved_and_its_reference_echoed(screen) -> None:
    answer = screen(reference="INV-7")
    assert answer["decision"] == "APPROVED"
    assert answer["humanRequired"] is False
    assert answer["_action"] == "proceed automatically"
    assert answer["reference"] == "INV-7"
    assert answer["reasons"] == []
    assert answer["checks"]["fatfCountry"] == {"source": "STANDARD", "destination": "STANDARD"}
    assert answer["dataQuality"] == "SAMPLE"


def test_the_answer_has_the_documented_shape(screen, alice) -> None:
    for fields in ({}, {"name": "Lazarus Group"}, MICROSOFT, {"individual": True}):
        check_answer("compliance", "POST", "/compliance/screen", screen(**fields))


@pytest.mark.parametrize(
    ("fields", "decision", "compatible"),
    [
        ({}, "APPROVED", True),
        ({"country": "HT"}, "FLAGGED", False),
        ({"country": "KP"}, "BLOCKED", False),
    ],
)
def test_only_an_approved_screen_is_compatible_with_mica(
    screen, fields, decision, compatible
) -> None:
    answer = screen(**fields)
    assert answer["decision"] == decision
    assert answer["attestations"]["micaArt72"]["compatible"] is compatible


@pytest.mark.parametrize("name", ["Lazarus Group", "Kim Jong Un", "KIM JONG UN", "lazarus  group"])
def test_a_listed_party_is_blocked(screen, name) -> None:
    answer = screen(name=name)
    assert answer["decision"] == "BLOCKED"
    assert answer["checks"]["sanctions"]["matched"] is True
    assert answer["checks"]["sanctions"]["score"] >= 70
    assert answer["checks"]["sanctions"]["matches"][0]["dataset"] == "sample-sanctions"


@pytest.mark.parametrize(
    ("fields", "decision", "flags"),
    [
        ({"amount": 9999.99}, "APPROVED", []),
        ({"amount": 10000}, "APPROVED", ["CTR_EQUIVALENT_10000"]),
        ({"amount": 99999.99}, "APPROVED", ["CTR_EQUIVALENT_10000"]),
        ({"amount": 100000}, "FLAGGED", ["CTR_EQUIVALENT_10000", "LARGE_WITHOUT_LEI_100000"]),
        ({"amount": 100000, **MICROSOFT}, "APPROVED", ["CTR_EQUIVALENT_10000"]),
        ({"amount": 500000, "currency": "JPY"}, "APPROVED", []),
        ({"amount": 1, "currency": "KPW"}, "FLAGGED", ["AMOUNT_NOT_CHECKED"]),
    ],
)
def test_amounts_are_judged_in_us_dollars(screen, fields, decision, flags) -> None:
    answer = screen(**fields)
    assert answer["decision"] == decision
    assert answer["checks"]["amountFlags"] == flags


TREASURY = {
    "VND": "26000",
    "EGP": "48.5",
    "NGN": "1480",
    "UAH": "41.9",
    "COP": "4000",
    "KWD": "0.3",
}


def keep_quarter() -> None:
    """Keep rates of the US Treasury of the last month, as a fetch of them would."""
    day = now().date() - timedelta(days=30)
    readings = [Reading(f"fx.treasury.{code}", day, Decimal(one)) for code, one in TREASURY.items()]
    record_readings(readings=readings, source="TREASURY", now=now())


@pytest.mark.parametrize("code", ["AED", "SAR", "QAR", "OMR", "BHD", "JOD", "XAF", "BAM"])
def test_a_hundred_of_a_pegged_currency_are_judged_and_say_by_what(screen, code) -> None:
    answer = screen(amount=100, currency=code)
    assert (answer["decision"], answer["checks"]["amountFlags"]) == ("APPROVED", [])
    valuation = answer["checks"]["valuation"]
    # the sample has the euro's rate alone, and says so
    assert valuation["source"] == ("SAMPLE" if code in ("XAF", "BAM") else "PEG")
    rate = Screen.objects.get().data["evidence"]["rate"]
    assert (rate["source"], rate["date"]) == (valuation["source"], valuation["rateDate"])


def test_at_a_peg_the_threshold_is_where_it_is_in_dollars(screen) -> None:
    below = screen(amount=36724.99, currency="AED")
    at = screen(amount=36725, currency="AED")
    assert below["checks"]["amountFlags"] == []
    assert at["checks"]["amountFlags"] == ["CTR_EQUIVALENT_10000"]
    assert at["checks"]["valuation"]["amountUsd"] == "10000.000000"
    assert at["checks"]["valuation"]["rate"] == "0.272294077604"


@pytest.mark.parametrize("code", TREASURY)
def test_where_neither_rate_nor_peg_is_held_the_treasurys_rate_of_the_quarter_judges(
    screen, code
) -> None:
    assert screen(amount=100, currency=code)["checks"]["amountFlags"] == ["AMOUNT_NOT_CHECKED"]
    keep_quarter()
    answer = screen(amount=100, currency=code)
    assert (answer["decision"], answer["checks"]["amountFlags"]) == ("APPROVED", [])
    valuation = answer["checks"]["valuation"]
    assert valuation["source"] == "TREASURY"
    assert valuation["rateDate"] == str(now().date() - timedelta(days=30))
    assert replay_screen(record=Screen.objects.latest("pk")).agrees


def test_an_amount_of_no_known_worth_has_no_valuation(screen) -> None:
    assert "valuation" not in screen(amount=1, currency="KPW")["checks"]
    assert "valuation" not in screen()["checks"]
    assert screen(amount=5)["checks"]["valuation"]["source"] == "USD"


@pytest.mark.parametrize(
    ("fields", "decision", "risk", "labels"),
    [
        ({"country": "KP"}, "BLOCKED", 100, ("STANDARD", "CALL_FOR_ACTION")),
        ({"sourceCountry": "IR"}, "BLOCKED", 100, ("CALL_FOR_ACTION", "STANDARD")),
        ({"country": "HT"}, "FLAGGED", 60, ("STANDARD", "INCREASED_MONITORING")),
        ({"country": "AF"}, "FLAGGED", 50, ("STANDARD", "EU_HIGH_RISK")),
        ({"country": None}, "APPROVED", 0, ("STANDARD", "NOT_PROVIDED")),
        ({"country": "de"}, "APPROVED", 0, ("STANDARD", "STANDARD")),
    ],
)
def test_the_countries_of_the_payment(screen, fields, decision, risk, labels) -> None:
    answer = screen(**fields)
    fatf_country = answer["checks"]["fatfCountry"]
    assert answer["decision"] == decision
    assert answer["riskScore"] == max(risk, answer["checks"]["sanctions"]["score"])
    assert (fatf_country["source"], fatf_country["destination"]) == labels


@pytest.mark.parametrize(
    ("trigger", "checked"),
    [
        ({"individual": True}, True),
        ({"paymentType": "payroll"}, True),
        ({"paymentType": "contractor"}, True),
        ({"paymentType": "vendor_payment"}, False),
        ({}, False),
    ],
)
def test_an_office_holder_is_flagged_when_the_pep_screen_runs(screen, trigger, checked) -> None:
    answer = screen(name="Keir Starmer", country="GB", **trigger)
    assert answer["checks"]["pep"]["checked"] is checked
    assert answer["checks"]["pep"]["matched"] is (True if checked else None)
    assert answer["decision"] == ("FLAGGED" if checked else "APPROVED")


def test_the_destination_country_never_lowers_a_sanctions_score(screen) -> None:
    bare = screen(name="Lazarus Group", country=None)["checks"]["sanctions"]["score"]
    assert screen(name="Lazarus Group", country="DE")["checks"]["sanctions"]["score"] == bare


def test_an_lei_runs_the_ownership_chain(screen) -> None:
    chain = screen(**MICROSOFT)["checks"]["uboChain"]
    assert chain["checked"] is True
    assert 1 <= chain["levels"] <= 2
    assert screen()["checks"]["uboChain"] == {
        "checked": False,
        "levels": 0,
        "screened": 0,
        "ownersIdentified": False,
        "sharesMissing": [],
        "exceptions": [],
        "sanctionsAtNode": None,
    }


def test_sanctions_at_an_owner_block_and_name_the_node(screen) -> None:
    answer = screen(name="Sber Trading Swiss AG", lei="506700AUNEQF0C694855")
    assert answer["decision"] == "BLOCKED"
    assert answer["riskScore"] == 100
    assert answer["checks"]["uboChain"]["sanctionsAtNode"]["lei"] == "549300WE6TAF5EEWQS81"


def test_a_listed_lei_is_a_match_of_the_party_whatever_name_is_given(screen) -> None:
    lookup_result = screen(lei="549300WE6TAF5EEWQS81")["checks"]["sanctions"]
    assert (lookup_result["matched"], lookup_result["score"]) == (True, 100)
    assert screen()["checks"]["sanctions"]["matched"] is False


def test_a_flagged_screen_is_a_case_and_a_blocked_one_a_sar_entry(screen) -> None:
    flagged = screen(country="HT", reference="PO 9")
    blocked = screen(name="Lazarus Group")
    case = Case.objects.get()
    assert (case.kind, case.ref) == ("screen", flagged["screenId"])
    assert (case.party, case.reference) == (CLEAN, "PO 9")
    (rule,) = case.rules
    assert (rule["ref"], rule["sentence"]) == (flagged["ruleReferences"][0], flagged["reasons"][0])
    entry = SarEntry.objects.get()
    assert entry.ref == blocked["screenId"]
    assert entry.data["party"] == "Lazarus Group"


def test_rules_carry_codes_with_references_and_reasons_in_the_same_order(screen) -> None:
    answer = screen(name="Lazarus Group", country="HT", amount=10000)
    codes = ["sanctions.match", "country.increased_monitoring", "amount.reporting"]
    assert answer["rules"] == codes
    assert answer["ruleReferences"] == [
        "1 §2.7 rule 3 match",
        "1 §2.7 rule 1 grey list",
        "1 §2.7 rule 2 reporting",
    ]
    words = ("Sanctions match", "increased monitoring", "10,000 USD")
    assert all(one in reason for one, reason in zip(words, answer["reasons"], strict=True))


def test_a_score_below_a_partial_match_is_shown_as_it_is(screen) -> None:
    answer = screen(name="Lazarus Hosiery Mills")
    lookup_result = answer["checks"]["sanctions"]
    assert 0 < lookup_result["score"] < 45
    assert (answer["decision"], answer["riskScore"], lookup_result["matches"]) == (
        "APPROVED",
        lookup_result["score"],
        [],
    )
    evidence = Screen.objects.get().data["evidence"]
    assert evidence["nearest"]["score"] == lookup_result["score"]
    (shown,) = (
        f
        for f in build_evidence_view(evidence | {"request": REQUEST})["facts"]
        if f["label"] == "Nearest on the lists"
    )
    assert evidence["nearest"]["name"] in shown["value"]


def test_the_record_holds_inputs_versions_evidence_and_timing(screen) -> None:
    answer = screen(name="Lazarus Group", amount=12000, currency="EUR")
    record = Screen.objects.get()
    data = record.data
    assert data["request"]["name"] == "Lazarus Group"
    assert data["response"] == answer
    assert data["versions"]["lists"] == {"sample-peps": 1, "sample-sanctions": 1}
    assert data["versions"]["rules"] and data["versions"]["matcher"]
    assert data["evidence"]["sanctions"][0]["explanation"]["matches"]
    assert data["evidence"]["rate"]["source"] == "SAMPLE"
    assert (record.decision, record.risk_score) == (answer["decision"], answer["riskScore"])


def test_the_party_is_remembered_once_for_later_list_changes(screen) -> None:
    screen(name="Same Party Ltd")
    screen(name="same  party LTD")
    assert Party.objects.filter(kind="screened").count() == 1


def test_the_owners_are_remembered_too_and_the_subject_once(screen) -> None:
    screen(name="Sber Trading Swiss AG", lei="506700AUNEQF0C694855")
    found = Party.objects.order_by("kind", "name").values_list("kind", "reference", "name")
    assert [row[0] for row in found] == ["owner", "screened"]
    assert found[0][1] == "lei:549300WE6TAF5EEWQS81" and "SBERBANK" in found[0][2].upper()
    assert found[1][2] == "Sber Trading Swiss AG"


@pytest.mark.parametrize(
    ("fields", "sanctions"),
    [
        ({"name": "Lazarus Group"}, True),
        ({"name": "Sber Trading Swiss AG", "lei": "506700AUNEQF0C694855"}, True),
        ({"country": "KP"}, True),  # rejected under a comprehensive programme: 31 CFR 501.604
        ({"country": "MM"}, False),  # FATF alone calls against it: no property, no programme
    ],
)
def test_the_sar_log_is_told_whether_a_sanctioned_party_was_matched(
    screen, fields, sanctions
) -> None:
    assert screen(**fields)["decision"] == "BLOCKED"
    assert SarEntry.objects.get().data["sanctions"] is sanctions


def test_each_screen_is_billed_and_a_refused_one_is_not(screen, alice) -> None:
    screen()
    screen(country="HT")
    assert alice.post(PATH, {"name": ""}, format="json").status_code == 400
    month = metering.get_month(Screen.objects.first().recorded_at)
    used = metering.count_calls_by_unit(account_id=alice.account.pk, month=month)
    assert used["screen"] == 2


@pytest.mark.parametrize(
    ("fields", "queries"),
    [
        ({}, 5),  # key, record, what it is found by, party, usage
        ({"country": "HT"}, 8),  # and the case, its state, its first event
        ({"name": "Lazarus Group"}, 8),  # and the SAR entry with its clocks and its party
        ({"amount": 5, "currency": "EUR"}, 6),  # and the rate of exchange
        (MICROSOFT, 7),  # and what is said of owners, their records and that of the LEI
        (BLOOMBERG, 8),  # and the LEI's first use today; its owner goes with the party
    ],
)
def test_a_screen_costs_a_known_number_of_queries(screen, fields, queries) -> None:
    screen(**MICROSOFT)  # what is looked at once in a while has been looked at
    with CaptureQueriesContext(connection) as seen:
        screen(**{"name": "Never Seen Before Ltd", **fields})
    kept = ("BEGIN", "COMMIT", "SAVEPOINT", "RELEASE")
    statements = [q["sql"] for q in seen if not q["sql"].startswith(kept)]
    assert len(statements) == queries, statements


def test_the_callers_reference_is_echoed_as_it_is(screen) -> None:
    assert screen(reference="  INV 42  ")["reference"] == "  INV 42  "
