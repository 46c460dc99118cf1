"""Ownership reports on the bundled sample, and on chains made up for the case."""

import json
from datetime import UTC, datetime, timedelta

import pytest

from apps.compliance.screening.models.cached_reports import UboReport, delete_expired_reports
from apps.compliance.screening.ubo import selectors as ubo
from apps.compliance.screening.ubo import services as ubo_conclude
from apps.platform.api.callers import Caller
from apps.platform.crypto import signatures
from apps.platform.jobs.models import Job
from apps.reference.lei.services import file_imports
from apps.reference.watchlists import engine
from apps.reference.watchlists.models import Party
from tests.lei import fake_gleif, golden_copy_files

NOON = datetime(2026, 11, 20, 12, tzinfo=UTC)
MICROSOFT, SBERBANK = "INR2EJN1ERAN0W5ZP974", "549300WE6TAF5EEWQS81"
SBER_UK, AMAZON_UK = "549300BKWHXYEXPV0328", "254900LNRYNOQ9YPU758"
BLOOMBERG, LIMA = "5493001KJTIIGC8Y1R12", "254900RX3NW13DDG3905"
A, B, C = (golden_copy_files.lei(number) for number in range(1, 4))

pytestmark = pytest.mark.usefixtures("sample")


@pytest.fixture(autouse=True)
def no_gleif(settings):
    settings.GLEIF_URL = ""


FOREVER = datetime(2100, 1, 1, tzinfo=UTC)
ALICE = Caller("account:1", "SUBSCRIPTION", "Alice")


def report(lei=MICROSOFT, now=NOON, **options):
    asked = {"lei": lei, "deep": False} | options
    gathered = ubo.gather_ubo_report(asked=asked, now=now)
    return ubo_conclude.conclude_ubo_report(asked=asked, gathered=gathered, caller=ALICE, now=now)


def load(folder, rows, name):
    path = golden_copy_files.write(folder, rows, f"20261119-0800-{name}.csv")
    file_imports.import_golden_copy(order=file_imports.ImportOrder(path), clock=lambda: NOON)


def group(
    folder, owner="Quiet Harbour Holding AG", country="DE", reason="NO_KNOWN_PERSON", columns=()
):
    """A owned by B, with B declaring a reason why it names nobody; `columns` are more of B's."""
    records = [golden_copy_files.record(A, "Blue Heron Stationery GmbH")]
    records.append(golden_copy_files.record(B, owner, LegalJurisdiction=country) | dict(columns))
    load(folder, records, "lei2")
    owners = [
        golden_copy_files.relation(A, B),
        golden_copy_files.relation(A, B, golden_copy_files.ULTIMATE),
    ]
    load(folder, owners, "rr")
    if reason:
        rows = [
            golden_copy_files.exception(B, kind, reason)
            for kind in (golden_copy_files.NO_DIRECT, golden_copy_files.NO_ULTIMATE)
        ]
        load(folder, rows, "repex")


def test_a_company_without_legal_owners_is_clear():
    body = report()
    assert (body["result"], body["reasons"], body["sanctionsMatches"]) == ("CLEAR", [], [])
    (only,) = body["chain"]
    assert (only["lei"], only["role"], only["jurisdiction"]) == (MICROSOFT, "SUBJECT", "US-WA")
    assert only["sanctions"] == {"status": "CLEAR", "score": 0.0, "matches": []}
    assert body["dataQuality"] == "SAMPLE"
    assert body["cachedAt"] == int(NOON.timestamp())


def test_a_listed_company_is_blocked_by_its_lei():
    body = report(SBERBANK)
    assert body["result"] == "BLOCKED"
    match = body["sanctionsMatches"][0]
    assert (match["lei"], match["matchedBy"], match["score"]) == (SBERBANK, "LEI", 1.0)
    assert "RUSSIA-EO14024" in match["programs"]
    assert body["fatfAttestation"]["sanctionsStatus"] == "MATCH"


def test_a_subsidiary_of_a_listed_company_is_blocked_and_the_node_is_named():
    body = report(SBER_UK)
    assert body["result"] == "BLOCKED"
    assert SBERBANK in {match["lei"] for match in body["sanctionsMatches"]}
    assert any(
        f"({SBERBANK}), matched at 100 %, consolidates" in reason for reason in body["reasons"]
    )


def test_matches_below_70_are_shown_at_the_node_only():
    for match in report(SBER_UK)["sanctionsMatches"]:
        assert match["score"] >= 0.70


