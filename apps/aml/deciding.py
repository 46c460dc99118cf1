"""What a decision on a flagged payment does: it is counted, and a bad wallet is remembered."""

import uuid
from datetime import datetime

from django.db.models import F

from apps.aml.models import AmlScreen, Label, LabelCount, Standing, WalletProfile
from apps.aml.models.labels import ALL
from apps.aml.rules.cases import is_bad


def decided(*, ref: str, outcome: str, now: datetime) -> None:
    """Count the decision on a screen; part of the transaction that decides, and never twice.

    A wallet whose payment was refused for good is flagged to those around it from now on.
    """
    screen = AmlScreen.objects.filter(screen_id=uuid.UUID(ref)).first()
    if screen is None:
        return
    bad = is_bad(outcome)
    signals = [one["id"] for one in screen.data.get("response", {}).get("signals", ())]
    label, made = Label.objects.get_or_create(
        screen_id=screen.screen_id,
        defaults={
            "cohort": screen.cohort,
            "bad": bad,
            "sampled": screen.sampled,
            "signals": " ".join(signals),
            "decided_at": now,
        },
    )
    if not made:
        return
    _count(label, signals)
    if bad:
        rows = WalletProfile.objects.of(screen.wallet)
        rows.update(standing=Standing.CONFIRMED, updated_at=now)


def _count(label: Label, signals: list[str]) -> None:
    """Add a label to the counts of its cohort, in one order everywhere."""
    names = sorted({ALL, *signals})
    LabelCount.objects.bulk_create(
        [LabelCount(cohort=label.cohort, signal=name) for name in names], ignore_conflicts=True
    )
    column = "bad" if label.bad else "good"
    rows = LabelCount.objects.filter(cohort=label.cohort, signal__in=names)
    list(rows.select_for_update().order_by("signal"))
    rows.update(**{column: F(column) + 1})
