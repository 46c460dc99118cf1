"""Where a list is downloaded from changes by two operators, and each step stays."""

from collections.abc import Callable
from datetime import datetime, timedelta
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.db import DatabaseError, IntegrityError, transaction
from django.test import Client

from apps.platform.upstreams.addresses import AddressRefused
from apps.reference.watchlists import source_policy
from apps.reference.watchlists.integrity import verify_lists
from apps.reference.watchlists.live_list_sets import judge_freshness, load_current_set
from apps.reference.watchlists.models import ListRecord, Source, SourceChange, SourceEvent
from apps.reference.watchlists.services import list_imports, source_changes
from tests.desk import proposal_steps
from tests.review.people import at_desk, person

Make = Callable[..., Source]
OLD, NEW = ["https://lists.example/a.csv"], ["https://lists.example/b.csv", "https://b.example/c"]
WHY = "The publisher moved; circular of 3 November."
ADD = "/admin/watchlists/sourcechange/add/"


@pytest.fixture
def house(source: Make) -> Source:
    return source(urls=OLD, validators={OLD[0]: {"etag": '"1"'}})


@pytest.fixture
def ada(db: Any) -> User:
    return person("ada", "Operator")


@pytest.fixture
def ben(db: Any) -> User:
    return person("ben", "Operator")


def propose(house: Source, by: User, now: datetime, urls: list[str] = NEW) -> SourceChange:
    return source_changes.propose_source_change(
        source=house, field="urls", after=urls, reason=WHY, by=by, now=now
    )


def test_another_operator_puts_it_into_force_and_old_validators_go(
    house: Source, ada: User, ben: User, noon: datetime
) -> None:
    change = propose(house, ada, noon)
    house.refresh_from_db()
    assert house.urls == OLD
    source_changes.approve_source_change(change=change, by=ben, now=noon)
    house.refresh_from_db()
    assert (house.urls, house.validators) == (NEW, {})
    assert (change.state, change.decided_by, change.decided_at) == ("APPROVED", ben, noon)
    kept = SourceEvent.objects.order_by("pk").values_list("state", "by", "before", "after", "words")
    assert list(kept) == [
        ("PROPOSED", "ada", OLD, NEW, WHY),
        ("APPROVED", "ben", OLD, NEW, ""),
    ]


def test_the_proposer_alone_changes_nothing(
    house: Source, ada: User, noon: datetime, settings: Any
) -> None:
    change = propose(house, ada, noon)
    for decide in (
        lambda: source_changes.approve_source_change(change=change, by=ada, now=noon),
        lambda: source_changes.reject_source_change(change=change, by=ada, now=noon, note="x"),
    ):
        with pytest.raises(source_changes.SourceChangeConflict, match="Another operator"):
            decide()
    with pytest.raises(IntegrityError), transaction.atomic():
        SourceChange.objects.update(state="APPROVED", decided_by=ada, decided_at=noon)
    house.refresh_from_db()
    assert house.urls == OLD and SourceEvent.objects.count() == 1


def test_a_rejection_changes_nothing_and_leaves_room_for_another(
    house: Source, ada: User, ben: User, noon: datetime
) -> None:
    change = propose(house, ada, noon)
    with pytest.raises(source_changes.SourceChangeConflict, match="already proposed"):
        propose(house, ben, noon)
    source_changes.reject_source_change(change=change, by=ben, now=noon, note="Not theirs.")
    with pytest.raises(source_changes.SourceChangeConflict, match="already been decided"):
        source_changes.approve_source_change(change=change, by=ben, now=noon)
    house.refresh_from_db()
    assert house.urls == OLD
    assert SourceEvent.objects.latest("pk").words == "Not theirs."
    propose(house, ben, noon)


def test_what_the_proposer_did_not_see_is_not_overwritten(
    house: Source, ada: User, ben: User, noon: datetime
) -> None:
    change = propose(house, ada, noon)
    house.move(["https://lists.example/elsewhere.csv"], now=noon)
    with pytest.raises(source_changes.SourceChangeConflict, match="changed since"):
        source_changes.approve_source_change(change=change, by=ben, now=noon)
    change.refresh_from_db()
    assert change.state == "PROPOSED" and SourceEvent.objects.count() == 1


