"""Quality samples are held against the second looks that are recorded of them."""

import re
from typing import Any

import pytest
from django.contrib.auth.models import User

from apps.backoffice.oversight.integrity import verify_samples
from apps.backoffice.oversight.models import Sample, SecondLook
from apps.backoffice.oversight.services import samples, second_looks
from apps.backoffice.review.models import Case
from apps.platform.crypto.canonical import canonical_json
from apps.platform.ledger import sealer
from apps.platform.ledger.verification import verifier
from tests.oversight.test_samples import closed, judged
from tests.platform.tampering import sql, without_triggers
from tests.review.people import NOON, NOTE, OFFICER, person

pytestmark = pytest.mark.django_db
TABLE = Sample._meta.db_table


@pytest.fixture(autouse=True)
def taken(db: Any) -> Sample:
    """A sample that was looked at, one that was judged blind alone, and one that waits."""
    olivia, ben = person("olivia", OFFICER), person("ben", OFFICER)
    closed(olivia, 30)
    samples.sample_month(month="2026-10", now=NOON)
    first, second, _ = Sample.objects.order_by("pk")
    second_looks.record_second_look(
        sample=judged(first, ben), by=ben, verdict="AGREE", note=NOTE, now=NOON
    )
    judged(second, ben)
    return first


def faults() -> list[str]:
    return list(verify_samples(lambda done: None))


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
        ("case_id = {other}", "case is .*, recorded is"),
    ],
)  # fmt: skip
def test_a_sample_that_was_changed_by_hand_is_found(taken: Sample, change: str, said: str) -> None:
    carla: User = person("carla", OFFICER)
    other = Case.objects.exclude(pk__in=Sample.objects.values("case")).earliest("pk")
    written = change.format(carla=carla.pk, other=other.pk)
    assert sql(f"UPDATE {TABLE} SET {written} WHERE id = {taken.pk}") == 1
    assert any(re.search(f"sample {taken.pk}: {said}", fault) for fault in faults()), faults()


def test_looks_of_earlier_releases_name_no_case_and_are_no_fault(taken: Sample) -> None:
    for look in SecondLook.objects.all():
        payload = canonical_json({name: said for name, said in look.data.items() if name != "case"})
        with without_triggers([SecondLook]):
            sql(
                "UPDATE oversight_secondlook SET payload = %s WHERE id = %s",
                payload.decode(),
                look.pk,
            )
    assert faults() == []


def test_a_look_that_nobody_took_is_found_by_the_verification_of_the_ledger() -> None:
    sealer.seal_all_ledgers(now=NOON)
    assert verifier.verify_ledger(ledger="second_looks").faults == []
    ben = User.objects.get(username="ben")
    waits = Sample.objects.filter(looked_by=None).exclude(
        pk__in=SecondLook.objects.values("sample")
    )
    waits.update(looked_by=ben, looked_at=NOON, verdict="AGREE")
    assert any(
        "recorded is nothing" in f for f in verifier.verify_ledger(ledger="second_looks").faults
    )
