"""What screens are found by: keys of their parties."""

import json
from collections.abc import Callable, Iterator
from typing import Any

from django.db.models import Exists, OuterRef

from apps.compliance.screening.models import FindKey, Screen
from apps.compliance.screening.models.screens import keys_of_request
from apps.platform.common.batches import iter_chunks
from apps.platform.db.parallel_scan import WHOLE, Span, filter_span
from apps.platform.ledger.verification.hash_chain import split_records

BATCH = 500


def split_screens(processes: int) -> list[Span]:
    """Return the stretches of screens that can be compared at once."""
    return split_records(Screen.LEDGER, processes)


def verify_find_keys(progress: Callable[[int], None], span: Span = WHOLE) -> Iterator[str]:
    """Yield which screens are not found by whom they are about."""
    done = 0
    for batch in iter_chunks(_iterate_screens(Screen, span), BATCH):
        held: dict[int, set[str]] = {one.pk: set() for one in batch}
        found = FindKey.objects.filter(screen__in=held).values_list("screen_id", "key")
        for pk, key in found:
            held[pk].add(key)
        for one in batch:
            if held[one.pk] != _expected_keys(one):
                yield f"screen {one.pk}: it is not found by whom it is about"
        done += len(batch)
        progress(done)


def verify_no_stale_keys(progress: Callable[[int], None], span: Span = WHOLE) -> Iterator[str]:
    """Yield which screens are still found by whom they were about, though purged or gone."""
    screens = Screen.objects.filter(pk=OuterRef("screen_id")).exclude(payload="")
    left = filter_span(FindKey.objects.filter(~Exists(screens)), "screen_id", span).order_by(
        "screen_id"
    )
    for pk in left.values_list("screen_id", flat=True).distinct():
        yield f"screen {pk}: whom it was about can still be found"


def _iterate_screens(screens: Any, span: Span = WHOLE) -> Iterator[Any]:
    found = screens.objects.exclude(payload="").only("pk", "payload").order_by("pk")
    yield from filter_span(found, "pk", span).iterator(BATCH)


def _expected_keys(screen: Any) -> set[str]:
    return keys_of_request(json.loads(screen.payload).get("request", {}))
