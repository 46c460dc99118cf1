"""GET /v1/oracle-feed and /v1/oracle-feed/:slug: free, cached by the hour, for caches and keys."""

from collections.abc import Callable
from datetime import datetime, timedelta
from typing import Any

import pytest
from rest_framework.test import APIClient

from apps.access.keys.models import KeyKind
from apps.insight.intelligence.catalogue import product_of
from apps.insight.intelligence.feeds import feed_reader
from apps.insight.intelligence.feeds.catalogue import FEEDS, Feed, ProductSource, SeriesSource
from apps.insight.intelligence.models import IntelligenceAnswer
from apps.insight.intelligence.rules import feed_bands as rules
from apps.insight.intelligence.services import paid_answers
from apps.platform.crypto.signatures import is_signed_by_us
from apps.reference.signals.quality import TooFewInputs
from tests.conftest import NOON
from tests.stability.oracle.conftest import calm, ran

pytestmark = pytest.mark.django_db
__all__ = ["calm", "ran"]
PATH = "/intelligence/v1/oracle-feed"
UNITS = {
    "macro-stress-index": "score",
    "systemic-risk": "score",
    "supply-chain-pressure": "score",
    "us-instability-score": "score",
    "fiscal-dominance-risk": "score",
    "stability-score": "score",
    "earth-health-index": "score",
    "co2-ppm": "ppm",
    "temperature-anomaly": "degrees C above baseline",
    "arctic-sea-ice": "million km2",
    "renewable-share": "percent",
}
FIELDS = {"feed", "value", "scale", "unit", "signal", "description", "asOf", "cacheHit"}
# what the sample alone does not have: debts, and a run of the oracle
ELSEWHERE = {"fiscal-dominance-risk", "stability-score"}


@pytest.fixture
def anybody(api: APIClient, series: None, at: Callable[[datetime], None]) -> APIClient:
    at(NOON)
    return api


def get(client: APIClient, slug: str, query: str = "", **headers: Any) -> Any:
    return client.get(f"{PATH}/{slug}{query}", headers=headers)


def test_the_list_names_the_eleven(anybody: APIClient) -> None:
    rows = anybody.get(PATH).json()["feeds"]
    assert {row["feed"]: row["unit"] for row in rows} == UNITS
    assert all(row["path"] == f"/v1/oracle-feed/{row['feed']}" for row in rows)


def test_each_feed_is_a_scaled_integer(anybody: APIClient) -> None:
    for slug in sorted(UNITS.keys() - ELSEWHERE):
        answer = get(anybody, slug)
        assert answer.status_code == 200, answer.content
        body = answer.json()
        assert set(body) >= FIELDS and (body["feed"], body["unit"]) == (slug, UNITS[slug])
        assert type(body["value"]) is int and body["scale"] == 100
        assert body["signal"] in rules.WORDS
        assert body["dataQuality"] == "ESTIMATED"


def test_a_feed_shows_what_its_product_says(anybody: APIClient, buyer: APIClient) -> None:
    document = buyer.get("/intelligence/v1/intelligence/macro-stress").json()
    body = get(anybody, "macro-stress-index").json()
    assert body["value"] == round(100 * document["stressIndex"])
    assert body["asOf"] == document["asOf"]


def test_every_product_that_a_feed_names_and_the_catalogue_has_gives_its_headline(
    series: None,
) -> None:
    sources = [source for feed in FEEDS for source in feed.sources]
    products = [source for source in sources if isinstance(source, ProductSource)]
    there = [source for source in products if product_of(source.product)]
    assert there and all(feed_reader.read_feed_source(source, NOON).value >= 0 for source in there)


def test_the_score_of_stability_is_that_of_the_last_run(
    api: APIClient, ran: Callable[..., Any], at: Callable[[datetime], None]
) -> None:
    at(NOON)
    assert get(api, "stability-score").status_code == 503
    run = ran(at=NOON - timedelta(minutes=5))
    body = get(api, "stability-score").json()
    assert body["value"] == round(100 * run.points)
    at(NOON + timedelta(hours=1))
    assert get(api, "stability-score").status_code == 503, "a run of an hour ago is no answer"