@pytest.mark.parametrize(
    "urls",
    [
        ["http://lists.example/a.csv"],
        ["https://lists.example/a", "https://169.254.169.254/latest"],
        ["https://user:pass@lists.example/a"],
        ["https://lists.example/a", "https://lists.example/a"],
        ["https://lists.example/" + "a" * 1000],
        [f"https://lists.example/{number}" for number in range(21)],
        [],
        ["file:///etc/passwd"],
    ],
)
def test_addresses_that_would_never_be_called_are_refused(
    house: Source, ada: User, noon: datetime, urls: list[str]
) -> None:
    with pytest.raises(AddressRefused):
        propose(house, ada, noon, urls)
    assert not SourceChange.objects.exists()


def test_the_same_addresses_are_no_change(house: Source, ada: User, noon: datetime) -> None:
    with pytest.raises(source_changes.SourceChangeConflict, match="already"):
        propose(house, ada, noon, OLD)


def test_events_cannot_be_altered_or_removed(house: Source, ada: User, noon: datetime) -> None:
    propose(house, ada, noon)
    for harm in (
        lambda: SourceEvent.objects.update(by="somebody else"),
        lambda: SourceEvent.objects.all().delete(),
    ):
        with pytest.raises(DatabaseError), transaction.atomic():
            harm()
    assert SourceEvent.objects.get().by == "ada"


# --- how a list is judged ---------------------------------------------------------------

JUDGED = [
    ("enabled", "no", True, False),
    ("required", "yes", False, True),
    ("max_age_hours", "72", None, 72),
    ("minimum_percent", "80", 90, 80),
]  # the field, what is sent for it, and its value before and after


@pytest.mark.parametrize(("field", "text", "before", "after"), JUDGED)
def test_what_a_list_is_judged_by_takes_two_operators_and_an_event(
    house: Source, ada: User, ben: User, noon: datetime,
    field: str, text: str, before: Any, after: Any,
) -> None:  # fmt: skip
    del text  # the desk's alone
    change = source_changes.propose_source_change(
        source=house, field=field, after=after, reason=WHY, by=ada, now=noon
    )
    house.refresh_from_db()
    assert getattr(house, field) == before
    with pytest.raises(source_changes.SourceChangeConflict, match="Another operator"):
        source_changes.approve_source_change(change=change, by=ada, now=noon)
    source_changes.approve_source_change(change=change, by=ben, now=noon)
    house.refresh_from_db()
    assert getattr(house, field) == after
    kept = SourceEvent.objects.order_by("pk").values_list("state", "by", "field", "after")
    assert list(kept) == [("PROPOSED", "ada", field, after), ("APPROVED", "ben", field, after)]
    assert ListRecord.objects.get().data[field] == after
    assert list(verify_lists(lambda done: None)) == []


def test_a_list_that_two_operators_switched_off_is_recorded_as_such(
    house: Source, ada: User, ben: User, noon: datetime
) -> None:
    change = source_changes.propose_source_change(
        source=house, field="enabled", after=False, reason=WHY, by=ada, now=noon
    )
    source_changes.approve_source_change(change=change, by=ben, now=noon)
    house.refresh_from_db()
    assert house.live_since == noon
    assert ListRecord.objects.get().data["enabled"] is False
    assert list(verify_lists(lambda done: None)) == []


def test_the_general_age_limit_comes_back_where_a_list_gives_up_its_own(
    house: Source, ada: User, ben: User, noon: datetime
) -> None:
    Source.objects.update(max_age_hours=72, kind="official")
    house.refresh_from_db()
    change = source_changes.propose_source_change(
        source=house, field="max_age_hours", after=None, reason=WHY, by=ada, now=noon
    )
    source_changes.approve_source_change(change=change, by=ben, now=noon)
    house.refresh_from_db()
    assert house.max_age_hours is None


