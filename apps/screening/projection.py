"""What screens are found by: keys of their parties."""

import json
from collections.abc import Callable, Iterator
from typing import Any

from django.db.models import Exists, OuterRef

from apps.core.batches import chunks
from apps.core.chain import records_apart
from apps.core.side_by_side import WHOLE, Span, within
from apps.screening.models import FindKey, Screen
from apps.screening.models.screens import keys_asked

BATCH = 500


def parts(processes: int) -> list[Span]:
    """Return the stretches of screens that can be compared at once."""
    return records_apart(Screen.LEDGER, processes)


def compare_keys(progress: Callable[[int], None], span: Span = WHOLE) -> Iterator[str]:
    """Yield which screens are not found by whom they are about."""
    done = 0
    for batch in chunks(_told(Screen, span), BATCH):
        held: dict[int, set[str]] = {one.pk: set() for one in batch}
        found = FindKey.objects.filter(screen__in=held).values_list("screen_id", "key")
        for pk, key in found:
            held[pk].add(key)
        for one in batch:
            if held[one.pk] != _about(one):
                yield f"screen {one.pk}: it is not found by whom it is about"
        done += len(batch)
        progress(done)


def compare_left(progress: Callable[[int], None], span: Span = WHOLE) -> Iterator[str]:
    """Yield which screens are still found by whom they were about, though purged or gone."""
    told = Screen.objects.filter(pk=OuterRef("screen_id")).exclude(payload="")
    left = within(FindKey.objects.filter(~Exists(told)), "screen_id", span).order_by("screen_id")
    for pk in left.values_list("screen_id", flat=True).distinct():
        yield f"screen {pk}: whom it was about can still be found"


def _told(screens: Any, span: Span = WHOLE) -> Iterator[Any]:
    found = screens.objects.exclude(payload="").only("pk", "payload").order_by("pk")
    yield from within(found, "pk", span).iterator(BATCH)


def _about(screen: Any) -> set[str]:
    return keys_asked(json.loads(screen.payload).get("request", {}))
