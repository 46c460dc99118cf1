"""Verify the register of entities, row by row."""

from collections.abc import Callable, Iterator

from apps.reference.lei.models import GleifFile, LeiRecord, Relationship, ReportingException
from apps.reference.lei.row_macs import COVERED, make_verifier

AT_ONCE = 5000


def verify_lei_rows(progress: Callable[[int], None]) -> Iterator[str]:
    """Yield the rows of live copies that this platform did not import so."""
    live = dict(GleifFile.objects.filter(state="LIVE").values_list("pk", "source"))
    for model in (LeiRecord, Relationship, ReportingException):
        name, done = model.__name__, 0
        holds = make_verifier(name) if live else None
        columns = ("pk", "file_id", "proof", *COVERED[name])
        rows = model._default_manager.filter(file__in=list(live)).order_by("pk")
        for pk, file_id, proof, *values in rows.values_list(*columns).iterator(AT_ONCE):
            if holds is not None and not holds(proof, values, live[file_id]):
                yield f"{model._meta.verbose_name} {pk} ({values[0]}): it differs from its import"
            done += 1
            if done % AT_ONCE == 0:
                progress(done)
        progress(done)
