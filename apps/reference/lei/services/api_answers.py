"""Store the answers of the GLEIF API, with their time."""

from collections.abc import Iterable
from datetime import datetime

from django.db import transaction

from apps.reference.lei.clients.gleif_records import EntityAnswer
from apps.reference.lei.legal_name_check import fold_name
from apps.reference.lei.models import (
    GleifFile,
    LeiRecord,
    LeiUse,
    Relationship,
    ReportingException,
    percent_to_column,
)
from apps.reference.lei.values import Exemption, HeldEntity, Ownership


def store_entity(*, answer: EntityAnswer, now: datetime) -> HeldEntity:
    """Store an entity and return it as held."""
    entity = answer.entity
    file = _answers_file("RECORDS", now)
    row = LeiRecord(
        file=file,
        as_of=answer.published,
        lei=entity.lei,
        legal_name=entity.legal_name,
        name_key=fold_name(entity.legal_name),
        other_names=[[other.name, other.type] for other in entity.other_names],
        jurisdiction=entity.jurisdiction,
        country=entity.country,
        headquarters=entity.headquarters,
        category=entity.category,
        legal_form=entity.legal_form,
        registered_as=entity.registered_as,
        managing_lou=entity.managing_lou,
        successor=entity.successor,
        entity_status=entity.entity_status,
        registration_status=entity.registration_status,
        next_renewal=entity.next_renewal,
        fetched_at=now,
    )
    # an upsert of everything else: several processes may get the same answer at once
    same = ("id", "file", "lei", "deleted")
    changing = [field.name for field in LeiRecord._meta.fields if field.name not in same]
    with transaction.atomic():
        LeiRecord.objects.bulk_create(
            [row], update_conflicts=True, update_fields=changing, unique_fields=["lei", "file"]
        )
        LeiUse.objects.filter(lei=entity.lei).update(refreshed_at=now, missing_at=None)
    return row.value()


def note_unknown_lei(*, lei: str, now: datetime) -> None:
    """Note that GLEIF knows no such LEI."""
    LeiUse.objects.update_or_create(
        lei=lei,
        defaults={"missing_at": now, "refreshed_at": now},
        create_defaults={"used_on": now.date(), "missing_at": now, "refreshed_at": now},
    )


@transaction.atomic
def store_owner_statements(
    *,
    lei: str,
    statements: Iterable[Ownership | Exemption],
    published: datetime,
    now: datetime,
) -> None:
    """Store what an entity states about its parents, in place of its earlier statements."""
    owners, exceptions = _answers_file("RELATIONSHIPS", now), _answers_file("EXCEPTIONS", now)
    Relationship.objects.filter(file=owners, child=lei).delete()
    ReportingException.objects.filter(file=exceptions, lei=lei).delete()
    for statement in statements:
        if isinstance(statement, Ownership):
            Relationship.objects.create(
                file=owners,
                as_of=published,
                child=statement.child,
                parent=statement.parent,
                kind=statement.kind,
                status=statement.status,
                since=statement.since,
                until=statement.until,
                share=percent_to_column(statement.share),
            )
        else:
            ReportingException.objects.create(
                file=exceptions,
                as_of=published,
                lei=statement.lei,
                kind=statement.kind,
                reason=statement.reason,
            )
    LeiUse.objects.update_or_create(
        lei=lei,
        defaults={"chain_at": now},
        create_defaults={"used_on": now.date(), "chain_at": now},
    )


def _answers_file(kind: str, now: datetime) -> GleifFile:
    """Return the file to which all answers of a kind belong."""
    file, _ = GleifFile.objects.get_or_create(
        kind=kind,
        source=GleifFile.Source.GLEIF_API,
        state=GleifFile.State.LIVE,
        defaults={
            "name": "answers of the GLEIF API",
            "as_of": now,
            "started_at": now,
            "beat_at": now,
            "live_at": now,
        },
    )
    return file
