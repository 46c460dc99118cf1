"""Works an import off, some lines at a time; cut off anywhere, it goes on where it stopped."""

from collections.abc import Callable
from datetime import datetime

from apps.core import jobs
from apps.core.problems import Conflict, Unavailable
from apps.registry.importing.judging import Taken, Told, carry_out, foresee, keep
from apps.registry.models import ImportLine, Stage, WalletImport
from apps.registry.rules.importing import LineFacts, comes_to, wait

# lines of one run: were each to wait for GLEIF to its deadline, it is half the job's lease
AT_ONCE = 200
Progress = Callable[[ImportLine], None]


def check(key: str, now: datetime) -> None:
    """Foresee what lines would come to (config/jobs.py); comes again while some are left."""
    batch = WalletImport.objects.get(pk=int(key))
    if not check_some(batch, now=now):
        raise jobs.Again(now)


def check_some(
    batch: WalletImport, *, now: datetime, progress: Progress = lambda line: None
) -> bool:
    """Foresee the next lines; True when none are left, and the import is checked."""
    for line in batch.lines.unforeseen()[:AT_ONCE]:
        told = foresee(line, now=now)
        ImportLine.objects.filter(pk=line.pk, foreseen="").update(
            foreseen=told.code,
            foreseen_review=told.review,
            foreseen_why=told.why,
            gleif_name=told.gleif_name,
            wallet=told.wanted.wallet.address if told.wanted else "",
            lei=told.wanted.submitted.lei if told.wanted else "",
            registration=told.registration,
        )
        progress(line)
    if batch.lines.unforeseen().exists():
        return False
    batch.moved(frm=Stage.CHECKING, to=Stage.CHECKED)
    return True


def run(key: str, now: datetime) -> None:
    """Submit lines (config/jobs.py); comes again while some are left, later for those put off."""
    batch = WalletImport.objects.select_related("started_by").get(pk=int(key))
    if batch.stage != Stage.RUNNING:
        return
    if (again := run_some(batch, now=now)) is not None:
        raise jobs.Again(again)


def run_some(
    batch: WalletImport, *, now: datetime, progress: Progress = lambda line: None
) -> datetime | None:
    """Submit the next lines; return when there is more to do.

    None when all are done, or when somebody stopped the import.
    """
    for line in batch.lines.due(now)[:AT_ONCE]:
        if _stopped(batch):
            return None
        try:
            carry_out(line, batch=batch, now=now)
        except Taken:
            continue
        except (Unavailable, Conflict) as error:
            _put_off(line, error.detail, now)
        progress(line)
    if _stopped(batch):
        return None
    left = batch.lines.open().order_by("retry_at")
    if batch.lines.due(now).exists():
        return now
    if (first := left.first()) is not None and first.retry_at is not None:
        return first.retry_at
    batch.moved(frm=Stage.RUNNING, to=Stage.DONE, finished_at=now)
    return None


def _stopped(batch: WalletImport) -> bool:
    return WalletImport.objects.filter(pk=batch.pk, stage=Stage.STOPPED).exists()


def _put_off(line: ImportLine, why: str, now: datetime) -> None:
    """Leave a line for later; after the last wait it is done with, and says why."""
    tries = line.tries + 1
    later = wait(tries)
    if later is None:
        keep(line, Told(comes_to(LineFacts(missing=why)).code, why), now=now)
        return
    ImportLine.objects.filter(pk=line.pk, outcome="").update(
        tries=tries, retry_at=now + later, outcome_why=why
    )
