"""PEP reports on the bundled sample, and on office holders made up for the case."""

import json
from datetime import UTC, datetime, timedelta

import pytest

from apps.core import signing
from apps.core.callers import Caller
from apps.screening.models.reports import PepReport
from apps.screening.pep import conclude as pep_conclude
from apps.screening.pep import gather as pep
from apps.watchlists import engine
from apps.watchlists.matching.build import Entry, build
from apps.watchlists.matching.index import MatchIndex
from apps.watchlists.models import Party
from apps.watchlists.values import ListedEntity, ListedName, Position

NOON = datetime(2026, 11, 20, 12, tzinfo=UTC)
STARMER = "Keir Starmer"
CLEAN = "Philippa Quenneville-Thackeray"

pytestmark = pytest.mark.usefixtures("sample")
FOREVER = datetime(2100, 1, 1, tzinfo=UTC)
ALICE = Caller("account:1", "SUBSCRIPTION", "Alice")


def report(name=STARMER, now=NOON, **options):
    asked = {"name": name} | options
    gathered = pep.gather(asked=asked, now=now)
    return pep_conclude.conclude(asked=asked, gathered=gathered, caller=ALICE, now=now)


def test_an_office_holder_is_found_with_office_country_and_dates():
    body = report("Andy Burnham")
    assert (body["riskLevel"], body["eddRequired"], body["dataQuality"]) == ("HIGH", True, "SAMPLE")
    match = body["pepMatches"][0]
    assert (match["position"], match["country"]) == ("Prime Minister", "GB")
    assert (match["since"], match["until"], match["current"]) == ("2026-07-20", None, True)
    assert (match["score"], match["confidence"]) == (1.0, 1.0)


def test_of_several_offices_the_current_one_is_shown():
    match = report(STARMER, country="GB")["pepMatches"][0]
    assert (match["position"], match["current"]) == ("Member of Parliament", True)


def test_a_clean_name_has_no_match():
    body = report(CLEAN)
    assert (body["riskLevel"], body["pepMatches"], body["eddRequired"]) == ("NONE", [], False)
    assert body["fatfR12"]["checked"] is True
    assert body["fatfR12"]["measures"] == []


def test_the_office_of_a_union_of_states_is_medium():
    assert report("Christine Lagarde")["riskLevel"] == "MEDIUM"


def test_a_country_narrows_the_results():
    assert report(STARMER, country="GB")["pepMatches"]
    assert report(STARMER, country="gb")["pepMatches"]
    assert report(STARMER, country="FR")["pepMatches"] == []


def test_the_attestation_is_signed_and_does_not_repeat_the_name():
    body = report(STARMER)
    statement = body["fatfR12"]
    assert signing.holds(statement)
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


def test_a_kept_report_costs_one_query_and_is_the_same(django_assert_num_queries):
    first = report()
    with django_assert_num_queries(1):
        assert report() == json.loads(json.dumps(first))
    assert signing.holds(report()["fatfR12"])


def test_each_question_is_kept_for_itself():
    for options in ({}, {"country": "GB"}, {"position": "MP"}, {"name": CLEAN}):
        report(**options)
    assert PepReport.objects.count() == 4


def test_the_name_is_remembered_for_later_lists():
    report(CLEAN)
    assert Party.objects.get().name == CLEAN


def test_without_a_pep_list_there_is_no_report(settings):
    settings.PRODUCTION = True
    engine.forget()
    with pytest.raises(engine.ListsUnavailable) as error:
        report()
    assert error.value.code == "lists_unavailable"


# --- office holders made up for the case ----------------------------------------------


def index(folder, *people):
    """Index people given as (id, name, countries, positions)."""
    entries = [
        Entry(
            f"test:{key}",
            "test",
            ListedEntity(
                key,
                "Person",
                (ListedName(name, "primary"),),
                topic="pep",
                countries=countries,
                positions=positions,
            ),
        )
        for key, name, countries, positions in people
    ]
    build(entries=entries, directory=folder / "pep")
    return MatchIndex.open(folder / "pep")


def test_matches_come_likeliest_first_and_a_named_office_decides_between_equals(tmp_path):
    found = index(
        tmp_path,
        ("a", "Jan Novak", ("CZ",), (Position("Senator", "CZ", "2020-01-01"),)),
        ("b", "Jan Novak", ("SK",), (Position("Judge", "SK", "2020-01-01"),)),
    )
    day = NOON.date()
    both = pep.holders(name="Jan Novak", index=found, day=day)
    assert [match.ref for match in both] == ["test:a", "test:b"]
    assert {match.fact.confidence for match in both} == {100}
    near = pep.holders(name="Jan Novac", index=found, day=day, position="judge")
    assert near[0].ref == "test:b"
    assert near[0].fact.confidence > near[1].fact.confidence
    assert near[0].fact.score == near[1].fact.score


def test_an_office_without_country_is_of_the_holders_only_country(tmp_path):
    found = index(tmp_path, ("a", "Jan Novak", ("CZ",), (Position("Senator", "", "2020"),)))
    (match,) = pep.holders(name="Jan Novak", index=found, day=NOON.date(), country="CZ")
    assert match.office(NOON.date()).country == "CZ"
    assert match.rule.level == "HIGH"


def test_one_of_whom_no_country_is_known_stays_when_narrowed(tmp_path):
    found = index(tmp_path, ("a", "Jan Novak", (), ()))
    (match,) = pep.holders(name="Jan Novak", index=found, day=NOON.date(), country="CZ")
    assert (match.office(NOON.date()), match.rule.level) == (None, "MEDIUM")


def test_a_kept_report_that_somebody_changed_is_made_anew() -> None:
    honest = report()
    row = PepReport.objects.get()
    for change in ({"body": row.body | {"forged": True}}, {"mac": ""}, {"expires_at": FOREVER}):
        PepReport.objects.update(**change)
        assert report() == honest
        assert PepReport.objects.get().expires_at == row.expires_at
