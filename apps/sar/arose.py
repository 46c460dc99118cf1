"""What a matter's page tells of how it arose: the payment, why it is here, and the moments."""

from collections.abc import Iterator, Sequence
from datetime import datetime
from decimal import Decimal
from typing import Any

from apps.core.models import PurgeEvent
from apps.core.places import country_name
from apps.sar import authorities, rules
from apps.sar.days import moment_in
from apps.sar.facts import drawn, kind_words, list_titles, reasons_of, shown_amount
from apps.sar.models import SarEntry, SarMatter
from apps.sar.taken import Taken

MOMENTS = (("Screened", "screenedAt"), ("Case opened", "openedAt"))


def facts(*, matter: SarMatter, stands: rules.Matter, detection: Taken) -> dict[str, Any]:
    """Return what the page draws of an entry and its payload."""
    entry, data = matter.entry, matter.entry.data
    return {
        "entry": entry,
        "data": data,
        "grounds": _grounds(entry.kind, data),
        "arose": _arose(matter, data, stands, detection),
        "picture": drawn(data),
        "payment": list(_payment(data)),
        "purge": _purge(matter) if entry.purged else None,
        "kind": kind_words(entry.kind),
        "concerned": _concerned(data.get("lists", ())),
    }


def _grounds(kind: str, data: dict[str, Any]) -> list[tuple[str, str]]:
    """Pair each reason with the reference of its rule."""
    reasons, refs = reasons_of(kind, data), data.get("rules", [])
    padded = [*refs, *[""] * (len(reasons) - len(refs))]
    return [(reason, str(ref)) for reason, ref in zip(reasons, padded, strict=False)]


def _arose(
    matter: SarMatter, data: dict[str, Any], stands: rules.Matter, detection: Taken
) -> dict[str, Any]:
    """Return who brought it here, the moments that led here, and from when the days count."""
    referred = data.get("referred")
    entered = "Referred" if referred else "Entered"
    moments = [(title, _read(data.get(name))) for title, name in MOMENTS]
    moments.append((entered, matter.entry.recorded_at))
    return {
        "referred": referred,
        "moments": [
            (title, at, moment_in(at, zone=matter.zone)) for title, at in moments if at is not None
        ],
        "begins": stands.begins,
        "corrected": detection.day if detection.corrections else None,
        "anew": stands.anew,
        "matched": stands.matched,
    }


def _concerned(lists: Sequence[str]) -> list[tuple[str, authorities.Authority | None]]:
    """Return the lists by their titles, with whom a match on each is reported to."""
    titles = list_titles(lists)
    return [(titles[one], authority) for one, authority in authorities.concerned(lists)]


def _read(text: str | None) -> datetime | None:
    return datetime.fromisoformat(text) if text else None


def _payment(data: dict[str, Any]) -> Iterator[tuple[str, str]]:
    """Yield what is known of a payment where no picture of the request was kept."""
    kept = data.get("facts", {})
    if kept.get("picture", {}).get("request", {}).get("payment"):
        return
    usd = (
        f" (about {Decimal(kept['usd']):,} USD)"
        if kept.get("usd") and kept["currency"] != "USD"
        else ""
    )
    yield from (
        (label, value)
        for label, value in (
            ("Amount", f"{shown_amount(data)}{usd}"),
            ("Payment", kept.get("paymentType", "").replace("_", " ")),
            ("From", country_name(kept.get("sourceCountry", ""))),
            ("To", country_name(kept.get("country", ""))),
            ("Reference", kept.get("reference", "")),
            ("Wallet address", kept.get("wallet", "")),
        )
        if value
    )


def _purge(matter: SarMatter) -> PurgeEvent | None:
    """Return why and when the entry's payload left; None when no record says so."""
    return PurgeEvent.objects.filter(of_ledger=SarEntry.LEDGER, record_id=matter.pk).first()