def test_a_hidden_direct_parent_needs_a_review_though_the_ultimate_is_known():
    body = report(AMAZON_UK)
    assert body["result"] == "REVIEW_REQUIRED"
    assert body["gaps"] == [{"role": "DIRECT_PARENT", "reason": "NON_PUBLIC"}]
    assert body["fatfAttestation"]["ownersIdentified"] is False
    assert body["fatfAttestation"]["ultimateParent"] == "ZXTILKJKG63JELOEG630"


def test_an_ultimate_parent_known_through_the_direct_one_is_clear():
    body = report(LIMA)
    assert (body["result"], body["gaps"]) == ("CLEAR", [])
    assert [node["role"] for node in body["chain"]] == ["SUBJECT", "ULTIMATE_PARENT"]


@pytest.mark.parametrize("deep", [True, False])
def test_without_deep_there_are_at_most_three_levels(deep):
    body = report(BLOOMBERG, deep=deep)
    assert [node["role"] for node in body["chain"]] == [
        "SUBJECT",
        "DIRECT_PARENT",
        "ULTIMATE_PARENT",
    ]
    # what lies between the two is not on record: `deep` says so, and decides nothing
    assert body["result"] == "CLEAR"


def test_a_clear_group_is_clear(tmp_path):
    group(tmp_path)
    body = report(A)
    assert body["result"] == "CLEAR"
    assert body["fatfAttestation"]["owners"] == [B]
    assert body["fatfAttestation"]["jurisdictionRisk"] == "STANDARD"


def test_an_owner_with_a_listed_name_blocks(tmp_path):
    group(tmp_path, owner="Garantex Europe OU")
    body = report(A)
    assert body["result"] == "BLOCKED"
    assert {match["role"] for match in body["sanctionsMatches"]} == {"ULTIMATE_PARENT"}


@pytest.mark.parametrize(
    ("kind", "result"),
    [
        ("ALTERNATIVE_LANGUAGE_LEGAL_NAME", "BLOCKED"),
        ("TRADING_OR_OPERATING_NAME", "BLOCKED"),
        ("PREVIOUS_LEGAL_NAME", "BLOCKED"),
    ],
)
def test_an_owner_is_screened_by_its_legal_name_in_other_languages_too(tmp_path, kind, result):
    other = "Entity.OtherEntityNames.OtherEntityName.1"
    group(tmp_path, columns={other: "Garantex Europe OU", f"{other}.type": kind})
    body = report(A)
    assert body["result"] == result
    assert {match["role"] for match in body["sanctionsMatches"]} == (
        {"ULTIMATE_PARENT"} if result == "BLOCKED" else set()
    )


@pytest.mark.parametrize(
    ("country", "label", "result"),
    [
        ("FR", "STANDARD", "CLEAR"),
        ("HT", "INCREASED_MONITORING", "REVIEW_REQUIRED"),
        ("AF", "EU_HIGH_RISK", "REVIEW_REQUIRED"),
        ("IR", "CALL_FOR_ACTION", "REVIEW_REQUIRED"),
    ],
)
def test_an_owner_in_a_listed_country_needs_a_review(tmp_path, country, label, result):
    group(tmp_path, country=country)
    body = report(A)
    assert (body["result"], body["chain"][1]["countryLabel"]) == (result, label)
    assert body["fatfAttestation"]["jurisdictionRisk"] == label


def test_an_owner_whose_record_is_not_held_is_not_checked(tmp_path):
    load(tmp_path, [golden_copy_files.record(A, "Blue Heron Stationery GmbH")], "lei2")
    owners = [
        golden_copy_files.relation(A, B),
        golden_copy_files.relation(A, B, golden_copy_files.ULTIMATE),
    ]
    load(tmp_path, owners, "rr")
    body = report(A)
    assert body["result"] == "REVIEW_REQUIRED"
    unknown = body["chain"][1]
    assert (unknown["name"], unknown["jurisdiction"]) == (B, None)
    assert unknown["sanctions"] == {"status": "NOT_CHECKED", "score": None, "matches": []}
    assert body["fatfAttestation"]["sanctionsStatus"] == "NOT_CHECKED"


