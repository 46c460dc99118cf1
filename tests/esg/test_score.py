"""GET /esg/score/:lei: the score of an entity, kept seven days, explained on request."""

from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest

from apps.insight.esg.models import EsgScore
from apps.insight.stability.fees.rules.esg_fee_tiers import esg_surcharge
from apps.platform.api import viewsets
from apps.platform.common.clock import now
from config import rate_limits
from tests.esg.conftest import APPLE, FRAPORT, LAPSED, MICROSOFT, NOBODY, figure, keep
from tests.payees.registration.conftest import MICROSOFT as ENTITY
from tests.platform.tampering import sql, without_triggers

pytestmark = pytest.mark.django_db
Ask = Callable[..., Any]
DAY = 86_400
# enough of each pillar for a score to rest on the entity
ENOUGH = {
    "ghg_scope1": "100", "revenue_usd": "1000000", "noncompliance_quarters": "0",
    "injury_rate": "1", "ungc_violation": "0", "board_female_share": "40",
    "annual_report_days": "50",
}  # fmt: skip


def test_a_score_has_three_pillars_a_tier_and_the_fee_that_follows(ask: Ask) -> None:
    found = ask()
    pillars = [found[name] for name in ("environmental", "social", "governance")]
    assert found["composite"] == int(sum(pillars) / 3 + 0.5)
    assert found["feeSurcharge"] == float(esg_surcharge(found["composite"]))
    assert (found["entityName"], found["coverage"]) == ("MICROSOFT CORPORATION", "PARTIAL")
    assert (found["dataQuality"], found["lookup"]) == ("SAMPLE", "NOT_SET_UP")
    assert "narration" not in found and "explanation" not in found


def test_it_is_kept_for_seven_days_and_computed_anew_at_a_wish(
    ask: Ask, monkeypatch: pytest.MonkeyPatch
) -> None:
    first, second = ask(), ask()
    assert (first["fromCache"], second["fromCache"]) == (False, True)
    assert second["expiresAt"] - second["computedAt"] == 7 * DAY
    assert second == first | {"fromCache": True}
    assert ask(refresh="true")["fromCache"] is False
    at = now()
    for seconds, cached in ((7 * DAY - 60, True), (7 * DAY + 60, False)):
        monkeypatch.setattr(viewsets, "present", lambda s=seconds: at + timedelta(seconds=s))
        assert ask()["fromCache"] is cached, seconds


def test_new_evidence_ends_what_was_kept(ask: Ask) -> None:
    before = ask(FRAPORT)
    keep(figure("ungc_violation", "0"), now=now())
    after = ask(FRAPORT)
    assert after["fromCache"] is False and after["social"] > before["social"]


def test_what_a_lookup_finds_ends_a_score_that_was_made_while_it_ran(ask: Ask) -> None:
    began = now()
    before = ask(FRAPORT)  # a caller asks again while the sources are being asked
    keep(figure("ungc_violation", "0"), now=began)
    after = ask(FRAPORT)
    assert after["fromCache"] is False and after["social"] > before["social"]


def test_a_score_of_altered_evidence_is_not_told(ask: Ask) -> None:
    keep(*(figure(key, value) for key, value in ENOUGH.items()))
    ask(FRAPORT)
    with without_triggers():
        sql("UPDATE esg_evidence SET value = 0 WHERE key = 'injury_rate'")
    assert ask(FRAPORT, refresh="true", status=503)["code"] == "evidence_unproved"


def test_a_score_that_was_altered_is_not_served(ask: Ask) -> None:
    found = ask()
    with without_triggers():
        sql("UPDATE esg_esgscore SET composite = 100")
    assert ask()["fromCache"] is False and ask()["composite"] == found["composite"]


def test_an_entity_without_evidence_rests_on_its_country(ask: Ask) -> None:
    found = ask("529900GRZ2BQY5ZM9N49", name="PUMA SE")
    assert found["coverage"] == "COUNTRY" and found["composite"] <= 50


def test_a_country_that_a_caller_gives_is_no_evidence(ask: Ask) -> None:
    answer = ask(NOBODY, name="Harbour Lights Catering", country="SE", status=503)
    assert answer["code"] == "esg_data_unavailable"
    assert not EsgScore.objects.exists()


def test_evidence_about_the_entity_serves_where_its_country_is_not_known(ask: Ask) -> None:
    keep(*(figure(key, value, NOBODY) for key, value in ENOUGH.items()))
    found = ask(NOBODY, name="Harbour Lights Catering")
    assert (found["coverage"], found["entityName"]) == ("FULL", "Harbour Lights Catering")
    assert found["dataQuality"] == "PARTIAL"


