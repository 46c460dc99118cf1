"""Matches of a payment that officers knew to be another party, from its ledger."""

from apps.payments.banking.models import BankEvent, Kept
from apps.platform.ledger.verification.verified_reads import filter_verified_records


def list_known_false_positives(row: Kept) -> list[str]:
    """Describe the known false positives by which a payment was judged, each once."""
    events = filter_verified_records(
        BankEvent.objects.filter(subject=row.subject).order_by("number")
    )
    matches = [
        match
        for event in events
        # deposits keep them in `known`, sends within the outcome of their screens
        for match in event.data.get("known") or event.data.get("sanctions", {}).get("known", ())
    ]
    sentences = (
        f"{match['ref']} until {match['until']} (case {match['case']})" for match in matches
    )
    return list(dict.fromkeys(sentences))
