"""Matters to look at and to record steps of, as a senior officer's browser does it."""

from datetime import timedelta
from decimal import Decimal
from typing import Any

from django.test import Client

from apps.backoffice.sar.entry_facts import PaymentFacts
from apps.backoffice.sar.models import SarEntry
from apps.backoffice.sar.services.entries import BlockedOutcome, open_entry
from tests.review.people import NOON, check_page

LOG = "/admin/sar/sarentry/"
PICTURE = {
    "request": {"payment": [{"label": "From, to", "value": "Germany → Iran"}], "party": [],
                "missing": "LEI"},
    "matches": [
        {"check": "Sanctions", "list": "OFAC SDN", "name": "HADAD, Boris", "alias": "Boris H.",
         "entity": "ofac-7", "score": 91, "standing": "SDGT, listed on 01 Mar 2019",
         "compared": [{"what": "Name", "asked": "Boris Hadad", "listed": ["HADAD, Boris"],
                       "verdict": "RESEMBLES", "words": "resembles, 91 %", "effect": ""},
                      {"what": "Birth date", "asked": "1980", "listed": ["1961"],
                       "verdict": "DIFFERS", "words": "differs", "effect": "-5"}]},
    ],
}  # fmt: skip


def matter(ref: str = "one", ago: int = 0, party: str = "Boris Hadad", **given: Any) -> SarEntry:
    facts = PaymentFacts(amount=Decimal("9800.50"), currency="EUR", usd=Decimal("10700"),
                  source_country="DE", country="IR", payment_type="vendor_payment",
                  reference="INV-7", picture=PICTURE)  # fmt: skip
    values = {"owner": "account:1", "sanctions": True, "facts": facts} | given
    blocked = BlockedOutcome(kind="screen", ref=ref, party=party, risk_score=91, **values)
    return open_entry(blocked=blocked, now=NOON - timedelta(days=ago))


def page(desk: Client, of: SarEntry) -> str:
    return check_page(desk.get(f"{LOG}{of.pk}/"))


def post(desk: Client, of: SarEntry, **given: str) -> Any:
    return desk.post(f"{LOG}{of.pk}/step/", {"seen": "0"} | given)
