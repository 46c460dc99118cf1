"""What is known of an agent's owner now: what was stated, held against GLEIF."""

from dataclasses import replace
from datetime import datetime

from apps.agents.rules.levels import Owner
from apps.lei import gleif, lookups
from apps.lei.naming import agreement
from apps.lei.rules import status_at


def looked_up(*, entity: str, email: bool, lei: str, now: datetime) -> Owner:
    """Return what the owner stated with what GLEIF says of the LEI; call it in no transaction."""
    stated = Owner(entity=entity, email=email, lei=lei)
    if not lei:
        return stated
    found = lookups.lookup(lei=lei, now=now)
    if found.record is None:
        return replace(stated, asked=found.status, reachable=gleif.configured())
    held = found.record.entity
    return replace(
        stated,
        asked="KNOWN",
        status=status_at(held, now),
        standing=held.entity_status,
        holder=held.legal_name,
        agreement=agreement(entity, held) if entity else None,
    )