@pytest.mark.parametrize(
    ("kind", "field", "value", "production", "sandbox"),
    [
        ("official", "max_age_hours", None, True, True),
        ("official", "max_age_hours", 0, False, True),
        ("official", "max_age_hours", 1, True, True),
        ("official", "max_age_hours", 744, True, True),
        ("official", "max_age_hours", 745, False, True),
        ("in_house", "max_age_hours", None, False, True),
        ("in_house", "max_age_hours", 0, False, True),
        ("in_house", "max_age_hours", 8784, True, True),
        ("in_house", "max_age_hours", 8785, False, True),
        ("official", "minimum_percent", 50, True, True),
        ("official", "minimum_percent", 49, False, True),
        ("official", "minimum_percent", 0, False, True),
        ("official", "minimum_percent", 100, True, True),
        ("official", "minimum_percent", 101, False, False),
        ("official", "enabled", 1, False, False),
    ],
)
def test_no_limit_is_refused_in_production(
    house: Source, settings: Any,
    kind: str, field: str, value: Any, production: bool, sandbox: bool,
) -> None:  # fmt: skip
    house.kind = kind
    for settings.PRODUCTION, stands in ((True, production), (False, sandbox)):
        if stands:
            source_policy.check_value(house, field, value)
        else:
            with pytest.raises(source_policy.ValueRefused):
                source_policy.check_value(house, field, value)


def test_limits_of_nothing_from_before_count_as_none_in_production(
    house: Source, settings: Any, write: Any, noon: datetime
) -> None:
    settings.LEDGER_KEYS = "k:" + "ab" * 32
    Source.objects.update(kind="official", max_age_hours=0, minimum_percent=0)
    ten = {str(number): f"Party {number}" for number in range(10)}
    list_imports.import_files(source=house, paths=[write("a.csv", ten)], now=noon)
    settings.PRODUCTION, settings.LISTS_MAX_AGE_HOURS = True, 48
    settings.REQUIRED_SOURCES = []
    late = noon + timedelta(hours=49)
    assert judge_freshness(lists=load_current_set(), topic="sanction", now=late).state == "stale"
    four = dict(list(ten.items())[:4])
    with pytest.raises(list_imports.ImportRefused, match="under 50 %"):
        list_imports.import_files(source=house, paths=[write("b.csv", four)], now=noon)


# --- at the desk ----------------------------------------------------------------------


def form(house: Source, *addresses: str) -> dict[str, Any]:
    boxes = {f"value_{number}": one for number, one in enumerate(addresses or NEW)}
    return {"source": house.pk, "field": "urls", "reason": WHY} | boxes


def judged(house: Source, field: str, value: str) -> dict[str, Any]:
    return {"source": house.pk, "field": field, "value": value, "reason": WHY}


def test_operators_change_an_address_together_at_the_desk(
    house: Source, ada: User, ben: User
) -> None:
    first, second = at_desk(ada), at_desk(ben)
    assert proposal_steps.propose(first, ADD, form(house)).status_code == 302
    change = SourceChange.objects.get()
    page = f"/admin/watchlists/sourcechange/{change.pk}/change/"
    decide = f"/admin/watchlists/sourcechange/{change.pk}/decide/"
    assert "Another operator must" in first.get(page).content.decode()
    first.post(decide, {"decision": "approve"})
    house.refresh_from_db()
    assert house.urls == OLD
    assert "another is proposed" in shown(second, house)
    assert 'value="approve"' in second.get(page).content.decode()
    second.post(decide, {"decision": "approve", "note": "I read the circular."})
    house.refresh_from_db()
    assert house.urls == NEW
    html = second.get(page).content.decode()
    assert "Approved by ben: I read the circular." in html and f"Proposed by ada: {WHY}" in html
    assert SourceEvent.objects.latest("pk").words == change.events.latest("pk").words != ""
    assert NEW[1] in shown(second, house)


def shown(desk: Client, house: Source) -> str:
    return desk.get(f"/admin/watchlists/source/{house.pk}/change/").content.decode()