def test_only_the_first_call_of_an_hour_is_no_hit(
    anybody: APIClient, at: Callable[[datetime], None]
) -> None:
    assert [get(anybody, "co2-ppm").json()["cacheHit"] for _ in range(3)] == [False, True, True]
    paid_answers.clear_answer_memory()
    assert get(anybody, "co2-ppm").json()["cacheHit"], "another process has it as well"
    at(NOON + timedelta(minutes=60))
    assert not get(anybody, "co2-ppm").json()["cacheHit"]
    assert IntelligenceAnswer.objects.filter(product="feed:co2-ppm").count() == 2


def test_caches_keep_it_until_the_hour_is_over(
    anybody: APIClient, at: Callable[[datetime], None]
) -> None:
    at(NOON + timedelta(minutes=59))
    assert get(anybody, "co2-ppm")["Cache-Control"] == "public, max-age=60"


def test_who_has_it_gets_no_body_again(anybody: APIClient, at: Callable[[datetime], None]) -> None:
    first = get(anybody, "co2-ppm")
    again = get(anybody, "co2-ppm", **{"If-None-Match": first["ETag"]})
    assert (again.status_code, again.content, again["ETag"]) == (304, b"", first["ETag"])
    assert again["Cache-Control"].startswith("public")
    other = get(anybody, "co2-ppm", "?signed=true", **{"If-None-Match": first["ETag"]})
    assert other.status_code == 200
    at(NOON + timedelta(hours=1))
    assert get(anybody, "co2-ppm", **{"If-None-Match": first["ETag"]}).status_code == 200


def test_a_signed_number_proves_itself_and_an_altered_one_does_not(anybody: APIClient) -> None:
    body = get(anybody, "co2-ppm", "?signed=true").json()
    attestation = body["attestation"]
    assert is_signed_by_us(attestation) and attestation["value"] == body["value"]
    assert attestation["dataQuality"] == body["dataQuality"] == "ESTIMATED"
    assert (attestation["hourBegins"], attestation["hourEnds"]) == (
        "2026-11-20T12:00:00.000Z",
        "2026-11-20T13:00:00.000Z",
    )
    keys = anybody.get("/intelligence/.well-known/jwks.json").json()["keys"]
    assert attestation["signature"]["keyId"] in {key["kid"] for key in keys}
    assert not is_signed_by_us(attestation | {"value": attestation["value"] + 1})
    assert "attestation" not in get(anybody, "co2-ppm").json()


def test_a_feed_that_is_none_is_not_found(anybody: APIClient) -> None:
    assert get(anybody, "no-such-feed").status_code == 404


def test_without_figures_there_is_no_number(api: APIClient, at: Callable[[datetime], None]) -> None:
    at(NOON)
    answer = get(api, "co2-ppm")
    assert (answer.status_code, answer.json()["code"]) == (503, "no_data")
    assert not IntelligenceAnswer.objects.exists()
    with pytest.raises(TooFewInputs):
        feed_reader.read_feed_source(SeriesSource("air.co2"), NOON)


def test_an_address_has_sixty_calls_a_minute_and_a_key_more(
    anybody: APIClient, caller: Callable[..., APIClient]
) -> None:
    assert get(anybody, "co2-ppm")["X-RateLimit-Limit"] == "60"
    statuses = [get(anybody, "co2-ppm").status_code for _ in range(60)]
    assert statuses == [200] * 59 + [429]
    assert get(caller("Alice Ltd", KeyKind.DATA), "co2-ppm")["X-RateLimit-Limit"] == "600"
    assert anybody.get("/intelligence/health").status_code == 200


@pytest.mark.parametrize("feed", FEEDS, ids=lambda feed: feed.slug)
def test_bands_rise_and_their_words_are_of_the_specification(feed: Feed) -> None:
    bounds = [bound for bound, _ in feed.bands]
    assert bounds == sorted(set(bounds)) and bounds[-1] == rules.TOP
    assert {word for _, word in feed.bands} <= set(rules.WORDS)
