"""Look up an agent's owner: its statements, compared with GLEIF."""

from dataclasses import replace
from datetime import datetime

from apps.compliance.agents.models import Agent
from apps.compliance.agents.rules.levels import AgentOwner, LevelJudgement
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
        # UNKNOWN or NOT_CHECKED; whether a registry is configured at all changes the sentence, not
        # the level
        return replace(stated, asked=lei_lookup.status, reachable=gleif.is_gleif_configured())
    gleif_entity = lei_lookup.record.entity
    return replace(
        stated,
        asked="KNOWN",
        status=registration_status_at(gleif_entity, now),
        standing=gleif_entity.entity_status,
        holder=gleif_entity.legal_name,
        # nothing to compare where only the LEI was stated: the LEI itself names the owner
        agreement=score_name_agreement(entity, gleif_entity) if entity else None,
    )


def apply_owner_findings(
    *, agent: Agent, owner: AgentOwner, standing: LevelJudgement, now: datetime
) -> None:
    """Put what was found of the owner into the row, unsaved."""
    agent.level, agent.note = standing.level, standing.note
    agent.lei_status, agent.lei_entity = owner.status or owner.asked, owner.holder
    agent.looked_at = now
