"""Verify the keys by which screens are found against the sealed screens."""

import json
from collections.abc import Callable, Iterator
from typing import Any

from django.db.models import Exists, OuterRef

from apps.compliance.screening.models import FindKey, Screen
from apps.compliance.screening.models.screens import keys_of_request
from apps.platform.common.batches import iter_chunks
from apps.platform.db.parallel_scan import WHOLE, Span, filter_span
from apps.platform.ledger.verification.verified_reads import split_records

BATCH = 500


def split_screens(processes: int) -> list[Span]:
    """Return ranges of screens that several processes can compare at once."""
    return split_records(Screen.LEDGER, processes)


def verify_find_keys(progress: Callable[[int], None], span: Span = WHOLE) -> Iterator[str]:
    """Yield the screens whose search keys are not those of their request."""
    done = 0
    for batch in iter_chunks(_iterate_screens(Screen, span), BATCH):
        keys_by_screen: dict[int, set[str]] = {record.pk: set() for record in batch}
        find_keys = FindKey.objects.filter(screen__in=keys_by_screen).values_list(
            "screen_id", "key"
        )
        for pk, key in find_keys:
            keys_by_screen[pk].add(key)
        for screen in batch:
            if keys_by_screen[screen.pk] != keys_of_request(
                json.loads(screen.payload).get("request", {})
            ):
                yield f"screen {screen.pk}: its search keys do not match its request"
        done += len(batch)
        progress(done)


def verify_no_stale_keys(progress: Callable[[int], None], span: Span = WHOLE) -> Iterator[str]:
    """Yield the screens that still have search keys although they are purged or deleted."""
    screens = Screen.objects.filter(pk=OuterRef("screen_id")).exclude(payload="")
    left = filter_span(FindKey.objects.filter(~Exists(screens)), "screen_id", span).order_by(
        "screen_id"
    )
    for pk in left.values_list("screen_id", flat=True).distinct():
        yield f"screen {pk}: its search keys remain after it was purged or deleted"


def _iterate_screens(screens: Any, span: Span = WHOLE) -> Iterator[Any]:
    rows = screens.objects.exclude(payload="").only("pk", "payload").order_by("pk")
    yield from filter_span(rows, "pk", span).iterator(BATCH)