def test_a_listed_lei_is_found_even_where_its_record_is_not_held(tmp_path):
    load(tmp_path, [golden_copy_files.record(A, "Blue Heron Stationery GmbH")], "lei2")
    load(tmp_path, [golden_copy_files.relation(A, SBERBANK)], "rr")
    body = report(A)
    assert body["result"] == "BLOCKED"
    assert body["chain"][1]["sanctions"]["status"] == "MATCH"


def test_an_lei_that_nobody_can_ask_for_is_unavailable_and_not_clear():
    with pytest.raises(ubo.LeiUnavailable) as error:
        report(C)
    assert (error.value.status, error.value.code) == (503, "lei_unavailable")


def test_an_lei_that_gleif_does_not_have_is_not_found(settings):
    gleif = fake_gleif.FakeGleif()
    settings.GLEIF_URL = gleif.url
    try:
        with pytest.raises(ubo.LeiUnknown) as error:
            report(C)
    finally:
        gleif.close()
    assert (error.value.status, error.value.code) == (404, "lei_unknown")


def test_an_unfinished_chain_is_kept_five_minutes_while_a_job_completes_it(settings):
    gleif = fake_gleif.FakeGleif()
    settings.GLEIF_URL = gleif.url
    gleif.add(fake_gleif.record(C, "Blue Heron Stationery GmbH"))
    try:
        assert report(C)["result"] == "REVIEW_REQUIRED"
    finally:
        gleif.close()
    assert UboReport.objects.get().expires_at == NOON + ubo_conclude.UNFINISHED_KEPT
    jobs = Job.objects.exclude(name="ongoing.rescreen")  # of the lists that became current
    assert list(jobs.values_list("name", "key")) == [("lei.complete_chain", C)]


@pytest.mark.parametrize(("hours", "same"), [(23.99, True), (24, False)])
def test_a_report_is_kept_24_hours(hours, same):
    first, then = report(), NOON + timedelta(hours=hours)
    again = report(now=then)
    assert (again["cachedAt"] == first["cachedAt"]) is same
    assert UboReport.objects.count() == 1


@pytest.mark.parametrize(("hours", "left"), [(23.99, 1), (24, 0)])
def test_reports_whose_time_has_passed_are_removed(hours, left):
    report()
    delete_expired_reports("", NOON + timedelta(hours=hours))
    assert UboReport.objects.count() == left


def test_a_kept_report_costs_one_query_and_its_record(django_assert_num_queries):
    first = report()
    with django_assert_num_queries(2):  # the kept report, the record of this answer
        assert report() == json.loads(json.dumps(first))


def test_another_depth_another_list_and_another_listing_are_other_questions(monkeypatch):
    report()
    report(deep=True)
    assert UboReport.objects.count() == 2
    live = engine.load_current_engine(NOON)
    newer = engine.Engine(
        type(live.list_set)("f" * 32, live.list_set.sources),
        live.sanctions,
        live.pep,
        live.freshness,
    )
    monkeypatch.setattr(engine, "load_current_engine", lambda now, need: newer)
    report()
    assert UboReport.objects.count() == 3


def test_the_attestation_is_signed_and_says_what_it_rests_on():
    body = report(SBER_UK)
    statement = body["fatfAttestation"]
    assert signatures.is_signed_by_us(statement)
    assert not signatures.is_signed_by_us(statement | {"result": "CLEAR"})
    assert statement["subject"] == SBER_UK
    assert statement["listSet"] == engine.load_current_engine(NOON).list_set.id
    assert statement["issuedAt"] == body["cachedAt"]


def test_a_kept_report_keeps_its_signature():
    report()
    assert signatures.is_signed_by_us(report()["fatfAttestation"])


def test_the_entities_are_remembered_for_later_lists(tmp_path):
    group(tmp_path)
    report(A)
    kept = Party.objects.values_list("kind", "name", "reference")
    assert set(kept) == {
        ("screened", "Blue Heron Stationery GmbH", f"lei:{A}"),
        ("owner", "Quiet Harbour Holding AG", f"lei:{B}"),
    }


def test_without_sanctions_lists_there_is_no_report(settings):
    settings.PRODUCTION = True
    engine.reset_engine()
    with pytest.raises(engine.ListsUnavailable):
        report()


def test_a_kept_report_that_somebody_changed_is_made_anew() -> None:
    honest = report()
    row = UboReport.objects.get()
    for change in ({"body": row.body | {"forged": True}}, {"mac": ""}, {"expires_at": FOREVER}):
        UboReport.objects.update(**change)
        assert report() == honest
        assert UboReport.objects.get().expires_at == row.expires_at
