"""The state of a transaction at the bank: all reports of it, merged."""

from collections.abc import Sequence
from typing import Any

from apps.payments.banking import encryption
from apps.payments.banking.integrity import verify_rows
from apps.payments.banking.models import Delivery
from apps.payments.banking.rules.merge_patches import fold_patches
from apps.platform.common.strict_json import parse_json

VersionedPatch = tuple[int, str, Any]


def load_transaction_state(
    resource_id: str, *, more: Sequence[VersionedPatch] = ()
) -> dict[str, Any]:
    """Return a transaction's state by its deliveries and `more` patches; two queries."""
    deliveries = list(Delivery.objects.filter(resource_type="transaction", resource_id=resource_id))
    verify_rows(deliveries)
    patches = [
        (delivery.version, delivery.delivery_id, _decrypt_patch(delivery))
        # a delivery whose content was deleted after its retention says nothing any more
        for delivery in deliveries
        if delivery.body
    ]
    return fold_patches([*patches, *more])


def _decrypt_patch(delivery: Delivery) -> Any:
    return parse_json(encryption.decrypt_bytes(delivery.body, bound=delivery.bound))["mergePatch"]
