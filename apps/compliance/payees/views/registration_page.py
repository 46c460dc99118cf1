"""The page of one registration: the entity beside GLEIF's record, proof, case and history."""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING, Any

from apps.access.keys import tenant_names
from apps.backoffice.review.models import Case
from apps.compliance.payees.integrity import find_registration_faults
from apps.compliance.payees.models import (
    EntityChange,
    Registration,
    RegistrationEvent,
    RegistrationType,
)
from apps.compliance.payees.rules.lei_states import ACTIVE, NONE
from apps.compliance.payees.selectors.public_lookups import current_lei_status
from apps.compliance.payees.services.registration_cases import KIND
from apps.compliance.payees.wallet_panel_registry import WALLET_PANELS
from apps.compliance.payees.wallets import Family
from apps.platform.common.country_names import country_name
from apps.platform.ledger.verification.verified_reads import filter_verified_records
from apps.reference.lei.models import LeiRecord
from apps.reference.lei.name_agreement import is_entity_name
from apps.reference.lei.values import Entity

if TYPE_CHECKING:
    from django.contrib.auth.models import User

PROOF = ("message", "signature", "scheme")  # what is kept of a proof of ownership
MOST = 20  # other registrations of the wallet or of the entity that are shown


@dataclass(frozen=True, slots=True)
class ComparedLine:
    """One field as submitted and at GLEIF; `agrees` is None if there is nothing to compare."""

    what: str
    submitted: str
    gleif: str
    agrees: bool | None = None


@dataclass(frozen=True, slots=True)
class TimelineEntry:
    """One event of the timeline, in words."""

    at: datetime
    what: str
    who: str
    why: tuple[str, ...]
    proof: tuple[tuple[str, str], ...] = ()


def build_registration_context(*, row: Registration, user: "User", now: datetime) -> dict[str, Any]:
    """Return what the page draws; cases only for who may see cases."""
    held_entities = LeiRecord.objects.held([row.lei]) if row.lei else {}
    record = held_entities.get(row.lei)
    entity = record.entity if record else None
    status = current_lei_status(row, held_entities, now=now)
    events = list(row.events.select_related("by").order_by("pk"))
    ours = filter_verified_records(events)
    # events are compared as well: an altered one would be left out of the history unseen
    integrity_fault = (
        "an event of it was altered"
        if len(ours) < len(events)
        else next(find_registration_faults(row, ours), "")
    )
    if not row.lei:
        other_registrations = Registration.objects.none()
    else:
        other_registrations = (
            Registration.objects.active().filter(lei=row.lei).exclude(pk=row.pk)[:MOST]
        )
    panels = (build(row.wallet, user) for build in WALLET_PANELS.values())
    if not (row.active and user.has_perm("registry.view_entitychange")):
        entity_changes = []
    else:
        known = EntityChange.objects.filter(registration=row)
        # proposals that wait for a decision, or for the end of the cooling-off
        known = known.exclude(state=EntityChange.State.REJECTED)
        entity_changes = [
            change for change in known if change.counts_from is None or change.counts_from > now
        ]
    return {
        "row": row,
        "title": row.legal_name,
        "owner": tenant_names.load_tenant_name(row.owner),
        "lei_status": status,
        "in_force": status in (ACTIVE, NONE) and not row.lei_waits,
        "kind": RegistrationType.SELF_DECLARED.label if row.lei_waits else row.get_kind_display(),
        "waits": list(_describe_pending(row, now)),
        "lines": list(_compare_with_gleif(row, entity)),
        "record": record,
        "happened": _build_timeline(row, ours),
        "fault": integrity_fault,
        "cases": list(_list_cases(row)) if user.has_perm("review.view_case") else [],
        # earlier registrations of the wallet, and a later one on the page of an ended one
        "of_wallet": Registration.objects.filter(wallet=row.wallet).exclude(pk=row.pk)[:MOST],
        "of_entity": other_registrations,
        "changes": entity_changes,
        "panels": [panel for panel in panels if panel is not None],
        "may_change": row.active and user.has_perm("registry.propose_entitychange"),
        "may_prove": row.active
        and row.family == Family.EVM
        and user.has_perm("registry.register_wallet"),
        "may_register": row.active and user.has_perm("registry.register_wallet"),
        "may_end": row.active and user.has_perm("registry.deactivate_wallet"),
    }


