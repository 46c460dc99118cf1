"""Examiners' page: where the ledgers stand."""

from dataclasses import dataclass
from typing import Any

from django.contrib import admin
from django.core.exceptions import PermissionDenied
from django.db.models import Q
from django.http import HttpRequest, HttpResponse
from django.urls import path
from django.utils.module_loading import import_string

from apps.core.chain import unsealed, waiting_fault
from apps.core.ledger import GENESIS, LedgerRecord, ledgers
from apps.core.models import LedgerHead, Seal
from apps.desk.pages import ReadOnly
from config.desk import LEDGER_NOTES

LOOKED_AT = 500  # of the records of a ledger that wait


@dataclass(frozen=True, slots=True)
class Standings:
    """Where one ledger stands."""

    name: str
    title: str
    sealed: int
    waiting: int
    refused: int
    digest: str
    note: str


@admin.register(LedgerHead)
class LedgerAdmin(ReadOnly):
    """Where the ledgers stand: only those whose records the reader may see."""

    def get_urls(self) -> list[Any]:
        return [path("", self.page_view(self.changelist_view), name="core_ledgerhead_changelist")]

    def changelist_view(self, request: HttpRequest, extra_context: Any = None) -> HttpResponse:
        if not self.has_view_permission(request):
            raise PermissionDenied
        shown = {
            name: model
            for name, model in sorted(ledgers().items())
            if request.user.has_perm(f"{model._meta.app_label}.view_{model._meta.model_name}")
        }
        heads = LedgerHead.objects.in_bulk(list(shown))
        rows = [_standing(name, model, heads.get(name)) for name, model in shown.items()]
        return self.draw(request, "desk/ledgers.html", {"title": "Ledgers", "rows": rows})


def _standing(name: str, model: type[LedgerRecord], head: LedgerHead | None) -> Standings:
    """Count only behind the watermark: before it everything is sealed."""
    below = head.watermark if head else 0
    records = model._default_manager.filter(pk__gt=below).count()
    sealed = Seal.objects.filter(Q(ledger=name), record_id__gt=below).count()
    refused = _refused(model, below) if records > sealed else 0
    return Standings(
        name=name,
        title=str(model._meta.verbose_name_plural),
        sealed=head.position if head else 0,
        waiting=max(0, records - sealed - refused),
        refused=refused,
        digest=head.digest if head else GENESIS,
        note=import_string(LEDGER_NOTES[name])() if name in LEDGER_NOTES else "",
    )


def _refused(model: type[LedgerRecord], below: int) -> int:
    """Count unsealed records that this platform did not write: the sealer never takes them.

    Looks at the first of those that wait; more than so many say the same.
    """
    waiting = list(unsealed(model, below)[:LOOKED_AT])
    seals = Seal.objects.filter(ledger=model.LEDGER)
    known = set(
        seals.filter(content__in=[one.content_hash() for one in waiting]).values_list(
            "content", flat=True
        )
    )
    return sum(bool(waiting_fault(one, known)) for one in waiting)
