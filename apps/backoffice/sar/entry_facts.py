"""Facts of a blocked outcome, for those who decide whether a report is filed."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from decimal import Decimal
from typing import Any

from apps.backoffice.sar.record_types import LIST_TITLES, RECORD_TYPES
from apps.platform.common.amounts import format_amount

MOST_MATCHES = 5  # each is a page of its own; the record has all of them
PARTS = ("matches", "chain", "facts", "lists", "record")


@dataclass(frozen=True, slots=True, kw_only=True)
class PaymentFacts:
    """The requested payment, and its parties' screens.

    Countries are ISO 3166-1 alpha-2; `usd` is None if no rate was known. `picture` has the parts
    that pages draw (review/views/evidence.py names them), in texts and whole numbers: the log keeps
    it unchanged, whatever happens to the record.
    """

    amount: Decimal | None = None
    currency: str = ""
    usd: Decimal | None = None
    source_country: str = ""
    country: str = ""
    payment_type: str = ""
    reference: str = ""
    wallet: str = ""
    picture: Mapping[str, Any] = field(default_factory=dict)

    def recorded(self) -> dict[str, Any]:
        """Return what the payload keeps; what is not known is left out."""
        payment = {
            "amount": "" if self.amount is None else format_amount(self.amount),
            "currency": self.currency if self.amount is not None else "",
            # to the cent: further digits come from the rate
            "usd": "" if self.usd is None else f"{self.usd:.2f}",
            "sourceCountry": self.source_country,
            "country": self.country,
            "paymentType": self.payment_type,
            "reference": self.reference,
            "wallet": self.wallet,
        }
        payment_fields = {name: value for name, value in payment.items() if value}
        return (
            payment_fields | {"picture": _select_evidence_parts(self.picture)}
            if self.picture
            else payment_fields
        )


def _select_evidence_parts(drawn: Mapping[str, Any]) -> dict[str, Any]:
    evidence_parts = {part: drawn[part] for part in ("request", *PARTS) if drawn.get(part)}
    more = len(evidence_parts.get("matches", ())) - MOST_MATCHES
    if more > 0:
        evidence_parts |= {"matches": evidence_parts["matches"][:MOST_MATCHES], "more": more}
    return evidence_parts


def get_evidence_parts(data: Mapping[str, Any]) -> dict[str, Any]:
    """Return the parts that pages draw of an entry's payload; some kinds keep none."""
    picture = data.get("facts", {}).get("picture", {})
    request_parts = {"payment": [], "party": [], "missing": ""} | picture.get("request", {})
    return {part: picture.get(part, []) for part in PARTS} | {
        "request": request_parts,
        "more": picture.get("more", 0),
    }


def format_report_amount(data: Mapping[str, Any]) -> str:
    """Return an entry's amount as a report names it, `9800.00 USD`; empty where none is known."""
    facts = data.get("facts", {})
    return f"{facts['amount']} {facts['currency']}" if facts.get("amount") else ""


def format_entry_amount(data: Mapping[str, Any]) -> str:
    """Return an entry's amount as people read it, `9,800.00 USD`; empty where none is known."""
    return format_amount_text(format_report_amount(data))


def format_amount_text(amount: str) -> str:
    """Return a sum (`9800.00 USD`) as people read it, `9,800.00 USD`; an empty one empty."""
    number, _, currency = amount.partition(" ")
    return f"{Decimal(number):,} {currency}" if number else ""


def get_record_label(kind: str) -> str:
    """Return what officers call the record that an entry is of."""
    record_type = RECORD_TYPES.get(kind)
    return record_type.title if record_type else "Record"


def get_list_titles(lists: Iterable[str]) -> dict[str, str]:
    """Return what officers call lists, by their short names; one that left by its short name."""
    return {list_: LIST_TITLES.get(list_, list_) for list_ in lists}


def format_entry_reasons(kind: str, data: Mapping[str, Any]) -> list[str]:
    """Return why an entry is in the log, in its domain's words for officers."""
    record_type = RECORD_TYPES.get(kind)
    turn = record_type.sentence if record_type else str
    return [turn(str(reason)) for reason in data.get("reasons", ())]
