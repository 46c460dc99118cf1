"""Lists in the admin: operators see and refresh, nobody rewrites what was imported."""

from collections.abc import Callable
from datetime import datetime
from pathlib import Path
from typing import Any

import pytest
from django.contrib.auth.models import Group, User
from django.test import Client

from apps.platform.jobs.models import Job
from apps.reference.watchlists.models import EntityState, ListVersion, Source
from apps.reference.watchlists.services import list_imports

Make = Callable[..., Source]
Write = Callable[..., Path]


@pytest.fixture
def house(source: Make, write: Write, noon: datetime) -> Source:
    """A list with two versions."""
    made = source(urls=["https://lists.example.test/a.csv"])
    for parties in ({"1": "A"}, {"1": "<b>Bee</b>", "2": "C"}):
        list_imports.import_files(source=made, paths=[write("a.csv", parties)], now=noon)
    return made


def enter(client: Client, group: str) -> None:
    user = User.objects.create_user(group.lower(), password="x", is_staff=True)
    user.groups.add(Group.objects.get(name=group))
    client.force_login(user)


@pytest.mark.parametrize("page", ["source", "listversion", "entitystate", "party"])
def test_every_list_page_opens(admin_client: Client, house: Source, page: str) -> None:
    assert admin_client.get(f"/admin/watchlists/{page}/").status_code == 200


def test_a_version_shows_what_it_changed_with_names_as_text(
    admin_client: Client, house: Source
) -> None:
    version = ListVersion.objects.get(sequence=2)
    body = admin_client.get(f"/admin/watchlists/listversion/{version.pk}/change/").content.decode()
    assert "&lt;b&gt;Bee&lt;/b&gt; (1) names" in body
    assert "<b>Bee</b>" not in body


def test_a_listed_party_can_be_read_in_words_and_as_it_is_stored(
    admin_client: Client, house: Source
) -> None:
    state = EntityState.objects.get(entity_id="2")
    state.data |= {
        "schema": "Person", "names": [{"full": "Ada <b>", "kind": "primary"},
                                      {"full": "Ady", "kind": "former", "weak": True}],
        "countries": ["NG"], "birth_dates": ["1961-02"], "programs": ["SDGT"],
        "identifiers": [{"kind": "passport", "value": "A 1", "country": "IR"}],
        "positions": [{"title": "Minister", "country": "EU", "since": "2001", "until": "2004"}],
    }  # fmt: skip
    EntityState.objects.filter(pk=state.pk).update(data=state.data)
    body = admin_client.get(f"/admin/watchlists/entitystate/{state.pk}/change/").content.decode()
    facts, _, stored = body.partition('<details class="raw">')
    for what, text in (
        ("Names", "Ada &lt;b&gt;\nformerly Ady (weak: marked as low quality by the list)"),
        ("Type", "Person"), ("Countries", "Nigeria"), ("Born or founded", "1961-02"),
        ("Identifiers", "Passport: A 1, Iran"), ("Programmes", "SDGT"),
        ("Offices", "Minister, European Union, 2001 to 2004"),
    ):  # fmt: skip
        assert f"<dt>{what}</dt><dd>{text}</dd>" in facts, what
    assert "Gender" not in facts and "&quot;full&quot;: &quot;Ady&quot;" in stored


@pytest.mark.parametrize(
    ("kind", "hours", "general", "said"),
    [
        ("official", None, 48, "48 hours from its publication, the general limit"),
        ("official", 1200, 48, "1,200 hours from its publication"),
        ("in_house", None, 48, "any age, the general limit"),
        ("official", None, 0, "any age, the general limit"),
    ],
)
def test_how_old_a_list_may_grow_is_said_in_words(
    admin_client: Client, house: Source, settings: Any,
    kind: str, hours: int | None, general: int, said: str,
) -> None:  # fmt: skip
    settings.LISTS_MAX_AGE_HOURS = general
    Source.objects.update(kind=kind, max_age_hours=hours, columns={"entity_id": "Ref no"})
    body = admin_client.get(f"/admin/watchlists/source/{house.pk}/change/").content.decode()
    assert f">{said}<" in body and "<li>entity id: Ref no</li>" in body
    assert "90 %: a file with fewer parties is refused" in body


@pytest.mark.parametrize("page", ["listversion", "entitystate", "party"])
def test_what_was_imported_is_not_changed_here(
    admin_client: Client, house: Source, page: str
) -> None:
    assert admin_client.get(f"/admin/watchlists/{page}/add/").status_code == 403


def test_the_refresh_button_plans_a_job_and_says_what_it_cannot(
    admin_client: Client, house: Source, source: Make
) -> None:
    other = source("without")
    chosen = {"action": "refresh", "_selected_action": [house.pk, other.pk]}
    body = admin_client.post("/admin/watchlists/source/", chosen, follow=True).content.decode()
    assert "1 list will be refreshed" in body
    assert "1 have no address" in body
    assert [job.key for job in Job.objects.filter(name="watchlists.refresh")] == ["house"]


def test_the_form_of_a_source_changes_nothing_of_how_it_is_judged(
    admin_client: Client, house: Source
) -> None:
    form: dict[str, Any] = {
        "title": "House", "minimum_percent": 0, "max_age_hours": 0, "required": "", "licence": "",
    }  # fmt: skip
    answer = admin_client.post(f"/admin/watchlists/source/{house.pk}/change/", form)
    assert answer.status_code == 302
    house.refresh_from_db()
    assert (house.title, house.enabled, house.minimum_percent) == ("House", True, 90)
    assert house.max_age_hours is None


def test_an_operator_may_refresh_and_an_officer_may_not(
    client: Client, house: Source, db: Any
) -> None:
    enter(client, "Operator")
    assert "Refresh the selected lists" in client.get("/admin/watchlists/source/").content.decode()
    client.logout()
    enter(client, "Compliance officer")
    assert client.get("/admin/watchlists/source/").status_code == 403
