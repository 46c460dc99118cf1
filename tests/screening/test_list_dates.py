"""A screen says of when each list was that it rested on: to the officer and in the record."""

from datetime import UTC, datetime

from django.urls import reverse

from apps.backoffice.review.models import Case
from apps.compliance.screening.combined.evidence_view import build_evidence_view
from apps.compliance.screening.models import Screen
from apps.reference.watchlists import engine
from apps.reference.watchlists.listed_entity import ListedEntity, ListedName
from apps.reference.watchlists.live_list_sets import load_current_set, load_set_of_versions
from apps.reference.watchlists.matches import ListMatch
from apps.reference.watchlists.models import ListVersion
from tests.screening.conftest import REQUEST

AT = datetime(2026, 11, 18, 14, 5, tzinfo=UTC)


def publish(slug: str) -> None:
    ListVersion.objects.filter(source__slug=slug).update(published_at=AT)
    engine.reset_engine()


def test_the_case_says_when_each_list_was_published(screen, admin_client) -> None:
    publish("sample-sanctions")
    answer = screen(country="HT")
    published = Screen.objects.get(screen_id=answer["screenId"]).data["evidence"]["published"]
    assert published == {"sample-peps": None, "sample-sanctions": "2026-11-18T14:05:00+00:00"}
    case = Case.objects.get()
    published_by_name = {
        row["name"]: row["published"] for row in build_evidence_view(case.evidence)["lists"]
    }
    assert published_by_name == {
        "Sample of politically exposed persons": "at a time not known",
        "Sample of listed parties": "18 Nov 2026 14:05 UTC",
    }
    page = admin_client.get(reverse("admin:review_case_change", args=[case.pk])).content.decode()
    assert "version 1, published 18 Nov 2026 14:05 UTC" in page


def test_the_date_is_that_of_the_version_that_is_named(sample) -> None:
    publish("sample-sanctions")
    (now,) = [source for source in load_current_set().sources if source.slug == "sample-sanctions"]
    assert now.published_at == AT
    for sequence, known in ((now.sequence, AT), (now.sequence + 1, None)):
        (other,) = load_set_of_versions({"sample-sanctions": sequence}).sources
        assert other.published_at == known


def test_an_address_in_the_same_city_alone_is_no_agreement() -> None:
    luch = ListedEntity("1", "Organization", names=(ListedName("Luch", "primary"),))
    row = ListMatch("1", "l", "Luch", 60, luch, "Luch").recorded()
    row["effects"] = [
        {"what": "address", "query": "Tehran", "listed": "5 X St., Tehran", "effect": "0"}
    ]
    [drawn] = build_evidence_view({"request": REQUEST, "sanctions": [row]})["matches"]
    (shown,) = drawn["qualifiers"]
    assert (shown["what"], shown["alone"]) == ("Address: only the city", True)
    row["effects"][0]["effect"] = "0.03"
    (shown,) = build_evidence_view({"request": REQUEST, "sanctions": [row]})["matches"][0][
        "qualifiers"
    ]
    assert (shown["what"], shown["alone"], shown["agrees"]) == ("Address", False, True)
