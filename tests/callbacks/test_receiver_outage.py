"""A receiver that is down for six hours loses nothing: by its feed, and by sending again."""

from datetime import timedelta
from typing import Any
from uuid import uuid4

import pytest
from django.core.management import call_command

from apps.access.keys.models import Account
from apps.payments.callbacks import health, signing_secrets
from apps.payments.callbacks.models import Attempt, Delivery, Event, State
from apps.payments.callbacks.retention import blank_expired_bodies
from apps.payments.callbacks.selectors import feed, webhook_statuses
from apps.payments.callbacks.services import resend
from tests.callbacks.receivers import ALICE, BOB, URL, Receivers, later, run_until, tell
from tests.conftest import NOON

pytestmark = pytest.mark.django_db


def outage(receivers: Receivers) -> list[Any]:
    """Let a receiver be down from noon to six, with an event each half hour before and after."""
    told = []
    for half_hours in range(-2, 16):
        moment = NOON + timedelta(minutes=30 * half_hours)
        down = NOON <= moment < later(hours=6)
        receivers.always[URL] = "unreachable" if down else 200
        told.append(tell(now=moment, number=half_hours).event)
        tell(now=moment, owner=BOB)
        run_until(moment + timedelta(minutes=29))
    return told


def numbers(receivers: Receivers) -> set[bytes]:
    return {call.content for call in receivers.to(URL)}


def test_its_feed_has_every_event_once_and_in_order(receivers: Receivers) -> None:
    told = outage(receivers)
    found: list[Any] = []
    after: str | None = ""
    while after is not None:
        page = feed.read_feed(owner=ALICE, after=after, limit=5)
        found += [item.event for item in page.items if item.name == "thing.done"]
        after = page.next
    assert found == told


def test_all_that_failed_is_sent_again_from_a_time_and_nothing_else(receivers: Receivers) -> None:
    outage(receivers)
    failed = Delivery.objects.filter(state=State.FAILED, owner=ALICE)
    assert failed.count() == 12
    delivered = Delivery.objects.filter(state=State.DELIVERED, owner=ALICE).count()
    receivers.calls.clear()
    many = resend.resend_failed_callbacks(owner=ALICE, since=NOON, now=later(hours=9))
    assert many == 12
    run_until(later(hours=10))
    assert Delivery.objects.filter(state=State.DELIVERED, owner=ALICE).count() == delivered + 12
    assert len(receivers.calls) == 12 and not failed.exists()


def test_the_endpoint_is_not_paused_by_six_hours(receivers: Receivers) -> None:
    outage(receivers)
    assert not Delivery.objects.filter(state=State.PAUSED).exists()


def test_health_tells_of_what_waits_but_not_of_one_that_hangs() -> None:
    published_event = tell()
    assert health.check_callback_health(later(seconds=29))["status"] == "ok"
    callback_health = health.check_callback_health(later(seconds=31))
    assert (callback_health["status"], callback_health["oldestDueSeconds"]) == ("degraded", 31)
    row = Delivery.objects.get(event__uid=published_event.event)
    row.endpoint.slow = True
    row.endpoint.save()
    assert health.check_callback_health(later(hours=1))["status"] == "ok"


def test_health_tells_when_secrets_are_derived_otherwise(settings: Any) -> None:
    signing_secrets.issue_secret(owner=ALICE, by="x", now=NOON)
    assert health.check_callback_health(NOON)["secretsNotDerived"] == 0
    settings.SECRET_KEY = "another" * 9
    callback_health = health.check_callback_health(NOON)
    assert (callback_health["status"], callback_health["secretsNotDerived"]) == ("degraded", 1)
    assert any("SECRET_KEY" in line for line in health._health_sentences(callback_health))


def test_bodies_leave_after_their_days_and_the_rows_stay(
    receivers: Receivers, settings: Any
) -> None:
    settings.CALLBACK_KEEP_DAYS = 30
    old, young = tell(), tell(now=later(seconds=1))
    run_until(later(seconds=2))
    blank_expired_bodies("", later(days=30, milliseconds=500))
    bodies = dict(Event.objects.values_list("uid", "body"))
    assert bodies[old.event] == "" and bodies[young.event] != ""
    assert Event.objects.get(uid=old.event).digest
    blank_expired_bodies("", later(days=31))
    assert set(Attempt.objects.values_list("excerpt", flat=True)) == {""}
    assert len(feed.read_feed(owner=ALICE).items) == 2


def test_the_command_issues_a_secret_and_prints_it_once(capsys: Any) -> None:
    account = Account.objects.create(name="Alice Ltd", created_at=NOON)
    call_command("callback_secret", "--owner", "Alice Ltd", "--why", "First secret", "--json")
    printed = capsys.readouterr().out
    assert signing_secrets.derive_secret(owner=account.ref, generation=1) in printed
    with pytest.raises(Exception, match="Two secrets"):
        call_command("callback_secret", "--owner", "Alice Ltd", "--why", "Again")
    call_command("callback_secret", "--owner", "Alice Ltd", "--why", "Done", "--end")
    call_command("callback_secret", "--owner", "Alice Ltd", "--why", "Leak", "--overlap-days", "0")
    assert signing_secrets.derive_secret(owner=account.ref, generation=2) in capsys.readouterr().out


def test_status_of_asks_once_for_any_number_of_subjects(django_assert_num_queries: Any) -> None:
    subjects = [uuid4() for _ in range(20)]
    for subject in subjects:
        tell(subject=subject)
    with django_assert_num_queries(1):
        assert len(webhook_statuses.load_webhook_statuses(subjects=subjects)) == 20