@pytest.mark.parametrize(("field", "text", "before", "after"), JUDGED)
def test_operators_change_how_a_list_is_judged_at_the_desk(
    house: Source, ada: User, ben: User, field: str, text: str, before: Any, after: Any
) -> None:
    first, second = at_desk(ada), at_desk(ben)
    given = judged(house, field, text)
    assert proposal_steps.propose(first, ADD, given).status_code == 302
    change = SourceChange.objects.get()
    page = f"/admin/watchlists/sourcechange/{change.pk}/change/"
    assert f"<ins>{text}</ins>" in second.get(page).content.decode()
    second.post(f"/admin/watchlists/sourcechange/{change.pk}/decide/", {"decision": "approve"})
    house.refresh_from_db()
    assert getattr(house, field) == after != before


@pytest.mark.parametrize(
    ("field", "text", "why"),
    [
        ("enabled", "perhaps", "Select a valid choice"),
        ("enabled", "", "This field is required"),
        ("enabled", "yes", "already the current value"),
        ("max_age_hours", "-1", "greater than or equal to 0"),
        ("max_age_hours", "1000000", "less than or equal to 999999"),
        ("max_age_hours", "two", "Enter a whole number"),
        ("max_age_hours", "", "already the current value"),
        ("minimum_percent", "101", "less than or equal to 100"),
        ("minimum_percent", "", "This field is required"),
    ],
)
def test_a_value_that_cannot_be_comes_back_with_why(
    house: Source, ada: User, field: str, text: str, why: str
) -> None:
    answer = proposal_steps.propose(at_desk(ada), ADD, judged(house, field, text))
    assert answer.status_code == 200 and why in answer.content.decode()
    assert not SourceChange.objects.exists()


@pytest.mark.parametrize(
    ("addresses", "why"),
    [
        ("http://lists.example/a", "only https"),
        ("https://10.0.0.1/", "not a public address"),
        ("\n ", "required"),
        (OLD[0], "already the current value"),
    ],
)
def test_a_form_that_cannot_be_comes_back_with_why(
    house: Source, ada: User, addresses: str, why: str
) -> None:
    answer = proposal_steps.propose(at_desk(ada), ADD, form(house, addresses))
    assert answer.status_code == 200 and why in answer.content.decode()
    assert not SourceChange.objects.exists()


@pytest.mark.parametrize(
    ("field", "kind", "now"),
    [
        ("enabled", '<select name="value"', "Now: yes."),
        ("required", '<select name="value"', "Now: no."),
        ("max_age_hours", '<input type="number" name="value"', "Now: the general limit."),
        ("minimum_percent", '<input type="number" name="value" value="90"', "Now: 90."),
        ("urls", f'<input type="url" name="value_0" value="{OLD[0]}"', "https addresses"),
    ],
)
def test_each_thing_that_may_change_has_a_field_of_its_kind_that_says_what_stands_now(
    house: Source, ada: User, field: str, kind: str, now: str
) -> None:
    html = at_desk(ada).get(ADD, {"source": house.pk, "field": field}).content.decode()
    assert kind in html and now in html
    assert ("value_0" in html) is (field == "urls")


def test_what_a_switch_proposes_first_is_the_other_way_than_it_stands(
    house: Source, ada: User
) -> None:
    desk = at_desk(ada)
    for field, other in (("enabled", "no"), ("required", "yes")):
        html = desk.get(ADD, {"source": house.pk, "field": field}).content.decode()
        assert f'<option value="{other}" selected>' in html


