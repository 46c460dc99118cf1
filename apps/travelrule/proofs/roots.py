"""Roots that are signed: each minute, and as an export begins."""

from datetime import datetime

from django.db import IntegrityError, transaction

from apps.core.chain import last_seal, proven
from apps.core.shapes import iso
from apps.core.signing import attest
from apps.travelrule.models import TreeRoot
from apps.travelrule.proofs import planning
from apps.travelrule.proofs.merkle import root_of
from apps.travelrule.proofs.tiles import LEDGER, Tree, grow

KIND = "travel-rule tree root"
LOOKED_AT = 10  # roots from the last, of which the first that is proved counts


def root(key: str, now: datetime) -> None:
    """Sign the root of all that is sealed; the job `travelrule.root`."""
    sign(now=now)


def sign(*, now: datetime) -> TreeRoot | None:
    """Return the signed root of all that is sealed, made where the tree grew; None for no tree."""
    size, head = last_seal(LEDGER)
    before = last()
    if not size or (before and before.size >= size):
        return before
    grow()
    found = root_of(Tree(size).node, size).hex()
    stated = attest(
        {
            "kind": KIND,
            "ledger": LEDGER,
            "size": size,
            "root": found,
            "head": head,
            "at": iso(now),
            "previous": {"size": before.size, "root": before.root} if before else None,
        }
    )
    try:
        with transaction.atomic():
            made: TreeRoot = TreeRoot.write(payload=stated, now=now, size=size, root=found)
            planning.wanted(now)
            return made
    except IntegrityError:  # somebody else signed the same
        return last()


def last() -> TreeRoot | None:
    """Return the last signed root that is ours."""
    return next(iter(proven(TreeRoot.objects.order_by("-size")[:LOOKED_AT])), None)
