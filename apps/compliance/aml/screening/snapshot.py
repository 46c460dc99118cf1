"""By what a payment is judged: profiles as they stand, or as its first screen found them."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from apps.compliance.aml.activity.selectors import load_expected_activity
from apps.compliance.aml.models import AmlScreen, WalletProfile
from apps.compliance.aml.models.screens import load_payment_surroundings
from apps.compliance.aml.rules.engine import PaymentView, find_neighbours, flag_neighbours
from apps.compliance.aml.rules.profile import Profile
from apps.compliance.aml.rules.profile_codec import profile_from_stored
from apps.compliance.aml.rules.scorecard import LISTED
from apps.compliance.aml.screening.requests import AmlScreenRequest
from apps.compliance.aml.screening.selectors import AmlScreenInputs
from apps.compliance.aml.screening.wallet_background import build_wallet_background
from apps.compliance.aml.screening.wallet_sanctions import screen_address
from apps.platform.common.problems import Conflict, Unavailable
from apps.platform.ledger.verification.hash_chain import filter_verified_records


class AmlScreenIntegrityError(Unavailable):
    """Integrity check failed for a record that the answer depends on."""

    code, title = "record_unproved", "Screen integrity check failed"


class PaymentDiffers(Conflict):
    """The payment was screened before with another amount or currency.

    It would be counted by its first amount, so that the rest of a larger one never enters a
    profile. Nothing is judged: whoever reuses an id is told.
    """

    code, title = "payment_differs", "The paymentId was used for another payment"


@dataclass(frozen=True, slots=True)
class PaymentSnapshot:
    """What a payment is judged by: the view of it, and what earlier screens of it came to.

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
    asked: AmlScreenRequest,
    gathered: AmlScreenInputs,
    rows: Mapping[str, WalletProfile],
    key: str,
    owner: str,
) -> PaymentSnapshot:
    """Return what the payment is judged by; one screened before, as that screen found it.

    The pair is locked, so no other screen of this payment runs.
    """
    own, other = (rows[one].profile for one in (asked.wallet, asked.counterparty))
    at = gathered.payment
    neighbours = find_neighbours(payment=at, out=asked.out, own=own, other=other)
    known, flagged, declared = load_payment_surroundings(
        key=key, wallet=asked.wallet, neighbours=neighbours
    )
    standing = build_wallet_background(
        party=gathered.parties[0],
        row=rows[asked.wallet],
        expected=load_expected_activity(asked.wallet) if declared else None,
        owner=owner,
    )
    earlier = list(AmlScreen.objects.filter(pk__in=known).order_by("pk")) if known else []
    if len(filter_verified_records(earlier)) < len(earlier):
        raise AmlScreenIntegrityError(
            "Integrity check failed for an earlier screen of this payment."
        )
    mine = [one for one in earlier if one.wallet == asked.wallet]
    theirs = [one.action for one in earlier if one.wallet != asked.wallet]
    if earlier:
        own, other, at = _state_at_first_screen(asked, gathered, earlier[0], own, other)
        neighbours = find_neighbours(payment=at, out=asked.out, own=own, other=other)
        flagged = WalletProfile.objects.flagged(neighbours)
    flagged |= _listed_now(gathered, neighbours)
    return PaymentSnapshot(
        PaymentView(
            at,
            asked.out,
            own,
            other,
            flag_neighbours(neighbours, flagged),
            gathered.name_near,
            standing,
        ),
        not earlier,
        any(one.counted for one in earlier),
        theirs[-1:] == ["BLOCK"],
        not mine,
        any(one.action == "FLAG" for one in mine),
        any(one.action == "BLOCK" for one in mine),
        any(one.rule == LISTED.code for one in mine),
        _first_assessment(mine),
    )


def _first_assessment(mine: Sequence[AmlScreen]) -> dict[str, Any] | None:
    """Return the first assessment of a payment, as a model gave it; None where none was."""
    told = (aml_screen.data.get("response", {}).get("reasoning") for aml_screen in mine)
    said = next((one for one in told if one), None)
    if said is None:
        return None
    return {
        "recommendation": said["recommendation"],
        "confidence": said["confidence"],
        "rationale": said["rationale"],
        "key_factors": said["keyFactors"],
        "processed_at": datetime.fromtimestamp(said["processedAt"], UTC),
    }


def _listed_now(gathered: AmlScreenInputs, found: dict[str, int]) -> dict[str, bool]:
    """Return the neighbours whose address is on a list as the lists are now.

    A wallet's standing is of its last screen, in which it may have been the counterparty. Who was
    listed since has no standing yet.
    """
    return {one: True for one in found if screen_address(gathered.engine, one).listed}


def _state_at_first_screen(
    screen_request: AmlScreenRequest,
    gathered: AmlScreenInputs,
    first: AmlScreen,
    own: Profile,
    other: Profile,
) -> tuple[Profile, Profile, Any]:
    """Return both profiles and the moment as the first screen of a payment found them.

    Where its payload was purged, what stands now has to do.
    """
    kept = first.data.get("evidence", {})
    if not kept:
        return own, other, gathered.payment
    asked_first, asks = first.data["request"], screen_request.recorded()
    if any(asked_first[name] != asks[name] for name in ("amount", "currency")):
        raise PaymentDiffers(
            f"Payment {screen_request.payment_id} between these wallets was screened with "
            f"{asked_first['amount']} {asked_first['currency']}. A different amount is a different "
            "payment and needs its own paymentId."
        )
    states = kept["profiles"]
    payment = gathered.payment.__class__(
        gathered.payment.sender, gathered.payment.receiver, gathered.payment.amount, kept["at"]
    )
    return (
        profile_from_stored(states[screen_request.wallet]),
        profile_from_stored(states[screen_request.counterparty]),
        payment,
    )
