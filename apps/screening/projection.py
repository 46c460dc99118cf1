"""References of screens that were written before the record held what it is found by."""

import json
from collections.abc import Callable, Iterator
from typing import Any

from apps.core.batches import chunks
from apps.screening.models import EarlierReference, Screen

BATCH = 500


def remember(*, screens: Any, references: Any) -> None:
    """Note for every earlier screen what it is found by; both are models, as a migration has them.

    Again is harmless: what is noted already stays.
    """
    for batch in chunks(_earlier(screens), BATCH):
        rows = [references(screen_id=one.pk, key=key) for one in batch if (key := _key(one))]
        references.objects.bulk_create(rows, ignore_conflicts=True)


def compare(progress: Callable[[int], None]) -> Iterator[str]:
    """Yield where a reference is not that of its screen; named in config/ledgers.py."""
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
