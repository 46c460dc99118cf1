"""The examiner's page of ledgers and their status."""

from dataclasses import dataclass
from typing import Any

from django.contrib import admin
from django.core.exceptions import PermissionDenied
from django.db.models import Q
from django.http import HttpRequest, HttpResponse
from django.urls import path

from apps.platform.desk.base_admin import ReadOnlyAdmin
from apps.platform.desk.entries import LEDGER_NOTES
from apps.platform.ledger.models import LedgerHead, Seal
from apps.platform.ledger.records import GENESIS, LedgerRecord, ledger_models
from apps.platform.ledger.verification.verified_reads import find_unsealed_fault, unsealed_records

MOST_CHECKED = 500  # unsealed records that are checked per ledger


@dataclass(frozen=True, slots=True)
class LedgerStatus:
    """The status of one ledger."""

    name: str
    title: str
    sealed: int
    waiting: int
    refused: int
    digest: str
    note: str


@admin.register(LedgerHead)
class LedgerAdmin(ReadOnlyAdmin):
    """The status of the ledgers, only of those whose records the reader may see."""

    def get_urls(self) -> list[Any]:
        return [path("", self.page_view(self.changelist_view), name="core_ledgerhead_changelist")]

    def changelist_view(self, request: HttpRequest, extra_context: Any = None) -> HttpResponse:
        if not self.has_view_permission(request):
            raise PermissionDenied
        shown = {
            name: model
            for name, model in sorted(ledger_models().items())
            if request.user.has_perm(f"{model._meta.app_label}.view_{model._meta.model_name}")
        }
        heads = LedgerHead.objects.in_bulk(list(shown))
        rows = [_build_ledger_status(name, model, heads.get(name)) for name, model in shown.items()]
        return self.draw(request, "desk/ledgers.html", {"title": "Ledgers", "rows": rows})


def _build_ledger_status(
    name: str, model: type[LedgerRecord], head: LedgerHead | None
) -> LedgerStatus:
    """Return a ledger's status; count only behind the watermark: before it everything is sealed."""
    # up to the watermark everything is sealed, and counting a whole ledger takes long
    below = head.watermark if head else 0
    records = model._default_manager.filter(pk__gt=below).count()
    sealed = Seal.objects.filter(Q(ledger=name), record_id__gt=below).count()
    refused = _count_unsealable_records(model, below) if records > sealed else 0
    return LedgerStatus(
        name=name,
        title=str(model._meta.verbose_name_plural),
        sealed=head.position if head else 0,
        waiting=max(0, records - sealed - refused),
        refused=refused,
        digest=head.digest if head else GENESIS,
        note=LEDGER_NOTES[name]() if name in LEDGER_NOTES else "",
    )


def _count_unsealable_records(model: type[LedgerRecord], below: int) -> int:
    """Count unsealed records that this platform did not write, which are never sealed.

    Checks only the first of those that wait: a larger count would tell the operator no more.
    """
    waiting = list(unsealed_records(model, below)[:MOST_CHECKED])
    seals = Seal.objects.filter(ledger=model.LEDGER)
    known = set(
        seals.filter(content__in=[record.content_hash() for record in waiting]).values_list(
            "content", flat=True
        )
    )
    return sum(bool(find_unsealed_fault(record, known)) for record in waiting)
