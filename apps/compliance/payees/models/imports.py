"""Files of registrations, and each of their lines: what would become of it, and what did."""

from datetime import datetime
from typing import TYPE_CHECKING, Any, ClassVar, Self

from django.conf import settings
from django.db import models
from django.db.models import Q

from apps.compliance.payees.models.registrations import Registration
from apps.compliance.payees.rules.import_lines import AFTER, BEFORE, CODES
from apps.compliance.payees.wallets import LONGEST_WALLET

if TYPE_CHECKING:
    from django.contrib.auth.models import User

KNOWN = ("", *CODES)


class Stage(models.TextChoices):
    """How far an import came."""

    CHECKING = "CHECKING", "Being checked"
    CHECKED = "CHECKED", "Checked, not started"
    RUNNING = "RUNNING", "Being registered"
    STOPPED = "STOPPED", "Stopped"
    DONE = "DONE", "Done"


class WalletImport(models.Model):
    """A file of registrations: uploaded, checked line by line, started by a person, worked off."""

    digest = models.CharField("SHA-256 of the file", max_length=64)
    name = models.CharField("file", max_length=200)
    total = models.PositiveIntegerField("lines")
    stage = models.CharField(max_length=8, choices=Stage, default=Stage.CHECKING)
    uploaded_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+"
    )
    uploaded_at = models.DateTimeField()
    started_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, on_delete=models.PROTECT, related_name="+"
    )
    started_at = models.DateTimeField(null=True)
    finished_at = models.DateTimeField(null=True)
    # when its lines were removed, and what they had come to: groups as the page counts them
    emptied_at = models.DateTimeField(null=True)
    sums = models.JSONField(default=list, blank=True)

    class Meta:
        verbose_name = "import of wallets"
        verbose_name_plural = "imports of wallets"
        ordering: ClassVar[list[str]] = ["-pk"]
        default_permissions = ("view",)
        constraints: ClassVar[list[Any]] = [
            models.UniqueConstraint(
                fields=["digest"], condition=Q(emptied_at=None), name="wallet_import_once"
            ),
            models.CheckConstraint(
                condition=Q(started_by__isnull=True, started_at__isnull=True)
                | Q(started_by__isnull=False, started_at__isnull=False),
                name="wallet_import_started_by_somebody",
            ),
            models.CheckConstraint(
                condition=Q(stage__in=["CHECKING", "CHECKED"]) | Q(started_at__isnull=False),
                name="wallet_import_started_before_run",
            ),
        ]

    def __str__(self) -> str:
        return f"Import {self.pk}: {self.name}"

    def move_stage(self, *, frm: Stage, to: Stage, **changes: Any) -> bool:
        """Move to another stage by compare-and-set; False when it is not in that one any more.

        An import whose lines were removed does not continue.
        """
        wallet_imports = WalletImport.objects.filter(pk=self.pk, stage=frm, emptied_at=None)
        # one statement, so that of two who move it at once one loses
        won = bool(wallet_imports.update(stage=to, **changes))
        if won:
            self.refresh_from_db()
        return won


class LineQuerySet(models.QuerySet["ImportLine"]):
    def unforeseen(self) -> Self:
        """Return the lines that were not checked yet, in their order."""
        return self.filter(foreseen="").order_by("number")

    def open(self) -> Self:
        """Return the lines that are still to be submitted."""
        return self.filter(outcome="")

    def due(self, now: datetime) -> Self:
        """Return the open lines whose turn it is, in their order."""
        return self.open().filter(Q(retry_at=None) | Q(retry_at__lte=now)).order_by("number")


class ImportLine(models.Model):
    """A line of a file; `foreseen` and `outcome` are codes of rules/import_lines.py."""

    batch = models.ForeignKey(WalletImport, on_delete=models.CASCADE, related_name="lines")
    number = models.PositiveIntegerField()
    given = models.JSONField()
    wallet = models.CharField(max_length=LONGEST_WALLET, blank=True)
    lei = models.CharField(max_length=20, blank=True)
    foreseen = models.CharField(max_length=9, blank=True)
    foreseen_review = models.BooleanField(default=False)
    foreseen_why = models.TextField(blank=True)
    gleif_name = models.CharField(max_length=500, blank=True)
    outcome = models.CharField(max_length=9, blank=True)
    review = models.BooleanField(default=False)
    outcome_why = models.TextField(blank=True)
    tries = models.PositiveSmallIntegerField(default=0)
    retry_at = models.DateTimeField(null=True)
    registration = models.ForeignKey(
        Registration, null=True, on_delete=models.PROTECT, related_name="+"
    )
    done_at = models.DateTimeField(null=True)

    objects = LineQuerySet.as_manager()

    class Meta:
        default_permissions = ()
        constraints: ClassVar[list[Any]] = [
            models.UniqueConstraint(fields=["batch", "number"], name="import_line_once"),
            models.CheckConstraint(
                condition=Q(foreseen__in=KNOWN, outcome__in=KNOWN), name="import_line_code_known"
            ),
            models.CheckConstraint(
                condition=Q(outcome="", done_at__isnull=True)
                | (~Q(outcome="") & Q(done_at__isnull=False)),
                name="import_line_done_when",
            ),
        ]
        indexes: ClassVar[list[Any]] = [
            models.Index(fields=["batch", "foreseen", "number"], name="import_line_foreseen"),
            models.Index(fields=["batch", "outcome", "number"], name="import_line_outcome"),
            models.Index(fields=["batch", "wallet", "number"], name="import_line_wallet"),
            models.Index(fields=["batch", "lei", "number"], name="import_line_lei"),
        ]

    def __str__(self) -> str:
        return f"Line {self.number} of import {self.batch_id}"

    @property
    def before(self) -> str:
        """What would become of it, in words."""
        return BEFORE.get(self.foreseen, "")

    @property
    def after(self) -> str:
        """What became of it, in words."""
        return AFTER.get(self.outcome, "")


def start_if_ready(batch: WalletImport, *, by: "User", now: datetime) -> bool:
    """Start a checked or stopped import; False if it was already started.

    Later registrations are recorded in the name of the user who started it last.
    """
    return any(
        batch.move_stage(frm=frm, to=Stage.RUNNING, started_by=by, started_at=now)
        for frm in (Stage.CHECKED, Stage.STOPPED)
    )