def _describe_pending(row: Registration, now: datetime) -> Iterator[str]:
    """Yield in sentences what of a registration does not count yet."""
    if row.pending.get("entity"):
        yield (
            "The wallet belonged to another entity, so this entity takes effect only after "
            "two officers keep the registration."
        )
    if row.active and row.effective_at > now:
        yield f"The cooling-off lasts until {row.effective_at:%d %b %Y %H:%M} UTC."
    if row.lei_waits:
        yield "Payees are not matched by the LEI while its name at GLEIF is under review."
    if names := row.pending.get("names"):
        yield f"Not compared with payees until the review has ended: {'; '.join(names)}."


def _compare_with_gleif(row: Registration, entity: Entity | None) -> Iterator[ComparedLine]:
    names = (row.gleif_name or (entity.legal_name if entity else "")) if row.lei else ""
    now_named = entity.legal_name if entity else names
    same = is_entity_name(row.legal_name, entity) if entity else None
    yield ComparedLine("Legal name", row.legal_name, now_named, same)
    yield ComparedLine(
        "Country",
        country_name(row.country),
        ", ".join(map(country_name, entity.countries)) if entity else "",
        row.country in entity.countries if entity and entity.countries else None,
    )
    others = "; ".join(other.name for other in entity.other_names) if entity else ""
    yield ComparedLine("Further names", "; ".join(row.aliases), others)
    if entity is not None:
        words = f"{entity.registration_status}, {entity.entity_status or 'no state'}"
        yield ComparedLine("State", "", words.replace("_", " ").lower())
        renewal = f"{entity.next_renewal:%d %b %Y}" if entity.next_renewal else ""
        yield ComparedLine("Renewal due", "", renewal)


def _list_cases(row: Registration) -> Iterator[Case]:
    # its own cases, and those in which another entity was submitted for its wallet
    for start in (f"{row.pk}.", f"contest.{row.pk}."):
        cases = Case.objects.filter(kind=KIND, ref__startswith=start)
        yield from cases.defer("evidence").order_by("-pk")[:MOST]


COMPARED = (
    ("legal_name", "Legal name"),
    ("lei", "LEI"),
    ("country", "Country"),
    ("aliases", "Further names"),
)


def _build_timeline(row: Registration, events: list[RegistrationEvent]) -> list[TimelineEntry]:
    """Return what happened, the last first: each event with what it changed, and who decided."""
    proposed = EntityChange.objects.filter(registration=row)
    changes = {change.pk: change for change in proposed.select_related("proposed_by", "decided_by")}
    names = tenant_names.load_tenant_names(
        {registration_event.caller for registration_event in events if registration_event.caller}
    )
    timeline_entries, before = [], dict[str, Any]()
    for event in events:
        stands = event.data.get("stands") or {}
        change = changes.get(event.data.get("change", 0))
        # each event has the whole row: what it changed is the difference to the one before
        changed = [*_describe_moves(before, stands), *_describe_approval(change)]
        data = event.data
        why = changed + ([str(data["reason"])] if data.get("reason") else [])
        why += [str(finding["reason"]) for finding in data.get("findings", ())]
        who = event.by.get_username() if event.by else names.get(event.caller, event.caller)
        if data.get("case"):
            why.append("An officer decided its case.")
        if data.get("via"):
            why.append(f"By {data['via']}.")
        proof = tuple((name, str(data[name])) for name in PROOF if data.get(name))
        # jobs act without a person
        who = who or "the platform"
        timeline_entry = TimelineEntry(
            event.recorded_at, event.get_action_display(), who, tuple(why), proof
        )
        timeline_entries.append(timeline_entry)
        before = stands
    return timeline_entries[::-1]


def _describe_moves(before: dict[str, Any], after: dict[str, Any]) -> Iterator[str]:
    """Yield what an event changed of a registration, from what to what."""
    for name, label in COMPARED:
        was, now = before.get(name), after.get(name)
        if before and after and was != now:
            yield f"{label}: {_format_value(was)} → {_format_value(now).removesuffix('.')}."


def _format_value(value: Any) -> str:
    return "; ".join(value) if isinstance(value, list) and value else str(value or "none")


def _describe_approval(change: EntityChange | None) -> Iterator[str]:
    """Yield who proposed and who approved another entity, and why."""
    if change is not None:
        yield f"Proposed by {change.proposed_by}: {change.reason}"
        yield f"Approved by {change.decided_by}{f': {change.note}' if change.note else '.'}"
