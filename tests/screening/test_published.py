"""A screen says of when each list was that it rested on: to the officer and in the record."""

from datetime import UTC, datetime

from django.urls import reverse

from apps.review.models import Case
from apps.screening.combined.picture import picture
from apps.screening.models import Screen
from apps.watchlists import engine
from apps.watchlists.found import Match
from apps.watchlists.models import ListVersion
from apps.watchlists.sets import current_set, set_of
from apps.watchlists.values import ListedEntity, ListedName
from tests.screening.conftest import REQUEST

AT = datetime(2026, 11, 18, 14, 5, tzinfo=UTC)


def publish(slug: str) -> None:
    ListVersion.objects.filter(source__slug=slug).update(published_at=AT)
    engine.forget()


def test_the_case_says_when_each_list_was_published(screen, admin_client) -> None:
    publish("sample-sanctions")
    answer = screen(country="HT")
    kept = Screen.objects.get(screen_id=answer["screenId"]).data["evidence"]["published"]
    assert kept == {"sample-peps": None, "sample-sanctions": "2026-11-18T14:05:00+00:00"}
    case = Case.objects.get()
    shown = {row["name"]: row["published"] for row in picture(case.evidence)["lists"]}
    assert shown == {
        "Sample of office holders": "at a time not known",
        "Sample of listed parties": "18 Nov 2026 14:05 UTC",
    }
    page = admin_client.get(reverse("admin:review_case_change", args=[case.pk])).content.decode()
    assert "version 1, published 18 Nov 2026 14:05 UTC" in page


def test_the_date_is_that_of_the_version_that_is_named(sample) -> None:
    publish("sample-sanctions")
    (now,) = [one for one in current_set().sources if one.slug == "sample-sanctions"]
    assert now.published_at == AT
    for sequence, known in ((now.sequence, AT), (now.sequence + 1, None)):
        (other,) = set_of({"sample-sanctions": sequence}).sources
        assert other.published_at == known


def test_an_address_in_the_same_city_alone_is_no_agreement() -> None:
    luch = ListedEntity("1", "Organization", names=(ListedName("Luch", "primary"),))
    row = Match("1", "l", "Luch", 60, luch, "Luch").recorded()
    row["effects"] = [
        {"what": "address", "query": "Tehran", "listed": "5 X St., Tehran", "effect": "0"}
    ]
    [drawn] = picture({"request": REQUEST, "sanctions": [row]})["matches"]
    (shown,) = drawn["qualifiers"]
    assert (shown["what"], shown["alone"]) == ("Address: the city alone", True)
    row["effects"][0]["effect"] = "0.03"
    (shown,) = picture({"request": REQUEST, "sanctions": [row]})["matches"][0]["qualifiers"]
    assert (shown["what"], shown["alone"], shown["agrees"]) == ("Address", False, True)
