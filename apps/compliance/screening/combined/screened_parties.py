"""Parties of screens: remembered for later lists, and verified against the records of screens."""

import json
from collections.abc import Callable, Iterator
from typing import Any

from django.db.models import Max

from apps.compliance.screening.combined.requests import ScreenRequest, parse_screen_request
from apps.compliance.screening.models import Screen
from apps.compliance.screening.rules import screen as rules
from apps.platform.common.batches import iter_chunks
from apps.platform.db.parallel_scan import WHOLE, Span, filter_span
from apps.platform.ledger.models import PurgeEvent
from apps.reference.watchlists.match_effects import schema_of_subject
from apps.reference.watchlists.models import Party, PartyKind
from apps.reference.watchlists.services.screened_parties import PartyEncounter, build_party

BATCH = 500


def build_encounters(*, asked: ScreenRequest, screen: Screen) -> list[PartyEncounter]:
    """Return whom a screen was about, by each name, as later lists are held against them."""
    return [
        PartyEncounter(
            kind=PartyKind.SCREENED,
            schema=schema_of_subject(asked.subject),
            name=name,
            country=asked.nationality,  # a payment's destination says nothing of the party itself
            birth_date=asked.birth_date,
            reference=f"screen:{screen.screen_id}",
            owner=screen.owner,
            lei=asked.lei,
            wallet=asked.wallet_address,
            address=asked.address,
            identifiers=asked.identifiers,
            pep=rules.needs_pep(individual=asked.individual, payment_type=asked.payment_type),
        )
        for name in asked.subject.names
    ]


def verify_screened_parties(progress: Callable[[int], None], span: Span = WHOLE) -> Iterator[str]:
    """Yield screens whose party no later list would be held against.

    Then parties that are not those that came up. A party leaves with the last screen of it, also
    where a hold keeps an older one: screens before the last that was purged are not looked at.
    """
    purged = PurgeEvent.objects.filter(of_ledger=Screen.LEDGER)
    since = purged.aggregate(last=Max("record_id"))["last"] or 0
    rows = Screen.objects.exclude(payload="").filter(pk__gt=since).order_by("pk")
    read = filter_span(rows.only("pk", "payload", "screen_id", "owner", "recorded_at"), "pk", span)
    for batch in iter_chunks(read.iterator(BATCH), BATCH):
        due = {one.pk: _party_digests(one) for one in batch}
        digests = {digest for found in due.values() for digest in found}
        there = set(Party.objects.filter(digest__in=digests).values_list("digest", flat=True))
        for number, found in due.items():
            if found - there:
                yield f"screen {number}: whom it was about is not held against later lists"
        progress(len(batch))
    if span[0] is None:  # once, beside the first stretch
        yield from _find_altered_parties()


def _party_digests(screen: Screen) -> set[str]:
    request: dict[str, Any] = json.loads(screen.payload).get("request", {})
    if "entityType" not in request:  # nothing in the record says whom it was about
        return set()
    met = build_encounters(asked=parse_screen_request(request), screen=screen)
    return {build_party(one, screen.recorded_at).digest for one in met}


def _find_altered_parties() -> Iterator[str]:
    for party in Party.objects.order_by("pk").iterator(BATCH):
        if party.digest != party.digest_of_columns() or not party.keys_fit:
            yield f"party {party.pk}: it is not the one that came up"
