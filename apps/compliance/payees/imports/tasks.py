"""Works an import off, some lines at a time; cut off anywhere, it continues where it stopped."""

from collections.abc import Callable
from datetime import datetime

from apps.compliance.payees.imports.line_outcomes import (
    LineOutcome,
    LineTaken,
    preview_line,
    save_line_outcome,
    submit_line,
)
from apps.compliance.payees.models import ImportLine, Stage, WalletImport
from apps.compliance.payees.rules.import_lines import LineFacts, classify_line, retry_delay
from apps.platform.common.problems import Conflict, Unavailable
from apps.platform.jobs import job_queue

# lines of one run: were each to wait for GLEIF to its deadline, it is half the job's lease
AT_ONCE = 200
Progress = Callable[[ImportLine], None]


def check_import(key: str, now: datetime) -> None:
    """Foresee what lines would come to; comes again while some are left."""
    batch = WalletImport.objects.get(pk=int(key))
    if not check_next_lines(batch, now=now):
        raise job_queue.RetryLater(now)


def check_next_lines(
    batch: WalletImport, *, now: datetime, progress: Progress = lambda line: None
) -> bool:
    """Foresee the next lines; True when none are left, and the import is checked."""
    # in their order: of a wallet that comes twice the first line counts
    for line in batch.lines.unforeseen()[:AT_ONCE]:
        line_outcome = preview_line(line, now=now)
        ImportLine.objects.filter(pk=line.pk, foreseen="").update(
            foreseen=line_outcome.code,
            foreseen_review=line_outcome.review,
            foreseen_why=line_outcome.why,
            gleif_name=line_outcome.gleif_name,
            wallet=line_outcome.wanted.wallet.address if line_outcome.wanted else "",
            lei=line_outcome.wanted.submitted.lei if line_outcome.wanted else "",
            registration=line_outcome.registration,
        )
        progress(line)
    # another run may still be at work on some
    if batch.lines.unforeseen().exists():
        return False
    batch.move_stage(frm=Stage.CHECKING, to=Stage.CHECKED)
    return True


def run_import(key: str, now: datetime) -> None:
    """Submit lines; comes again while some are left, later for those put off."""
    batch = WalletImport.objects.select_related("started_by").get(pk=int(key))
    if batch.stage != Stage.RUNNING:
        return
    if (again := run_next_lines(batch, now=now)) is not None:
        raise job_queue.RetryLater(again)


def run_next_lines(
    batch: WalletImport, *, now: datetime, progress: Progress = lambda line: None
) -> datetime | None:
    """Submit the next lines; return when there is more to do.

    None when all are done, or the import was stopped.
    """
    for line in batch.lines.due(now)[:AT_ONCE]:
        # asked before each line: a registrar who stops an import expects it to stop now
        if _is_stopped(batch):
            return None
        try:
            submit_line(line, batch=batch, now=now)
        except LineTaken:
            continue
        except (Unavailable, Conflict) as error:
            _postpone_line(line, error.detail, now)
        progress(line)
    if _is_stopped(batch):
        return None
    left = batch.lines.open().order_by("retry_at")
    # more than one run takes, or lines that came due meanwhile
    if batch.lines.due(now).exists():
        return now
    if (first := left.first()) is not None and first.retry_at is not None:
        return first.retry_at
    batch.move_stage(frm=Stage.RUNNING, to=Stage.DONE, finished_at=now)
    return None


def _is_stopped(batch: WalletImport) -> bool:
    return WalletImport.objects.filter(pk=batch.pk, stage=Stage.STOPPED).exists()


def _postpone_line(line: ImportLine, why: str, now: datetime) -> None:
    """Leave a line for later; after the last wait it is done with, and says why."""
    tries = line.tries + 1
    later = retry_delay(tries)
    if later is None:
        save_line_outcome(
            line, LineOutcome(classify_line(LineFacts(missing=why)).code, why), now=now
        )
        return
    ImportLine.objects.filter(pk=line.pk, outcome="").update(
        tries=tries, retry_at=now + later, outcome_why=why
    )
