"""PEP reports on the bundled sample, and on office holders made up for the case."""

import json
from datetime import UTC, datetime, timedelta

import pytest

from apps.compliance.screening.models.cached_reports import PepReport
from apps.compliance.screening.pep import selectors as pep
from apps.compliance.screening.pep import services as pep_conclude
from apps.compliance.screening.rules import pep as rules
from apps.compliance.screening.rules import pep_country_filter
from apps.compliance.screening.rules.offices import END_NOT_KNOWN
from apps.platform.api.callers import Caller
from apps.platform.crypto import signatures
from apps.reference.watchlists import engine
from apps.reference.watchlists.listed_entity import ListedEntity, ListedName, Position
from apps.reference.watchlists.matching.index import MatchIndex
from apps.reference.watchlists.matching.index_builder import IndexEntry, build_index
from apps.reference.watchlists.models import Party
from tests.openapi import check_answer

NOON = datetime(2026, 11, 20, 12, tzinfo=UTC)
STARMER = "Keir Starmer"
CLEAN = "Philippa Quenneville-Thackeray"

pytestmark = pytest.mark.usefixtures("sample")
FOREVER = datetime(2100, 1, 1, tzinfo=UTC)
ALICE = Caller("account:1", "SUBSCRIPTION", "Alice")


def report(name=STARMER, now=NOON, **options):
    asked = {"name": name} | options
    gathered = pep.gather_pep_report(asked=asked, now=now)
    return pep_conclude.conclude_pep_report(asked=asked, gathered=gathered, caller=ALICE, now=now)


def test_an_office_holder_is_found_with_office_country_and_dates():
    body = report("Andy Burnham")
    assert (body["riskLevel"], body["eddRequired"], body["dataQuality"]) == ("HIGH", True, "SAMPLE")
    match = body["pepMatches"][0]
    assert (match["position"], match["country"]) == ("Prime Minister", "GB")
    assert (match["since"], match["until"], match["current"]) == ("2026-07-20", None, True)
    assert (match["score"], match["confidence"]) == (1.0, 1.0)


@pytest.mark.parametrize(
    "form", ["H.E. {}", "Quenneville Ltd c/o {}", "{} and Mary Quenneville", "{}, 12 High Street"]
)
def test_an_office_holder_is_found_in_each_part_of_a_name_field(form):
    (match,) = report(form.format("Andy Burnham"))["pepMatches"]
    assert match["score"] == 1.0


def test_of_several_offices_the_current_one_is_shown():
    match = report(STARMER, country="GB")["pepMatches"][0]
    assert (match["position"], match["current"]) == ("Member of Parliament", True)


def test_a_clean_name_has_no_match():
    body = report(CLEAN)
    assert (body["riskLevel"], body["pepMatches"], body["eddRequired"]) == ("NONE", [], False)
    assert body["fatfR12"]["checked"] is True
    assert body["fatfR12"]["measures"] == []


@pytest.mark.parametrize("name", ["12345", "Anna " * 20 + "Schmidt"])
def test_a_name_that_was_not_read_whole_is_not_signed_as_checked(name):
    statement = report(name)["fatfR12"]
    assert statement["checked"] is False and statement["unread"] != []


def test_the_office_of_a_union_of_states_is_medium():
    assert report("Christine Lagarde")["riskLevel"] == "MEDIUM"


def test_a_country_narrows_the_results():
    assert report(STARMER, country="GB")["pepMatches"]
    assert report(STARMER, country="gb")["pepMatches"]
    assert report(STARMER, country="FR")["pepMatches"] == []


@pytest.mark.parametrize("country", ["DE", "FR", "EU", "eu"])
def test_an_official_of_the_union_is_not_hidden_by_a_member_state(alice, country):
    body = {"name": "Christine Lagarde", "country": country}
    answer = alice.post("/compliance/compliance/pep-screen", body, format="json")
    assert answer.status_code == 200
    assert [match["name"] for match in answer.json()["pepMatches"]] == ["Christine Lagarde"]


@pytest.mark.parametrize(("country", "status"), [("EU", 200), ("UN", 400), ("XX", 400)])
def test_the_union_is_the_only_code_beyond_those_of_countries(alice, country, status):
    body = {"name": CLEAN, "country": country}
    answer = alice.post("/compliance/compliance/pep-screen", body, format="json")
    assert answer.status_code == status