def test_an_lei_that_nobody_holds_is_not_in_force_by_a_callers_word(ask: Ask) -> None:
    keep(*(figure(key, value, NOBODY) for key, value in ENOUGH.items()))
    found = ask(NOBODY, name="Anything SE", leiStatus="ISSUED", explain="true")
    state = found["explanation"]["leiStatus"]
    assert state == {"status": "UNVERIFIED", "rule": "ESG-LEI-4", "points": 30}


def test_a_name_is_needed_unless_the_entity_is_registered(ask: Ask, register: Ask) -> None:
    refused = ask(name="", status=400)
    assert refused["errors"][0]["field"] == "name"
    register(1, **ENTITY)
    assert ask(name="")["entityName"] == "MICROSOFT CORPORATION"


@pytest.mark.parametrize(
    ("status", "points", "rule"),
    [
        ("ISSUED", 0, "ESG-LEI-1"),
        ("PENDING_TRANSFER", 5, "ESG-LEI-2"),
        ("LAPSED", 15, "ESG-LEI-3"),
        ("RETIRED", 30, "ESG-LEI-4"),
    ],
)
def test_a_state_of_the_lei_that_is_told_lowers_governance(
    ask: Ask, status: str, points: int, rule: str
) -> None:
    good, told = ask(), ask(leiStatus=status, explain="true")
    assert good["governance"] - told["governance"] == points
    assert told["explanation"]["leiStatus"] == {"status": status, "rule": rule, "points": points}
    assert ask()["governance"] == good["governance"], "one caller's word moved another's score"


def test_a_lapsed_lei_stays_lapsed_whatever_a_caller_says(ask: Ask) -> None:
    told = ask(LAPSED, name="UK EQUITY FUND (OFFSHORE)", leiStatus="ISSUED", explain="true")
    assert told["explanation"]["leiStatus"]["status"] == "LAPSED"


def test_an_explanation_shows_each_figure_with_its_source_and_age(ask: Ask) -> None:
    explanation = ask(APPLE, name="Apple Inc.", explain="true")["explanation"]
    figures = {one["measure"]: one for one in explanation["figures"]}
    assert figures["revenue_usd"]["value"] == "391035000000"
    assert figures["revenue_usd"]["sample"] and figures["revenue_usd"]["url"].startswith("https")
    assert figures["revenue_usd"]["ageDays"] > 700
    governance = next(
        pillar for pillar in explanation["pillars"] if pillar["pillar"] == "governance"
    )
    board = next(indicator for indicator in governance["indicators"] if indicator["id"] == "board")
    assert (board["value"], board["quality"]) == (50, 1)
    missing = next(
        indicator for indicator in governance["indicators"] if indicator["id"] == "monitoring"
    )
    assert (missing["value"], missing["points"]) == (None, 0)
    earned = sum(indicator["points"] for indicator in governance["indicators"])
    assert round(governance["base"] + earned) == governance["score"]


def test_an_explanation_of_a_kept_score_is_the_same(ask: Ask) -> None:
    first, second = ask(explain="true"), ask(explain="true")
    assert second["fromCache"] and second["explanation"] == first["explanation"]


def test_the_sample_serves_outside_production_alone(ask: Ask, settings: Any) -> None:
    assert ask()["dataQuality"] == "SAMPLE"
    settings.PRODUCTION = True
    assert ask(refresh="true", status=503)["code"] == "esg_data_unavailable"


def test_a_published_figure_counts_before_the_sample(ask: Ask) -> None:
    keep(figure("annual_report_days", "365", MICROSOFT))
    figures = ask(explain="true")["explanation"]["figures"]
    days = next(one for one in figures if one["measure"] == "annual_report_days")
    assert (days["value"], days["sample"]) == ("365", False)


def test_a_score_is_computed_anew_so_often_a_minute_and_no_more(ask: Ask) -> None:
    for _ in range(rate_limits.ESG_REFRESHES):
        ask(refresh="true")
    refused = ask(refresh="true", status=429)
    assert refused["code"] == "rate_limited" and ask()["fromCache"]


@pytest.mark.parametrize(
    "query",
    [{"country": "XX"}, {"leiStatus": "FINE"}, {"refresh": "yes"}, {"narrate": "1"}, {"x": "1"}],
)
def test_what_is_no_question_is_refused(ask: Ask, query: dict[str, str]) -> None:
    assert ask(**query, status=400)["code"] == "invalid_request"


def test_an_lei_with_wrong_check_digits_is_refused(ask: Ask) -> None:
    assert ask("INR2EJN1ERAN0W5ZP975", status=400)["errors"][0]["field"] == "lei"
