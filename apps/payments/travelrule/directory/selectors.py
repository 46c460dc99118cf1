"""Read the directory: entries that pass their integrity check, and which serves a creditor."""

import logging
from collections.abc import Iterable, Sequence
from datetime import date

from django.db.models import Q

from apps.compliance.payees import wallets
from apps.payments.travelrule.models import Served, Vasp, VaspRecord
from apps.payments.travelrule.rules.directory import (
    RESOLUTION_RULES,
    Creditor,
    ResolutionRule,
    is_served_by,
)
from apps.platform.ledger.verification.verified_reads import filter_verified_records

logger = logging.getLogger(__name__)
AT_ONCE = 500  # parameters of one statement


def select_verified_entries(vasps: Iterable[Vasp]) -> list[Vasp]:
    """Return the entries that match their newest records; one query.

    An entry that was altered, or set back to an earlier version, is logged and left out.
    """
    entries = list(vasps)
    newest: dict[str, VaspRecord] = {}
    rows = VaspRecord.objects.filter(lei__in=[vasp.lei for vasp in entries]).order_by(
        "version", "pk"
    )
    for row in rows:
        newest[row.lei] = row
    ours = {
        vasp_record.lei: vasp_record for vasp_record in filter_verified_records(newest.values())
    }
    verified_entries = []
    for entry in entries:
        record = ours.get(entry.lei)
        if record and (record.version, record.data["stands"]) == (entry.version, entry.stands):
            verified_entries.append(entry)
        else:
            logger.error("the directory entry of %s failed its integrity check", entry.lei)
    return verified_entries


def load_live_entries(on: date) -> list[Vasp]:
    """Return the verified entries that are valid on a day; two queries."""
    until = Q(valid_until=None) | Q(valid_until__gte=on)
    rows = Vasp.objects.filter(until, valid_from__lte=on).order_by("pk")
    return select_verified_entries(rows) if rows else []


def load_entry(lei: str) -> tuple[Vasp | None, bool]:
    """Return the entry of an LEI, None if there is none, and whether it passes its check."""
    vasp = Vasp.objects.filter(lei=lei).first()
    return vasp, bool(vasp and select_verified_entries([vasp]))


def build_creditor(*, wallet: str, lei: str) -> Creditor:
    """Return what a creditor is looked up by; its wallet in canonical form."""
    return Creditor(wallets.normalize_wallet(wallet), lei)


def find_serving_entries(
    creditors: Sequence[Creditor], *, on: date
) -> list[tuple[Vasp, ResolutionRule] | None]:
    """Return for each creditor the entry that serves it on a day, and by which row.

    None if there is no entry, or more than one. Three queries for each 500 wallets and LEIs.
    """
    searched = {
        value for creditor in creditors for value in (creditor.wallet, creditor.lei) if value
    }
    verified_entries = (
        [
            verified_entry
            for verified_entry in select_verified_entries(_find_candidates(sorted(searched)))
            if verified_entry.live(on)
        ]
        if searched
        else []
    )
    return [_choose_serving_entry(creditor, verified_entries) for creditor in creditors]


def _find_candidates(asked: list[str]) -> list[Vasp]:
    vasps: dict[int, Vasp] = {}
    for start in range(0, len(asked), AT_ONCE):
        batch = asked[start : start + AT_ONCE]
        by_list = Served.objects.filter(what__in=batch).values("vasp")
        for vasp in Vasp.objects.filter(Q(pk__in=by_list) | Q(lei__in=batch)):
            vasps[vasp.pk] = vasp
    return list(vasps.values())


def _choose_serving_entry(
    creditor: Creditor, vasps: Sequence[Vasp]
) -> tuple[Vasp, ResolutionRule] | None:
    for row in RESOLUTION_RULES:
        serving = [vasp for vasp in vasps if is_served_by(creditor, row, vasp.stated())]
        # Two entries claim the creditor: personal data is not sent on a guess, and a weaker row
        # decides nothing either.
        if serving:
            return (serving[0], row) if len(serving) == 1 else None
    return None