def statement(name, **options):
    return report(name, **options)["fatfR12"]


def test_the_statement_says_by_which_country_it_was_narrowed_and_who_counted():
    everywhere = statement(STARMER)
    assert (everywhere["country"], everywhere["narrowing"]) == (None, pep_country_filter.EVERYWHERE)
    british = statement(STARMER, country="gb")
    assert british["country"] == "GB"
    assert "officials of the UN and other international bodies" in british["narrowing"]
    assert "excludes 0 matches from other countries" in british["narrowing"]
    french = statement(STARMER, country="FR")
    assert french["matches"] == []
    assert "officials of the EU, the UN" in french["narrowing"]
    assert "excludes 1 match from other countries" in french["narrowing"]


def test_the_evidence_says_why_an_official_of_the_union_counts_for_a_member():
    (match,) = report("Christine Lagarde", country="DE")["pepMatches"]
    assert "Included for DE as an official of an international body." in match["evidence"]
    (match,) = report("Christine Lagarde", country="EU")["pepMatches"]
    assert not any(said.startswith("Included for") for said in match["evidence"])


def test_an_office_whose_end_is_not_known_counts_as_held_and_is_told_so():
    body = report("Andy Burnham")
    assert body["eddRequired"] is True
    assert body["pepMatches"][0]["evidence"] == [END_NOT_KNOWN]
    pep_matches = report(STARMER, now=NOON)["pepMatches"]
    for match in pep_matches:
        open_ended = match["current"] is True and match["until"] is None
        assert (END_NOT_KNOWN in match["evidence"]) is open_ended


def test_a_match_names_its_rule_by_code_and_reference(alice):
    body = {"name": "Andy Burnham"}
    answer = alice.post("/compliance/compliance/pep-screen", body, format="json").json()
    check_answer("compliance", "POST", "/compliance/pep-screen", answer)
    match = answer["pepMatches"][0]
    assert (match["rule"], match["ruleReference"]) == ("holder.in_office", "D §4 2.6 high")


def test_an_official_of_the_united_nations_is_found_in_every_country():
    assert report("António Guterres", country="KE")["pepMatches"]
    assert report("Christine Lagarde", country="US")["pepMatches"] == []


def test_the_attestation_is_signed_and_does_not_repeat_the_name():
    body = report(STARMER)
    statement = body["fatfR12"]
    assert signatures.is_signed_by_us(statement)
    assert STARMER not in json.dumps(statement)
    assert statement["measures"] == [
        "approval by senior management",
        "source of wealth and source of funds",
        "enhanced ongoing monitoring",
    ]


@pytest.mark.parametrize(("hours", "same"), [(5.99, True), (6, False)])
def test_a_report_is_kept_six_hours(hours, same):
    first = report()
    again = report(now=NOON + timedelta(hours=hours))
    assert (again["cachedAt"] == first["cachedAt"]) is same


def test_at_midnight_it_is_another_question():
    late = NOON.replace(hour=23, minute=59)
    assert report(now=late)["cachedAt"] != report(now=late + timedelta(minutes=1))["cachedAt"]


def test_a_kept_report_costs_three_queries_and_is_the_same(django_assert_num_queries):
    first = report()
    with django_assert_num_queries(3):  # the kept report, the record of this answer, the party
        assert report() == json.loads(json.dumps(first))
    assert signatures.is_signed_by_us(report()["fatfR12"])


def test_each_question_is_kept_for_itself():
    for options in ({}, {"country": "GB"}, {"position": "MP"}, {"name": CLEAN}):
        report(**options)
    assert PepReport.objects.count() == 4


def test_the_name_is_remembered_for_later_lists():
    report(CLEAN)
    assert Party.objects.get().name == CLEAN


def test_without_a_pep_list_there_is_no_report(settings):
    settings.PRODUCTION = True
    engine.reset_engine()
    with pytest.raises(engine.ListsUnavailable) as error:
        report()
    assert error.value.code == "lists_unavailable"


# --- office holders made up for the case ----------------------------------------------


def index(folder, *people):
    """Index people given as (id, name or names, countries, positions)."""
    entries = [
        IndexEntry(
            f"test:{key}",
            "test",
            ListedEntity(
                key,
                "Person",
                tuple(map(ListedName, (name,) if isinstance(name, str) else name)),
                topic="pep",
                countries=countries,
                positions=positions,
            ),
        )
        for key, name, countries, positions in people
    ]
    build_index(entries=entries, directory=folder / "pep")
    return MatchIndex.open(folder / "pep")


