"""Every owner on record weighs, in both endpoints, whatever is shown (D §4 Owners)."""

from datetime import UTC, datetime, timedelta
from itertools import pairwise

import pytest

from apps.compliance.screening.combined.evidence_view import build_evidence_view
from apps.compliance.screening.combined.replay import replay_screen
from apps.compliance.screening.models import Screen, UboReport
from apps.compliance.screening.ubo import selectors as ubo_gather
from apps.compliance.screening.ubo import services as ubo_conclude
from apps.compliance.screening.ubo.screened_nodes import ScreenedNode
from apps.platform.api.callers import Caller
from apps.platform.common.clock import now
from apps.reference.lei.models import LeiRecord
from apps.reference.lei.services import file_imports
from apps.reference.lei.values import OwnerNode
from tests.lei import golden_copy_files
from tests.lei.changed_entities import restate
from tests.screening.conftest import CLEAN, REQUEST

ALICE = Caller("account:1", "SUBSCRIPTION", "Alice")
UBO = "/compliance/compliance/ubo-chain"
LISTED = "Garantex Europe OU"
S, D, E, U = (golden_copy_files.lei(number) for number in range(11, 15))


@pytest.fixture(autouse=True)
def no_gleif(settings):
    settings.GLEIF_URL = ""


@pytest.fixture
def group(tmp_path):
    """Load a group: names and columns of its entities by LEI, who owns whom, and exceptions."""

    def load(entities, owners=(), exceptions=()):
        rows = [
            golden_copy_files.record(lei, name) | columns
            for lei, (name, columns) in entities.items()
        ]
        files = (("lei2", rows), ("rr", list(owners)), ("repex", list(exceptions)))
        for name, lines in files:
            if lines:
                path = golden_copy_files.write(tmp_path, lines, f"20261119-0800-{name}.csv")
                file_imports.import_golden_copy(order=file_imports.ImportOrder(path), clock=now)

    return load


def top(lei):
    """Say that an entity has no owner."""
    kinds = (golden_copy_files.NO_DIRECT, golden_copy_files.NO_ULTIMATE)
    return [golden_copy_files.exception(lei, kind, "NO_KNOWN_PERSON") for kind in kinds]


def company(name=CLEAN, **columns):
    named = {"headquarters": "Entity.HeadquartersAddress.Country"}
    named |= {"country": "Entity.LegalAddress.Country"}
    named |= {"jurisdiction": "Entity.LegalJurisdiction"}
    return name, {named[key]: value for key, value in columns.items()}


def ubo(client, lei=S, **options):
    response = client.post(UBO, {"lei": lei} | options, format="json")
    assert response.status_code == 200, response.content
    return response.json()


@pytest.mark.parametrize("deep", [True, False])
def test_a_listed_direct_parent_below_a_clean_ultimate_one_blocks(group, screen, alice, deep):
    group(
        {S: company(), D: company(LISTED), U: company("Quiet Harbour Holding AG")},
        [
            golden_copy_files.relation(S, D),
            golden_copy_files.relation(D, U),
            golden_copy_files.relation(S, U, golden_copy_files.ULTIMATE),
        ],
        top(U),
    )
    answer = screen(lei=S)
    assert answer["decision"] == "BLOCKED"
    chain = answer["checks"]["uboChain"]
    assert (chain["levels"], chain["screened"]) == (2, 3)
    assert (chain["sanctionsAtNode"]["lei"], chain["sanctionsAtNode"]["role"]) == (
        D,
        "DIRECT_PARENT",
    )
    body = ubo(alice, deep=deep)
    assert body["result"] == "BLOCKED"
    assert body["fatfAttestation"]["sanctionsStatus"] == "MATCH"


@pytest.mark.parametrize("deep", [True, False])
def test_a_listed_owner_in_between_blocks_though_it_is_not_shown(group, screen, alice, deep):
    group(
        {
            S: company(),
            D: company("Quiet Harbour Trading AG"),
            E: company(LISTED),
            U: company("Quiet Harbour Holding AG"),
        },
        [
            golden_copy_files.relation(S, D),
            golden_copy_files.relation(D, E),
            golden_copy_files.relation(E, U),
            golden_copy_files.relation(S, U, golden_copy_files.ULTIMATE),
        ],
        top(U),
    )
    body = ubo(alice, deep=deep)
    assert body["result"] == "BLOCKED"
    assert {match["role"] for match in body["sanctionsMatches"]} == {"INTERMEDIATE"}
    assert (len(body["chain"]), body["screened"]) == (4 if deep else 3, 4)
    assert set(body["fatfAttestation"]["owners"]) == {D, E, U}
    assert screen(lei=S)["decision"] == "BLOCKED"
    assert replay_screen(record=Screen.objects.get()).agrees


