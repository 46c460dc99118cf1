"""A known false positive counts its days where the desk works, as the clocks of the law do."""

from datetime import UTC, date, datetime
from typing import Any

import pytest
from django.contrib.auth.models import User

from apps.backoffice.review.models import KnownFalsePositive
from apps.backoffice.review.selectors.known_false_positives import load_known_of_case
from apps.backoffice.review.selectors.pending_known_false_positives import (
    list_waiting_known as waiting,
)
from apps.backoffice.review.services import known_false_positive_decisions
from apps.backoffice.review.services.known_false_positive_expiry import (
    EndedCounts,
    end_outdated_known_false_positives,
)
from apps.backoffice.review.services.known_false_positive_proposals import InvalidKnownFalsePositive
from apps.backoffice.review.services.known_false_positive_transitions import (
    KnownFalsePositiveConflict,
)
from apps.backoffice.review.views import known_false_positive_register
from apps.backoffice.review.views.case_known_false_positives import build_known_offer
from apps.backoffice.sar.date_formats import local_date
from tests.review import sample_known_false_positives
from tests.review.people import NOTE, at_desk, case, check_page
from tests.review.sample_known_false_positives import Lists, confirm, in_force, propose

pytestmark = pytest.mark.django_db
LAST = date(2026, 11, 22)
# 20 November in UTC; in Auckland (+13) that is noon of the 20th, and in Honolulu (-10) the 19th
BEFORE = datetime(2026, 11, 19, 23, 0, tzinfo=UTC)
# half an hour after LAST began, and half an hour after it ended, each in its zone
STILL = {"Pacific/Auckland": datetime(2026, 11, 22, 10, 30, tzinfo=UTC),
         "Pacific/Honolulu": datetime(2026, 11, 23, 9, 30, tzinfo=UTC)}  # fmt: skip
OVER = {"Pacific/Auckland": datetime(2026, 11, 22, 11, 30, tzinfo=UTC),
        "Pacific/Honolulu": datetime(2026, 11, 23, 10, 30, tzinfo=UTC)}  # fmt: skip


@pytest.fixture(autouse=True)
def lists(monkeypatch: pytest.MonkeyPatch) -> Lists:
    return sample_known_false_positives.use(monkeypatch)


@pytest.fixture(params=list(STILL))
def zone(request: Any, settings: Any) -> str:
    settings.DESK_TIME_ZONE = request.param
    return str(request.param)


def test_it_holds_on_its_last_day_there_and_not_on_the_next(
    olivia: User, samir: User, zone: str
) -> None:
    in_force(olivia, samir, until=LAST, now=BEFORE)
    new_case = case("2", now=BEFORE)
    assert [
        known_status.standing for known_status in load_known_of_case(new_case, now=STILL[zone])
    ] == ["IN_FORCE"]
    assert [
        known_status.standing for known_status in load_known_of_case(new_case, now=OVER[zone])
    ] == ["EXPIRED"]
    assert end_outdated_known_false_positives(now=STILL[zone]) == EndedCounts(0, 0)
    assert end_outdated_known_false_positives(now=OVER[zone]) == EndedCounts(0, 1)


def test_what_waits_is_confirmed_and_listed_up_to_that_day(
    olivia: User, samir: User, zone: str
) -> None:
    false_positive = propose(olivia, until=LAST, now=BEFORE)
    counts = [waiting(samir, now) for now in (STILL[zone], OVER[zone])]
    assert [one.count() for one in counts if one] == [1, 0]
    for state, now, count in (
        ("waits", STILL[zone], 1), ("waits", OVER[zone], 0),
        ("EXPIRED", STILL[zone], 0), ("EXPIRED", OVER[zone], 1),
    ):  # fmt: skip
        asked = known_false_positive_register.RegisterQuery.read({"stands": state})
        assert len(known_false_positive_register.build_register_page(asked, now).rows) == count, (
            state,
            now,
        )
    with pytest.raises(KnownFalsePositiveConflict, match="It was valid until"):
        confirm(false_positive, samir, now=OVER[zone])
    confirm(false_positive, samir, now=STILL[zone])


def test_the_days_that_may_be_chosen_begin_with_the_next_one_there(
    olivia: User, samir: User, zone: str
) -> None:
    here = local_date(BEFORE)
    offered = build_known_offer(case("3", now=BEFORE), known=[], now=BEFORE)
    assert offered is not None and (offered.first - here).days == 1
    with pytest.raises(InvalidKnownFalsePositive, match="in the future"):
        propose(olivia, until=here, now=BEFORE)
    false_positive = in_force(olivia, samir, "4", until=offered.first, now=BEFORE)
    given = {"known": false_positive, "by": olivia, "note": NOTE, "now": BEFORE}
    with pytest.raises(InvalidKnownFalsePositive, match="within 2 years"):
        known_false_positive_decisions.request_known_extension(
            **given, until=offered.latest.replace(month=12)
        )
    known_false_positive_decisions.request_known_extension(**given, until=offered.latest)
    assert KnownFalsePositive.objects.get().extend_to == offered.latest


def test_who_decided_is_told_with_the_day_that_it_was_there(
    olivia: User, samir: User, zone: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("apps.backoffice.review.admin.cases.now", lambda: BEFORE)
    in_force(olivia, samir, now=BEFORE)
    html = check_page(at_desk(samir).get(f"/admin/review/case/{case('2', now=BEFORE).pk}/"))
    assert f"confirmed by samir on {local_date(BEFORE):%d %b %Y}" in html
