"""Register what the app shows at the desk (apps/platform/desk/entries.py)."""

from apps.platform.desk.entries import DeskEntries
from apps.reference.lei.search import search_legal_entities

DESK = DeskEntries(
    pages={
        "Reference data": {
            "lei.gleiffile": 90,
            "lei.leirecord": 100,
            "lei.relationship": 110,
            "lei.reportingexception": 120,
            "lei.leiuse": 130,
        },
    },
    finders={
        "legal_entities": (140, search_legal_entities),
    },
    impersonal=(
        "lei.gleiffile",
        "lei.leirecord",
        "lei.leiuse",
        "lei.relationship",
        "lei.reportingexception",
    ),
)
