"""Control of an EVM wallet, proved by a message that its key signed (EIP-191).

The message names wallet, entity, a nonce and the day until which it may be signed; signature and
message are kept as evidence. Addresses of other chains cannot be proved here.
"""

import re
from datetime import datetime, timedelta
from typing import TYPE_CHECKING

from django.db import transaction
from django.utils.crypto import salted_hmac

from apps.compliance.payees.models import Action, Registration, RegistrationEvent
from apps.compliance.payees.selectors.registrations import lock_active_registration
from apps.compliance.payees.wallets import Family
from apps.platform.common.clock import EPOCH, format_utc
from apps.platform.common.problems import Conflict, DomainError

if TYPE_CHECKING:
    from django.contrib.auth.models import User

# at least so long may a message be signed after the page has shown it
LASTS = timedelta(hours=24)
STEP = timedelta(hours=12)  # after which the page shows the next message
# never changed: messages that are being signed would no longer be recognised
SALT = "registry.proof"
_FORM = re.compile("0x[0-9a-fA-F]{130}")  # 65 bytes: r, s and v


class OwnershipNotProved(DomainError):
    """The signature is none of this wallet's for this message."""

    status, code, title = 422, "ownership_not_proved", "Control of the wallet is not proved"


class OwnershipNotProvable(Conflict):
    """The wallet's chain has no signatures that are read here, or it has ended."""

    code, title = "ownership_not_provable", "Control of this wallet cannot be proved here"


def build_ownership_challenge(*, registration: Registration, now: datetime) -> str:
    """Return the message to sign: the same for twelve hours, and valid for at least 24.

    Raises OwnershipNotProvable for a wallet of another chain and for an ended registration.
    """
    if registration.family != Family.EVM or not registration.active:
        raise OwnershipNotProvable(
            "Only an active EVM wallet can prove its ownership with a signed message."
        )
    # derived and not stored: closing the page or pasting a wrong signature does not lose it
    return _format_message(registration, _latest_issue(now))


def _latest_issue(now: datetime) -> datetime:
    """Return the moment at which the present message was issued: a multiple of STEP."""
    return EPOCH + (now - EPOCH) // STEP * STEP


def _format_message(registration: Registration, issued: datetime) -> str:
    # what was proved once asks for another nonce
    about = f"{registration.pk}|{issued.isoformat()}|{registration.proved_at}"
    nonce = salted_hmac(SALT, about, algorithm="sha256").hexdigest()[:32]
    return "\n".join(
        (
            f"I control the wallet {registration.wallet}",
            f"on behalf of {registration.legal_name}.",
            f"LEI: {registration.lei or 'none'}",
            f"Registration: {registration.pk}",
            f"Nonce: {nonce}",
            f"Issued: {format_utc(issued)}",
            f"Expires: {format_utc(issued + STEP + LASTS)}",
        )
    )


def _open_messages(registration: Registration, now: datetime) -> list[str]:
    """Return the messages that may be signed now, the newest first."""
    newest = _latest_issue(now)
    # every message that a page may have shown and that has not expired
    issued = [newest - STEP * at for at in range((STEP + LASTS) // STEP + 1)]
    return [
        _format_message(registration, moment) for moment in issued if now <= moment + STEP + LASTS
    ]


@transaction.atomic
def record_ownership_proof(
    *, registration: Registration, signature: str, by: "User", now: datetime
) -> Registration:
    """Record that the wallet's key signed a message that is open; OwnershipNotProved otherwise.

    A message names the entity: one of another entity than that of now is not open.
    """
    row = lock_active_registration(pk=registration.pk)
    if row is None or row.family != Family.EVM:
        raise OwnershipNotProvable("This registration has ended or is for another chain.")
    # one signature proves control once, also after the message has become known
    proofs = RegistrationEvent.objects.filter(registration=row, action=Action.PROVED)
    if any(proof.data.get("signature") == signature.strip() for proof in proofs):
        raise OwnershipNotProved("This signature is already recorded: request a new message.")
    signed = (
        challenge
        for challenge in _open_messages(row, now)
        if recover_signer(challenge, signature) == row.wallet
    )
    message = next(signed, "")
    if not message:
        raise OwnershipNotProved(
            "The signature was not made by this wallet for this message, or the message has "
            "expired or is for another entity."
        )
    row.proved_at = now
    payload = {"message": message, "signature": signature.strip(), "scheme": "EIP-191"}
    RegistrationEvent.keep(row, Action.PROVED, now=now, by=by, payload=payload)
    return row


def recover_signer(message: str, signature: str) -> str:
    """Return the address whose key signed a message, or an empty text."""
    # loaded at the first proof: a second, and most processes never need it
    from eth_account import Account
    from eth_account.messages import encode_defunct
    from eth_keys.exceptions import BadSignature, ValidationError

    text = signature.strip()
    if not _FORM.fullmatch(text):
        return ""
    try:
        # EIP-191 `personal_sign`: the prefix keeps a signed text from being a transaction
        return str(Account.recover_message(encode_defunct(text=message), signature=text))
    except (ValueError, TypeError, BadSignature, ValidationError):
        return ""
