"""Changes of every table that its app says is proved: by column, gone or forged."""

import uuid
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from decimal import Decimal
from functools import partial
from typing import Any

from django.apps import apps
from django.core.exceptions import ObjectDoesNotExist
from django.db import connection, models
from django.forms import model_to_dict

from apps.platform.api import idempotency
from apps.platform.crypto import macs
from apps.platform.db.append_only import protected_models
from apps.platform.ledger.table_proofs import FORGED, GONE, PROVED, UNCOMPARED
from tests.attacks.database import (
    FOUND,
    HARMLESS,
    NOTHING,
    REFUSED,
    UNDETECTED,
    attempt,
    rolled_back,
    unguarded,
)
from tests.attacks.database import find_faults as find_ledger_faults
from tests.attacks.rare_rows import MAKERS
from tests.platform.tampering import copied, sql

# a table without a ledger proves each row by itself: what its readers ask
OWN_PROOFS: dict[str, Callable[[Any], str]] = {
    "callbacks.Event": lambda row: row.fault(_address_of(row)),
    "core.IdempotentCall": lambda row: _answer_fault(row),
    "esg.Evidence": lambda row: row.fault(),
    "screening.PepReport": lambda row: _kept(row),
    "screening.UboReport": lambda row: _kept(row),
    "signals.Observation": lambda row: row.fault,
}


@dataclass(frozen=True, slots=True)
class Attempt:
    """One change of a table: what is tried, and how it is written; it returns the row it left."""

    label: str
    title: str
    write: Callable[[], object]
    harmless: str = ""


def _address_of(event: Any) -> str:
    delivery = event.deliveries.first() if hasattr(event, "deliveries") else None
    return delivery.url if delivery else ""


def _answer_fault(row: Any) -> str:
    said = model_to_dict(row, idempotency.MAC_FIELDS)
    return macs.find_mac_fault(key_id=row.mac_key, mac=row.mac, said=said)


def _kept(row: Any) -> str:
    found = type(row).kept(key=row.key, now=row.made_at)
    return "" if found is not None else "it is made anew"


def find_faults(label: str) -> set[str]:
    """Return every fault that a table has by what proves it."""
    proof, model = PROVED[label], model_of(label)
    if proof.compare:
        try:
            return set(proof.compare(lambda _: None))
        except (ValueError, TypeError, LookupError, AttributeError, ObjectDoesNotExist) as error:
            return {f"it cannot be computed: {error!r}"}
    asked = ((row, OWN_PROOFS[label](row)) for row in model._default_manager.all())
    return {f"{row.pk}: {fault}" for row, fault in asked if fault}


def model_of(label: str) -> Any:
    """Return the model of a label, of those that Django makes by itself, too."""
    return next(
        model for model in apps.get_models(include_auto_created=True) if model._meta.label == label
    )


def altered(field: Any, value: Any) -> Any:
    """Return another value of a column."""
    kind = field.target_field if field.is_relation else field
    if field.choices and value is not None:
        return next((key for key, _ in field.flatchoices if key != value), value)
    match value:
        case None:
            return _made_up(kind)
        case bool():
            return not value
        case int() | Decimal():
            return value + 1
        case float():
            return value + 1.0
        case str():
            return value[:-1] + ("y" if value.endswith("x") else "x") if value else "x"
        case datetime() | date():
            return value + timedelta(days=1)
        case uuid.UUID():
            return uuid.uuid4()
        case list():
            return [*value, "x"] if not value or isinstance(value[0], str) else value[1:]
        case dict():
            return value | {"x": 1}
        case bytes() | memoryview():
            return bytes(value) + b"x"
    raise TypeError(f"{field}: {value!r}")


def _made_up(kind: Any) -> Any:
    moment = datetime.fromisoformat("2026-01-05T00:00:00+00:00")
    for types, value in (
        ((models.DateTimeField,), moment),
        ((models.DateField,), moment.date()),
        ((models.DecimalField,), Decimal(1)),
        ((models.BooleanField,), True),
        ((models.IntegerField, models.AutoField), 1),
        ((models.FloatField,), 1.0),
        ((models.UUIDField,), uuid.UUID(int=1)),
        ((models.JSONField,), {"x": 1}),
        ((models.BinaryField,), b"x"),
        ((models.CharField, models.TextField), "x"),
    ):
        if isinstance(kind, types):
            return value
    raise TypeError(str(kind))


def _unique(model: Any) -> list[tuple[str, ...]]:
    """Return the columns, or the columns together, of which no two rows have the same."""
    named = [
        constraint.fields for constraint in model._meta.constraints if hasattr(constraint, "fields")
    ]
    named += [tuple(fields) for fields in model._meta.unique_together]
    single = [field for field in model._meta.concrete_fields if field.unique]
    return named + [(field.name,) for field in single if not field.primary_key]


# of these tables not every row is proved: which one is changed
ROWS: dict[str, dict[str, Any]] = {
    "settlement.Settlement": {"sandbox": False},  # a rehearsal moves nothing
    "watchlists.Party": {"kind": "screened"},
}


