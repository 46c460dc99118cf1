"""Engagements: two people let an examiner in, for a time, to records of a scope."""

from collections.abc import Callable
from datetime import UTC, date, datetime, timedelta
from typing import Any

import pytest
from django.contrib.auth.models import User

from apps.backoffice.oversight.models import ReadEvent
from apps.payments.travelrule.engagements import services
from apps.payments.travelrule.engagements.services import EngagementConflict
from apps.payments.travelrule.models import Engagement
from apps.payments.travelrule.rules.engagements import (
    EngagementSpan,
    find_engagement_fault,
    find_refusal,
)
from tests.review.people import SENIOR, at_desk, check_page, person
from tests.travelrule.desk.conftest import DAY, recorded
from tests.travelrule.engagements import VISITING, WHY, engaged, proposed, senior

pytestmark = pytest.mark.django_db
LIST = "/admin/travelrule/travelrecord/"
PAGE = "/admin/travelrule/engagement/"
SECOND = timedelta(seconds=1)
FROM, UNTIL = datetime(2026, 11, 23, 9, tzinfo=UTC), datetime(2026, 11, 27, 17, tzinfo=UTC)


@pytest.fixture
def vera() -> User:
    """An account of a visiting examiner that nobody let in yet."""
    user = person("vera")
    user.groups.add(*person("x", VISITING).groups.all())
    return user


@pytest.fixture
def week(vera: User) -> Engagement:
    return engaged(vera, FROM - timedelta(days=1), starts_at=FROM, ends_at=UNTIL)


@pytest.mark.parametrize(
    ("moment", "status"),
    [
        (FROM - SECOND, 403),
        (FROM, 200),
        (UNTIL - SECOND, 200),
        (UNTIL, 403),
    ],
)
def test_an_account_opens_pages_from_its_first_second_to_before_its_last(
    week: Engagement, vera: User, at: Callable[..., None], moment: datetime, status: int
) -> None:
    at(moment)
    for address in ("/admin/", LIST, "/admin/search/?q=x", "/admin/account/", "/admin/nothing/"):
        status_code = at_desk(vera).get(address).status_code
        assert status_code == 403 if status == 403 else status_code != 403, address


def test_who_comes_too_early_or_too_late_is_told_when(
    week: Engagement, vera: User, at: Callable[..., None]
) -> None:
    at(FROM - SECOND)
    html = check_page(at_desk(vera).get(LIST), 403)
    assert "Your engagement begins on 23 Nov 2026 09:00:00 UTC" in html
    at(UNTIL)
    html = check_page(at_desk(vera).get(LIST), 403)
    assert "Your engagement ended on 27 Nov 2026 17:00:00 UTC" in html
    assert "Pages" not in html and 'name="q"' not in html


def test_an_account_without_an_engagement_opens_nothing_but_the_way_out(vera: User) -> None:
    desk = at_desk(vera)
    assert "You have no approved engagement" in check_page(desk.get("/admin/"), 403)
    assert desk.post("/admin/logout/").status_code in (200, 302)
    assert desk.get("/admin/").status_code == 302


def test_a_proposal_lets_nobody_in_before_another_approved_it(vera: User) -> None:
    change = proposed(vera)
    assert at_desk(vera).get(LIST).status_code == 403
    with pytest.raises(EngagementConflict, match="Another senior officer"):
        services.approve_engagement(change=change, by=change.proposed_by, note="", now=DAY)
    assert at_desk(vera).get(LIST).status_code == 403
    desk = at_desk(senior("engaging-two"))
    assert desk.post(f"{PAGE}{change.pk}/decide/", {"decision": "approve"}).status_code == 302
    assert at_desk(vera).get(LIST).status_code == 200


def test_nobody_lets_themselves_in(vera: User) -> None:
    change = proposed(vera)
    vera.groups.add(*senior("engaging-two").groups.all())
    with pytest.raises(EngagementConflict, match="your own access"):
        services.approve_engagement(change=change, by=vera, note="", now=DAY)


