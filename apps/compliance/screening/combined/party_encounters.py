"""Remember the parties of screens for later lists, and verify them against the records."""

import json
from collections.abc import Callable, Iterator
from typing import Any

from django.db.models import Max

from apps.compliance.screening.combined.requests import ScreenRequest, parse_screen_request
from apps.compliance.screening.models import Screen
from apps.compliance.screening.rules import screen as screen_rules
from apps.platform.common.batches import iter_chunks
from apps.platform.db.parallel_scan import WHOLE, Span, filter_span
from apps.platform.ledger.models import PurgeEvent
from apps.reference.watchlists.match_effects import schema_of_subject
from apps.reference.watchlists.models import Party, PartyKind
from apps.reference.watchlists.services.screened_parties import PartyEncounter, build_party

BATCH = 500


def build_encounters(*, screen_request: ScreenRequest, screen: Screen) -> list[PartyEncounter]:
    """Return a screen's parties, by each name, to be screened against later lists."""
    return [
        PartyEncounter(
            kind=PartyKind.SCREENED,
            schema=schema_of_subject(screen_request.subject),
            name=name,
            # a payment's destination says nothing of the party itself
            country=screen_request.nationality,
            birth_date=screen_request.birth_date,
            reference=f"screen:{screen.screen_id}",
            owner=screen.owner,
            lei=screen_request.lei,
            wallet=screen_request.wallet_address,
            address=screen_request.address,
            identifiers=screen_request.identifiers,
            pep=screen_rules.needs_pep(
                individual=screen_request.individual, payment_type=screen_request.payment_type
            ),
        )
        for name in screen_request.subject.names
    ]


def verify_screened_parties(progress: Callable[[int], None], span: Span = WHOLE) -> Iterator[str]:
    """Yield screens whose party would not be screened against later lists.

    Then parties that differ from the screened ones.
    """
    # a party is removed with its last screen, even if a hold keeps an older one: its absence means
    # nothing for screens before the last purged one
    purged = PurgeEvent.objects.filter(of_ledger=Screen.LEDGER)
    since = purged.aggregate(last=Max("record_id"))["last"] or 0
    rows = Screen.objects.exclude(payload="").filter(pk__gt=since).order_by("pk")
    screens = filter_span(
        rows.only("pk", "payload", "screen_id", "owner", "recorded_at"), "pk", span
    )
    for batch in iter_chunks(screens.iterator(BATCH), BATCH):
        expected = {screen.pk: _party_digests(screen) for screen in batch}
        digests = {digest for of_screen in expected.values() for digest in of_screen}
        stored = set(Party.objects.filter(digest__in=digests).values_list("digest", flat=True))
        for number, digests_of_screen in expected.items():
            if digests_of_screen - stored:
                yield f"screen {number}: its party is not screened against later lists"
        progress(len(batch))
    # parties are checked once, by the process that takes the first range of screens
    if span[0] is None:
        for party in Party.objects.order_by("pk").iterator(BATCH):
            if party.digest != party.digest_of_columns() or not party.keys_fit:
                yield f"party {party.pk}: it is not the one that came up"


def _party_digests(screen: Screen) -> set[str]:
    request: dict[str, Any] = json.loads(screen.payload).get("request", {})
    if "entityType" not in request:  # nothing in the record says whom it was about
        return set()
    encounters = build_encounters(screen_request=parse_screen_request(request), screen=screen)
    return {build_party(encounter, screen.recorded_at).digest for encounter in encounters}
