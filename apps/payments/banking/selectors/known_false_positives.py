"""Which matches of a payment officers knew to be of another party, as its ledger has it."""

from apps.payments.banking.models import BankEvent, Kept
from apps.platform.ledger.verification.hash_chain import filter_verified_records


def list_known_false_positives(row: Kept) -> list[str]:
    """Return the known false positives by which a payment was judged, each once and in words."""
    events = filter_verified_records(
        BankEvent.objects.filter(subject=row.subject).order_by("number")
    )
    found = [
        one
        for event in events
        for one in event.data.get("known") or event.data.get("sanctions", {}).get("known", ())
    ]
    said = (f"{one['ref']} until {one['until']} (case {one['case']})" for one in found)
    return list(dict.fromkeys(said))