def test_an_engagement_is_proposed_at_the_desk_once_its_meaning_was_seen(vera: User) -> None:
    desk = at_desk(person("sybil", SENIOR))
    form = {
        "examiner": vera.pk,
        "authority": "Supervisory authority",
        "starts_at": "2098-11-23T09:00",
        "ends_at": "2098-11-27T17:00",
        "records_from": "2026-01-01",
        "records_to": "2026-12-31",
        "reason": WHY,
    }
    html = check_page(desk.post(f"{PAGE}add/", form))
    assert "23 Nov 2098 09:00:00 UTC to before 27 Nov 2098 17:00:00 UTC" in html
    assert not Engagement.objects.filter(examiner=vera).exists()
    seen = html.partition('name="seen" value="')[2].split('"')[0]
    assert desk.post(f"{PAGE}add/", form | {"seen": seen}).status_code == 302
    engagement = Engagement.objects.get(examiner=vera)
    assert (engagement.state, engagement.institutions) == ("PROPOSED", [])
    assert engagement.starts_at == datetime(2098, 11, 23, 9, tzinfo=UTC)


def test_one_senior_officer_ends_an_engagement_at_once_and_says_why(
    week: Engagement, vera: User, at: Callable[..., None]
) -> None:
    at(FROM)
    assert at_desk(vera).get(LIST).status_code == 200
    desk = at_desk(person("sybil", SENIOR))
    refused = desk.post(f"{PAGE}{week.pk}/end/", {"why": ""})
    assert refused.status_code == 409 and "Say why it is ended" in check_page(refused, 409)
    assert at_desk(vera).get(LIST).status_code == 200
    assert desk.post(f"{PAGE}{week.pk}/end/", {"why": "The examiner left."}).status_code == 302
    html = check_page(at_desk(vera).get(LIST), 403)
    assert "was ended early on 23 Nov 2026 09:00:00 UTC" in html
    page = check_page(desk.get(f"{PAGE}{week.pk}/change/"))
    assert "The examiner left." in page and "End early" not in page
    again = desk.post(f"{PAGE}{week.pk}/end/", {"why": "The examiner left."})
    assert again.status_code == 409


@pytest.mark.parametrize("column", ["ends_at", "institutions", "ended_at"])
def test_an_engagement_that_was_changed_in_the_database_lets_nobody_in(
    vera: User, column: str
) -> None:
    change = engaged(vera, institutions=["account:1"])
    if column == "ended_at":
        services.end_engagement(
            change=change, by=senior("engaging-two"), why="The examiner left.", now=DAY
        )
    new = {
        "ends_at": {"ends_at": change.ends_at + timedelta(days=1)},
        "institutions": {"institutions": []},
        "ended_at": {"ended_at": None, "ended_by": None},
    }[column]
    Engagement.objects.filter(pk=change.pk).update(**new)
    assert "Integrity check failed for your engagement" in check_page(at_desk(vera).get(LIST), 403)


def test_two_examiners_see_the_records_of_their_own_scopes_alone(vera: User) -> None:
    mine = recorded("Alder Ltd", owner="account:1")
    other = recorded("Birch Ltd", owner="account:2")
    inbound = recorded("Cedar Ltd", owner="", direction="INBOUND")
    engaged(vera, institutions=["account:1"])
    walter = person("walter", VISITING)
    desk, second = at_desk(vera), at_desk(walter)
    html = check_page(desk.get(LIST))
    assert "Alder Ltd" in html and "Birch Ltd" not in html and "Cedar Ltd" not in html
    assert all(
        name in check_page(second.get(LIST)) for name in ("Alder Ltd", "Birch Ltd", "Cedar Ltd")
    )
    for one, status in ((mine, 200), (other, 404), (inbound, 404)):
        assert desk.get(f"{LIST}{one.pk}/").status_code == status
        assert desk.post(f"{LIST}{one.pk}/zip/").status_code == status
        assert second.get(f"{LIST}{one.pk}/").status_code == 200
    address = f"{LIST}{other.pk}/"
    assert address not in check_page(desk.get("/admin/search/", {"q": "Birch"}))
    assert address in check_page(second.get("/admin/search/", {"q": "Birch"}))
    assert desk.get("/admin/search/", {"q": str(other.record_id)}).status_code == 200
    assert desk.get("/admin/search/", {"q": str(mine.record_id)}).status_code == 302


