"""The page compares the parties as the matcher did: it never says other than the score."""

from decimal import Decimal
from typing import Any

import pytest

from apps.backoffice.review.models import Case
from apps.compliance.screening.combined.evidence_view import build_evidence_view
from apps.reference.watchlists.listed_entity import Identifier, ListedEntity, ListedName, Schema
from apps.reference.watchlists.match_effects import compute_effects
from apps.reference.watchlists.matches import ListMatch
from apps.reference.watchlists.matching.attribute_agreement import (
    KnownFacts,
    adjust_score_by_attributes,
)
from apps.reference.watchlists.presenters.attribute_comparison import (
    AttributeComparison,
    compare_attributes,
)
from apps.reference.watchlists.subjects import Subject
from tests.screening.conftest import REQUEST

LISTED = ListedEntity(
    entity_id="7",
    schema="Person",
    names=(ListedName("Karim Haddad", "primary"), ListedName("Abu Karim", weak=True)),
    countries=("IR", "SY"),
    birth_dates=("1965-03-02",),
    identifiers=(Identifier("passport", "A1234567", "IR"), Identifier("tax_id", "998-1")),
    addresses=("12 Palm Street, Tehran",),
    gender="male",
)


def row(subject: Subject, entity: ListedEntity = LISTED, **given: Any) -> dict[str, Any]:
    """Return a match as it is recorded, with what the matcher says of the party."""
    known_facts = KnownFacts(
        birth_date=subject.birth_date,
        countries=(subject.nationality,) if subject.nationality else (),
        identifiers=subject.identifiers,
        address=subject.address,
    )
    qualifiers = adjust_score_by_attributes(score=0.8, known=known_facts, entity=entity).qualifiers
    effects = compute_effects(subject=subject, entity=entity, qualifiers=qualifiers)
    match = ListMatch("l:7", "l", "Karim Haddad", 80, entity, subject.name, effects=effects)
    return match.recorded() | given


def rows(subject: Subject, **given: Any) -> dict[str, AttributeComparison]:
    return {
        attribute.what: attribute
        for attribute in compare_attributes(subject=subject, row=row(subject, **given))
    }


@pytest.mark.parametrize(
    ("what", "known", "verdict", "words"),
    [
        ("Type", {"individual": True}, "AGREES", "agrees"),
        ("Type", {"entity_type": "company"}, "DIFFERS", "differs"),
        ("Type", {}, "NOT_GIVEN", "not given by the client"),
        ("Birth date", {"birth_date": "1965-03-02"}, "AGREES", "agrees"),
        ("Birth date", {"birth_date": "1965"}, "AGREES", "agrees"),
        ("Birth date", {"birth_date": "1971"}, "DIFFERS", "differs"),
        ("Birth date", {"birth_date": "1965-02-03"}, "DIFFERS",
         "differs: day and month swapped?"),
        ("Birth date", {}, "NOT_GIVEN", "not given by the client"),
        ("Country", {"nationality": "SY"}, "AGREES", "agrees"),
        ("Country", {"nationality": "DE"}, "DIFFERS", "differs"),
        ("Passport", {"identifiers": (Identifier("passport", "a-123 4567"),)}, "AGREES", "agrees"),
        ("Passport", {"identifiers": (Identifier("passport", "B7654321"),)}, "DIFFERS", "differs"),
        ("Passport", {"identifiers": (Identifier("passport", "B7654321", "DE"),)}, "DIFFERS",
         "differs, does not count"),
        ("LEI", {"lei": "5493001KJTIIGC8Y1R12"}, "NOT_GIVEN", "not on the list"),
        ("Address", {"address": "Palm Street 12, Tehran"}, "AGREES", "agrees"),
        ("Address", {"address": "Rose Lane 3, Tehran"}, "RESEMBLES",
         "only the city, does not count"),
        ("Address", {"address": "Unter den Linden 1"}, "DIFFERS",
         "differs, does not count"),
    ],
)  # fmt: skip
def test_each_attribute_agrees_differs_or_says_who_did_not_give_it(
    what: str, known: dict[str, Any], verdict: str, words: str
) -> None:
    found = rows(Subject("Karim Hadad", **known))[what]
    assert (found.verdict, found.words) == (verdict, words)


@pytest.mark.parametrize("birth_date", ["1965", "1965-03-02", "1965-07-01", "1966", "1980"])
def test_a_verdict_has_the_sign_of_what_the_score_was_moved_by(birth_date: str) -> None:
    found = rows(Subject("Karim Hadad", birth_date=birth_date))["Birth date"]
    assert found.effect is not None
    assert (found.verdict == "AGREES") is (found.effect > 0)


def test_what_a_score_does_not_rest_on_is_compared_and_said_to_be_so() -> None:
    subject = Subject("Karim Hadad", birth_date="1971")
    found = rows(subject, effects=[])["Birth date"]
    assert (found.verdict, found.effect) == ("DIFFERS", None)
    assert found.words == "differs; not in the score"


