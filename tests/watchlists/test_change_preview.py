"""What a change of a source would mean is said in words and numbers before two people make it."""

from collections.abc import Callable
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from django.contrib.auth.models import User

from apps.platform.jobs.models import Periodic
from apps.reference.watchlists import change_preview
from apps.reference.watchlists.models import Source, SourceChange, SourceKind, SourceTopic
from apps.reference.watchlists.services import list_imports, source_changes
from tests.review.people import at_desk, case, check_page, person

Make = Callable[..., Source]
Write = Callable[..., Path]
WHY = "Our counsel asks for it; letter of 3 November."


@pytest.fixture
def load(source: Make, write: Write, noon: datetime) -> Callable[..., Source]:
    """Make a list and load parties: `load("house", "Ada", "Ben")`."""

    def make(slug: str, *names: str, **options: Any) -> Source:
        made = source(slug, **options)
        parties = {f"{slug}-{number}": name for number, name in enumerate(names)}
        list_imports.import_files(source=made, paths=[write(f"{slug}.csv", parties)], now=noon)
        made.refresh_from_db()
        return made

    return make


@pytest.fixture
def ada(db: Any) -> User:
    return person("ada", "Operator")


def said(source: Source, field: str, after: Any, now: datetime) -> str:
    return " ".join(
        change_preview.preview_change(source=source, field=field, after=after, now=now).sentences
    )


def test_switching_off_counts_parties_names_and_who_is_on_no_other_list(
    load: Any, noon: datetime
) -> None:
    house = load("house", "Ada Alone", "Shared Person", "Third Man")
    load("other", "person SHARED", "Somebody Else")
    words = said(house, "enabled", False, noon)
    assert "3 listed parties with 3 names would no longer be screened." in words
    assert "2 of them have no name on another list that is screened." in words
    assert "no answer would say so" in words


def test_a_list_that_is_off_or_of_no_topic_keeps_nobody(load: Any, noon: datetime) -> None:
    house = load("house", "Ada")
    load("off", "Ada", enabled=False)
    load("news", "Ada", topic=SourceTopic.OTHER)
    words = said(house, "enabled", False, noon)
    assert "No other list is screened: none of them would be on a screened list." in words
    assert "every screen and every ownership report would be refused" in words.lower()


def test_lists_too_long_to_compare_say_so(
    load: Any, noon: datetime, monkeypatch: pytest.MonkeyPatch
) -> None:
    house = load("house", "Ada", "Ben")
    load("other", "Ada")
    monkeypatch.setattr(change_preview, "MOST_COMPARED", 2)
    assert "is not counted: the lists are too long" in said(house, "enabled", False, noon)


def test_a_required_list_that_goes_off_stops_screens(
    load: Any, noon: datetime, settings: Any
) -> None:
    house = load("house", "Ada")
    load("other", "Ben")
    settings.REQUIRED_SOURCES = ["house"]
    words = said(house, "enabled", False, noon)
    assert "Every screen and every ownership report would be refused" in words
    assert "The list house is required and switched off." in words


def test_the_last_list_of_office_holders_stops_their_reports(load: Any, noon: datetime) -> None:
    load("house", "Ada")
    peps = load("peps", "Ben", topic=SourceTopic.PEP)
    words = said(peps, "enabled", False, noon)
    assert "Every PEP report would be refused, and screens that ask for PEP" in words
    assert "ownership" not in words


def test_whom_it_flagged_is_counted_once_each_and_not_by_other_lists(
    load: Any, noon: datetime
) -> None:
    house = load("house", "Ada")
    assert "No screened party has been flagged for it so far." in said(
        house, "enabled", False, noon
    )
    case("1", party="Ada", entity_key="house:house-0")
    case("2", party="ADA", entity_key="eu-fsf:3 house:house-0")
    case("3", party="Ben", entity_key="another-house:1 greenhouse:2")
    assert "1 screened party so far were flagged" not in said(house, "enabled", True, noon)
    assert "1 screened party so far" in said(house, "enabled", False, noon)


def test_switching_on_says_what_is_screened_again(load: Any, noon: datetime, source: Make) -> None:
    load("other", "Ben")
    house = load("house", "Ada", enabled=False)
    assert "1 listed party would be screened from then on" in said(house, "enabled", True, noon)
    bare = said(source("bare", enabled=False), "enabled", True, noon)
    assert "No version of it is loaded" in bare and "Every screen would be flagged" in bare


def test_an_address_says_hosts_the_next_refresh_and_the_guard(load: Any, noon: datetime) -> None:
    house = load("house", *(f"Party {n}" for n in range(20)), urls=["https://a.example/1"])
    Periodic.objects.filter(pk="watchlists.refresh").update(enabled=True, next_at=noon)
    words = said(house, "urls", ["https://b.example/1", "https://b.example/2"], noon)
    assert "It would be downloaded from b.example, no longer from a.example." in words
    assert "takes the files there as the list, on 20 Nov 2026 12:00 UTC" in words
    assert "fewer than 18 parties (90 % of the live 20) would be refused" in words
    bare = load("bare", "Ada")
    words = said(bare, "urls", ["https://b.example/1"], noon)
    assert "It would be downloaded from b.example. Today it has no address." in words
    Periodic.objects.filter(pk="watchlists.refresh").update(enabled=False)
    words = said(house, "urls", ["https://a.example/2"], noon)
    assert "from the same host, a.example" in words and "Scheduled refreshes are off" in words