@pytest.mark.parametrize(
    ("production", "kind", "hours", "general"),
    [
        (False, "official", 'min="0" max="999999"', "the general limit (none)"),
        (True, "official", 'min="1" max="744"', "the general limit (48 hours)"),
        (True, "in_house", 'min="1" max="8784"', "the general limit (8,784 hours)"),
    ],
)
def test_the_hours_of_a_list_are_asked_within_the_bounds_of_the_deployment(
    house: Source, ada: User, settings: Any, production: bool, kind: str, hours: str, general: str
) -> None:
    settings.PRODUCTION, settings.LISTS_MAX_AGE_HOURS = production, 48 if production else 0
    Source.objects.update(kind=kind)
    html = at_desk(ada).get(ADD, {"source": house.pk, "field": "max_age_hours"}).content.decode()
    assert hours in html and general in html
    html = at_desk(ada).get(ADD, {"source": house.pk, "field": "minimum_percent"}).content.decode()
    assert f'min="{50 if production else 0}" max="100"' in html


@pytest.mark.parametrize("asked", [{}, {"source": "1"}, {"field": "enabled"}, {"field": "shrink"}])
def test_which_list_and_what_of_it_is_asked_first(
    house: Source, ada: User, asked: dict[str, str]
) -> None:
    desk = at_desk(ada)
    html = desk.get(ADD, asked).content.decode()
    assert "Continue" in html and 'name="reason"' not in html
    assert "A much smaller version" not in html  # that takes the files in hand, at a shell
    answer = desk.post(ADD, asked | {"value": "no", "reason": WHY})
    assert answer.status_code == 400 and not SourceChange.objects.exists()


def test_more_addresses_than_boxes_were_there_are_kept_and_get_a_box_each(
    house: Source, ada: User
) -> None:
    many = [f"https://lists.example/{number}" for number in range(5)]
    html = at_desk(ada).post(ADD, form(house, *many)).content.decode()
    assert [f'name="value_{number}"' in html for number in range(8)] == [True] * 7 + [False]
    assert f'name="value_4" value="{many[4]}"' in html
    assert proposal_steps.propose(at_desk(ada), ADD, form(house, *many)).status_code == 302
    assert SourceChange.objects.get().after == many


def test_who_proposes_sees_what_it_would_mean_before_it_is_sent(
    house: Source, ada: User, write: Any, noon: datetime
) -> None:
    list_imports.import_files(source=house, paths=[write("a.csv", {"1": "Ada Alone"})], now=noon)
    desk = at_desk(ada)
    html = proposal_steps.look_at(desk, ADD, judged(house, "enabled", "no"))
    for words in ("<del>yes</del>", "<ins>no</ins>", WHY,
                  "1 listed party with 1 name would no longer be screened."):  # fmt: skip
        assert words in html, words
    assert "Please correct" not in html and not SourceChange.objects.exists()
    seen = proposal_steps.SEEN.search(html)
    assert seen is not None
    other = judged(house, "minimum_percent", "40") | {"seen": seen[1]}
    html = proposal_steps.look_at(desk, ADD, other)
    assert (
        "You have changed the proposal since the last preview" in html
        and "more of the list could be lost" in html
    )
    assert not SourceChange.objects.exists()


def test_a_second_proposal_is_a_message(house: Source, ada: User, ben: User) -> None:
    proposal_steps.propose(at_desk(ada), ADD, form(house))
    answer = proposal_steps.propose(at_desk(ben), ADD, form(house, "https://c.example/"))
    assert answer.status_code == 200 and "already proposed" in answer.content.decode()


def test_the_form_of_a_source_changes_no_address(house: Source, ada: User) -> None:
    given = {
        "title": "House",
        "minimum_percent": 90,
        "enabled": "on",
        "urls": '["https://x.example"]',
    }
    answer = at_desk(ada).post(f"/admin/watchlists/source/{house.pk}/change/", given)
    assert answer.status_code == 302
    house.refresh_from_db()
    assert (house.urls, house.title) == (OLD, "House")


def test_a_note_of_an_operator_is_shown_as_text(house: Source, ada: User, ben: User) -> None:
    proposal_steps.propose(at_desk(ada), ADD, form(house) | {"reason": "<b>moved</b>"})
    change = SourceChange.objects.get()
    page = at_desk(ben).get(f"/admin/watchlists/sourcechange/{change.pk}/change/").content.decode()
    assert "<b>moved</b>" not in page and "&lt;b&gt;moved" in page
