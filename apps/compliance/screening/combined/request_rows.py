"""Describe the request of a screen in words: what was given, and what was not. Pure."""

from collections.abc import Iterator
from decimal import Decimal
from typing import Any

from apps.compliance.screening.combined.requests import ScreenRequest, parse_screen_request
from apps.platform.common.country_names import country_name
from apps.reference.watchlists.match_effects import WORDS

Row = dict[str, str]


def parse_evidence_request(evidence: dict[str, Any]) -> ScreenRequest:
    """Return the request from a screen's evidence."""
    return parse_screen_request(evidence["request"])


def build_request_rows(evidence: dict[str, Any]) -> dict[str, Any]:
    """Return a request as `payment` and `party`, rows of label and value, and what is `missing`."""
    screen = parse_evidence_request(evidence)
    party = list(_party_rows(screen))
    payment = list(_payment_rows(screen, evidence.get("rate") or {}))
    rows = (*payment, *party)
    return {
        "payment": [row for row in payment if row["value"]],
        "party": [row for row in party if row["value"]],
        "missing": _join_labels(
            [*_assumed_labels(screen), *(r["label"] for r in rows if not r["value"])]
        ),
    }


def _assumed_labels(screen: ScreenRequest) -> Iterator[str]:
    """Yield what was not given and taken as the specification's default says."""
    if screen.source_given is False:
        yield f"Source country (taken as {country_name(screen.source_country)})"


def _join_labels(labels: list[str]) -> str:
    """Return labels as a list in a sentence; only an abbreviation keeps its capitals."""
    return ", ".join(
        label if label[:2].isupper() else label[:1].lower() + label[1:] for label in labels
    )


def _payment_rows(screen: ScreenRequest, rate: dict[str, Any]) -> Iterator[Row]:
    payment = (screen.payment_type or "").replace("_", " ")
    source = "" if screen.source_given is False else country_name(screen.source_country)
    ends = [source or "not given", country_name(screen.country)]
    yield {"label": "Payment", "value": payment}
    yield {"label": "From, to", "value": " → ".join(end for end in ends if end)}
    yield {"label": "Amount", "value": _format_amount(screen, rate)}
    yield {"label": "Reference", "value": screen.reference}


def _format_amount(screen: ScreenRequest, rate: dict[str, Any]) -> str:
    if screen.amount is None:
        return ""
    text = f"{format_money(screen.amount)} {screen.currency}"
    if screen.currency == "USD":
        return text
    usd = rate.get("usd")
    about = f"about {format_usd_cents(usd)} USD" if usd is not None else "value in USD not known"
    return f"{text} ({about})"


def format_money(amount: Decimal) -> str:
    """Return an amount as people write it: two decimals, more only where it has them."""
    # without zeros at the end: 1000.000000 of the record is shown as 1,000.00
    exact = amount.normalize()
    more = max(2, -int(exact.as_tuple().exponent))
    return f"{amount:,.{more}f}"


def format_usd_cents(value: Any) -> str:
    """Return a converted amount to the cent: more digits come from the rate, not the payment."""
    return f"{Decimal(str(value)):,.2f}"


def _party_rows(screen: ScreenRequest) -> Iterator[Row]:
    entity_type = screen.entity_type or ("person" if screen.individual else "")
    yield {"label": "Type", "value": entity_type}
    yield {"label": "Birth date", "value": screen.birth_date}
    yield {"label": "Nationality", "value": country_name(screen.nationality)}
    yield {"label": "LEI", "value": screen.lei}
    for identifier in screen.identifiers:
        country = f" ({country_name(identifier.country)})" if identifier.country else ""
        yield {
            "label": WORDS.get(identifier.kind, identifier.kind),
            "value": f"{identifier.value}{country}",
        }
    if not screen.identifiers:
        yield {"label": "Other identifiers", "value": ""}
    yield {"label": "Wallet address", "value": screen.wallet_address}
    yield {"label": "Address", "value": screen.address}
    yield {"label": "Other names", "value": "; ".join(screen.aliases)}
