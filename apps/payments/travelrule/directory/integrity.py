"""Verify the directory against the ledger of its changes."""

from collections import defaultdict
from collections.abc import Callable, Iterator

from apps.payments.travelrule.directory.selectors import select_verified_entries
from apps.payments.travelrule.models import Served, Vasp, VaspRecord


def verify_directory(progress: Callable[[int], None]) -> Iterator[str]:
    """Yield a fault for each entry that was altered, is missing, or is indexed wrongly."""
    vasps = list(Vasp.objects.order_by("pk"))
    ours = {verified_entry.pk for verified_entry in select_verified_entries(vasps)}
    served: dict[int, set[str]] = defaultdict(set)
    for vasp, what in Served.objects.values_list("vasp", "what").iterator():
        served[vasp].add(what)
    for entry in vasps:
        if entry.pk not in ours:
            yield f"the directory's entry of {entry.lei} differs from its record"
        elif served[entry.pk] != {*entry.wallets, *entry.leis}:
            yield f"the directory's entry of {entry.lei} is indexed by other wallets than it serves"
    recorded = set(VaspRecord.objects.values_list("lei", flat=True).distinct())
    for lei in sorted(recorded - {entry.lei for entry in vasps}):
        yield f"the directory's entry of {lei} is recorded, but its row is missing"
    progress(len(vasps))
