"""How exposed a name is: each rule, each boundary (document 1 section 2.6, DESIGN section 4)."""

from datetime import date

import pytest

from apps.compliance.screening.rules import international_bodies, pep_country_filter
from apps.compliance.screening.rules import pep as rules_pep
from apps.compliance.screening.rules.offices import Office
from apps.compliance.screening.rules.pep import PepMatch

DAY = date(2026, 11, 20)
MINISTER = Office("Minister of Finance", "FR", "2024-01-01")
FORMER = Office("Minister of Finance", "FR", "2020-01-01", "2024-01-01")
MAYOR = Office("Mayor of Lyon", "FR", "2024-01-01")
COMMISSIONER = Office("President of the European Commission", "EU", "2019-12-01")

CASES = [
    (100, (MINISTER,), "HIGH", "D §4 2.6 high"),
    (85, (MINISTER,), "HIGH", "D §4 2.6 high"),
    (84, (MINISTER,), "MEDIUM", "D §4 2.6 medium"),
    (85, (FORMER, MINISTER), "HIGH", "D §4 2.6 high"),
    (100, (FORMER,), "MEDIUM", "D §4 2.6 medium"),
    (100, (MAYOR,), "MEDIUM", "D §4 2.6 medium"),
    (100, (COMMISSIONER,), "MEDIUM", "D §4 2.6 medium"),
    (100, (), "MEDIUM", "D §4 2.6 medium"),
    (70, (FORMER,), "MEDIUM", "D §4 2.6 medium"),
    (69, (MINISTER,), "LOW", "D §4 2.6 low"),
    (60, (MINISTER,), "LOW", "D §4 2.6 low"),
    (59, (MINISTER,), "NONE", "D §4 2.6 none"),
]


@pytest.mark.parametrize(("score", "offices", "level", "ref"), CASES)
def test_the_level_follows_from_score_and_office(score, offices, level, ref):
    rule = rules_pep.rate_match(PepMatch(score, score, offices), DAY)
    assert (rule.level, rule.ref) == (level, ref)


BY_SOUND = [
    (100, "LOW", "D §4 2.6 by sound"),
    (60, "LOW", "D §4 2.6 by sound"),
    (59, "NONE", "D §4 2.6 none"),
]


@pytest.mark.parametrize(("score", "level", "ref"), BY_SOUND)
def test_what_only_sounds_alike_across_scripts_is_a_lead(score, level, ref):
    rule = rules_pep.rate_match(PepMatch(score, score, (MINISTER,), by_sound=True), DAY)
    assert (rule.level, rule.ref) == (level, ref)


def test_every_rule_is_reached():
    refs = {case[-1] for case in [*CASES, *BY_SOUND]}
    assert refs == {rule.ref for rule in rules_pep.RULES}


@pytest.mark.parametrize(
    ("level", "due"), [("HIGH", True), ("MEDIUM", True), ("LOW", False), ("NONE", False)]
)
def test_enhanced_due_diligence_is_due_for_high_and_medium(level, due):
    assert rules_pep.is_edd_required(level) is due


@pytest.mark.parametrize(
    ("levels", "gravest"),
    [([], "NONE"), (["LOW"], "LOW"), (["LOW", "HIGH", "MEDIUM"], "HIGH"), (["NONE"], "NONE")],
)
def test_the_gravest_match_counts(levels, gravest):
    assert rules_pep.highest_level(levels) == gravest


@pytest.mark.parametrize(
    ("since", "until", "current"),
    [
        ("2024-01-01", "", True),
        ("", "", True),
        ("2026-11-20", "", True),
        ("2026-11-21", "", False),
        ("2026-12", "", False),
        ("2024", "2026-11-20", True),
        ("2024", "2026-11-19", False),
        ("2024", "2026-11", True),
        ("2024", "2026-10", False),
        ("2024", "2026", True),
        ("2024", "2025", False),
    ],
)
def test_an_office_is_current_from_its_first_to_its_last_day(since, until, current):
    assert Office("Minister", "FR", since, until).current(DAY) is current


@pytest.mark.parametrize(
    ("title", "country", "national"),
    [
        ("Prime Minister", "GB", True),
        ("Member of Parliament", "GB", True),
        ("King", "GB", True),
        ("Governor of the Bank of England", "GB", True),
        ("President of the Council of Ministers", "IT", True),
        ("Premier of the State Council", "CN", True),
        ("Mayor of London", "GB", False),
        ("Governor of Texas", "US", False),
        ("Member of the City Council", "US", False),
        ("Member, Regional Assembly", "IT", False),
        ("President of the European Commission", "EU", False),
        ("Secretary-General of the United Nations", "UN", False),
        ("Minister", "", True),
    ],
)
def test_offices_of_a_state_are_told_from_those_below_and_above(title, country, national):
    assert Office(title, country).national() is national


