"""What is known of an agent's owner now: what was stated, held against GLEIF."""

from dataclasses import replace
from datetime import datetime

from apps.compliance.agents.rules.levels import AgentOwner
from apps.reference.lei.clients import gleif
from apps.reference.lei.name_agreement import score_name_agreement
from apps.reference.lei.rules.registration import registration_status_at
from apps.reference.lei.services import lookups


def look_up_owner(*, entity: str, email: bool, lei: str, now: datetime) -> AgentOwner:
    """Return what the owner stated with what GLEIF says of the LEI; call it in no transaction."""
    stated = AgentOwner(entity=entity, email=email, lei=lei)
    if not lei:
        return stated
    found = lookups.look_up_lei(lei=lei, now=now)
    if found.record is None:
        return replace(stated, asked=found.status, reachable=gleif.is_gleif_configured())
    held = found.record.entity
    return replace(
        stated,
        asked="KNOWN",
        status=registration_status_at(held, now),
        standing=held.entity_status,
        holder=held.legal_name,
        agreement=score_name_agreement(entity, held) if entity else None,
    )
