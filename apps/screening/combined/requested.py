"""The request of a screen in words, whole: what was given, and what was not. Pure."""

from collections.abc import Iterator
from decimal import Decimal
from typing import Any

from apps.core.places import country_name
from apps.screening.combined.asked import Asked, from_record
from apps.watchlists.evidence import WORDS

Row = dict[str, str]


def asked_of(evidence: dict[str, Any]) -> Asked:
    """Return what a screen's evidence says that was asked."""
    return from_record(evidence["request"])


def request_rows(evidence: dict[str, Any]) -> dict[str, Any]:
    """Return a request as `payment` and `party`, rows of label and value, and what is `missing`."""
    screen = asked_of(evidence)
    party = list(_party(screen))
    payment = list(_payment(screen, evidence.get("rate") or {}))
    rows = (*payment, *party)
    return {
        "payment": [one for one in payment if one["value"]],
        "party": [one for one in party if one["value"]],
        "missing": _listing([*_taken(screen), *(r["label"] for r in rows if not r["value"])]),
    }


def _taken(screen: Asked) -> Iterator[str]:
    """Yield what was not given and taken as the specification's default says."""
    if screen.source_given is False:
        yield f"Source country (taken as {country_name(screen.source_country)})"


def _listing(labels: list[str]) -> str:
    """Return labels as a list in a sentence; only an abbreviation keeps its capitals."""
    return ", ".join(one if one[:2].isupper() else one[:1].lower() + one[1:] for one in labels)


def _payment(screen: Asked, rate: dict[str, Any]) -> Iterator[Row]:
    payment = (screen.payment_type or "").replace("_", " ")
    source = "" if screen.source_given is False else country_name(screen.source_country)
    ends = [source or "not given", country_name(screen.country)]
    yield {"label": "Payment", "value": payment}
    yield {"label": "From, to", "value": " → ".join(end for end in ends if end)}
    yield {"label": "Amount", "value": _amount(screen, rate)}
    yield {"label": "Reference", "value": screen.reference}


def _amount(screen: Asked, rate: dict[str, Any]) -> str:
    if screen.amount is None:
        return ""
    told = f"{money(screen.amount)} {screen.currency}"
    if screen.currency == "USD":
        return told
    usd = rate.get("usd")
    about = f"about {in_usd(usd)} USD" if usd is not None else "value in USD not known"
    return f"{told} ({about})"


def money(amount: Decimal) -> str:
    """Return an amount as people write it: two decimals, more only where it has them."""
    exact = amount.normalize()
    more = max(2, -int(exact.as_tuple().exponent))
    return f"{amount:,.{more}f}"


def in_usd(value: Any) -> str:
    """Return a converted amount to the cent: what is less is the rate's, not the payment's."""
    return f"{Decimal(str(value)):,.2f}"


def _party(screen: Asked) -> Iterator[Row]:
    said = screen.entity_type or ("person" if screen.individual else "")
    yield {"label": "Type", "value": said}
    yield {"label": "Birth date", "value": screen.birth_date}
    yield {"label": "Nationality", "value": country_name(screen.nationality)}
    yield {"label": "LEI", "value": screen.lei}
    for one in screen.identifiers:
        country = f" ({country_name(one.country)})" if one.country else ""
        yield {"label": WORDS.get(one.kind, one.kind), "value": f"{one.value}{country}"}
    if not screen.identifiers:
        yield {"label": "Other identifiers", "value": ""}
    yield {"label": "Wallet address", "value": screen.wallet_address}
    yield {"label": "Address", "value": screen.address}
    yield {"label": "Other names", "value": "; ".join(screen.aliases)}
