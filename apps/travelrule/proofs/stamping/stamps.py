"""Time-stamps of signed roots: asked for by a job, kept in a ledger, told in proofs.

What is stamped is the SHA-256 of the root's canonical form with its signature: the very bytes of
the root's row. So a token proves that the root, the tree under it, and our signature were there.
"""

import base64
import hashlib
from datetime import datetime
from typing import Any
from urllib.parse import urlsplit

from django.conf import settings
from django.db import IntegrityError, transaction
from rfc3161_client import HashAlgorithm, TimestampRequestBuilder

from apps.core.chain import proven
from apps.core.shapes import iso
from apps.travelrule.models import TreeRoot, TreeStamp
from apps.travelrule.proofs import roots
from apps.travelrule.proofs.merkle import consistency
from apps.travelrule.proofs.planning import wanted
from apps.travelrule.proofs.stamping import authority
from apps.travelrule.proofs.stamping.judging import judged
from apps.travelrule.proofs.tiles import Tree

LOOKED_AT = 10  # stamps, of which the first that is proved counts
VERIFIED, UNVERIFIED = "VERIFIED", "UNVERIFIED"


def stamp(key: str, now: datetime) -> None:
    """Have the last signed root stamped, unless it is; the job `travelrule.stamp`.

    Earlier roots that were missed need no stamp of their own: their trees are part of this one.
    Raises where the authority gives no token, so that the job is tried again.
    """
    root = roots.last()
    if not settings.TSA_URL or root is None or TreeStamp.objects.filter(size=root.size).exists():
        return
    built = TimestampRequestBuilder().data(root.payload.encode())
    request = built.hash_algorithm(HashAlgorithm.SHA256).build()
    token = judged(
        authority.Authority().answer(request.as_bytes()),
        request=request,
        roots=authority.certificates(),
        policy=authority.policy(),
        now=now,
    )
    stated = {
        "size": root.size,
        "imprint": imprint(root).hex(),
        "token": base64.b64encode(token.der).decode(),
        "at": iso(token.at),
        "policy": token.policy,
        "serial": str(token.serial),
        "chain": VERIFIED if token.verified else UNVERIFIED,
        "authority": urlsplit(settings.TSA_URL).hostname or "",
    }
    try:
        with transaction.atomic():
            TreeStamp.write(payload=stated, now=now, size=root.size, stamped_at=token.at)
            if roots.last() != root:  # signed while the authority was asked
                wanted(now)
    except IntegrityError:  # another run had it stamped
        return


def imprint(root: TreeRoot) -> bytes:
    """Return what a token of a root is of."""
    return hashlib.sha256(root.payload.encode()).digest()


def last(size: int) -> TreeStamp | None:
    """Return the stamp of the largest tree of at most `size`; None for none that is ours."""
    rows = TreeStamp.objects.filter(size__lte=size).order_by("-size")
    return next(iter(proven(rows[:LOOKED_AT])), None)


def first_over(position: int, size: int) -> TreeStamp | None:
    """Return the first stamp of a tree that holds a position, up to a size; else the last one.

    That says most of a record: it was there when the first root with it was stamped.
    """
    rows = TreeStamp.objects.filter(size__gte=position, size__lte=size).order_by("size")
    return next(iter(proven(rows[:LOOKED_AT])), None) or last(size)


def told(found: TreeStamp | None, tree: Tree) -> dict[str, Any] | None:
    """Return a stamp as proofs and manifests have it; None where there is none of ours.

    `root` is the signed root that was stamped, `path` proves that `tree` begins with its tree.
    """
    root = None
    if found is not None:
        root = next(iter(proven(TreeRoot.objects.filter(size=found.size))), None)
    if found is None or root is None or imprint(root).hex() != found.data["imprint"]:
        return None
    path = [one.hex() for one in consistency(tree.node, found.size, tree.size)]
    return {name: one for name, one in found.data.items() if name != "size"} | {
        "root": root.data,
        "path": path,
    }


def words(found: TreeStamp | None) -> str:
    """Return a stamp in a sentence for people; an empty text for none."""
    if found is None:
        return ""
    said = found.data
    chain = "verified" if said["chain"] == VERIFIED else "kept with its chain not verified"
    moment = f"{found.stamped_at:%d %b %Y %H:%M:%S} UTC"
    return f"{said['authority']} stamped the root of {found.size} steps on {moment}, {chain}"


def covering(position: int) -> str:
    """Return in a sentence the first stamp of a tree that holds a position, if there is one."""
    rows = TreeStamp.objects.filter(size__gte=position).order_by("size")
    return words(next(iter(proven(rows[:LOOKED_AT])), None))


def noted() -> str:
    """Return what the page of ledgers says of the time-stamps of this one (config/desk.py)."""
    found = next(iter(proven(TreeStamp.objects.order_by("-size")[:LOOKED_AT])), None)
    if found is None:
        return "Not time-stamped yet" if settings.TSA_URL else ""
    return words(found)
