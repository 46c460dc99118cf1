"""Holds the kept time-stamps against the signed roots and against their own tokens."""

import base64
from collections.abc import Callable, Iterator

from apps.core.batches import chunks
from apps.core.chain import proven
from apps.travelrule.models import TreeRoot, TreeStamp
from apps.travelrule.proofs.stamping import stamps
from apps.travelrule.proofs.stamping.judging import held

AT_ONCE = 500


def compare(progress: Callable[[int], None]) -> Iterator[str]:
    """Yield a fault in words for each stamp that is not of the signed root it stands beside."""
    done = 0
    rows = TreeStamp.objects.order_by("size").iterator(AT_ONCE)
    for some in chunks(rows, AT_ONCE):
        sizes = [one.size for one in some]
        roots = {one.size: one for one in proven(TreeRoot.objects.filter(size__in=sizes))}
        for one in proven(some):
            yield from _faults(one, roots.get(one.size))
        done += len(some)
        progress(done)


def _faults(found: TreeStamp, root: TreeRoot | None) -> Iterator[str]:
    named = f"the time-stamp of the root of {found.size}"
    if root is None:
        yield f"{named} is of a root that is gone"
        return
    try:
        token = held(base64.b64decode(found.data["token"], validate=True))
    except ValueError:
        yield f"{named} holds no token"
        return
    if token.message_imprint.message != stamps.imprint(root):
        yield f"{named} is of other bytes than the root's"
    if token.gen_time != found.stamped_at:
        yield f"{named} does not say what its token says"
