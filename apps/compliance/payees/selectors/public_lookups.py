"""What anybody may read of registrations: by wallet, and by LEI."""

from collections.abc import Iterable
from datetime import datetime
from typing import Any

from apps.compliance.payees.models import Registration, RegistrationType
from apps.compliance.payees.rules.lei_states import NONE, lei_status
from apps.compliance.payees.selectors.registration_checks import look_up_entity
from apps.compliance.payees.selectors.registrations import (
    load_active_registration,
    verify_registrations,
)
from apps.platform.api.callers import Caller
from apps.platform.common.problems import NotFound
from apps.reference.lei import legal_name_check
from apps.reference.lei.models import LeiRecord
from apps.reference.lei.values import HeldEntity, LeiLookup


class NotRegistered(NotFound):
    """The wallet has no active registration."""

    code, title = "wallet_not_registered", "The wallet is not registered"


class NoSuchLei(NotFound):
    """GLEIF has no such LEI."""

    code, title = "lei_unknown", "No such LEI"


def serialize_registration(row: Registration, *, now: datetime) -> dict[str, Any]:
    """Return a registration as the API tells it; one query for the present state of its LEI."""
    # what we hold, never a call: a public look-up does not wait for GLEIF
    held_entities = LeiRecord.objects.held([row.lei]) if row.counted_lei else {}
    return {
        "wallet_address": row.wallet,
        "chain": row.family,
        "address_checked": row.checked,
        "legal_name": row.legal_name,
        "country": row.country,
        "aliases": row.counted_names,
        "self_declared_names": [
            counted_name
            for counted_name in (row.legal_name, *row.counted_names)
            if not is_name_at_gleif(counted_name, row, held_entities.get(row.lei))
        ],
        "aliases_under_review": list(row.pending.get("names", ())),
        "type": RegistrationType.SELF_DECLARED if row.lei_waits else row.kind,
        "lei_under_review": row.lei_waits,
        "lei": row.counted_lei,
        "lei_status": current_lei_status(row, held_entities, now=now) if row.counted_lei else NONE,
        "active": row.active,
        "under_review": row.under_review,
        "in_force": row.active and row.counts(now),
        "ownership_proved": row.proved_at is not None,
        "registered_at": row.registered_at,
    }


def is_name_at_gleif(name: str, row: Registration, record: HeldEntity | None) -> bool:
    """Return whether GLEIF has a name of a registration; any other is self-declared."""
    if record is None or row.lei_waits:
        return False
    return legal_name_check.is_any_name(name, record.entity)


def current_lei_status(
    row: Registration, held_entities: dict[str, HeldEntity], *, now: datetime
) -> str:
    """Return the state of an LEI now; where no record is held of it, that of the last look."""
    record = held_entities.get(row.lei)
    return lei_status(record.entity, lei=row.lei, now=now) if record else row.lei_status


def current_lei_statuses(rows: Iterable[Registration], *, now: datetime) -> dict[int, str]:
    """Return the state of each registration's LEI now, by its number; one query."""
    registrations = list(rows)
    leis = {row.lei for row in registrations if row.lei}
    held_entities = LeiRecord.objects.held(leis) if leis else {}
    return {row.pk: current_lei_status(row, held_entities, now=now) for row in registrations}


def look_up_wallet(
    *, asked: dict[str, Any], gathered: None, caller: Caller, now: datetime
) -> dict[str, Any]:
    """Return the active registration of a wallet; NotRegistered when there is none."""
    row = load_active_registration(asked["wallet"])
    if row is None:
        raise NotRegistered("This wallet has no active registration.")
    return serialize_registration(row, now=now)


def gather_lei(*, asked: dict[str, Any], now: datetime) -> LeiLookup:
    """Look up an LEI; raises NoSuchLei and LeiUnavailable."""
    return look_up_entity(lei=asked["lei"], now=now, used=False, problem=NoSuchLei)


def conclude_lei(
    *, asked: dict[str, Any], gathered: LeiLookup, caller: Caller, now: datetime
) -> dict[str, Any]:
    """Return what GLEIF has of an LEI, and a page of the wallets under it, by address."""
    record = gathered.record
    if record is None:
        raise AssertionError("an unknown LEI was refused when gathered")
    entity = record.entity
    under = Registration.objects.active().filter(lei=asked["lei"]).order_by("wallet")
    # by key and not by offset: registrations that end meanwhile move no page
    rows = under.filter(wallet__gt=asked["after"]) if asked.get("after") else under
    # one more than asked for shows whether there is a next page
    page = list(rows[: asked["limit"] + 1])
    shown = verify_registrations(page[: asked["limit"]])
    return {
        "lei": entity.lei,
        "legal_name": entity.legal_name,
        "other_names": [other.name for other in entity.other_names],
        "lei_status": lei_status(entity, lei=entity.lei, now=now),
        "registration_status": entity.registration_status,
        "entity_status": entity.entity_status,
        "jurisdiction": entity.jurisdiction,
        "country": entity.country,
        "registered_as": entity.registered_as,
        "next_renewal": entity.next_renewal.isoformat() if entity.next_renewal else None,
        "as_of": record.as_of,
        "data_quality": "SAMPLE" if record.source == "SAMPLE" else "LIVE",
        "wallets": [
            {
                "wallet_address": row.wallet,
                "chain": row.family,
                "legal_name": row.legal_name,
                "under_review": row.under_review,
                "lei_under_review": row.lei_waits,
                "registered_at": row.registered_at,
            }
            for row in shown
        ],
        "wallets_total": under.count(),
        "next": shown[-1].wallet if len(page) > len(shown) else None,
    }
