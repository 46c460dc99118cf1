"""An import's steps by people: uploaded, started, and what could not be checked tried again."""

import hashlib
from datetime import datetime
from typing import TYPE_CHECKING

from django.db import IntegrityError, transaction
from django.db.models import F

from apps.compliance.payees.imports.csv_parser import FileLine, parse_lines
from apps.compliance.payees.models import ImportLine, Stage, WalletImport
from apps.compliance.payees.models.imports import start_if_ready
from apps.compliance.payees.rules.import_lines import UNFIT, LineFacts, classify_line
from apps.platform.common.problems import Conflict
from apps.platform.jobs import job_queue

if TYPE_CHECKING:
    from django.contrib.auth.models import User

CHECK, RUN = "registry.check_import", "registry.run_import"
BATCH = 500
UNCHECKED = "UNCHECKED"


class ImportNotReady(Conflict):
    """The import is not at the stage at which this can be done."""

    code, title = "import_not_ready", "The import cannot continue now"


def upload_wallet_file(
    *, content: bytes, name: str, by: "User", now: datetime
) -> tuple[WalletImport, bool]:
    """Store a file and schedule its check; return the import, and whether it is new.

    The same file again, from any user, is the existing import while its lines are kept. Raises
    ImportRefused for a file that is not a table of registrations.
    """
    # the file's identity: a second upload must not register everything twice
    digest = hashlib.sha256(content).hexdigest()
    same = WalletImport.objects.filter(digest=digest, emptied_at=None)
    if wallet_import := same.first():
        return wallet_import, False
    rows = [_build_line(line) for line in parse_lines(content)]
    try:
        with transaction.atomic():
            batch = WalletImport.objects.create(
                digest=digest,
                name=name[:200] or "without a name",
                total=len(rows),
                uploaded_by=by,
                uploaded_at=now,
            )
            for row in rows:
                row.batch = batch
            ImportLine.objects.bulk_create(rows, batch_size=BATCH)
            job_queue.enqueue_job(job=CHECK, key=str(batch.pk), now=now)
    except IntegrityError:  # the same file was uploaded at the same time
        # the constraint `wallet_import_once` refused this one
        return same.get(), False
    return batch, True


def _build_line(line: FileLine) -> ImportLine:
    row = ImportLine(number=line.number, given=line.given)
    if line.fault:
        row.foreseen, row.foreseen_why = classify_line(LineFacts(fault=line.fault)).code, line.fault
    return row


@transaction.atomic
def start_import(
    *, batch: WalletImport, by: "User", now: datetime, eta: datetime | None = None
) -> None:
    """Start an import whose lines are checked, or go on with one that was stopped; or
    ImportNotReady.

    Lines that cannot be submitted are done with. `eta`: when the job looks after it.
    """
    if not start_if_ready(batch, by=by, now=now):
        raise ImportNotReady("The import is still being checked or was already started.")
    # closed at the start, so that what is open is what is left to do
    for code in UNFIT:
        left_out = batch.lines.open().filter(foreseen=code)
        left_out.update(outcome=code, outcome_why=F("foreseen_why"), done_at=now)
    job_queue.enqueue_job(job=RUN, key=str(batch.pk), now=now, eta=eta)


def stop_import(*, batch: WalletImport) -> None:
    """Stop an import behind the line at which it is; ImportNotReady where it is not at work.

    Registered wallets stay; `start_import` continues with the remaining lines.
    """
    if not batch.move_stage(frm=Stage.RUNNING, to=Stage.STOPPED):
        raise ImportNotReady("The import is not running, so there is nothing to stop.")


@transaction.atomic
def retry_unchecked_lines(*, batch: WalletImport, now: datetime) -> int:
    """Check, or submit, again the lines for which GLEIF or the lists were not available.

    Returns how many; ImportNotReady if there are none, or the import is running.
    """
    undone = {"tries": 0, "retry_at": None}
    # before the start it is the check that is repeated, afterwards the submission
    if batch.move_stage(frm=Stage.CHECKED, to=Stage.CHECKING):
        lines = batch.lines.filter(foreseen=UNCHECKED)
        again, job = lines.update(foreseen="", foreseen_why="", **undone), CHECK
    elif batch.move_stage(frm=Stage.DONE, to=Stage.RUNNING, finished_at=None):
        lines = batch.lines.filter(outcome=UNCHECKED)
        again, job = lines.update(outcome="", outcome_why="", done_at=None, **undone), RUN
    else:
        raise ImportNotReady("The import is running: wait until it is done.")
    # raised inside the transaction: the change of stage is rolled back
    if not again:
        raise ImportNotReady("All lines could be checked: there is nothing to retry.")
    job_queue.enqueue_job(job=job, key=str(batch.pk), now=now)
    return again
