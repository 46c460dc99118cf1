"""AML screens and wallet profiles in the search of every page; screens as an export."""

from collections.abc import Iterator
from datetime import datetime
from functools import partial
from typing import TYPE_CHECKING

from django.urls import reverse

from apps.compliance.aml.case_links import ANSWERS
from apps.compliance.aml.models import AmlScreen, WalletProfile
from apps.compliance.aml.rules.accounts import normalize_account
from apps.compliance.payees.wallets import BadWallet, parse_wallet
from apps.platform.common.batches import iter_chunks
from apps.platform.common.clock import format_utc
from apps.platform.common.uuids import parse_uuid
from apps.platform.desk.export_registry import BATCH, Export, ExportRequest, Row
from apps.platform.desk.search import SearchGroup, SearchHit, build_search_group
from apps.platform.ledger.verification.verified_reads import filter_verified_records

if TYPE_CHECKING:
    from django.contrib.auth.models import User


def search_aml_screens(user: "User", text: str, now: datetime) -> SearchGroup | None:
    """Find AML screens by their screenId or their wallet, whole; the newest first.

    Of any other text nothing is looked for, and no read is recorded.
    """
    number, wallet = parse_uuid(text), _normalize_wallet(text)
    if not user.has_perm("aml.view_amlscreen") or not (number or wallet):
        return None
    aml_screens = AmlScreen.objects.none()
    if number:
        aml_screens = AmlScreen.objects.filter(screen_id=number)
    elif wallet:
        aml_screens = AmlScreen.objects.filter(wallet=wallet).order_by("-pk")
    return build_search_group(
        "AML screens",
        "aml.amlscreen",
        aml_screens,
        partial(_build_hit, exact=number is not None),
        more="All matching AML screens",
        q=wallet or text,
    )


def search_wallet_profiles(user: "User", text: str, now: datetime) -> SearchGroup | None:
    """Find the profile of a wallet by its whole address, however it is written."""
    wallet = _normalize_wallet(text)
    if not user.has_perm("aml.view_walletprofile") or not wallet:
        return None
    profiles = WalletProfile.objects.of(wallet)
    hits = [
        SearchHit(
            profile.wallet,
            f"{profile.payments} payments · standing: {profile.get_standing_display().lower()}",
            reverse("admin:aml_walletprofile_change", args=[profile.pk]),
        )
        for profile in profiles
    ]
    address = reverse("admin:aml_walletprofile_changelist")
    return SearchGroup("Wallet profiles", "aml.walletprofile", hits, "", address)


def _build_hit(aml_screen: AmlScreen, exact: bool) -> SearchHit:
    at = f"{aml_screen.recorded_at:%d %b %Y %H:%M} UTC"
    text = f"{ANSWERS[aml_screen.action]}, risk {aml_screen.risk_score} of 100"
    detail = " · ".join((text, f"with {aml_screen.counterparty}", at, str(aml_screen.screen_id)))
    address = reverse("admin:aml_amlscreen_change", args=[aml_screen.pk])
    return SearchHit(aml_screen.wallet, detail, address, exact, f"aml_screens:{aml_screen.pk}")


def _normalize_wallet(text: str) -> str:
    try:
        return parse_wallet(normalize_account(text)).address
    except BadWallet:
        return ""


def _export_rows(export_request: ExportRequest) -> Iterator[Row]:
    """Yield the AML screens of a span; one that is not proved to be ours is left out."""
    aml_screens = AmlScreen.objects.filter(
        recorded_at__gte=export_request.since, recorded_at__lt=export_request.until
    )
    for batch in iter_chunks(aml_screens.order_by("pk").iterator(BATCH), BATCH):
        for aml_screen in filter_verified_records(batch):
            data = aml_screen.data
            request, response = data.get("request", {}), data.get("response", {})
            signals = " ".join(row["id"] for row in response.get("signals", ()))
            export_row = (
                str(aml_screen.screen_id),
                format_utc(aml_screen.recorded_at),
                aml_screen.owner,
                aml_screen.wallet,
                aml_screen.counterparty,
                request.get("direction", ""),
                request.get("amount", ""),
                request.get("currency", ""),
                request.get("paymentId", ""),
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
            yield export_row


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
