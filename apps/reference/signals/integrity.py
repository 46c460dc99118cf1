"""Verify observations against their proofs, and name each that was not written here."""

from collections.abc import Callable, Iterator

from apps.reference.signals import row_macs
from apps.reference.signals.models import Observation

AT_ONCE = 5000


def verify_observations(progress: Callable[[int], None]) -> Iterator[str]:
    """Yield the observations that do not prove themselves."""
    holds, seen = row_macs.make_proof_check(), 0
    rows = Observation.objects.order_by("pk").values_list("pk", *row_macs.COLUMNS)
    for pk, *recorded in rows.iterator(chunk_size=AT_ONCE):
        seen += 1
        if not holds(tuple(recorded)):
            yield f"observation {pk} ({recorded[0]} of {recorded[1]}): its MAC is not valid"
        if seen % AT_ONCE == 0:
            progress(seen)
    progress(seen)
