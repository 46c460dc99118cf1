"""Current facts about an agent's owner: the statements, compared with GLEIF."""

from dataclasses import replace
from datetime import datetime

from apps.compliance.agents.rules.levels import AgentOwner
from apps.reference.lei.clients import gleif
from apps.reference.lei.name_agreement import score_name_agreement
from apps.reference.lei.rules.registration import registration_status_at
from apps.reference.lei.services import lookups


def look_up_owner(*, entity: str, email: bool, lei: str, now: datetime) -> AgentOwner:
    """Return the owner's statements with GLEIF's data on the LEI; call it outside transactions."""
    stated = AgentOwner(entity=entity, email=email, lei=lei)
    if not lei:
        return stated
    lei_lookup = lookups.look_up_lei(lei=lei, now=now)
    if lei_lookup.record is None:
        return replace(stated, asked=lei_lookup.status, reachable=gleif.is_gleif_configured())
    gleif_entity = lei_lookup.record.entity
    return replace(
        stated,
        asked="KNOWN",
        status=registration_status_at(gleif_entity, now),
        standing=gleif_entity.entity_status,
        holder=gleif_entity.legal_name,
        agreement=score_name_agreement(entity, gleif_entity) if entity else None,
    )