@pytest.mark.parametrize(
    ("moment", "seen"),
    [
        (datetime(2026, 10, 31, 23, 59, 59, tzinfo=UTC), False),
        (datetime(2026, 11, 1, tzinfo=UTC), True),
        (datetime(2026, 11, 30, 23, 59, 59, tzinfo=UTC), True),
        (datetime(2026, 12, 1, tzinfo=UTC), False),
    ],
)
def test_a_scope_holds_the_records_of_its_days_to_the_second(
    vera: User, moment: datetime, seen: bool
) -> None:
    engaged(vera, records_from=date(2026, 11, 1), records_to=date(2026, 11, 30))
    record = recorded(at=moment)
    assert at_desk(vera).get(f"{LIST}{record.pk}/").status_code == (200 if seen else 404)


def test_an_examiner_opens_no_page_beyond_the_records(vera: User) -> None:
    engaged(vera)
    desk = at_desk(vera)
    for page in ("payments/payment", "review/case", "screening/screen", "oversight/exportevent"):
        assert desk.get(f"/admin/{page}/").status_code == 403, page


def test_every_page_bears_the_mark_of_who_reads_it_and_is_on_record(
    week: Engagement, vera: User, at: Callable[..., None]
) -> None:
    at(FROM)
    User.objects.filter(pk=vera.pk).update(first_name="Vera", last_name="Vidal")
    record = recorded()
    desk = at_desk(vera)
    pages = ("/admin/", LIST, f"{LIST}{record.pk}/", f"{LIST}overview/", "/admin/core/ledgerhead/")
    for address in pages:
        html = check_page(desk.get(address))
        assert "Vera Vidal · Supervisory authority · 23 Nov 2026 09:00:00 UTC" in html
    reads = ReadEvent.objects.filter(by=vera).order_by("pk")
    assert [one.data["address"] for one in reads] == list(pages)
    assert reads[2].ref == str(record.pk)


def test_nobody_else_bears_a_mark() -> None:
    assert "watermark" not in check_page(at_desk(person("olivia", SENIOR)).get(LIST))


def test_a_way_in_is_named_by_the_next_engagement_then_by_the_last() -> None:
    early, late = EngagementSpan(FROM, FROM + SECOND), EngagementSpan(UNTIL, UNTIL + SECOND)
    assert find_refusal([early, late], FROM + SECOND).startswith("Your engagement begins on 27 Nov")
    assert find_refusal([early, late], UNTIL) == ""
    assert find_refusal([early, late], UNTIL + SECOND).startswith("Your engagement ended on 27 Nov")


@pytest.mark.parametrize(
    ("begins", "ends", "right"),
    [
        (FROM, FROM, False),
        (FROM, FROM + SECOND, True),
        (FROM, FROM + timedelta(days=366), True),
        (FROM, FROM + timedelta(days=366) + SECOND, False),
        (FROM - timedelta(days=2), FROM, False),  # over as it is proposed
        (FROM - timedelta(days=2), FROM + SECOND, True),
    ],
)
def test_an_engagement_lasts_a_year_at_most_and_ends_in_the_future(
    begins: datetime, ends: datetime, right: bool
) -> None:
    assert (find_engagement_fault(EngagementSpan(begins, ends), FROM) == "") is right


def test_only_an_account_of_a_visiting_examiner_is_let_in() -> None:
    with pytest.raises(EngagementConflict, match="visiting examiners"):
        proposed(person("olivia", SENIOR))


def test_the_frame_says_nothing_to_who_is_not_let_in(vera: User) -> None:
    recorded("Alder Ltd")
    answers: list[Any] = [at_desk(vera).get(one) for one in (LIST, "/admin/search/?q=Alder")]
    assert all("Alder Ltd" not in answer.content.decode() for answer in answers)
