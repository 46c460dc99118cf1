"""What a decision on a flagged payment does: it is counted, and a bad wallet is remembered."""

import uuid
from datetime import datetime
from typing import Any

from django.db.models import F

from apps.backoffice.review.models import Case
from apps.compliance.aml.models import AmlScreen, Label, LabelCount, Standing, WalletProfile
from apps.compliance.aml.models.decision_labels import ALL
from apps.compliance.aml.models.profiles import AmlScreenIntegrityError
from apps.compliance.aml.models.screens import KIND
from apps.compliance.aml.rules.cases import TRIED_LISTED, is_bad_outcome, wallet_found_bad


def apply_aml_decision(*, ref: str, outcome: str, now: datetime) -> None:
    """Count the decision on a screen's case; part of the transaction that decides."""
    case = Case.objects.filter(kind=KIND, ref=ref).values_list("reason_code", flat=True)
    record_label(ref=ref, outcome=outcome, reason=case.first() or "", now=now)


def record_label(*, ref: str, outcome: str, reason: str, now: datetime) -> None:
    """Count what officers decided of a screen, by whatever case; never twice.

    The wallet that the reason finds to be bad is flagged to those around it from now on: `reason`
    is a code of the kind of AML cases. A wallet that was flagged because it tried to pay a listed
    one, and was let go on, is not flagged for that any more. Part of the transaction that decides.
    """
    # None: the case of a record that is not here decides nothing about wallets
    screen = AmlScreen.objects.filter(screen_id=uuid.UUID(ref)).first()
    if screen is None:
        return
    bad = is_bad_outcome(outcome)
    # one decision after the other on a wallet: of many that are alike the first is counted
    pair = (screen.wallet, screen.counterparty)
    locked = WalletProfile.objects.select_for_update().filter(wallet__in=pair).order_by("wallet")
    rows = {profile.wallet: profile for profile in locked}
    # before this label is written, else it would find itself
    again = _was_decided_alike(screen, bad)
    signals = [signal["id"] for signal in screen.data.get("response", {}).get("signals", ())]
    label, created = Label.objects.get_or_create(
        screen_id=screen.screen_id,
        defaults={
            "cohort": screen.cohort,
            "bad": bad,
            "sampled": screen.sampled,
            "signals": " ".join(signals),
            "decided_at": now,
        },
    )
    if not created:
        return
    if not again:
        _count_label(label, signals)
    row = (
        rows.get(wallet_found_bad(reason, wallet=screen.wallet, counterparty=screen.counterparty))
        if bad
        else None
    )
    if row is not None:
        standing = Standing.of(listed=Standing(row.standing).listed, confirmed=True)
        _change_profile(row, standing=standing)
    standing = screen.data.get("evidence", {}).get("standing", {})
    # a payee's blocked name is not cleared by this: only the attempt on a listed wallet is
    tried = TRIED_LISTED in signals and bool(standing.get("triedListedAt"))
    if not bad and tried and screen.wallet in rows:
        _change_profile(rows[screen.wallet], cleared_at=now)


def _change_profile(row: WalletProfile, **change: Any) -> None:
    """Save columns of a locked profile with its MAC; AmlScreenIntegrityError for an altered one."""
    if row.find_fault():
        raise AmlScreenIntegrityError("Integrity check failed for records of this wallet.")
    for name, value in change.items():
        setattr(row, name, value)
    row.sign()
    row.save(update_fields=[*change, "mac_key", "mac"])


def _was_decided_alike(screen: AmlScreen, bad: bool) -> bool:
    """Return whether a wallet was decided alike before: one client's series teaches once."""
    ids = AmlScreen.objects.filter(wallet=screen.wallet).values("screen_id")
    labels = Label.objects.filter(cohort=screen.cohort, bad=bad, screen_id__in=ids)
    return labels.exists()


def _count_label(label: Label, signals: list[str]) -> None:
    """Add a label to the counts of its cohort, in one order everywhere."""
    names = sorted({ALL, *signals})
    LabelCount.objects.bulk_create(
        [LabelCount(cohort=label.cohort, signal=name) for name in names], ignore_conflicts=True
    )
    column = "bad" if label.bad else "good"
    rows = LabelCount.objects.filter(cohort=label.cohort, signal__in=names)
    # evaluated for its locks alone, in one order, so that two decisions do not deadlock
    list(rows.select_for_update().order_by("signal"))
    rows.update(**{column: F(column) + 1})
