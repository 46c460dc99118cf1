"""The SAR log in the search of every page, only for users who may know of it."""

from collections.abc import Collection
from datetime import datetime
from typing import TYPE_CHECKING

from django.urls import reverse

from apps.backoffice.sar.entry_facts import get_record_label
from apps.backoffice.sar.models import SarEntry, can_see_log
from apps.backoffice.sar.views.log_list import PURGED
from apps.platform.desk.search import SHOWN, SearchGroup, SearchHit, parse_row_number

if TYPE_CHECKING:
    from django.contrib.auth.models import User

LONGEST_REF, SHORT_REF = 40, 12  # letters of a reference that are shown: a digest is cut
# entries that are searched by name: payloads have no index, and are read one by one
MOST_NEWEST = 500


def search_entries(user: "User", text: str, now: datetime) -> SearchGroup | None:
    """Find entries by number, record or words of the party's name (among the newest)."""
    if not can_see_log(user):
        return None
    number, exact = parse_row_number(text, "sar log entry", "sar"), text.lower()
    hits = []
    words = text.casefold().split()
    for entry in _load_candidates(text):
        party = str(entry.data.get("party", ""))
        whole = entry.ref == exact
        named = all(word in party.casefold() for word in words)
        if whole or named or entry.pk == number:
            hits.append(_build_hit(entry, party, whole))
    more = f"All {len(hits)} in the log" if len(hits) > SHOWN else ""
    address = f"{reverse('admin:sar_sarentry_changelist')}?view=all"
    return SearchGroup("SAR log", "sar.sarentry", hits[:SHOWN], more, address)


def _load_candidates(text: str) -> list[SarEntry]:
    """Return the newest entries, and those that the text names by record or number."""
    newest = list(SarEntry.objects.order_by("-pk")[:MOST_NEWEST])
    if len(newest) < MOST_NEWEST:
        return newest
    last, number = newest[-1].pk, parse_row_number(text, "sar log entry", "sar")
    older = SarEntry.objects.filter(pk__lt=last)
    numbers = set(older.filter(ref=text.lower()).values_list("pk", flat=True)[:SHOWN])
    if number is not None:
        numbers.add(number)
    return [*older.filter(pk__in=numbers), *newest] if numbers else newest


def _build_hit(entry: SarEntry, party: str, exact: bool) -> SearchHit:
    ref = entry.ref if len(entry.ref) <= LONGEST_REF else f"{entry.ref[:SHORT_REF]}…"
    record = f"{get_record_label(entry.kind)} {ref}"
    detail = f"SAR log entry {entry.pk} · {entry.recorded_at:%d %b %Y} · {record}"
    address = reverse("admin:sar_sarentry_change", args=[entry.pk])
    return SearchHit(party or PURGED, detail, address, exact, f"sar:{entry.pk}")


def label_entries(numbers: Collection[int]) -> dict[int, tuple[str, str]]:
    """Return entries by number and day, without their party, and where they are."""
    rows = SarEntry.objects.filter(pk__in=numbers).values_list("pk", "recorded_at")
    return {
        pk: (
            f"SAR log entry {pk} of {at:%d %b %Y}",
            reverse("admin:sar_sarentry_change", args=[pk]),
        )
        for pk, at in rows
    }
