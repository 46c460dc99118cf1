"""Observations held against their proofs: each that was not kept here is named."""

from collections.abc import Callable, Iterator

from apps.reference.signals import proofs
from apps.reference.signals.models import Observation

AT_ONCE = 5000


def verify_observations(progress: Callable[[int], None]) -> Iterator[str]:
    """Yield the observations that do not prove themselves."""
    holds, seen = proofs.make_proof_check(), 0
    rows = Observation.objects.order_by("pk").values_list("pk", *proofs.COLUMNS)
    for pk, *said in rows.iterator(chunk_size=AT_ONCE):
        seen += 1
        if not holds(tuple(said)):
            yield f"observation {pk} ({said[0]} of {said[1]}): it does not prove itself"
        if seen % AT_ONCE == 0:
            progress(seen)
    progress(seen)
