"""AML screens and wallet profiles in the search of every page; screens as an export."""

from collections.abc import Iterator
from datetime import datetime
from typing import TYPE_CHECKING
from urllib.parse import urlencode

from django.urls import reverse

from apps.compliance.aml.case_links import ANSWERS
from apps.compliance.aml.models import AmlScreen, WalletProfile
from apps.compliance.aml.rules.accounts import normalize_account
from apps.compliance.payees.wallets import BadWallet, parse_wallet
from apps.platform.common.batches import iter_chunks
from apps.platform.common.clock import format_utc
from apps.platform.common.validators import parse_uuid
from apps.platform.desk.exports import BATCH, Export, ExportRequest, Row
from apps.platform.desk.search import SHOWN, SearchGroup, SearchHit
from apps.platform.ledger.verification.hash_chain import filter_verified_records

if TYPE_CHECKING:
    from django.contrib.auth.models import User


def search_aml_screens(user: "User", text: str, now: datetime) -> SearchGroup | None:
    """Find AML screens by their screenId or their wallet, whole; the newest first.

    Of any other text nothing is looked for, and no read is recorded.
    """
    number, wallet = parse_uuid(text), _normalize_wallet(text)
    if not user.has_perm("aml.view_amlscreen") or not (number or wallet):
        return None
    found = AmlScreen.objects.none()
    if number:
        found = AmlScreen.objects.filter(screen_id=number)
    elif wallet:
        found = AmlScreen.objects.filter(wallet=wallet).order_by("-pk")
    rows = list(found[: SHOWN + 1])
    hits = [_build_hit(row, number is not None) for row in rows[:SHOWN]]
    more = "All matching AML screens" if len(rows) > SHOWN else ""
    address = f"{reverse('admin:aml_amlscreen_changelist')}?{urlencode({'q': wallet or text})}"
    return SearchGroup("AML screens", "aml.amlscreen", hits, more, address)


def search_wallet_profiles(user: "User", text: str, now: datetime) -> SearchGroup | None:
    """Find the profile of a wallet by its whole address, however it is written."""
    wallet = _normalize_wallet(text)
    if not user.has_perm("aml.view_walletprofile") or not wallet:
        return None
    found = WalletProfile.objects.of(wallet)
    hits = [
        SearchHit(
            one.wallet,
            f"{one.payments} payments · standing: {one.get_standing_display().lower()}",
            reverse("admin:aml_walletprofile_change", args=[one.pk]),
        )
        for one in found
    ]
    address = reverse("admin:aml_walletprofile_changelist")
    return SearchGroup("Wallet profiles", "aml.walletprofile", hits, "", address)


def _build_hit(aml_screen: AmlScreen, exact: bool) -> SearchHit:
    at = f"{aml_screen.recorded_at:%d %b %Y %H:%M} UTC"
    said = f"{ANSWERS[aml_screen.action]}, risk {aml_screen.risk_score} of 100"
    detail = " · ".join((said, f"with {aml_screen.counterparty}", at, str(aml_screen.screen_id)))
    address = reverse("admin:aml_amlscreen_change", args=[aml_screen.pk])
    return SearchHit(aml_screen.wallet, detail, address, exact, f"aml_screens:{aml_screen.pk}")


def _normalize_wallet(text: str) -> str:
    try:
        return parse_wallet(normalize_account(text)).address
    except BadWallet:
        return ""


def _export_rows(asked: ExportRequest) -> Iterator[Row]:
    """Yield the AML screens of a span; one that is not proved to be ours is left out."""
    aml_screens = AmlScreen.objects.filter(
        recorded_at__gte=asked.since, recorded_at__lt=asked.until
    )
    for batch in iter_chunks(aml_screens.order_by("pk").iterator(BATCH), BATCH):
        for one in filter_verified_records(batch):
            yield _export_row(one)


def _export_row(aml_screen: AmlScreen) -> Row:
    data = aml_screen.data
    asked, said = data.get("request", {}), data.get("response", {})
    signals = " ".join(row["id"] for row in said.get("signals", ()))
    return (
        str(aml_screen.screen_id),
        format_utc(aml_screen.recorded_at),
        aml_screen.owner,
        aml_screen.wallet,
        aml_screen.counterparty,
        asked.get("direction", ""),
        asked.get("amount", ""),
        asked.get("currency", ""),
        asked.get("paymentId", ""),
        aml_screen.action,
        aml_screen.risk_score,
        aml_screen.rule,
        aml_screen.cohort,
        signals,
        aml_screen.counted,
        aml_screen.sampled,
        aml_screen.rules_version,
        aml_screen.weights,
    )


SCREENS = Export(
    "AML screens, by the day they were made",
    "aml_screens",
    (
        "screen", "at", "tenant", "wallet", "counterparty", "direction", "amount", "currency",
        "payment", "action", "risk score", "rule", "cohort", "signals", "counted", "by chance",
        "rules", "weights",
    ),
    _export_rows,
)  # fmt: skip
