"""What stands in the database, as JSON: `python -m tests.faults.stored_rows`.

Run with the environment of a host. Of what clients asked (references that begin with `S-` and
`P-`): screens, cases, entries of the SAR log, calls that were billed, payments, events, callbacks,
records of the travel rule; and what is left undone.
"""

import json
from collections import Counter
from typing import Any

import django

django.setup()

from django.db.models import Sum  # noqa: E402

from apps.access.keys.models import Account, UsageCount  # noqa: E402
from apps.backoffice.review.models import Case  # noqa: E402
from apps.backoffice.sar.models import SarEntry  # noqa: E402
from apps.compliance.screening.models import Screen  # noqa: E402
from apps.payments.callbacks.models import Delivery, Event  # noqa: E402
from apps.payments.payments.models import Payment  # noqa: E402
from apps.payments.travelrule.models import TravelRecord  # noqa: E402
from apps.platform.api.models import IdempotentCall  # noqa: E402
from apps.platform.jobs.models import Job  # noqa: E402

OPEN = ("SUBMITTED", "VERIFIED", "AWAITING_SETTLEMENT")


def screens(owner: str) -> dict[str, Any]:
    """Return the screens of an owner by reference, with what each led to."""
    rows = list(Screen.objects.filter(owner=owner).values_list("screen_id", "decision", "payload"))
    ids = [str(row[0]) for row in rows]
    return {
        "screens": [[json.loads(row[2])["request"]["reference"], str(row[0])] for row in rows],
        "flagged": sorted(str(row[0]) for row in rows if row[1] == "FLAGGED"),
        "blocked": sorted(str(row[0]) for row in rows if row[1] == "BLOCKED"),
        "cases": sorted(Case.objects.filter(ref__in=ids).values_list("ref", flat=True)),
        "sar": sorted(SarEntry.objects.filter(ref__in=ids).values_list("ref", flat=True)),
    }


def payments(owner: str) -> dict[str, Any]:
    """Return the payments of an owner: id, state, events, deliveries and records of each."""
    found = {}
    rows = Payment.objects.filter(owner=owner, reference__startswith="P-")
    for row in rows.order_by("pk"):
        deliveries = Delivery.objects.filter(event__subject=row.payment_id)
        records = TravelRecord.objects.filter(payment_id=row.payment_id)
        found.setdefault(row.reference, []).append(
            {
                "id": str(row.payment_id),
                "state": row.state,
                "told": Event.objects.filter(subject=row.payment_id).count(),
                "delivered": [delivery.state for delivery in deliveries],
                "records": records.count(),
            }
        )
    return found


def main() -> None:
    """Print it."""
    treasury, bank = (Account.objects.get(name=name) for name in ("Demo Treasury", "Demo Bank"))
    billed = UsageCount.objects.filter(account=treasury, unit="screen").aggregate(n=Sum("calls"))
    failed = Job.objects.filter(state="FAILED").values_list("name", flat=True)
    found = screens(treasury.ref) | {
        "billed": billed["n"] or 0,
        "payments": payments(bank.ref),
        "claims": IdempotentCall.objects.filter(status=None).count(),
        "failed": dict(Counter(failed)),
    }
    print(json.dumps(found))


if __name__ == "__main__":
    main()