def test_matches_come_likeliest_first_and_a_named_office_decides_between_equals(tmp_path):
    found = index(
        tmp_path,
        ("a", "Jan Novak", ("CZ",), (Position("Senator", "CZ", "2020-01-01"),)),
        ("b", "Jan Novak", ("SK",), (Position("Judge", "SK", "2020-01-01"),)),
    )
    day = NOON.date()
    both = pep.find_office_holders(name="Jan Novak", index=found, day=day)
    assert [match.ref for match in both] == ["test:a", "test:b"]
    assert {match.fact.confidence for match in both} == {100}
    near = pep.find_office_holders(name="Jan Novac", index=found, day=day, position="judge")
    assert near[0].ref == "test:b"
    assert near[0].fact.confidence > near[1].fact.confidence
    assert near[0].fact.score == near[1].fact.score


def test_an_office_without_country_is_of_the_holders_only_country(tmp_path):
    found = index(tmp_path, ("a", "Jan Novak", ("CZ",), (Position("Senator", "", "2020"),)))
    (match,) = pep.find_office_holders(name="Jan Novak", index=found, day=NOON.date(), country="CZ")
    assert match.office(NOON.date()).country == "CZ"
    assert match.rule.level == "HIGH"


def test_one_of_whom_no_country_is_known_stays_when_narrowed(tmp_path):
    found = index(tmp_path, ("a", "Jan Novak", (), ()))
    (match,) = pep.find_office_holders(name="Jan Novak", index=found, day=NOON.date(), country="CZ")
    assert (match.office(NOON.date()), match.rule.level) == (None, "MEDIUM")
    assert match.standing == "NOT_KNOWN"
    inclusion = pep_country_filter.explain_inclusion(country="cz", standing=match.standing)
    assert inclusion == "Included for CZ: no country of this person is known."


SENATOR = (Position("Senator", "IL", "2020"),)


def test_a_name_in_the_script_of_the_query_decides_over_one_that_only_sounds_alike(tmp_path):
    hebrew = "גורדון בראון"  # Gordon Brown, whose letters serve for Gardenia Barn as well
    found = index(
        tmp_path,
        ("both", ("Gordon Brown", hebrew), ("GB",), SENATOR),
        ("one", (hebrew,), ("IL",), SENATOR),
    )
    named = [
        office_holder.ref
        for office_holder in pep.find_office_holders(
            name="Gordon Brown", index=found, day=NOON.date()
        )
    ]
    alike = [
        office_holder.ref
        for office_holder in pep.find_office_holders(
            name="Gardenia Barn", index=found, day=NOON.date()
        )
    ]
    assert named[0] == "test:both"
    assert alike == ["test:one"]


def test_a_nickname_in_the_script_of_the_query_does_not_hide_the_name(tmp_path):
    names = ("Abu Mazen", "محمود عباس")
    found = index(tmp_path, ("a", names, ("PS",), (Position("President", "PS", "2005"),)))
    assert pep.find_office_holders(name="Mahmoud Abbas", index=found, day=NOON.date())


@pytest.mark.parametrize(
    ("asked", "due"),
    [
        ({}, False),
        ({"country": "PS"}, True),
        ({"position": "President"}, True),
        ({"position": "Footballer"}, False),
    ],
)
def test_a_match_by_sound_alone_needs_country_or_office_for_due_diligence(tmp_path, asked, due):
    offices = (Position("President", "PS", "2005"),)
    found = index(tmp_path, ("a", "محمود عباس", ("PS",), offices))
    (match,) = pep.find_office_holders(name="Mahmoud Abbas", index=found, day=NOON.date(), **asked)
    assert rules.is_edd_required(match.rule.level) is due
    (own,) = pep.find_office_holders(name="محمود عباس", index=found, day=NOON.date())
    assert rules.is_edd_required(own.rule.level)


def test_a_kept_report_that_somebody_changed_is_made_anew() -> None:
    honest = report()
    row = PepReport.objects.get()
    for change in ({"body": row.body | {"forged": True}}, {"mac": ""}, {"expires_at": FOREVER}):
        PepReport.objects.update(**change)
        assert report() == honest
        assert PepReport.objects.get().expires_at == row.expires_at