@pytest.mark.parametrize(
    ("shares", "decision", "result"),
    [
        ({D: ""}, "BLOCKED", "BLOCKED"),
        ({D: "50.00"}, "BLOCKED", "BLOCKED"),
        ({D: "0.50"}, "BLOCKED", "BLOCKED"),
        ({D: "49.99"}, "FLAGGED", "REVIEW_REQUIRED"),
        ({D: "30", E: "20"}, "BLOCKED", "BLOCKED"),
        ({D: "30", E: "19"}, "FLAGGED", "REVIEW_REQUIRED"),
    ],
)
def test_the_fifty_percent_rule(group, screen, alice, shares, decision, result):
    group(
        {S: company()} | {lei: company(name) for lei, name in ((D, LISTED), (E, "Hizballah"))},
        [golden_copy_files.relation(S, lei, share=share) for lei, share in shares.items()],
        [golden_copy_files.exception(S, golden_copy_files.NO_ULTIMATE, "NATURAL_PERSONS")],
    )
    answer = screen(lei=S)
    assert answer["decision"] == decision
    held = "D §4 Owners, minority" if decision == "FLAGGED" else "1 §2.7 rule 5"
    assert held in answer["ruleReferences"]
    assert ubo(alice)["result"] == result
    evidence = Screen.objects.get().data["evidence"]
    told = {fact["value"] for fact in build_evidence_view(evidence | {"request": REQUEST})["facts"]}
    wholes = {"0.50": "50", "50.00": "50"}
    for share in filter(None, shares.values()):
        assert f"{wholes.get(share, share)} % of {CLEAN}" in told
    assert replay_screen(record=Screen.objects.get()).agrees


@pytest.mark.parametrize(
    ("share", "said"),
    [
        ("30", f"matched at 100 %, holds 30 % of {CLEAN}"),
        ("60", f"matched at 100 %, holds 60 % of {CLEAN}"),
        ("", f"matched at 100 %, consolidates {CLEAN} (no share on record)"),
    ],
)
def test_a_sanctioned_owner_is_told_with_its_match_and_its_share(group, screen, alice, share, said):
    group(
        {S: company(), D: company(LISTED)},
        [golden_copy_files.relation(S, D, share=share)],
        [golden_copy_files.exception(S, golden_copy_files.NO_ULTIMATE, "NATURAL_PERSONS")],
    )
    for answer in (screen(lei=S), ubo(alice)):
        assert f"DIRECT_PARENT {LISTED} ({D}), {said}." in answer["reasons"][0]


@pytest.mark.parametrize(
    ("shares", "identified"),
    [({D: "30"}, False), ({D: "30", E: "69.99"}, False), ({D: "30", E: "70"}, True),
     ({D: "30", E: ""}, True), ({D: ""}, True)],
)  # fmt: skip
def test_owners_of_less_than_the_whole_are_not_all_identified(
    group, screen, alice, shares, identified
):
    names = {D: company("Quiet Harbour Trading AG"), E: company("Quiet Harbour Holding AG")}
    group(
        {S: company()} | {lei: names[lei] for lei in shares},
        [golden_copy_files.relation(S, lei, share=share) for lei, share in shares.items()],
        top(D) + top(E),
    )
    held = "99.99" if E in shares else "30"
    missing = [] if identified else [f"{CLEAN}: the owners on record hold {held} %"]
    statement = ubo(alice)["fatfAttestation"]
    assert (statement["ownersIdentified"], statement["sharesMissing"]) == (identified, missing)
    answer = screen(lei=S)
    chain = answer["checks"]["uboChain"]
    assert (chain["ownersIdentified"], chain["sharesMissing"]) == (identified, missing)
    note = answer["attestations"]["micaArt72"]["note"]
    assert ("ownership to the ultimate parent" in note) is identified
    assert all(one in note for one in missing)


def test_the_country_that_bears_the_label_is_named(group, screen, alice):
    split = {"jurisdiction": "AE", "country": "AE", "headquarters": "IR"}
    group(
        {S: company(), U: company("Quiet Harbour Holding AG", **split)},
        [
            golden_copy_files.relation(S, U),
            golden_copy_files.relation(S, U, golden_copy_files.ULTIMATE),
        ],
        top(U),
    )
    body = ubo(alice)
    node = body["chain"][1]
    assert (node["jurisdiction"], node["countryLabel"], node["labelCountry"]) == (
        "AE",
        "CALL_FOR_ACTION",
        "IR",
    )
    assert body["chain"][0]["labelCountry"] is None
    said = f"Quiet Harbour Holding AG ({U}), headquarters in IR: CALL_FOR_ACTION"
    assert said in body["reasons"][0]
    (reason,) = screen(lei=S)["reasons"]
    assert reason.startswith("Listed country in the ownership chain: ") and said in reason


