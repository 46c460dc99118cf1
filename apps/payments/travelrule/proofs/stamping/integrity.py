"""Verify stored time-stamps against the signed roots and against their own tokens."""

import base64
from collections.abc import Callable, Iterator

from apps.payments.travelrule.models import TreeRoot, TreeStamp
from apps.payments.travelrule.proofs.stamping import stamps
from apps.payments.travelrule.proofs.stamping.timestamp_tokens import parse_token
from apps.platform.common.batches import iter_chunks
from apps.platform.ledger.verification.verified_reads import filter_verified_records

AT_ONCE = 500


def verify_stamps(progress: Callable[[int], None]) -> Iterator[str]:
    """Yield a fault in words for each time-stamp of another root than the one stored with it."""
    done = 0
    rows = TreeStamp.objects.order_by("size").iterator(AT_ONCE)
    for chunk in iter_chunks(rows, AT_ONCE):
        sizes = [stamp.size for stamp in chunk]
        roots = {
            tree_root.size: tree_root
            for tree_root in filter_verified_records(TreeRoot.objects.filter(size__in=sizes))
        }
        for tree_stamp in filter_verified_records(chunk):
            yield from _find_stamp_faults(tree_stamp, roots.get(tree_stamp.size))
        done += len(chunk)
        progress(done)


def _find_stamp_faults(tree_stamp: TreeStamp, root: TreeRoot | None) -> Iterator[str]:
    named = f"the time-stamp of the root of {tree_stamp.size}"
    if root is None:
        yield f"{named} is of a missing root"
        return
    try:
        token = parse_token(base64.b64decode(tree_stamp.data["token"], validate=True))
    except ValueError:
        yield f"{named} holds no token"
        return
    if token.message_imprint.message != stamps.root_imprint(root):
        yield f"{named} covers other bytes than the root's"
    if token.gen_time != tree_stamp.stamped_at:
        yield f"{named} differs from its token"