def test_countries_are_named_and_what_the_list_has_besides_is_not_hidden() -> None:
    subject = Subject("K", nationality="IR", identifiers=(Identifier("passport", "A1234567"),))
    found = rows(subject)
    assert found["Country"].listed == ("Iran, Syria",)
    assert found["Other identifiers"].listed == ("Tax ID 998-1",)
    assert found["Passport"].listed == ("A1234567 (Iran)",)


def test_what_neither_side_gives_is_told_of_a_person() -> None:
    bare = ListedEntity(entity_id="8", schema="Person", names=(ListedName("Karim Haddad"),))
    held = row(Subject("Karim Hadad"), entity=bare)
    found = {
        attribute.what: attribute
        for attribute in compare_attributes(subject=Subject("Karim Hadad"), row=held)
    }
    for what in ("Birth date", "Country"):
        assert (found[what].verdict, found[what].words) == ("NOT_GIVEN", "given by neither"), what


def test_the_primary_name_stands_first_and_a_weak_alias_is_marked() -> None:
    held = row(Subject("Abu Karim"), name="Abu Karim")
    [drawn] = build_evidence_view({"request": REQUEST, "sanctions": [held]})["matches"]
    assert (drawn["name"], drawn["alias"], drawn["weak"]) == ("Karim Haddad", "Abu Karim", True)
    assert drawn["compared"][0]["listed"] == ["Karim Haddad", "Abu Karim"]
    assert {"label": "Gender", "value": "male"} in drawn["details"]


def test_a_flagged_screen_keeps_its_request_whole_and_compares_it(screen: Any) -> None:
    screen(name="Lazarus Group Films", country="DE", paymentType="vendor_payment",
           amount=12000, currency="EUR", reference="PAY-1", entityType="company")  # fmt: skip
    evidence_view = build_evidence_view(Case.objects.get().evidence)
    payment = {one["label"]: one["value"] for one in evidence_view["request"]["payment"]}
    assert payment["From, to"] == "not given → Germany"
    assert payment["Payment"] == "vendor payment" and payment["Reference"] == "PAY-1"
    assert payment["Amount"].startswith("12,000.00 EUR (about ")
    assert (
        "birth date" in evidence_view["request"]["missing"]
        and "LEI" in evidence_view["request"]["missing"]
    )
    kinds = {one["what"]: one["verdict"] for one in evidence_view["matches"][0]["compared"]}
    assert kinds["Name"] == "RESEMBLES" and kinds["Type"] == "AGREES"


def test_a_match_of_an_owner_is_compared_with_the_owner() -> None:
    owner = Subject("Karim Hadad", nationality="IR")
    chain = [{"lei": "L", "name": "Karim Hadad", "role": "ULTIMATE_PARENT", "status": "MATCH",
              "jurisdiction": "IR-07", "country": "", "headquarters": "",
              "category": "SOLE_PROPRIETOR", "also": [],
              "matches": [row(owner, effects=[])]}]  # fmt: skip
    [drawn] = build_evidence_view({"request": REQUEST, "chain": chain})["matches"]
    assert (drawn["of"], drawn["check"]) == ("Ultimate parent", "Sanctions, ultimate parent")
    kinds = {one["what"]: one for one in drawn["compared"]}
    assert kinds["Country"]["verdict"] == "AGREES"
    assert kinds["Name"]["asked"] == "Karim Hadad"


def test_a_number_that_found_the_party_agrees_under_the_kind_that_the_list_has_it() -> None:
    identifier = Identifier("national_id", "A1234567")
    subject = Subject("Somebody", identifiers=(identifier,))
    effects = compute_effects(subject=subject, entity=LISTED, exact=identifier, share=Decimal(1))
    match = ListMatch(
        "l:7", "l", "Karim Haddad", 100, LISTED, identifier.value, by="NATIONAL_ID", effects=effects
    )
    found = {c.what: c for c in compare_attributes(subject=subject, row=match.recorded())}
    assert found["Name"].verdict == "NOT_GIVEN" and "National ID" in found["Name"].words
    assert found["National ID"].verdict == "AGREES"
    assert found["National ID"].listed == ("Passport A1234567 (Iran)",)


@pytest.mark.parametrize(
    ("took", "verdict", "asked"), [("Vessel", "AGREES", "vessel"), ("Unknown", "DIFFERS", "")]
)
def test_a_name_that_says_that_it_is_a_ship_is_compared_as_one(
    took: Schema, verdict: str, asked: str
) -> None:
    subject = Subject("MV Sea Star")
    ship = ListedEntity("7", "Vessel", names=(ListedName("SEA STAR", "primary"),))
    effects = compute_effects(subject=subject, entity=ship, known=took)
    match = ListMatch("l:7", "l", "SEA STAR", 100, ship, "Sea Star", effects=effects)
    found = {c.what: c for c in compare_attributes(subject=subject, row=match.recorded())}
    assert (found["Type"].verdict, found["Type"].asked) == (verdict, asked)