def test_an_age_limit_says_both_limits_and_what_turns(load: Any, noon: datetime) -> None:
    house = load("house", "Ada", kind=SourceKind.IN_HOUSE, max_age_hours=72)
    later = noon + timedelta(hours=50)
    words = said(house, "max_age_hours", 48, later)
    assert "After approval the list is current until it is 48 hours old." in words
    assert "Today it is current until it is 72 hours old." in words
    unlimited = said(house, "max_age_hours", None, later)
    assert "After approval the list is current at any age. Today it is current until" in unlimited
    assert "It would be too old immediately." in words and "refused" in words
    assert not change_preview.preview_change(
        source=house, field="max_age_hours", after=48, now=later
    ).grave
    assert change_preview.preview_change(
        source=house, field="max_age_hours", after=None, now=later
    ).grave


def test_a_floor_says_how_many_parties_it_is(load: Any, noon: datetime) -> None:
    house = load("house", *(f"Party {n}" for n in range(20)))
    words = said(house, "minimum_percent", 51, noon)
    assert "fewer than 11 parties (51 % of the live 20)" in words
    assert "Today the share is 90 %. After approval more of the list could be lost" in words
    words = said(house, "minimum_percent", 95, noon)
    assert "Today the share is 90 %. After approval less of the list could be lost" in words


@pytest.mark.parametrize(
    ("field", "was", "after", "grave"),
    [
        ("required", True, False, True),
        ("required", False, True, False),
        ("max_age_hours", 72, 73, True),
        ("max_age_hours", 72, 71, False),
    ],
)
def test_what_protects_less_is_grave(
    load: Any, noon: datetime, field: str, was: Any, after: Any, grave: bool
) -> None:
    house = load("house", "Ada", kind=SourceKind.IN_HOUSE, **{field: was})
    assert (
        change_preview.preview_change(source=house, field=field, after=after, now=noon).grave
        is grave
    )


def test_the_source_itself_stays_as_it_is(load: Any, noon: datetime) -> None:
    house = load("house", "Ada")
    change_preview.preview_change(source=house, field="enabled", after=False, now=noon)
    assert house.enabled
    house.refresh_from_db()
    assert house.enabled


def test_proposer_and_decider_read_it_until_it_is_decided(
    load: Any, ada: User, noon: datetime
) -> None:
    house = load("house", "Ada", "Ben")
    source_change = source_changes.propose_source_change(
        source=house, field="enabled", after=False, reason=WHY, by=ada, now=noon
    )
    page = f"/admin/watchlists/sourcechange/{source_change.pk}/change/"
    for desk in (at_desk(ada), at_desk(person("ben", "Operator"))):
        assert "2 listed parties with 2 names would no longer be screened." in check_page(
            desk.get(page)
        )
    source_changes.reject_source_change(
        change=source_change, by=person("bea", "Operator"), now=noon, note="It must stay on."
    )
    assert "would no longer be screened" not in check_page(at_desk(ada).get(page))
    assert SourceChange.objects.get().state == "REJECTED"


def test_the_page_of_a_source_says_it_and_leads_to_the_form(load: Any, ada: User) -> None:
    house = load("house", "Ada")
    desk = at_desk(ada)
    html = check_page(desk.get(f"/admin/watchlists/source/{house.pk}/change/"))
    assert "Switching it off would mean" in html and "1 listed party with 1 name" in html
    address = (
        f"/admin/watchlists/sourcechange/add/?source={house.pk}&amp;field=enabled&amp;value=no"
    )
    assert address in html
    html = check_page(desk.get(address.replace("&amp;", "&")))
    assert '<option value="no" selected>' in html and 'name="field" value="enabled"' in html
    assert "Switching it off would mean" in html and "1 listed party with 1 name" in html


@pytest.mark.parametrize(
    ("on", "field", "title"),
    [
        (True, "enabled", "Switching it off would mean"),
        (False, "enabled", "Switching it on would mean"),
        (True, "required", "No longer requiring it would mean"),
        (False, "required", "Requiring it would mean"),
        (True, "minimum_percent", ""),
    ],
)
def test_the_form_of_a_switch_says_at_once_what_its_other_value_would_mean(
    load: Any, ada: User, on: bool, field: str, title: str
) -> None:
    house = load("house", "Ada")
    Source.objects.filter(pk=house.pk).update(enabled=on, required=on)
    html = check_page(
        at_desk(ada).get(f"/admin/watchlists/sourcechange/add/?source={house.pk}&field={field}")
    )
    assert ('id="meaning"' in html) is bool(title) and title in html


def test_who_comes_from_the_changes_of_a_list_finds_it_chosen(load: Any, ada: User) -> None:
    house, desk = load("house", "Ada"), at_desk(ada)
    add = "/admin/watchlists/sourcechange/add/?"
    for address in (f"source={house.pk}", f"_changelist_filters=source__id__exact%3D{house.pk}"):
        assert f'<option value="{house.pk}" selected>' in check_page(desk.get(add + address)), (
            address
        )
    assert f'<option value="{house.pk}" selected>' not in check_page(desk.get(add))
    html = check_page(desk.get(f"/admin/watchlists/source/{house.pk}/change/"))
    assert f'href="{add}source={house.pk}">changing this and the settings above' in html
