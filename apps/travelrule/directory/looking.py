"""Reads the directory: entries that are as they were recorded, and who serves a creditor."""

import logging
from collections.abc import Iterable, Sequence
from datetime import date

from django.db.models import Q

from apps.core.chain import proven
from apps.registry import wallets
from apps.travelrule.models import Served, Vasp, VaspRecord
from apps.travelrule.rules.directory import RESOLVES, Creditor, Row, served_by

logger = logging.getLogger(__name__)
AT_ONCE = 500  # parameters of one statement


def proved(vasps: Iterable[Vasp]) -> list[Vasp]:
    """Return the entries that are as their newest records have them; one query.

    An entry that was altered, or set back to an earlier version, is logged and not believed.
    """
    held = list(vasps)
    newest: dict[str, VaspRecord] = {}
    rows = VaspRecord.objects.filter(lei__in=[one.lei for one in held]).order_by("version", "pk")
    for row in rows:
        newest[row.lei] = row
    ours = {one.lei: one for one in proven(newest.values())}
    found = []
    for one in held:
        record = ours.get(one.lei)
        if record and (record.version, record.data["stands"]) == (one.version, one.stands):
            found.append(one)
        else:
            logger.error("the directory's entry of %s is not as it was recorded", one.lei)
    return found


def live(on: date) -> list[Vasp]:
    """Return the proved entries that hold on a day; two queries."""
    until = Q(valid_until=None) | Q(valid_until__gte=on)
    rows = Vasp.objects.filter(until, valid_from__lte=on).order_by("pk")
    return proved(rows) if rows else []


def entry(lei: str) -> tuple[Vasp | None, bool]:
    """Return the entry of an LEI, None where there is none, and whether it is proved."""
    found = Vasp.objects.filter(lei=lei).first()
    return found, bool(found and proved([found]))


def creditor_of(*, wallet: str, lei: str) -> Creditor:
    """Return by what a creditor is looked up; its wallet in its one form."""
    return Creditor(one_form(wallet), lei)


def one_form(wallet: str) -> str:
    """Return a wallet in its one form (registry.wallets); what is none stays as it is."""
    try:
        return wallets.read(wallet).address if wallet else ""
    except wallets.BadWallet:
        return wallet


def serving(creditors: Sequence[Creditor], *, on: date) -> list[tuple[Vasp, Row] | None]:
    """Return for each creditor the entry that serves it on a day, and by which row.

    None where there is none, and where several would do: nobody guesses where names go. Three
    queries for each 500 wallets and LEIs.
    """
    asked = {one for each in creditors for one in (each.wallet, each.lei) if one}
    held = [one for one in proved(_candidates(sorted(asked))) if one.live(on)] if asked else []
    return [_serving(one, held) for one in creditors]


def _candidates(asked: list[str]) -> list[Vasp]:
    found: dict[int, Vasp] = {}
    for start in range(0, len(asked), AT_ONCE):
        some = asked[start : start + AT_ONCE]
        by_list = Served.objects.filter(what__in=some).values("vasp")
        for one in Vasp.objects.filter(Q(pk__in=by_list) | Q(lei__in=some)):
            found[one.pk] = one
    return list(found.values())


def _serving(creditor: Creditor, held: Sequence[Vasp]) -> tuple[Vasp, Row] | None:
    for row in RESOLVES:
        found = [one for one in held if served_by(creditor, row, one.stated())]
        if found:
            return (found[0], row) if len(found) == 1 else None
    return None
