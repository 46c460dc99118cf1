"""What screens are found by: keys of their parties, and references of earlier releases."""

import json
from collections.abc import Callable, Iterator
from typing import Any

from django.db.models import Exists, OuterRef

from apps.core.batches import chunks
from apps.core.chain import records_apart
from apps.core.side_by_side import WHOLE, Span, within
from apps.screening.models import EarlierReference, FindKey, Screen
from apps.screening.models.screens import keys_asked

BATCH = 500


def remember(*, screens: Any, references: Any) -> None:
    """Note for every earlier screen what it is found by; both are models, as a migration has them.

    Again is harmless: what is noted already stays.
    """
    for batch in chunks(_earlier(screens), BATCH):
        rows = [references(screen_id=one.pk, key=key) for one in batch if (key := _key(one))]
        references.objects.bulk_create(rows, ignore_conflicts=True)


def find(*, screens: Any, keys: Any) -> None:
    """Note for every screen whom it is about; both are models, as a migration has them."""
    for batch in chunks(_told(screens), BATCH):
        rows = [keys(screen_id=one.pk, key=key) for one in batch for key in sorted(_about(one))]
        keys.objects.bulk_create(rows, ignore_conflicts=True, batch_size=BATCH)


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


def compare_references(progress: Callable[[int], None], span: Span = WHOLE) -> Iterator[str]:
    """Yield where a reference is not that of its screen, or stands beside it a second time."""
    done = 0
    for batch in chunks(_earlier(Screen, span), BATCH):
        noted = EarlierReference.objects.in_bulk([one.pk for one in batch])
        for one in batch:
            held = noted.get(one.pk)
            if (held.key if held else None) != _key(one):
                yield f"screen {one.pk}: it is not found by its reference"
        done += len(batch)
        progress(done)
    held_itself = Screen.objects.filter(reference_key__isnull=False).values("pk")
    twice = within(EarlierReference.objects.filter(screen__in=held_itself), "pk", span)
    for pk in twice.order_by("pk").values_list("pk", flat=True):
        yield f"screen {pk}: a second reference stands beside its own"


def _earlier(screens: Any, span: Span = WHOLE) -> Iterator[Any]:
    """Yield the screens that hold no key: of callers that gave no reference, and of before."""
    found = screens.objects.filter(reference_key=None).exclude(payload="")
    found = within(found.only("pk", "owner", "payload").order_by("pk"), "pk", span)
    yield from found.iterator(BATCH)


def _key(screen: Any) -> str | None:
    reference = json.loads(screen.payload).get("request", {}).get("reference", "")
    return Screen.key_of(owner=screen.owner, reference=reference)
