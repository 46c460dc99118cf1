"""Every type of listed party is searched, whatever the caller says of the party (D §4)."""

import pytest

from apps.backoffice.review.models import Case
from apps.compliance.screening.combined.evidence_view import build_evidence_view
from apps.compliance.screening.models import Screen
from apps.reference.watchlists import engine as engines
from apps.reference.watchlists import lookup
from apps.reference.watchlists.matching.name_normalization import MAX_TOKENS
from apps.reference.watchlists.models import Party
from apps.reference.watchlists.subjects import Subject

LISTED = "Lazarus Group"


@pytest.mark.parametrize(
    "said",
    [{"individual": True}, {"paymentType": "payroll"}, {"paymentType": "contractor"}],
)
def test_saying_that_a_party_is_a_person_does_not_hide_a_listed_organization(screen, said) -> None:
    answer = screen(name=LISTED, **said)
    assert answer["decision"] != "APPROVED"
    assert answer["checks"]["sanctions"]["matches"][0]["score"] >= 45


def test_a_name_longer_than_what_is_compared_is_not_approved(screen) -> None:
    words = " ".join(f"harbour{number}" for number in range(MAX_TOKENS))
    whole, cut = screen(name=words), screen(name=f"{words} {LISTED}")
    assert whole["decision"] == "APPROVED"
    assert cut["decision"] == "FLAGGED"
    assert "D §4 fail closed, name" in cut["ruleReferences"]
    assert any("Name not fully checked" in reason for reason in cut["reasons"])


def test_an_alias_is_searched_like_the_name(sample, noon) -> None:
    engine = engines.load_current_engine(noon)
    subject = Subject(name="Blue Heron Stationery", aliases=(LISTED,))
    assert not lookup.match_sanctions(engine=engine, subject=Subject(name=subject.name)).matches
    lookup_result = lookup.match_sanctions(engine=engine, subject=subject)
    assert (lookup_result.score, lookup_result.unread) == (100, ())


def test_a_type_that_contradicts_is_named_in_the_reason(screen) -> None:
    answer = screen(name=LISTED, entityType="person")
    assert (answer["decision"], answer["checks"]["sanctions"]["score"]) == ("FLAGGED", 69)
    assert "The listed party is an organization" in answer["reasons"][0]


@pytest.mark.parametrize(
    ("known", "by"),
    [
        ({"walletAddress": "0x098B716B8Aaf21512996dC57EB0615e2383E2f96"}, "WALLET"),
        ({"aliases": ["Acme", "Hidden Cobra"]}, "ALIAS"),
    ],
)
def test_a_wallet_and_an_alias_find_a_listed_party(screen, known, by) -> None:
    answer = screen(**known)
    match = answer["checks"]["sanctions"]["matches"][0]
    assert answer["decision"] == "BLOCKED"
    assert (match["name"], match["matchedBy"], match["score"]) == (LISTED, by, 100)
    assert match["type"] == "organization" and match["programs"] == ["DPRK3"]


def test_at_most_five_matches_are_shown(screen) -> None:
    names = ["Kim Jong Un", "Kim Yo Jong", "Park Jin Hyok", "Hizballah", "Hamas", "Al Qa'ida"]
    answer = screen(name=LISTED, aliases=names)
    assert len(answer["checks"]["sanctions"]["matches"]) == 5


def test_what_was_told_is_recorded_and_shown_to_the_officer(screen) -> None:
    screen(
        name=LISTED,
        entityType="person",
        birthDate="1984-01",
        nationality="KP",
        identifiers=[{"type": "nationalId", "value": "KP-778812"}],
        address="Pyongyang",
        aliases=["Acme"],
    )
    request = Screen.objects.get().data["request"]
    assert request["identifiers"] == [{"type": "national_id", "value": "KP-778812", "country": ""}]
    assert (request["entityType"], request["birthDate"], request["aliases"]) == (
        "person",
        "1984-01",
        ["Acme"],
    )
    evidence_view = build_evidence_view(Case.objects.get().evidence)
    party = {row["label"]: row["value"] for row in evidence_view["request"]["party"]}
    assert (party["National ID"], party["Other names"]) == ("KP-778812", "Acme")
    told = {row["what"]: row for row in evidence_view["matches"][0]["qualifiers"]}
    assert (told["Type"]["asked"], told["Type"]["agrees"]) == ("Person", False)
    assert told["Nationality"]["agrees"]


def test_its_names_are_remembered_for_later_changes_of_the_lists(screen) -> None:
    screen(name="Acme", aliases=["Emca"], entityType="company", birthDate="1999", nationality="DE")
    rows = Party.objects.order_by("name").values_list("name", "schema", "country", "birth_date")
    assert list(rows) == [
        ("Acme", "Organization", "DE", "1999"),
        ("Emca", "Organization", "DE", "1999"),
    ]
