"""Quality samples are held against the second looks that are recorded of them."""

import re
from typing import Any

import pytest
from django.contrib.auth.models import User

from apps.core import sealing
from apps.oversight import actions, looks
from apps.oversight.models import Sample, SecondLook
from apps.oversight.projection import compare
from tests.core.tampering import sql
from tests.oversight.test_samples import closed, judged
from tests.review.people import NOON, NOTE, OFFICER, person

pytestmark = pytest.mark.django_db
TABLE = Sample._meta.db_table


@pytest.fixture(autouse=True)
def taken(db: Any) -> Sample:
    """A sample that was looked at, one that was judged blind alone, and one that waits."""
    olivia, ben = person("olivia", OFFICER), person("ben", OFFICER)
    closed(olivia, 30)
    actions.sample_month(month="2026-10", now=NOON)
    first, second, _ = Sample.objects.order_by("pk")
    looks.look(sample=judged(first, ben), by=ben, verdict="AGREE", note=NOTE, now=NOON)
    judged(second, ben)
    return first


def faults() -> list[str]:
    return list(compare(lambda done: None))


def test_samples_are_what_was_recorded_of_them() -> None:
    assert faults() == []


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ("verdict = 'DISAGREE'", "verdict is DISAGREE, recorded is AGREE"),
        ("agreement = 'OUTCOME'", "agreement is OUTCOME, recorded is SAME"),
        ("looked_by_id = {carla}", "looked_by is .*, recorded is"),
        ("looked_at = '2026-10-30 10:00:00+00:00'", "looked_at is 2026-10-30"),
        ("looked_by_id = NULL, looked_at = NULL, verdict = '', agreement = ''",
         "verdict is nothing, recorded is AGREE"),
        ("first_by_id = {carla}", "first_by is"),
        ("second_by_id = {carla}", "second_by is .*, recorded is nothing"),
        ("risk = 'LOW'", "risk is LOW, recorded is MEDIUM"),
        ("month = '2026-09'", "month is 2026-09, recorded is 2026-10"),
    ],
)  # fmt: skip
def test_a_sample_that_was_changed_by_hand_is_found(taken: Sample, change: str, said: str) -> None:
    carla: User = person("carla", OFFICER)
    assert sql(f"UPDATE {TABLE} SET {change.format(carla=carla.pk)} WHERE id = {taken.pk}") == 1
    assert any(re.search(f"sample {taken.pk}: {said}", fault) for fault in faults()), faults()


def test_a_look_that_nobody_took_is_found_by_the_verification_of_the_ledger() -> None:
    sealing.seal_all(now=NOON)
    assert sealing.verify(ledger="second_looks").faults == []
    ben = User.objects.get(username="ben")
    waits = Sample.objects.filter(looked_by=None).exclude(
        pk__in=SecondLook.objects.values("sample")
    )
    waits.update(looked_by=ben, looked_at=NOON, verdict="AGREE")
    assert any("recorded is nothing" in f for f in sealing.verify(ledger="second_looks").faults)
