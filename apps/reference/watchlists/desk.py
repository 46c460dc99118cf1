"""Register what the app shows at the desk (apps/platform/desk/entries.py)."""

from apps.platform.desk.approvals import ApprovalQueue
from apps.platform.desk.entries import DeskEntries
from apps.reference.watchlists.approvals import PENDING
from apps.reference.watchlists.list_status import build_lists_panel
from apps.reference.watchlists.search import search_listed_parties

DESK = DeskEntries(
    pages={
        "Reference data": {
            "watchlists.source": 10,
            "watchlists.sourcechange": 20,
            "watchlists.listversion": 30,
            "watchlists.entitystate": 50,
            "watchlists.party": 60,
        },
    },
    finders={
        "listed_parties": (130, search_listed_parties),
    },
    panels={
        "lists": (20, build_lists_panel),
    },
    approvals={
        "Source changes": (140, ApprovalQueue("watchlists.decide_sourcechange", PENDING)),
    },
    personal={
        "watchlists.entitystate": ("State of a listed party", "States of listed parties"),
        "watchlists.party": ("Listed party", "Listed parties"),
    },
    impersonal=(
        "watchlists.listversion",
        "watchlists.source",
        "watchlists.sourcechange",
    ),
)
