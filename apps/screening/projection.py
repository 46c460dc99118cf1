"""What screens are found by: keys of their parties, and references of earlier releases."""

import json
from collections.abc import Callable, Iterator
from typing import Any

from apps.core.batches import chunks
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


def compare_keys(progress: Callable[[int], None]) -> Iterator[str]:
    """Yield which screens are not found by whom they are about, or still are though purged."""
    done = 0
    for batch in chunks(_told(Screen), BATCH):
        held: dict[int, set[str]] = {one.pk: set() for one in batch}
        found = FindKey.objects.filter(screen__in=held).values_list("screen_id", "key")
        for pk, key in found:
            held[pk].add(key)
        for one in batch:
            if held[one.pk] != _about(one):
                yield f"screen {one.pk}: it is not found by whom it is about"
        done += len(batch)
        progress(done)
    told = Screen.objects.exclude(payload="").values("pk")
    left = FindKey.objects.exclude(screen__in=told).order_by("screen_id")
    for pk in left.values_list("screen_id", flat=True).distinct():
        yield f"screen {pk}: whom it was about can still be found"


def _told(screens: Any) -> Iterator[Any]:
    found = screens.objects.exclude(payload="").only("pk", "payload").order_by("pk")
    yield from found.iterator(BATCH)


def _about(screen: Any) -> set[str]:
    return keys_asked(json.loads(screen.payload).get("request", {}))


def compare(progress: Callable[[int], None]) -> Iterator[str]:
    """Yield where a reference or a key is not that of its screen; named in config/ledgers.py."""
    yield from compare_keys(progress)
    done = 0
    for batch in chunks(_earlier(Screen), BATCH):
        noted = EarlierReference.objects.in_bulk([one.pk for one in batch])
        for one in batch:
            held = noted.get(one.pk)
            if (held.key if held else None) != _key(one):
                yield f"screen {one.pk}: it is not found by its reference"
        done += len(batch)
        progress(done)
    held_itself = Screen.objects.filter(reference_key__isnull=False).values("pk")
    for pk in EarlierReference.objects.filter(screen__in=held_itself).values_list("pk", flat=True):
        yield f"screen {pk}: a second reference stands beside its own"


def _earlier(screens: Any) -> Iterator[Any]:
    """Yield the screens that hold no key: of callers that gave no reference, and of before."""
    found = screens.objects.filter(reference_key=None).exclude(payload="")
    yield from found.only("pk", "owner", "payload").order_by("pk").iterator(BATCH)


def _key(screen: Any) -> str | None:
    reference = json.loads(screen.payload).get("request", {}).get("reference", "")
    return Screen.key_of(owner=screen.owner, reference=reference)
