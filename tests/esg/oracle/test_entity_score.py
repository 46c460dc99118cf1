"""GET /esg-score?lei=: the entity's score, and with which articles of the SFDR it is compatible."""

from dataclasses import replace
from typing import Any

import pytest
from rest_framework.test import APIClient

from apps.insight.esg.models import EsgScore
from apps.insight.esg.oracle.rules.articles import CONDITIONS, EntityFacts, list_failing_conditions
from apps.insight.esg.oracle.selectors import entity_score
from tests.esg.conftest import FRAPORT, MICROSOFT, NOBODY, figure, keep
from tests.openapi import check_answer

PATH = "/esg/esg-score"
GOOD = EntityFacts(80, 50, {1: "WITHIN_THRESHOLD", 10: "WITHIN_THRESHOLD", 14: "REVIEW"}, True)


@pytest.fixture
def api(db: None) -> APIClient:
    """A caller now: the sample's evidence is recorded as it is loaded."""
    return APIClient(raise_request_exception=False)


def told(facts: EntityFacts, article: int) -> list[str]:
    return [failing_condition.code for failing_condition in list_failing_conditions(facts, article)]


@pytest.mark.parametrize(
    ("facts", "nine", "eight"),
    [
        (GOOD, [], []),
        (replace(GOOD, composite=79), ["ART9-1"], []),
        (replace(GOOD, composite=81), [], []),
        (replace(GOOD, composite=50), ["ART9-1"], []),
        (replace(GOOD, composite=49), ["ART9-1"], ["ART8-1"]),
        (replace(GOOD, governance=49), [], ["ART8-2"]),
        (replace(GOOD, taxonomy_aligned=False), ["ART9-4"], []),
        (replace(GOOD, statuses={**GOOD.statuses, 1: "ELEVATED_RISK"}), ["ART9-2"], []),
        (replace(GOOD, statuses={**GOOD.statuses, 10: "ELEVATED_RISK"}), ["ART9-2"], ["ART8-3"]),
        (replace(GOOD, statuses={**GOOD.statuses, 14: "ELEVATED_RISK"}), ["ART9-2"], ["ART8-3"]),
        (replace(GOOD, statuses={**GOOD.statuses, 14: "DATA_REQUIRED"}), ["ART9-3"], []),
        (replace(GOOD, statuses={10: "WITHIN_THRESHOLD"}), ["ART9-3"], []),
    ],
)
def test_an_article_wants_each_of_its_conditions(
    facts: EntityFacts, nine: list[str], eight: list[str]
) -> None:
    assert (told(facts, 9), told(facts, 8)) == (nine, eight)


def test_every_condition_can_fail_and_has_a_code_of_its_own() -> None:
    worst = EntityFacts(0, 0, {10: "ELEVATED_RISK"})
    assert [condition.code for condition in CONDITIONS] == [*told(worst, 9), *told(worst, 8)]
    assert len({condition.code for condition in CONDITIONS}) == len(CONDITIONS)


def test_it_is_the_score_of_document_1_with_its_fee_and_its_indicators(
    api: APIClient, sample: Any
) -> None:
    body = api.get(PATH, {"lei": MICROSOFT}).json()
    check_answer("esg", "GET", "/esg-score", body)
    query = {"name": "Microsoft Corporation"}
    same = api.get(f"/compliance/esg/score/{MICROSOFT}", query).json()
    pillars = ("environmental", "social", "governance")
    assert {name: body["scores"][name] for name in pillars} == {n: same[n] for n in pillars}
    assert body["scores"]["average"] == same["composite"]
    assert body["fee"]["bps"] == (100 - same["composite"]) / 2
    assert body["fee"]["tier"].upper().replace(" ", "_") == same["feeTier"]
    assert (body["entityName"], body["dataQuality"]) == (same["entityName"], "SAMPLE")
    assert [pai_indicator["id"] for pai_indicator in body["sfdr"]["paiIndicators"]] == list(
        range(1, 19)
    )
    assert EsgScore.objects.count() == 1  # one record, kept for both


def test_a_compatible_answer_names_no_condition_and_the_other_way(
    api: APIClient, sample: Any, monkeypatch: Any
) -> None:
    sfdr = api.get(PATH, {"lei": MICROSOFT}).json()["sfdr"]
    for article, name in ((8, "article8Compatible"), (9, "article9Compatible")):
        lacking = [one for one in sfdr["failing"] if one["article"] == article]
        assert sfdr[name] is not bool(lacking)
    assert sfdr["article9Compatible"] is False and sfdr["taxonomyAligned"] is False


@pytest.mark.parametrize(("composite", "nine"), [(79, False), (80, True)])
def test_article_9_begins_at_eighty_with_everything_else_shown(
    api: APIClient, sample: Any, monkeypatch: Any, composite: int, nine: bool
) -> None:
    flags = ("ungc_violation", "controversial_weapons", "fossil_fuel_active",
             "sensitive_area_impact", "ungc_process_lacking")  # fmt: skip
    keep(*(figure(key, "0") for key in flags), figure("taxonomy_aligned", "1"))
    keep(figure("board_female_share", "45"), figure("nonrenewable_energy_share", "5"))
    plain = entity_score.build_sfdr_block
    monkeypatch.setattr(
        "apps.insight.esg.oracle.selectors.entity_score.build_sfdr_block",
        lambda *, found, composite, governance: plain(
            found=found, composite=made, governance=governance
        ),
    )
    made = composite
    sfdr = api.get(PATH, {"lei": FRAPORT}).json()["sfdr"]
    assert (sfdr["taxonomyAligned"], sfdr["article9Compatible"]) == (True, nine)
    assert [one["rule"] for one in sfdr["failing"] if one["article"] == 9] == (
        [] if nine else ["ART9-1"]
    )


@pytest.mark.parametrize("value", ["0", "1"])
def test_the_taxonomy_flag_is_evidence_like_any_other(
    api: APIClient, sample: Any, value: str
) -> None:
    keep(figure("taxonomy_aligned", value))
    sfdr = api.get(PATH, {"lei": FRAPORT}).json()["sfdr"]
    assert sfdr["taxonomyAligned"] is (value == "1")
    rules = [one["rule"] for one in sfdr["failing"]]
    assert ("ART9-4" in rules) is (value == "0")


def test_a_violation_is_no_article_at_all(api: APIClient, sample: Any) -> None:
    keep(figure("controversial_weapons", "1", subject=MICROSOFT))
    sfdr = api.get(PATH, {"lei": MICROSOFT}).json()["sfdr"]
    assert not sfdr["article8Compatible"] and not sfdr["article9Compatible"]
    weapons = sfdr["paiIndicators"][13]
    assert (weapons["id"], weapons["status"]) == (14, "ELEVATED_RISK")


def test_an_entity_that_nobody_knows_is_404(api: APIClient, sample: Any) -> None:
    answer = api.get(PATH, {"lei": NOBODY})
    assert (answer.status_code, answer.json()["code"]) == (404, "entity_unknown")


@pytest.mark.parametrize("lei", ["SHORT", f"{MICROSOFT[:-2]}00", ""])
def test_what_is_no_lei_is_400(api: APIClient, lei: str) -> None:
    answer = api.get(PATH, {"lei": lei})
    assert answer.status_code == 400 and answer.json()["errors"][0]["field"] == "lei"
