"""Verify payment files: each came so, and its counts are those of its judged transactions."""

from collections.abc import Callable, Iterator

from django.db.models import Count, Exists, OuterRef, Q

from apps.payments.payments.pain001.models import FilePiece, FileTransaction, Outcome, PaymentFile

AT_ONCE = 500


def verify_payment_files(progress: Callable[[int], None]) -> Iterator[str]:
    """Yield a fault in words for each file that differs from the one received, or is missing."""
    # a batch writes its lines and the file's counts in one transaction, and one statement reads
    # both: a batch that commits now shows no difference
    refused = Count("transactions", filter=Q(transactions__outcome=Outcome.REFUSED))
    files = PaymentFile.objects.annotate(lines=Count("transactions"), lines_refused=refused)
    done = 0
    for file in files.order_by("pk").iterator(AT_ONCE):
        yield from (f"payment file {file.pk}: {why}" for why in _find_file_faults(file))
        done += 1
        if done % AT_ONCE == 0:
            progress(AT_ONCE)
    progress(done % AT_ONCE)
    there = PaymentFile.objects.filter(pk=OuterRef("file"))
    for model in (FilePiece, FileTransaction):
        left = model._default_manager.filter(~Exists(there)).order_by("file")
        for number in left.values_list("file", flat=True).distinct():
            verbose_name_plural = model._meta.verbose_name_plural
            yield f"payment file {number}: its row is missing, but it has {verbose_name_plural}"


def _find_file_faults(file: PaymentFile) -> Iterator[str]:
    if file.fault:
        yield file.fault
    lines: int = file.lines  # type: ignore[attr-defined]
    refused: int = file.lines_refused  # type: ignore[attr-defined]
    if (file.done, file.refused) != (lines, refused):
        yield (
            f"{file.done} transactions are judged and {file.refused} of them refused, "
            f"it has {lines} and {refused}"
        )
    if (file.finished_at is not None) != (lines == file.total):
        yield f"it is {file.state}, and {lines} of {file.total} transactions are judged"