@pytest.mark.parametrize(
    ("position", "near", "confidence"),
    [
        ("", False, 74),
        ("Footballer", False, 74),
        ("   ", False, 74),
        ("Minister of Finance", False, 79),
        ("finance minister of", False, 79),
        ("", True, 69),
        ("Footballer", True, 69),
        ("Minister of Finance", True, 79),
    ],
)
def test_the_right_office_raises_the_confidence_and_a_near_name_is_a_lead(
    position, near, confidence
):
    given = {"score": 74, "offices": (MINISTER,)}
    assert rules_pep.identity_confidence(position=position, near=near, **given) == confidence


@pytest.mark.parametrize(("score", "confidence"), [(94, 99), (95, 100), (96, 100), (100, 100)])
def test_confidence_ends_at_100(score, confidence):
    given = {"score": score, "position": "Minister of Finance", "offices": (MINISTER,)}
    assert rules_pep.identity_confidence(**given) == confidence


@pytest.mark.parametrize(
    ("country", "countries", "stands"),
    [
        ("", {"FR"}, "ASKED_FOR_NONE"),
        ("FR", {"FR", "DE"}, "OF_IT"),
        ("fr", {"FR"}, "OF_IT"),
        ("DE", {"FR"}, "ELSEWHERE"),
        ("DE", set(), "NOT_KNOWN"),
        ("", set(), "ASKED_FOR_NONE"),
    ],
)
def test_a_country_narrows_what_is_known_to_be_of_another(country, countries, stands):
    assert (
        pep_country_filter.classify_country_tie(country=country, countries=countries, offices=())
        == stands
    )


ENVOY = Office("Permanent Representative to NATO", "DE")
GENERAL = Office("Secretary-General of the United Nations", "UN")
DEPUTY = Office("Member of the European Parliament", "PL")
JUDGE = Office("Judge, European Court of Human Rights", "NO")


@pytest.mark.parametrize(
    ("office", "country", "stays"),
    [
        (COMMISSIONER, "DE", True),
        (COMMISSIONER, "hr", True),
        (COMMISSIONER, "EU", True),
        (COMMISSIONER, "GB", False),
        (COMMISSIONER, "CH", False),
        (DEPUTY, "PL", True),
        (DEPUTY, "PT", True),
        (DEPUTY, "EU", True),
        (DEPUTY, "US", False),
        (GENERAL, "DE", True),
        (GENERAL, "KE", True),
        (ENVOY, "US", True),
        (JUDGE, "CH", True),
        (MINISTER, "EU", False),
        (MINISTER, "DE", False),
        (Office("President of the National Council", "AT"), "DE", False),
    ],
)
def test_officials_of_bodies_above_states_count_for_every_member(office, country, stays):
    country_tie = pep_country_filter.classify_country_tie(
        country=country, countries={office.country}, offices=(office,)
    )
    assert (country_tie != "ELSEWHERE") is stays


def test_a_narrowing_says_whom_it_left_in_and_how_many_it_left_out():
    assert (
        pep_country_filter.describe_country_filter(country="", left_out=0)
        == pep_country_filter.EVERYWHERE
    )
    for country in ("DE", "de", "EU"):
        country_filter = pep_country_filter.describe_country_filter(country=country, left_out=1)
        assert country_filter.startswith(f"Filtered by {country.upper()}: ")
        assert (
            "officials of the EU, the UN and" in country_filter
            and "; excludes 1 match from" in country_filter
        )
    country_filter = pep_country_filter.describe_country_filter(country="GB", left_out=2)
    assert (
        "officials of the UN and" in country_filter and "excludes 2 matches from" in country_filter
    )


@pytest.mark.parametrize(
    ("since", "until", "current", "open_ended"),
    [
        ("2020", "", True, True),
        ("", "", True, True),
        ("2020", "2026-11-20", True, False),
        ("2020", "2026-11-19", False, False),
        ("2026-11-21", "", False, False),
    ],
)
def test_an_office_counts_as_held_while_no_end_of_it_is_known(since, until, current, open_ended):
    office = Office("Minister", "FR", since, until)
    day = date(2026, 11, 20)
    assert (office.current(day), office.open_ended(day)) == (current, open_ended)


def test_the_union_has_27_members():
    assert len(international_bodies.EU_MEMBERS) == 27
    assert not {"GB", "CH", "NO", "EL", "UK"} & international_bodies.EU_MEMBERS
