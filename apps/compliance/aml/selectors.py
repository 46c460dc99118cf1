"""Reads of the AML engine: a wallet's profile, and the events of it (document 1 section 4)."""

from datetime import datetime
from typing import Any
from uuid import UUID

from apps.compliance.aml.models import AmlScreen, WalletProfile
from apps.compliance.aml.models.profiles import AmlScreenIntegrityError
from apps.compliance.aml.rules.profile import EMPTY_PROFILE
from apps.compliance.aml.screening.response import serialize_wallet_profile
from apps.platform.api.callers import Caller
from apps.platform.common.clock import to_epoch_seconds
from apps.platform.ledger.verification.verified_reads import filter_verified_records

SCREENS_VERIFIED = 100  # last screens of a wallet that must be ours
EVENTS_RETURNED = 50  # document 1 section 8, AML events returned
KINDS = {"FLAG": "SCREEN_FLAGGED", "BLOCK": "SCREEN_BLOCKED"}


def read_wallet_profile(
    *, asked: dict[str, Any], gathered: None, caller: Caller, now: datetime
) -> dict[str, Any]:
    """Return the summary of a wallet's payments; zeros for an unknown wallet.

    Raises AmlScreenIntegrityError (503) for a profile that was altered.
    """
    row = WalletProfile.objects.held([asked["wallet"]]).get(asked["wallet"])
    known = row.profile if row else EMPTY_PROFILE
    standing = row.standing if row else ""
    return serialize_wallet_profile(
        asked["wallet"], known, standing=standing, at=to_epoch_seconds(now)
    )


def read_wallet_events(
    *, asked: dict[str, Any], gathered: None, caller: Caller, now: datetime
) -> dict[str, Any]:
    """Return the last 50 events of a wallet; AmlScreenIntegrityError where its records were
    altered.

    An event that was altered into a screen that proceeds would be missed, so the wallet's last
    screens are verified as well, whatever their result.
    """
    screens = AmlScreen.objects.filter(wallet=asked["wallet"]).order_by("-pk")
    aml_screens = list(screens.exclude(level="")[:EVENTS_RETURNED])
    # an event that was altered into a screen that proceeds would be missed by its level
    last = list(screens[:SCREENS_VERIFIED])
    aml_screens_by_pk = {screen.pk: screen for screen in (*aml_screens, *last)}
    if len(filter_verified_records(aml_screens_by_pk.values())) < len(aml_screens_by_pk):
        raise AmlScreenIntegrityError("Integrity check failed for records of this wallet.")
    return {
        "wallet": asked["wallet"],
        "events": [_serialize_event(screen) for screen in aml_screens],
    }


def has_tried_listed_since(*, screen_id: UUID | str, wallet: str, payee: str, owner: str) -> bool:
    """Tell whether a caller tried from a wallet, or to its payee, what was blocked since a screen.

    True where that screen's record holds no more what it knew of that. One query where nothing was
    tried.
    """
    rows = WalletProfile.objects.held((wallet, payee))
    attempts = {
        "triedListedAt": rows[wallet].tried_listed_at(owner) if wallet in rows else 0,
        "refusedAt": rows[payee].refused_at(owner) if payee in rows else 0,
    }
    if not any(attempts.values()):
        return False
    screen = AmlScreen.objects.filter(screen_id=screen_id).first()
    known = screen.data.get("evidence", {}).get("standing", {}) if screen is not None else {}
    # an attempt that the screen knew of was judged with it
    return any(known.get(name) != at for name, at in attempts.items())


def _serialize_event(aml_screen: AmlScreen) -> dict[str, Any]:
    response = aml_screen.data.get("response", {})
    hit = bool(response.get("sanctions", {}).get("hit"))
    sentences = [row["sentence"] for row in response.get("signals", ())]
    parties = response.get("sanctions", {}).get("parties", [])
    why = " ".join([f"On a sanctions list: {'; '.join(parties)}."] if hit else sentences)
    return {
        "event_id": aml_screen.screen_id,
        "level": aml_screen.level,
        "kind": "SANCTIONS_HIT" if hit else KINDS[aml_screen.action],
        "message": why[:1000] or f"Score {aml_screen.risk_score} of 100.",
        "payment_id": response.get("paymentId"),
        "risk_score": aml_screen.risk_score,
        "signals": list(response.get("signals", ())),
        "created_at": aml_screen.recorded_at,
    }
