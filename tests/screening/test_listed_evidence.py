"""Calendars, false documents and measures of official lists, as they decide and are told."""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from apps.backoffice.review.models import Case
from apps.platform.common.clock import now
from apps.reference.watchlists import engine, indexes
from apps.reference.watchlists.live_list_sets import load_current_set
from apps.reference.watchlists.models import Source, SourceKind, SourceTopic
from apps.reference.watchlists.services import list_imports
from tests.review.people import OFFICER, at_desk, check_page, person
from tests.watchlists.test_source_eu_uk import UK_HEADER

HIJRI, RANGE, FORGED = (
    "Gholamdoust Vezarati-Khorrami", "Bahramgour Zandieh-Lashkari", "Shahrdad Moqaddasian-Tabar",
)  # fmt: skip
EU = f"""<export xmlns="http://eu.europa.ec/fpi/fsd/export">
 <sanctionEntity designationDate="2011-04-12" logicalId="1"><regulation programme="IRN"/>
  <subjectType code="person" classificationCode="P"/><nameAlias wholeName="{HIJRI}"/>
  <birthdate circa="false" calendarType="ISLAMIC" year="1343"/></sanctionEntity>
 <sanctionEntity designationDate="2011-04-12" logicalId="2"><regulation programme="IRN"/>
  <subjectType code="person" classificationCode="P"/><nameAlias wholeName="{RANGE}"/>
  <birthdate circa="true" yearRangeFrom="1953" yearRangeTo="1958"/></sanctionEntity>
 <sanctionEntity designationDate="2011-04-12" logicalId="3"><regulation programme="IRN"/>
  <subjectType code="person" classificationCode="P"/><nameAlias wholeName="{FORGED}"/>
  <identification identificationTypeCode="passport" number="FX998877" knownFalse="true"/>
 </sanctionEntity></export>"""
BANNED, FROZEN = "Ottoline Brackenridge-Vane", "Peregrine Haverstock-Lisle"


def uk_csv() -> str:
    columns = [*UK_HEADER.split(","), "Sanctions Imposed"]
    rows = []
    for key, name, measures in (
        ("RUS1", BANNED, "Travel Ban"),
        ("RUS2", FROZEN, "Asset freeze|Travel Ban"),
    ):
        given, family = name.split(" ")
        said = {"Unique ID": key, "Name 6": family, "Name 1": given, "Name type": "Primary Name",
                "Regime Name": "Russia", "Designation Type": "Individual",
                "Sanctions Imposed": measures}  # fmt: skip
        rows.append(",".join(said.get(column, "") for column in columns))
    return "\n".join(["Report Date: 27-Nov-2026", ",".join(columns), *rows, ""])


@pytest.fixture
def own_folder(tmp_path: Path, settings: Any) -> None:
    """Give each test its own indexes."""
    settings.VAR_DIR = tmp_path / "var"
    engine.reset_engine()


@pytest.fixture
def lists(own_folder: None, sample: None, tmp_path: Path) -> Iterator[None]:
    """Screen against a list of the EU and one of the UK as well."""
    for slug, form, text in (("eu-house", "eu-xml", EU), ("uk-house", "uk-csv", uk_csv())):
        path = tmp_path / slug
        path.write_text(text)
        source = Source.objects.create(
            slug=slug,
            title=slug,
            topic=SourceTopic.SANCTION,
            kind=SourceKind.IN_HOUSE,
            format=form,
            minimum_percent=0,
            enabled=True,
        )
        list_imports.import_files(source=source, paths=[path], now=now())
    indexes.build_set_index(load_current_set())
    engine.reset_engine()
    yield
    engine.reset_engine()


@pytest.mark.parametrize(
    ("name", "born", "decision"),
    [
        (HIJRI, "1964", "BLOCKED"),
        (HIJRI, "1964-05-02", "BLOCKED"),
        (HIJRI, "1924", "BLOCKED"),
        (HIJRI, "1943", "FLAGGED"),
        (RANGE, "1952", "BLOCKED"),
        (RANGE, "1959", "BLOCKED"),
        (RANGE, "1951", "FLAGGED"),
        (RANGE, "1960", "FLAGGED"),
    ],
)
def test_a_birth_date_is_compared_with_all_that_the_listed_one_may_mean(
    lists: None, screen: Callable[..., Any], name: str, born: str, decision: str
) -> None:
    answer = screen(name=name, birthDate=born, entityType="person")
    assert answer["decision"] == decision, answer["reasons"]


def test_the_officer_sees_a_date_in_both_calendars_and_a_range_as_printed(
    lists: None, screen: Callable[..., Any]
) -> None:
    screen(name=HIJRI, birthDate="1943", entityType="person")
    officer = at_desk(person("olivia", OFFICER))
    page = check_page(officer.get(f"/admin/review/case/{Case.objects.get().pk}/"))
    assert "1343 of the Hijri calendar; in the Gregorian calendar 1924 or 1925 if lunar" in page
    assert "1964 or 1965 if solar" in page
    screen(name=RANGE, birthDate="1960", entityType="person")
    page = check_page(officer.get(f"/admin/review/case/{Case.objects.latest('pk').pk}/"))
    assert "circa 1953 to 1958" in page


def test_a_document_that_the_list_calls_false_finds_nobody(
    lists: None, screen: Callable[..., Any]
) -> None:
    answer = screen(identifiers=[{"type": "passport", "value": "FX998877"}])
    assert (answer["decision"], answer["checks"]["sanctions"]["matches"]) == ("APPROVED", [])


@pytest.mark.parametrize("number", ["FX998877", "AB123456"])
def test_a_document_that_the_list_calls_false_neither_bears_out_nor_contradicts(
    lists: None, screen: Callable[..., Any], number: str
) -> None:
    plain = screen(name=FORGED)["checks"]["sanctions"]["matches"][0]
    numbered = screen(name=FORGED, identifiers=[{"type": "passport", "value": number}])
    match = numbered["checks"]["sanctions"]["matches"][0]
    assert (match["score"], match["matchedBy"]) == (plain["score"], "NAME")


def test_a_document_that_the_list_calls_false_is_shown(
    lists: None, screen: Callable[..., Any]
) -> None:
    screen(name=FORGED, entityType="company")
    officer = at_desk(person("olivia", OFFICER))
    page = check_page(officer.get(f"/admin/review/case/{Case.objects.get().pk}/"))
    assert "False documents, not compared" in page and "FX998877" in page


@pytest.mark.parametrize(
    ("name", "told"), [(BANNED, True), (FROZEN, False)], ids=["travel ban alone", "asset freeze"]
)
def test_a_match_says_where_the_list_imposes_a_travel_ban_alone(
    lists: None, screen: Callable[..., Any], name: str, told: bool
) -> None:
    answer = screen(name=name)
    assert answer["decision"] == "BLOCKED"  # what blocks is a match, whatever is imposed
    reason = answer["reasons"][0]
    assert ("The list imposes only these measures: Travel Ban." in reason) is told
    assert "freeze" not in reason.lower()