def attempts(label: str) -> Iterator[Attempt]:
    """Yield the changes of the newest row of a table: none where it has no row."""
    model, proof = model_of(label), PROVED[label]
    row = model._default_manager.filter(**ROWS.get(label, {})).order_by("-pk").first()
    if row is None:
        return
    harmless = {name: why for names, why in UNCOMPARED.get(label, ()) for name in names}
    if proof.deleted:
        harmless[GONE] = proof.deleted

    def made(title: str, write: Callable[[], object]) -> Attempt:
        return Attempt(label, title, write, harmless.get(title, ""))

    table, key = model._meta.db_table, model._meta.pk
    at = f'WHERE "{key.column}" = %s'
    number = key.get_db_prep_value(row.pk, connection)
    for field in model._meta.concrete_fields:
        if not field.primary_key:
            value = field.get_db_prep_save(altered(field, getattr(row, field.attname)), connection)
            statement = f'UPDATE "{table}" SET "{field.column}" = %s {at}'
            yield made(field.name, partial(sql, statement, value, number))
    yield made(GONE, partial(sql, f'DELETE FROM "{table}" {at}', number))
    if isinstance(key, models.AutoField):
        for columns in _others(model, row):
            yield made(FORGED, partial(copied, row, **columns))


def _others(model: Any, row: Any) -> Iterator[dict[str, Any]]:
    """Yield what a copy of a row must have otherwise, so that no two are the same: one that can.

    Rows that it refers to stay, where anything else can be another.
    """
    found = {}
    for names in _unique(model):
        fields = [model._meta.get_field(name) for name in names]
        one = next((field for field in reversed(fields) if not field.is_relation), None)
        if one is None:  # a row between two others: it becomes that of another first one
            one = fields[0]
            taken = [getattr(row, field.attname) for field in fields]
            others = one.related_model._default_manager.exclude(pk=taken[0])
            free = (
                other.pk
                for other in others
                if not model._default_manager.filter(
                    **{one.attname: other.pk},
                    **{
                        field.attname: value
                        for field, value in zip(fields[1:], taken[1:], strict=True)
                    },
                ).exists()
            )
            value = next(free, None)
            if value is None:
                return
            found[one.attname] = value
        else:
            found[one.attname] = altered(one, getattr(row, one.attname))
    yield found


def judge(one: Attempt) -> tuple[str, str]:
    """Make a change, see what becomes of it, and take it back; return the verdict and why."""
    model = model_of(one.label)
    guarded = [model] if model in protected_models() else []
    verdict, why, touched = UNDETECTED, "", 0
    with rolled_back():
        before = find_faults(one.label)

        def write() -> None:
            nonlocal touched
            with unguarded(guarded):
                touched = one.write()

        if refusal := attempt(write):
            verdict, why = REFUSED, refusal
        elif not touched:
            verdict = NOTHING
        elif found := find_faults(one.label) - before:
            verdict, why = FOUND, min(found)
    if verdict == UNDETECTED and (found := _by_the_whole_ledger(one, guarded)):
        verdict, why = FOUND, min(found)
    return (HARMLESS, one.harmless) if verdict == UNDETECTED and one.harmless else (verdict, why)


def _by_the_whole_ledger(one: Attempt, guarded: list[Any]) -> set[str]:
    """Return what verify_ledger names besides, where a table's own projection names nothing."""
    name = PROVED[one.label].ledger
    found: set[str] = set()
    if name:
        with rolled_back():
            before = find_ledger_faults([name])
            with unguarded(guarded):
                one.write()
            found = find_ledger_faults([name]) - before
    return found


def walk(labels: Iterable[str] = tuple(PROVED)) -> Iterator[tuple[Attempt, str, str]]:
    """Yield each change of each proved table, and what became of it.

    A table without a row gets one where MAKERS has how; nothing is tried on one that has none.
    """
    labels = list(labels)
    empty = {label for label in labels if not has_row(label)}
    for label in labels:
        if label not in empty:
            yield from _walk_table(label)
    for make, made in MAKERS.items():
        if wanted := [label for label in labels if label in empty & made]:
            with rolled_back():
                make()
                for label in wanted:
                    yield from _walk_table(label)


def _walk_table(label: str) -> Iterator[tuple[Attempt, str, str]]:
    for one in attempts(label):
        yield one, *judge(one)


def has_row(label: str) -> bool:
    """Tell whether a table has a row that is proved."""
    return bool(model_of(label)._default_manager.filter(**ROWS.get(label, {})).exists())


def undetected(*labels: str) -> list[str]:
    """Return the changes that nothing finds and nobody explains; each table must have a row."""
    found = []
    for label in labels:
        tried = list(walk([label]))
        assert tried, f"{label} has no row"
        found += [f"{label}: {one.title}" for one, verdict, _ in tried if verdict == UNDETECTED]
    return found
