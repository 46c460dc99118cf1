"""AML screens and wallet profiles in the search of every page; screens as an export."""

from collections.abc import Iterator
from datetime import datetime
from typing import TYPE_CHECKING
from urllib.parse import urlencode
from uuid import UUID

from django.urls import reverse

from apps.aml.models import AmlScreen, WalletProfile
from apps.aml.pages.records import ANSWERS
from apps.aml.rules.accounts import account
from apps.core.batches import chunks
from apps.core.chain import proven
from apps.core.shapes import iso
from apps.desk.exports import BATCH, Asked, Export, Row
from apps.desk.search import SHOWN, Group, Hit
from apps.registry.wallets import BadWallet, read

if TYPE_CHECKING:
    from django.contrib.auth.models import User


def screens(user: "User", text: str, now: datetime) -> Group | None:
    """Find AML screens by their screenId or their wallet, whole; the newest first.

    Of any other text nothing is looked for, and no read is recorded.
    """
    number, wallet = _uuid(text), _wallet(text)
    if not user.has_perm("aml.view_amlscreen") or not (number or wallet):
        return None
    found = AmlScreen.objects.none()
    if number:
        found = AmlScreen.objects.filter(screen_id=number)
    elif wallet:
        found = AmlScreen.objects.filter(wallet=wallet).order_by("-pk")
    rows = list(found[: SHOWN + 1])
    hits = [_hit(one, number is not None) for one in rows[:SHOWN]]
    more = "All AML screens found" if len(rows) > SHOWN else ""
    address = f"{reverse('admin:aml_amlscreen_changelist')}?{urlencode({'q': wallet or text})}"
    return Group("AML screens", "aml.amlscreen", hits, more, address)


def profiles(user: "User", text: str, now: datetime) -> Group | None:
    """Find the profile of a wallet by its whole address, however it is written."""
    wallet = _wallet(text)
    if not user.has_perm("aml.view_walletprofile") or not wallet:
        return None
    found = WalletProfile.objects.of(wallet)
    hits = [
        Hit(
            one.wallet,
            f"{one.payments} payments · standing: {one.get_standing_display().lower()}",
            reverse("admin:aml_walletprofile_change", args=[one.pk]),
        )
        for one in found
    ]
    address = reverse("admin:aml_walletprofile_changelist")
    return Group("Wallet profiles", "aml.walletprofile", hits, "", address)


def _hit(one: AmlScreen, exact: bool) -> Hit:
    at = f"{one.recorded_at:%d %b %Y %H:%M} UTC"
    said = f"{ANSWERS[one.action]}, risk {one.risk_score} of 100"
    detail = " · ".join((said, f"with {one.counterparty}", at, str(one.screen_id)))
    address = reverse("admin:aml_amlscreen_change", args=[one.pk])
    return Hit(one.wallet, detail, address, exact, f"aml_screens:{one.pk}")


def _uuid(text: str) -> UUID | None:
    try:
        return UUID(text)
    except ValueError:
        return None


def _wallet(text: str) -> str:
    try:
        return read(account(text)).address
    except BadWallet:
        return ""


def _rows(asked: Asked) -> Iterator[Row]:
    """Yield the AML screens of a span; one that is not proved to be ours is left out."""
    found = AmlScreen.objects.filter(recorded_at__gte=asked.since, recorded_at__lt=asked.until)
    for batch in chunks(found.order_by("pk").iterator(BATCH), BATCH):
        for one in proven(batch):
            yield _row(one)


def _row(one: AmlScreen) -> Row:
    told = one.data
    asked, said = told.get("request", {}), told.get("response", {})
    signals = " ".join(row["id"] for row in said.get("signals", ()))
    return (
        str(one.screen_id), iso(one.recorded_at), one.owner, one.wallet, one.counterparty,
        asked.get("direction", ""), asked.get("amount", ""), asked.get("currency", ""),
        asked.get("paymentId", ""), one.action, one.risk_score, one.rule, one.cohort, signals,
        one.counted, one.sampled, one.rules_version, one.weights,
    )  # fmt: skip


SCREENS = Export(
    "AML screens, by the day they were made",
    "aml_screens",
    (
        "screen", "at", "tenant", "wallet", "counterparty", "direction", "amount", "currency",
        "payment", "action", "risk score", "rule", "cohort", "signals", "counted", "by chance",
        "rules", "weights",
    ),
    _rows,
)  # fmt: skip
