"""The origin of a matter on its page: the payment, the reason, and the times."""

from collections.abc import Iterator
from datetime import datetime
from decimal import Decimal
from typing import Any

from apps.backoffice.sar import rules, sanctions_authorities
from apps.backoffice.sar.date_formats import format_moment_in_zone
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
    lists = data.get("lists", ())
    titles = get_list_titles(lists)
    reasons, refs = format_entry_reasons(entry.kind, data), data.get("rules", [])
    padded = [*refs, *[""] * (len(reasons) - len(refs))]
    referred = data.get("referred")
    entered = "Referred" if referred else "Entered"
    moments = [(title, _parse_moment(data.get(name))) for title, name in MOMENTS]
    moments.append((entered, matter.entry.recorded_at))
    origin = {
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
    return {
        "entry": entry,
        "data": data,
        "grounds": [(reason, str(ref)) for reason, ref in zip(reasons, padded, strict=False)],
        "arose": origin,
        "picture": get_evidence_parts(data),
        "payment": list(_iterate_payment_rows(data)),
        "purge": _load_purge_event(matter) if entry.purged else None,
        "kind": get_record_label(entry.kind),
        "concerned": [
            (titles[number], authority)
            for number, authority in sanctions_authorities.list_authorities_of_lists(lists)
        ],
    }


def _parse_moment(text: str | None) -> datetime | None:
    return datetime.fromisoformat(text) if text else None


def _iterate_payment_rows(data: dict[str, Any]) -> Iterator[tuple[str, str]]:
    """Yield what is known of a payment where no picture of the request was kept."""
    facts = data.get("facts", {})
    if facts.get("picture", {}).get("request", {}).get("payment"):
        return
    usd = (
        f" (about {Decimal(facts['usd']):,} USD)"
        if facts.get("usd") and facts["currency"] != "USD"
        else ""
    )
    yield from (
        (label, value)
        for label, value in (
            ("Amount", f"{format_entry_amount(data)}{usd}"),
            ("Payment", facts.get("paymentType", "").replace("_", " ")),
            ("From", country_name(facts.get("sourceCountry", ""))),
            ("To", country_name(facts.get("country", ""))),
            ("Reference", facts.get("reference", "")),
            ("Wallet address", facts.get("wallet", "")),
        )
        if value
    )


def _load_purge_event(matter: SarMatter) -> PurgeEvent | None:
    """Return why and when the entry's payload left; None when no record says so."""
    return PurgeEvent.objects.filter(of_ledger=SarEntry.LEDGER, record_id=matter.pk).first()
