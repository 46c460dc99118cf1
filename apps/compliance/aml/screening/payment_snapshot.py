"""The inputs by which a payment is judged: current profiles, or those of its first screen."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from apps.compliance.aml.expected_activity.selectors import load_expected_activity
from apps.compliance.aml.models import AmlScreen, WalletProfile
from apps.compliance.aml.models.profiles import AmlScreenIntegrityError
from apps.compliance.aml.models.screens import load_payment_surroundings
from apps.compliance.aml.rules.payment_judgement import (
    PaymentView,
    find_neighbours,
    flag_neighbours,
)
from apps.compliance.aml.rules.profile import Profile
from apps.compliance.aml.rules.profile_codec import parse_stored_profile
from apps.compliance.aml.rules.scorecard import LISTED
from apps.compliance.aml.screening.requests import AmlScreenRequest
from apps.compliance.aml.screening.selectors import AmlScreenInputs
from apps.compliance.aml.screening.wallet_background import build_wallet_background
from apps.compliance.aml.screening.wallet_sanctions import screen_address
from apps.platform.common.problems import Conflict
from apps.platform.ledger.verification.verified_reads import filter_verified_records


class PaymentDiffers(Conflict):
    """The payment was screened before with another amount or currency.

    It would count with its first amount, and the rest of a larger one would never enter a profile.
    Nothing is judged: the caller is informed of the reused id.
    """

    code, title = "payment_differs", "The paymentId was used for another payment"


@dataclass(frozen=True, slots=True)
class PaymentSnapshot:
    """The inputs by which a payment is judged: its view, and the results of earlier screens.

    `new`: there were none. `counted_before`: one of them put it into the profiles. `blocked_there`:
    the last from its other side blocked it. `first`: no screen of this wallet judged it yet.
    `assessed`: as a model assessed it before, so that asking again undoes no block.
    """

    view: PaymentView
    new: bool
    counted_before: bool
    blocked_there: bool
    first: bool
    flagged_before: bool
    blocked_before: bool
    listed_before: bool
    assessed: dict[str, Any] | None


def build_payment_snapshot(
    *,
    screen_request: AmlScreenRequest,
    gathered: AmlScreenInputs,
    rows: Mapping[str, WalletProfile],
    key: str,
    owner: str,
) -> PaymentSnapshot:
    """Return what the payment is judged by; one screened before, as that screen found it.

    The pair is locked, so no other screen of this payment runs.
    """
    own, other = (
        rows[wallet].profile for wallet in (screen_request.wallet, screen_request.counterparty)
    )
    at = gathered.payment
    neighbours = find_neighbours(payment=at, out=screen_request.out, own=own, other=other)
    known, flagged, declared = load_payment_surroundings(
        key=key, wallet=screen_request.wallet, neighbours=neighbours
    )
    standing = build_wallet_background(
        party=gathered.parties[0],
        row=rows[screen_request.wallet],
        payee=rows[screen_request.counterparty] if screen_request.out else None,
        expected=load_expected_activity(screen_request.wallet) if declared else None,
        owner=owner,
    )
    earlier = list(AmlScreen.objects.filter(pk__in=known).order_by("pk")) if known else []
    # an altered earlier screen could hide a block, or offer another amount as the first
    if len(filter_verified_records(earlier)) < len(earlier):
        raise AmlScreenIntegrityError(
            "Integrity check failed for an earlier screen of this payment."
        )
    # a payment is screened from either side, under one key
    mine = [screen for screen in earlier if screen.wallet == screen_request.wallet]
    theirs = [screen.action for screen in earlier if screen.wallet != screen_request.wallet]
    # judged by the profiles as the first screen found them, else the payment would be compared with
    # itself
    if earlier:
        own, other, at = _state_at_first_screen(screen_request, gathered, earlier[0], own, other)
        neighbours = find_neighbours(payment=at, out=screen_request.out, own=own, other=other)
        flagged = WalletProfile.objects.flagged(neighbours)
    # a wallet's standing is of its last screen: one that was listed since has none yet
    flagged |= {
        wallet: True for wallet in neighbours if screen_address(gathered.engine, wallet).listed
    }
    return PaymentSnapshot(
        PaymentView(
            at,
            screen_request.out,
            own,
            other,
            flag_neighbours(neighbours, flagged),
            gathered.name_near,
            standing,
        ),
        not earlier,
        any(screen.counted for screen in earlier),
        # lists change between screens: the latest one of the other side decides
        theirs[-1:] == ["BLOCK"],
        not mine,
        any(screen.action == "FLAG" for screen in mine),
        any(screen.action == "BLOCK" for screen in mine),
        any(screen.rule == LISTED.code for screen in mine),
        # the first, so that asking again cannot turn a block into a flag
        _first_assessment(mine),
    )


def _first_assessment(mine: Sequence[AmlScreen]) -> dict[str, Any] | None:
    """Return the first assessment of a payment, as a model gave it; None where none was."""
    reasonings = (aml_screen.data.get("response", {}).get("reasoning") for aml_screen in mine)
    assessment = next((reasoning for reasoning in reasonings if reasoning), None)
    if assessment is None:
        return None
    return {
        "recommendation": assessment["recommendation"],
        "confidence": assessment["confidence"],
        "rationale": assessment["rationale"],
        "key_factors": assessment["keyFactors"],
        "processed_at": datetime.fromtimestamp(assessment["processedAt"], UTC),
    }


def _state_at_first_screen(
    screen_request: AmlScreenRequest,
    gathered: AmlScreenInputs,
    first: AmlScreen,
    own: Profile,
    other: Profile,
) -> tuple[Profile, Profile, Any]:
    """Return both profiles and the moment as the first screen of a payment found them.

    If its payload was purged, the current profiles are used instead.
    """
    evidence = first.data.get("evidence", {})
    if not evidence:
        return own, other, gathered.payment
    # it would count with its first amount, and the rest of a larger one would enter no profile
    asked_first, asks = first.data["request"], screen_request.recorded()
    if any(asked_first[name] != asks[name] for name in ("amount", "currency")):
        raise PaymentDiffers(
            f"Payment {screen_request.payment_id} between these wallets was screened with "
            f"{asked_first['amount']} {asked_first['currency']}. A different amount is a different "
            "payment and needs its own paymentId."
        )
    states = evidence["profiles"]
    payment = gathered.payment.__class__(
        gathered.payment.sender, gathered.payment.receiver, gathered.payment.amount, evidence["at"]
    )
    return (
        parse_stored_profile(states[screen_request.wallet]),
        parse_stored_profile(states[screen_request.counterparty]),
        payment,
    )