def test_a_party_of_a_listed_country_is_not_told_as_its_own_owner(group, screen, alice):
    group({S: company(headquarters="IR")}, (), top(S))
    answer = screen(lei=S)
    place = answer["rules"].index("owner.country")
    reason = answer["reasons"][place]
    assert reason.startswith("Listed country of the party by its LEI record: ")
    assert "headquarters in IR: CALL_FOR_ACTION" in reason and "ownership chain" not in reason
    (told,) = ubo(alice)["reasons"]
    assert told.startswith("The entity itself or an owner is in a listed country: SUBJECT ")


@pytest.mark.parametrize("where", ["jurisdiction", "country", "headquarters"])
@pytest.mark.parametrize(
    ("code", "label", "risk"),
    [
        ("IR", "CALL_FOR_ACTION", 100),
        ("HT", "INCREASED_MONITORING", 60),
        ("AF", "EU_HIGH_RISK", 50),
    ],
)
def test_an_owner_in_a_listed_country_flags_by_each_of_its_countries(
    group, screen, alice, where, code, label, risk
):
    group(
        {S: company(), U: company("Quiet Harbour Holding AG", **{where: code})},
        [
            golden_copy_files.relation(S, U),
            golden_copy_files.relation(S, U, golden_copy_files.ULTIMATE),
        ],
        top(U),
    )
    answer = screen(lei=S)
    assert (answer["decision"], answer["riskScore"]) == ("FLAGGED", risk)
    assert "D §4 Owners, country" in answer["ruleReferences"]
    body = ubo(alice)
    assert (body["result"], body["rules"], body["ruleReferences"]) == (
        "REVIEW_REQUIRED",
        ["chain.country"],
        ["D §4 2.6 country"],
    )
    assert body["chain"][1]["countryLabel"] == label
    assert body["fatfAttestation"]["jurisdictionRisk"] == label
    assert replay_screen(record=Screen.objects.get()).agrees


def test_a_name_and_an_lei_of_different_companies_flag_at_any_amount(group, screen):
    former = {
        "Entity.OtherEntityNames.OtherEntityName.1": "Old Harbour Trading GmbH",
        "Entity.OtherEntityNames.OtherEntityName.1.type": "PREVIOUS_LEGAL_NAME",
    }
    group({S: ("Northwind Traders GmbH", former)}, (), top(S))
    for fields in ({}, {"amount": 0.01}, {"amount": 5000}):
        answer = screen(lei=S, **fields)
        assert answer["decision"] == "FLAGGED"
        assert "D §4 fail closed, LEI of another" in answer["ruleReferences"]
        assert any("Northwind Traders GmbH" in reason for reason in answer["reasons"])
    assert screen(name="NORTHWIND TRADERS", lei=S)["decision"] == "APPROVED"
    assert screen(name="Old Harbour Trading", lei=S)["decision"] == "APPROVED"
    # an alias is only said: it bears nothing out
    assert screen(aliases=["Northwind Traders"], lei=S)["decision"] == "FLAGGED"


@pytest.mark.parametrize("reason", ["NATURAL_PERSONS", "NO_KNOWN_PERSON", "NON_CONSOLIDATING"])
def test_an_exception_identifies_nobody_and_is_told(group, screen, alice, reason):
    kinds = (golden_copy_files.NO_DIRECT, golden_copy_files.NO_ULTIMATE)
    group({S: company()}, (), [golden_copy_files.exception(S, kind, reason) for kind in kinds])
    body = ubo(alice)
    statement = body["fatfAttestation"]
    assert (body["result"], statement["ownersIdentified"], statement["owners"]) == (
        "CLEAR",
        False,
        [],
    )
    assert statement["exceptions"] == [f"DIRECT_PARENT: {reason}", f"ULTIMATE_PARENT: {reason}"]
    answer = screen(lei=S)
    chain = answer["checks"]["uboChain"]
    assert (chain["ownersIdentified"], chain["exceptions"]) == (False, [reason])
    note = answer["attestations"]["micaArt72"]["note"]
    assert f"reports no owner ({reason})" in note and "ultimate parent" not in note


def test_owners_are_identified_when_one_is_known_and_none_is_missing(group, screen, alice):
    group(
        {S: company(), U: company("Quiet Harbour Holding AG")},
        [
            golden_copy_files.relation(S, U),
            golden_copy_files.relation(S, U, golden_copy_files.ULTIMATE),
        ],
        top(U),
    )
    assert ubo(alice)["fatfAttestation"]["ownersIdentified"] is True
    answer = screen(lei=S)
    assert answer["checks"]["uboChain"]["ownersIdentified"] is True
    assert "ownership to the ultimate parent" in answer["attestations"]["micaArt72"]["note"]


