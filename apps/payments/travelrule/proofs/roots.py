"""Sign roots of the tree: each minute, and when an export begins."""

from datetime import datetime

from django.db import IntegrityError, transaction

from apps.payments.travelrule.models import TreeRoot
from apps.payments.travelrule.proofs import stamp_jobs
from apps.payments.travelrule.proofs.merkle import compute_root
from apps.payments.travelrule.proofs.merkle_tiles import LEDGER, SealTree, store_new_nodes
from apps.platform.common.clock import format_utc
from apps.platform.crypto.signatures import sign_statement
from apps.platform.ledger.verification.verified_reads import filter_verified_records, read_chain_end

KIND = "travel-rule tree root"
MAX_TRIED = 10  # roots from the last one back, of which the first authentic one counts


def sign_sealed_root(key: str, now: datetime) -> None:
    """Sign the root of all that is sealed; the job `travelrule.root`."""
    ensure_signed_root(now=now)


def ensure_signed_root(*, now: datetime) -> TreeRoot | None:
    """Return the signed root of all sealed events, a new one if there are more; None for none."""
    size, head = read_chain_end(LEDGER)
    before = load_last_root()
    if not size or (before and before.size >= size):
        return before
    # before the root: a proof against it reads them
    store_new_nodes()
    root_hash = compute_root(SealTree(size).node, size).hex()
    stated = sign_statement(
        {
            "kind": KIND,
            "ledger": LEDGER,
            "size": size,
            "root": root_hash,
            "head": head,
            "at": format_utc(now),
            "previous": {"size": before.size, "root": before.root} if before else None,
        }
    )
    try:
        with transaction.atomic():
            tree_root: TreeRoot = TreeRoot.write(payload=stated, now=now, size=size, root=root_hash)
            stamp_jobs.plan_stamp(now)
            return tree_root
    except IntegrityError:  # another process signed the same root
        return load_last_root()


def load_last_root() -> TreeRoot | None:
    """Return the last signed root that is ours."""
    return next(iter(filter_verified_records(TreeRoot.objects.order_by("-size")[:MAX_TRIED])), None)
