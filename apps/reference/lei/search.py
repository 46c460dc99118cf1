"""Legal entities in the search of every page: by whole LEI, for there are millions."""

from datetime import datetime
from typing import TYPE_CHECKING
from urllib.parse import urlencode

from django.urls import reverse

from apps.platform.desk.search import SearchGroup, SearchHit
from apps.reference.lei.models import LeiRecord

if TYPE_CHECKING:
    from django.contrib.auth.models import User

LETTERS = 20  # characters of an LEI (ISO 17442)


def search_legal_entities(user: "User", text: str, now: datetime) -> SearchGroup | None:
    """Find the entity of an LEI; readers who may not open its record are led to its cases."""
    records = user.has_perm("lei.view_leirecord")
    lei = "".join(text.split()).upper()
    if not (records or user.has_perm("review.view_case")) or len(lei) != LETTERS:
        return None
    record = LeiRecord.objects.held([lei]).get(lei)
    if record is None:
        return SearchGroup("Legal entities", "lei.leirecord")
    page = "lei_leirecord_changelist" if records else "review_case_changelist"
    query = {"q": lei} if records else {"view": "all", "q": lei}
    detail = f"{lei} · {record.entity.jurisdiction} · {record.entity.registration_status.lower()}"
    address = f"{reverse(f'admin:{page}')}?{urlencode(query)}"
    return SearchGroup(
        "Legal entities",
        "lei.leirecord",
        [SearchHit(record.entity.legal_name, detail, address)],
    )
