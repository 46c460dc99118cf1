"""Reads a version back, for tests."""

from apps.reference.watchlists.models import EntityState, Source


def listed(source: Source, sequence: int) -> dict[str, str]:
    """Return the first name of each party of a version, by id."""
    states = EntityState.objects.at(source_id=source.pk, sequence=sequence)
    return {entity.entity_id: entity.names[0].full for entity in states.entities()}
