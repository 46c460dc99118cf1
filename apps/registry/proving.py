"""Control of an EVM wallet, proved by a message that its key signed (EIP-191).

The message names wallet, entity, a nonce and the day until which it may be signed; signature and
message are kept as evidence. Addresses of other chains cannot be proved here.
"""

import re
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING

from django.db import transaction
from django.utils.crypto import salted_hmac

from apps.core.problems import Conflict, DomainError
from apps.core.shapes import iso
from apps.registry.models import Action, Registration, RegistrationEvent
from apps.registry.proof import locked
from apps.registry.wallets import Family

if TYPE_CHECKING:
    from django.contrib.auth.models import User

LASTS = timedelta(hours=24)
STEP = timedelta(hours=12)  # after which the page shows the next message
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
SALT = "registry.proof"
_FORM = re.compile("0x[0-9a-fA-F]{130}")  # 65 bytes: r, s and v


class NotProved(DomainError):
    """The signature is none of this wallet's for this message."""

    status, code, title = 422, "ownership_not_proved", "Control of the wallet is not proved"


class NotProvable(Conflict):
    """The wallet's chain has no signatures that are read here, or it has ended."""

    code, title = "ownership_not_provable", "Control of this wallet cannot be proved here"


def challenge(*, registration: Registration, now: datetime) -> str:
    """Return the message to be signed: the same for twelve hours, and open for 24 at the least.

    It is made of the registration alone and is not stored: whoever closes the page, or pastes a
    wrong signature, finds it again. NotProvable for a wallet of another chain, and an ended one.
    """
    if registration.family != Family.EVM or not registration.active:
        raise NotProvable("Only active wallets of EVM chains sign messages that are read here.")
    return _message(registration, _EPOCH + (now - _EPOCH) // STEP * STEP)


def _message(registration: Registration, issued: datetime) -> str:
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
            f"Issued: {iso(issued)}",
            f"Expires: {iso(issued + STEP + LASTS)}",
        )
    )


def _open(registration: Registration, now: datetime) -> list[str]:
    """Return the messages that may be signed now, the newest first."""
    newest = _EPOCH + (now - _EPOCH) // STEP * STEP
    issued = [newest - STEP * at for at in range((STEP + LASTS) // STEP + 1)]
    return [_message(registration, one) for one in issued if now <= one + STEP + LASTS]


@transaction.atomic
def prove(*, registration: Registration, signature: str, by: "User", now: datetime) -> Registration:
    """Record that the wallet's key signed a message that is open; NotProved otherwise.

    A message names the entity: one of another entity than that of now is not open.
    """
    row = locked(pk=registration.pk)
    if row is None or row.family != Family.EVM:
        raise NotProvable("This registration has ended, or is of another chain.")
    _unused(row, signature)
    signed = (one for one in _open(row, now) if signer(one, signature) == row.wallet)
    message = next(signed, "")
    if not message:
        raise NotProved(
            "The signature is not this wallet's for this message, or the message has expired or "
            "is of another entity."
        )
    row.proved_at = now
    said = {"message": message, "signature": signature.strip(), "scheme": "EIP-191"}
    RegistrationEvent.keep(row, Action.PROVED, now=now, by=by, said=said)
    return row


def signer(message: str, signature: str) -> str:
    """Return the address whose key signed a message, or an empty text."""
    # loaded at the first proof: a second, and most processes never need it
    from eth_account import Account
    from eth_account.messages import encode_defunct
    from eth_keys.exceptions import BadSignature, ValidationError

    text = signature.strip()
    if not _FORM.fullmatch(text):
        return ""
    try:
        return str(Account.recover_message(encode_defunct(text=message), signature=text))
    except (ValueError, TypeError, BadSignature, ValidationError):
        return ""


def _unused(row: Registration, signature: str) -> None:
    proofs = RegistrationEvent.objects.filter(registration=row, action=Action.PROVED)
    if any(one.data.get("signature") == signature.strip() for one in proofs):
        raise NotProved("This signature was recorded before: ask for a new message.")
