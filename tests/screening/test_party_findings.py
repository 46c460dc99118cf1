"""Screens of several parties in one case: whose each finding is, and which party goes first."""

from apps.backoffice.review.services import CaseOpening
from apps.compliance.screening.combined.party_evidence_views import build_party_views
from apps.compliance.screening.combined.party_findings import (
    PartyScreen,
    build_case_reasons,
    own_entity_key,
    sort_by_severity,
)

MATCH, GREY = "sanctions.match", "country.increased_monitoring"
COUNTRY = {"code": GREY, "ref": "1 §2.7 rule 1 grey list", "sentence": "It is a grey country."}
LISTED = {"code": MATCH, "ref": "1 §2.7 rule 3 match", "sentence": "Sanctions match."}
REQUEST = {
    "lei": "", "country": "", "sourceCountry": "", "sourceGiven": False, "amount": None,
    "currency": "USD", "paymentType": None, "individual": True, "reference": "",
    "entityType": "", "birthDate": "", "nationality": "", "identifiers": [],
    "walletAddress": "", "address": "", "aliases": [],
}  # fmt: skip


def of(party: str, *reasons: dict[str, str], score: int = 60, entity: str = "") -> PartyScreen:
    """Return the screen of a payer that reasons flag or block."""
    opening = CaseOpening(
        kind="screen", ref=party, owner="", title="", risk="MEDIUM", risk_score=score, party=party,
        reasons=reasons, entity_key=entity, evidence={"request": REQUEST | {"name": party}},
    )  # fmt: skip
    return PartyScreen("payer", opening, "Payer")


def sentences(*screens: PartyScreen) -> list[str]:
    found = [finding for screen in screens for finding in screen.findings()]
    return [
        case_reason["sentence"] for case_reason in build_case_reasons(found, screens, own="payer")
    ]


def test_of_two_parties_of_one_side_each_sentence_names_its_own() -> None:
    assert sentences(of("Anna Calm", COUNTRY), of("Bert Calm", COUNTRY)) == [
        "Payer Anna Calm: It is a grey country.",
        "Payer Bert Calm: It is a grey country.",
    ]


def test_the_only_party_of_the_case_is_not_named_in_each_sentence() -> None:
    assert sentences(of("Anna Calm", COUNTRY)) == ["It is a grey country."]


def test_a_party_that_is_blocked_goes_before_one_of_a_higher_score_that_is_flagged() -> None:
    flagged, blocked = of("Anna", COUNTRY, score=100), of("Grup", LISTED, score=92)
    assert sort_by_severity([flagged, blocked]) == [blocked, flagged]


def test_a_case_is_joined_to_others_by_what_its_own_party_matches_and_nobody_else() -> None:
    screens = [of("Anna", COUNTRY, entity="ofac-sdn:1"), of("Bert", COUNTRY, entity="ofac-sdn:2")]
    assert own_entity_key(screens, own="payer", party="Bert") == "ofac-sdn:2"
    assert own_entity_key(screens, own="payer", party="Cleo") == ""


def test_what_another_party_of_that_side_matches_says_whose_it_is() -> None:
    first, second = (one.evidence for one in (of("Anna Calm", COUNTRY), of("Bert Calm", COUNTRY)))
    party_views = build_party_views(
        [first, second | {"nearest": {"name": "Near", "score": 40}}],
        own="payer",
        words={"payer": "Payer"},
    )
    assert party_views[0]["facts"] == []
    assert [row["label"] for row in party_views[1]["facts"]] == [
        "Payer Bert Calm: Nearest on the lists"
    ]
