"""Control of an EVM wallet, proved by a message that its key signed (EIP-191).

The message names wallet, entity, a nonce and the day until which it may be signed; signature and
message are kept as evidence. Addresses of other chains cannot be proved here.
"""

import re
import secrets
from datetime import datetime, timedelta
from typing import TYPE_CHECKING

from django.core import signing
from django.db import transaction

from apps.core.problems import Conflict, DomainError
from apps.core.shapes import iso
from apps.registry.models import Action, Registration, RegistrationEvent
from apps.registry.proof import locked
from apps.registry.wallets import Family

if TYPE_CHECKING:
    from django.contrib.auth.models import User

LASTS = timedelta(hours=24)
SALT = "registry.proof"
_FORM = re.compile("0x[0-9a-fA-F]{130}")  # 65 bytes: r, s and v


class NotProved(DomainError):
    """The signature is none of this wallet's for this message."""

    status, code, title = 422, "ownership_not_proved", "Control of the wallet is not proved"


class NotProvable(Conflict):
    """The wallet's chain has no signatures that are read here, or it has ended."""

    code, title = "ownership_not_provable", "Control of this wallet cannot be proved here"


def challenge(*, registration: Registration, now: datetime) -> tuple[str, str]:
    """Return the message to be signed, and a token that proves we asked for it.

    NotProvable for a wallet of another chain, and for one that has ended.
    """
    if registration.family != Family.EVM or not registration.active:
        raise NotProvable("Only active wallets of EVM chains sign messages that are read here.")
    nonce = secrets.token_hex(16)
    message = "\n".join(
        (
            f"I control the wallet {registration.wallet}",
            f"on behalf of {registration.legal_name}.",
            f"LEI: {registration.lei or 'none'}",
            f"Registration: {registration.pk}",
            f"Nonce: {nonce}",
            f"Issued: {iso(now)}",
            f"Expires: {iso(now + LASTS)}",
        )
    )
    held = {"registration": registration.pk, "message": message, "at": now.timestamp()}
    return message, signing.dumps(held, salt=SALT, compress=True)


@transaction.atomic
def prove(
    *, registration: Registration, token: str, signature: str, by: "User", now: datetime
) -> Registration:
    """Record that the wallet's key signed the message of a challenge; NotProved otherwise."""
    message = _asked(registration, token, now)
    row = locked(pk=registration.pk)
    if row is None or row.family != Family.EVM:
        raise NotProvable("This registration has ended, or is of another chain.")
    # what was signed names the entity of that time
    if f"on behalf of {row.legal_name}.\nLEI: {row.lei or 'none'}\n" not in message:
        raise NotProved("The entity has changed since: ask for a new message.")
    if signer(message, signature) != row.wallet:
        raise NotProved("The signature is not this wallet's for this message.")
    _unused(row, signature)
    row.proved_at = now
    said = {"message": message, "signature": signature.strip(), "scheme": "EIP-191"}
    RegistrationEvent.keep(row, Action.PROVED, now=now, by=by, said=said)
    return row


def _asked(registration: Registration, token: str, now: datetime) -> str:
    """Return the message that we asked this registration to sign, while it lasts."""
    try:
        held = signing.loads(token, salt=SALT)
    except signing.BadSignature as error:
        raise NotProved("This message is not one of ours: ask for a new one.") from error
    if held["registration"] != registration.pk:
        raise NotProved("This message was for another registration.")
    if now.timestamp() > held["at"] + LASTS.total_seconds():
        raise NotProved("The message has expired: ask for a new one.")
    return str(held["message"])


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
