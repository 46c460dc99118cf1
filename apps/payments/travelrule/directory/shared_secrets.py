"""Secrets shared with counterparties: stored encrypted, found by their id, never shown."""

import hmac
import logging
from collections.abc import Iterable, Mapping

from apps.payments.travelrule import encryption
from apps.payments.travelrule.models import Vasp, VaspKey
from apps.platform.crypto import macs
from apps.platform.crypto.encryption import DecryptionFailed

logger = logging.getLogger(__name__)


def secret_id_of(secret: str) -> str:
    """Return the id of a secret: a keyed digest that does not reveal it."""
    return macs.keyed_digest(what="travel-rule counterparty key", of=[secret])


def binding_of_vasp(lei: str) -> str:
    """Return the text to which the encryption of a VASP's secret is bound."""
    # moved to the row of another VASP, it does not decrypt
    return f"counterparty {lei}"


def load_live_secrets(vasps: Iterable[Vasp]) -> Mapping[str, list[bytes]]:
    """Return the secrets of entries by LEI, the newest first; one query.

    A secret that cannot be decrypted, or has another id than the entry names, is left out and
    logged.
    """
    vasps_by_lei = {entry.lei: entry for entry in vasps}
    rows = {vasp_key.key_id: vasp_key for vasp_key in VaspKey.objects.filter(lei__in=vasps_by_lei)}
    live_secrets: dict[str, list[bytes]] = {}
    for lei, vasp in vasps_by_lei.items():
        opened = (_decrypt_secret(rows.get(key), lei, key) for key in vasp.keys)
        live_secrets[lei] = [secret for secret in opened if secret]
    return live_secrets


def _decrypt_secret(row: VaspKey | None, lei: str, key_id: str) -> bytes:
    if row is None or row.lei != lei:
        logger.error("travel rule: a key of %s is missing", lei)
        return b""
    try:
        secret = encryption.unwrap_key(wrapped=row.sealed, under=row.under, of=binding_of_vasp(lei))
    except DecryptionFailed:
        logger.exception("travel rule: a key of %s cannot be decrypted", lei)
        return b""
    # two officers approved the id, which is in the entry's record: another secret under our own
    # encryption is not the approved one
    if not hmac.compare_digest(secret_id_of(secret.decode()), key_id):
        logger.error("travel rule: a key of %s differs from the approved one", lei)
        return b""
    return secret
