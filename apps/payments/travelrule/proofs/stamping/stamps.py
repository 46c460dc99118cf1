"""Time-stamps of signed roots: requested by a job, kept in a ledger, included in proofs.

The stamped digest is the SHA-256 of the root's canonical form with its signature: the exact bytes
of the root's row. A token thus proves that the root, its tree and our signature existed.
"""

import base64
import hashlib
from datetime import datetime
from typing import Any
from urllib.parse import urlsplit

from django.conf import settings
from django.db import IntegrityError, transaction
from rfc3161_client import HashAlgorithm, TimestampRequestBuilder

from apps.payments.travelrule.models import TreeRoot, TreeStamp
from apps.payments.travelrule.proofs import roots
from apps.payments.travelrule.proofs.merkle import consistency_path
from apps.payments.travelrule.proofs.merkle_tiles import SealTree
from apps.payments.travelrule.proofs.stamp_jobs import plan_stamp
from apps.payments.travelrule.proofs.stamping import authority
from apps.payments.travelrule.proofs.stamping.timestamp_tokens import verify_answer
from apps.platform.common.clock import format_utc
from apps.platform.ledger.verification.verified_reads import filter_verified_records

MAX_TRIED = 10  # stamps, of which the first authentic one counts
VERIFIED, UNVERIFIED = "VERIFIED", "UNVERIFIED"


def stamp_last_root(key: str, now: datetime) -> None:
    """Have the last signed root stamped, unless it is; the job `travelrule.stamp`.

    Raises UpstreamError or TokenRefused if the authority gives no token: the job is tried again.
    """
    # earlier roots that were missed need no stamp: their trees are part of this one
    root = roots.load_last_root()
    if not settings.TSA_URL or root is None or TreeStamp.objects.filter(size=root.size).exists():
        return
    built = TimestampRequestBuilder().data(root.payload.encode())
    request = built.hash_algorithm(HashAlgorithm.SHA256).build()
    token = verify_answer(
        authority.TimestampAuthority().answer(request.as_bytes()),
        request=request,
        roots=authority.load_certificates(),
        policy=authority.load_policy(),
        now=now,
    )
    stated = {
        "size": root.size,
        "imprint": root_imprint(root).hex(),
        "token": base64.b64encode(token.der).decode(),
        "at": format_utc(token.at),
        "policy": token.policy,
        "serial": str(token.serial),
        "chain": VERIFIED if token.verified else UNVERIFIED,
        "authority": urlsplit(settings.TSA_URL).hostname or "",
    }
    try:
        with transaction.atomic():
            TreeStamp.write(payload=stated, now=now, size=root.size, stamped_at=token.at)
            if roots.load_last_root() != root:  # signed while the authority was being called
                plan_stamp(now)
    except IntegrityError:  # another run had it stamped
        return


def root_imprint(root: TreeRoot) -> bytes:
    """Return what a token of a root is of."""
    return hashlib.sha256(root.payload.encode()).digest()


def load_last_stamp(size: int) -> TreeStamp | None:
    """Return the stamp of the largest tree of at most `size`; None for none that is ours."""
    rows = TreeStamp.objects.filter(size__lte=size).order_by("-size")
    return next(iter(filter_verified_records(rows[:MAX_TRIED])), None)


def load_first_covering_stamp(position: int, size: int) -> TreeStamp | None:
    """Return the first stamp of a tree that holds a position, up to a size; else the last one."""
    # the first one proves the most: the earliest time at which the record existed
    rows = TreeStamp.objects.filter(size__gte=position, size__lte=size).order_by("size")
    return next(iter(filter_verified_records(rows[:MAX_TRIED])), None) or load_last_stamp(size)


def serialize_stamp(tree_stamp: TreeStamp | None, tree: SealTree) -> dict[str, Any] | None:
    """Return a stamp as proofs and manifests have it; None where there is none of ours.

    `root` is the signed root that was stamped, `path` proves that `tree` begins with its tree.
    """
    root = None
    if tree_stamp is not None:
        root = next(
            iter(filter_verified_records(TreeRoot.objects.filter(size=tree_stamp.size))), None
        )
    if tree_stamp is None or root is None or root_imprint(root).hex() != tree_stamp.data["imprint"]:
        return None
    path = [digest.hex() for digest in consistency_path(tree.node, tree_stamp.size, tree.size)]
    return {name: value for name, value in tree_stamp.data.items() if name != "size"} | {
        "root": root.data,
        "path": path,
    }


def describe_stamp(tree_stamp: TreeStamp | None) -> str:
    """Return a stamp in a sentence for people; an empty text for none."""
    if tree_stamp is None:
        return ""
    data = tree_stamp.data
    chain = (
        "verified"
        if data["chain"] == VERIFIED
        else "stored with its certificate chain not verified"
    )
    moment = f"{tree_stamp.stamped_at:%d %b %Y %H:%M:%S} UTC"
    return f"{data['authority']} stamped the root of {tree_stamp.size} steps on {moment}, {chain}"


def describe_covering_stamp(position: int) -> str:
    """Return in a sentence the first stamp of a tree that holds a position, if there is one."""
    rows = TreeStamp.objects.filter(size__gte=position).order_by("size")
    return describe_stamp(next(iter(filter_verified_records(rows[:MAX_TRIED])), None))


def describe_latest_stamp() -> str:
    """Return what the page of ledgers says of the time-stamps of this one."""
    tree_stamp = next(
        iter(filter_verified_records(TreeStamp.objects.order_by("-size")[:MAX_TRIED])), None
    )
    if tree_stamp is None:
        return "Not time-stamped yet" if settings.TSA_URL else ""
    return describe_stamp(tree_stamp)