@pytest.mark.parametrize(
    ("category", "decision"), [("SOLE_PROPRIETOR", "BLOCKED"), ("GENERAL", "FLAGGED")]
)
def test_an_owner_may_be_a_person_who_trades_under_an_lei(group, screen, category, decision):
    person = {"Entity.EntityCategory": category}
    group(
        {S: company(), U: ("Kim Jong Un", person)},
        [
            golden_copy_files.relation(S, U),
            golden_copy_files.relation(S, U, golden_copy_files.ULTIMATE),
        ],
        top(U),
    )
    assert screen(lei=S)["decision"] == decision
    assert replay_screen(record=Screen.objects.get()).agrees


def test_an_owner_without_a_record_is_of_no_known_country(group, alice):
    group(
        {S: company()},
        [
            golden_copy_files.relation(S, U),
            golden_copy_files.relation(S, U, golden_copy_files.ULTIMATE),
        ],
    )
    body = ubo(alice)
    assert body["result"] == "REVIEW_REQUIRED"
    assert body["chain"][1]["countryLabel"] == "NOT_PROVIDED"
    statement = body["fatfAttestation"]
    assert (statement["jurisdictionRisk"], statement["ownersIdentified"]) == (
        "NOT_PROVIDED",
        False,
    )


def test_a_lapsed_lei_is_lapsed_in_both_endpoints_and_identifies_nobody(group, screen, alice):
    group({S: company()}, (), top(S))
    restate(LeiRecord.objects.filter(lei=S), next_renewal=now().date() - timedelta(days=1))
    body = ubo(alice)
    assert body["chain"][0]["leiStatus"] == "LAPSED"
    assert body["fatfAttestation"]["leiStatus"] == "LAPSED"
    assert body["fatfAttestation"]["ownersIdentified"] is False
    assert any("is LAPSED" in reason for reason in screen(lei=S)["reasons"])


@pytest.mark.parametrize(("days", "hours"), [(0, 12), (1, 24), (400, 24)])
def test_a_kept_report_ends_with_the_day_on_which_an_lei_may_lapse(group, sample, days, hours):
    noon = datetime(2026, 11, 20, 12, tzinfo=UTC)
    group({S: company()}, (), top(S))
    restate(LeiRecord.objects.filter(lei=S), next_renewal=noon.date() + timedelta(days=days))
    asked = {"lei": S, "deep": False}
    gathered = ubo_gather.gather_ubo_report(asked=asked, now=noon)
    ubo_conclude.conclude_ubo_report(asked=asked, gathered=gathered, caller=ALICE, now=noon)
    assert UboReport.objects.get().expires_at == noon + timedelta(hours=hours)


@pytest.mark.parametrize(("length", "told"), [(20, False), (60, True)])
def test_a_long_chain_is_no_circle_and_is_screened(group, screen, alice, length, told):
    leis = [S, *(golden_copy_files.lei(number) for number in range(100, 100 + length))]
    names = {lei: company(f"Quiet Harbour {number} AG") for number, lei in enumerate(leis)}
    names[S], names[leis[12]] = company(), company(LISTED)
    ways = [golden_copy_files.relation(one, other) for one, other in pairwise(leis)]
    group(names, ways, top(leis[-1]))
    body = ubo(alice)
    assert body["result"] == "BLOCKED"
    reasons = " ".join(body["reasons"])
    assert "circle" not in reasons
    assert ("more than 50 levels of owners" in reasons) is told
    assert screen(lei=S)["decision"] == "BLOCKED"


def test_an_entity_whose_name_was_not_read_whole_is_not_clear() -> None:
    node = OwnerNode("L", "L", "SUBJECT", known=True)
    assert ScreenedNode(node, 0, (), ("why",)).status == "NOT_CHECKED"
    assert ScreenedNode(node, 0, ()).status == "CLEAR"
    assert ScreenedNode(node, 45, (), ("why",)).status == "PARTIAL"
    assert ScreenedNode(node, 70, (), ("why",)).status == "MATCH"


def test_what_is_shown_deeper_decides_nothing(group, alice):
    """A way to the ultimate parent that is not reported is told, whoever asks for it or not."""
    group(
        {S: company(), D: company("Quiet Bay Holding AG"), U: company("Quiet Harbour AG")},
        [
            golden_copy_files.relation(S, D),
            golden_copy_files.relation(S, U, golden_copy_files.ULTIMATE),
        ],
    )
    brief, deep = ubo(alice, deep=False), ubo(alice, deep=True)
    assert ("INTERMEDIATE", "NOT_REPORTED") in {(g["role"], g["reason"]) for g in deep["gaps"]}
    assert brief["gaps"] == []
    for same in ("result", "rules", "reasons", "screened"):
        assert brief[same] == deep[same]
    assert deep["result"] == "CLEAR"
