"""Secrets shared with counterparties: kept sealed, found by their id, shown to nobody."""

import hmac
import logging
from collections.abc import Iterable, Mapping

from apps.core import macs
from apps.travelrule import sealing
from apps.travelrule.models import Vasp, VaspKey

logger = logging.getLogger(__name__)


def id_of(secret: str) -> str:
    """Return the id of a secret: a keyed digest, from which nobody gets it."""
    return macs.keyed(what="travel-rule counterparty key", of=[secret])


def bound(lei: str) -> str:
    """Return what a sealed secret of a VASP is bound to: moved to another it opens nothing."""
    return f"counterparty {lei}"


def live(vasps: Iterable[Vasp]) -> Mapping[str, list[bytes]]:
    """Return the secrets of entries by LEI, the newest first; one query.

    One that does not open, or is not of the id that the entry has, is left out and logged.
    """
    held = {one.lei: one for one in vasps}
    rows = {one.key_id: one for one in VaspKey.objects.filter(lei__in=held)}
    found: dict[str, list[bytes]] = {}
    for lei, vasp in held.items():
        opened = (_opened(rows.get(one), lei, one) for one in vasp.keys)
        found[lei] = [secret for secret in opened if secret]
    return found


def _opened(row: VaspKey | None, lei: str, key_id: str) -> bytes:
    if row is None or row.lei != lei:
        logger.error("travel rule: a key of %s is gone", lei)
        return b""
    try:
        secret = sealing.unwrapped(wrapped=row.sealed, under=row.under, of=bound(lei))
    except sealing.Unreadable:
        logger.exception("travel rule: a key of %s does not open", lei)
        return b""
    if not hmac.compare_digest(id_of(secret.decode()), key_id):
        logger.error("travel rule: a key of %s is not the one that was approved", lei)
        return b""
    return secret
