"""What a matter's page tells of how it arose: the payment, why it is here, and the moments."""

from collections.abc import Iterator, Sequence
from datetime import datetime
from decimal import Decimal
from typing import Any

from apps.backoffice.sar import rules, sanctions_authorities
from apps.backoffice.sar.days import format_moment_in_zone
from apps.backoffice.sar.entry_facts import (
    format_entry_amount,
    format_entry_reasons,
    get_evidence_parts,
    get_list_titles,
    get_record_label,
)
from apps.backoffice.sar.models import SarEntry, SarMatter
from apps.backoffice.sar.selectors.matter_steps import StepWithCorrections
from apps.platform.common.country_names import country_name
from apps.platform.ledger.models import PurgeEvent

MOMENTS = (("Screened", "screenedAt"), ("Case opened", "openedAt"))


def build_origin_context(
    *, matter: SarMatter, stands: rules.Matter, detection: StepWithCorrections
) -> dict[str, Any]:
    """Return what the page draws of an entry and its payload."""
    entry, data = matter.entry, matter.entry.data
    return {
        "entry": entry,
        "data": data,
        "grounds": _pair_reasons_with_rules(entry.kind, data),
        "arose": _describe_origin(matter, data, stands, detection),
        "picture": get_evidence_parts(data),
        "payment": list(_iterate_payment_rows(data)),
        "purge": _load_purge_event(matter) if entry.purged else None,
        "kind": get_record_label(entry.kind),
        "concerned": _list_authorities(data.get("lists", ())),
    }


def _pair_reasons_with_rules(kind: str, data: dict[str, Any]) -> list[tuple[str, str]]:
    """Pair each reason with the reference of its rule."""
    reasons, refs = format_entry_reasons(kind, data), data.get("rules", [])
    padded = [*refs, *[""] * (len(reasons) - len(refs))]
    return [(reason, str(ref)) for reason, ref in zip(reasons, padded, strict=False)]


def _describe_origin(
    matter: SarMatter, data: dict[str, Any], stands: rules.Matter, detection: StepWithCorrections
) -> dict[str, Any]:
    """Return who brought it here, the moments that led here, and from when the days count."""
    referred = data.get("referred")
    entered = "Referred" if referred else "Entered"
    moments = [(title, _parse_moment(data.get(name))) for title, name in MOMENTS]
    moments.append((entered, matter.entry.recorded_at))
    return {
        "referred": referred,
        "moments": [
            (title, at, format_moment_in_zone(at, zone=matter.zone))
            for title, at in moments
            if at is not None
        ],
        "begins": stands.begins,
        "corrected": detection.day if detection.corrections else None,
        "anew": stands.anew,
        "matched": stands.matched,
    }


def _list_authorities(
    lists: Sequence[str],
) -> list[tuple[str, sanctions_authorities.Authority | None]]:
    """Return the lists by their titles, with whom a match on each is reported to."""
    titles = get_list_titles(lists)
    return [
        (titles[one], authority)
        for one, authority in sanctions_authorities.list_authorities_of_lists(lists)
    ]


def _parse_moment(text: str | None) -> datetime | None:
    return datetime.fromisoformat(text) if text else None


def _iterate_payment_rows(data: dict[str, Any]) -> Iterator[tuple[str, str]]:
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
            ("Amount", f"{format_entry_amount(data)}{usd}"),
            ("Payment", kept.get("paymentType", "").replace("_", " ")),
            ("From", country_name(kept.get("sourceCountry", ""))),
            ("To", country_name(kept.get("country", ""))),
            ("Reference", kept.get("reference", "")),
            ("Wallet address", kept.get("wallet", "")),
        )
        if value
    )


def _load_purge_event(matter: SarMatter) -> PurgeEvent | None:
    """Return why and when the entry's payload left; None when no record says so."""
    return PurgeEvent.objects.filter(of_ledger=SarEntry.LEDGER, record_id=matter.pk).first()
