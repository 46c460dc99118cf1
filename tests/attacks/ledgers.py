"""Whoever can write the database changes records and seals of ledgers: it is refused or found.

Runs on the database of the sandbox that VAR_DIR or DATABASE_URL names, on each ledger that has
four records or more, best once `./run` has served and `./run manage seed_desk` has filled the
desk. What waits is sealed first, and everything is rolled back.

    ./run attack ledgers [LEDGER…]

It prints REFUSED (by the database), FOUND (by verify_ledger, or by the sealer, with what it says),
WITH HEADS (by verify_ledger with the heads that were exported before) or UNDETECTED, which is what
must not be.
"""

import sys
import uuid
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from django.db import connection, transaction

from apps.platform.common.clock import now
from apps.platform.ledger import sealer
from apps.platform.ledger.models import PurgeEvent, Seal
from apps.platform.ledger.records import compute_link_digest, ledger_models
from apps.platform.ledger.verification import verified_reads, verifier
from tests.attacks.database import (
    FOUND,
    REFUSED,
    UNDETECTED,
    WITH_HEADS,
    attempt,
    rolled_back,
    unguarded,
)
from tests.platform.tampering import TAMPERINGS, copied, hash_anew, sql

FEWEST = 4  # records that a ledger must have to be attacked
CUT = 2  # records at the end of a chain that are cut off


@dataclass(frozen=True, slots=True)
class Target:
    """A ledger that is attacked: its model and tables, and a record in the midst of it."""

    name: str
    model: Any
    table: str
    record: int
    position: int

    @property
    def words(self) -> dict[str, Any]:
        """Return what stands for the names in a statement of tests/platform/tampering.py."""
        return {"t": self.table, "s": "core_seal", "l": self.name} | {
            "id": self.record,
            "position": self.position,
        }


@dataclass(frozen=True, slots=True)
class Tampering:
    """One thing that is written; `guarded` leaves triggers as they are, `sealed` seals after it."""

    title: str
    write: Callable[[Target], object]
    guarded: bool = False
    sealed: bool = False


def _statement(text: str) -> Callable[[Target], object]:
    return lambda target: sql(text.format(**target.words).replace("%", "%%"))


def _truncate(target: Target) -> object:
    if connection.vendor == "postgresql":
        return sql(f'TRUNCATE "{target.table}" CASCADE')
    return sql(f'INSERT OR REPLACE INTO "{target.table}" SELECT * FROM "{target.table}"')


def _purge_forged(target: Target) -> None:
    """Blank a payload as a purge does, with a purge event that was copied or made up."""
    sql(f"UPDATE \"{target.table}\" SET payload = '', salt = '' WHERE id = {target.record}")
    record = target.model.objects.get(pk=target.record)
    event = PurgeEvent(of_ledger=target.name, record_id=record.pk, reason="ERASURE", by="dba",
                       payload="{}", salt="x", recorded_at=record.recorded_at)  # fmt: skip
    copied(event)


def _alter_and_seal(target: Target) -> None:
    """Alter a payload and have its own seal say so."""
    alter = f'UPDATE "{target.table}" SET payload = \'{{"n": 0}}\' WHERE id = {target.record}'
    sql(alter.replace("%", "%%"))
    content = target.model.objects.get(pk=target.record).content_hash()
    sql("UPDATE core_seal SET content = %s WHERE ledger = %s AND position = %s",
        content, target.name, target.position)  # fmt: skip


def _alter_and_hash_anew(target: Target) -> None:
    """Alter a payload and chain everything from there on anew, the bookmark included."""
    _alter_and_seal(target)
    hash_anew(target.name)


def _exchange_seals(target: Target) -> None:
    first, last = target.position, target.position + 1
    for old, new in ((first, 0), (last, first), (0, last)):
        sql("UPDATE core_seal SET position = %s WHERE ledger = %s AND position = %s",
            new, target.name, old)  # fmt: skip


def _remove(target: Target) -> None:
    """Delete a record together with its seal."""
    sql(f'DELETE FROM "{target.table}" WHERE id = {target.record}')
    sql("DELETE FROM core_seal WHERE ledger = %s AND position = %s", target.name, target.position)


def _cut(*, head: str) -> Callable[[Target], None]:
    """Cut the end off; the bookmark is `left`, `set` back to the new end, or `removed`."""

    def cut(target: Target) -> None:
        seals = Seal.objects.filter(ledger=target.name).order_by("-position")
        for seal in list(seals[:CUT]):
            sql(f'DELETE FROM "{target.table}" WHERE id = {seal.record_id}')
            sql("DELETE FROM core_seal WHERE id = %s", seal.pk)
        end = seals[0]
        if head == "set":
            sql(
                "UPDATE core_ledgerhead SET position = %s, digest = %s, watermark = 0, "
                "candidate = 0 WHERE ledger = %s", end.position, end.digest, target.name,
            )  # fmt: skip
        elif head == "removed":
            sql("DELETE FROM core_ledgerhead WHERE ledger = %s", target.name)

    return cut


def _empty(target: Target) -> None:
    sql(f'DELETE FROM "{target.table}"')
    sql("DELETE FROM core_seal WHERE ledger = %s", target.name)
    sql("DELETE FROM core_ledgerhead WHERE ledger = %s", target.name)


def _forge(target: Target, **columns: Any) -> int:
    """Insert a record that is another one's but for its payload, and what must differ."""
    record = target.model.objects.get(pk=target.record)
    others = {name: _another(getattr(record, name)) for name in _unique(target.model)}
    return copied(record, **{"payload": '{"n": 0}'} | others | columns)


def _unique(model: Any) -> set[str]:
    """Return the columns of which no two records have the same."""
    constraints = [
        constraint.fields for constraint in model._meta.constraints if hasattr(constraint, "fields")
    ]
    single = [
        concrete_field.name
        for concrete_field in model._meta.concrete_fields
        if concrete_field.unique
    ]
    names = {name for fields in constraints for name in fields} | set(single)
    return {model._meta.get_field(name).attname for name in names} - {"id"}


def _another(value: Any) -> Any:
    """Return another value of the same kind, where that is easily said."""
    if isinstance(value, uuid.UUID):
        return uuid.uuid4()
    if isinstance(value, str) and value:
        return value[:-1] + ("y" if value.endswith("x") else "x")
    whole = isinstance(value, int) and not isinstance(value, bool)
    return value + 1_000_000 if whole else value


def _forge_earlier(target: Target) -> None:
    from datetime import timedelta

    written = target.model.objects.get(pk=target.record).recorded_at
    _forge(target, recorded_at=written - timedelta(days=30))


def _forge_and_seal(target: Target) -> None:
    """Insert a record and chain it by hand, the bookmark included."""
    record = target.model.objects.get(pk=_forge(target))
    position, previous = verified_reads.read_chain_end(target.name)
    known = {"ledger": target.name, "position": position + 1, "previous": previous}
    known |= {"content": record.content_hash(), "sealed_at": record.recorded_at}
    digest = compute_link_digest(**known, record=record)
    Seal.objects.create(**known, record_id=record.pk, digest=digest)
    sql("UPDATE core_ledgerhead SET position = %s, digest = %s WHERE ledger = %s",
        position + 1, digest, target.name)  # fmt: skip


def tamperings() -> list[Tampering]:
    """Return everything that is tried, the statements of the platform's own tests among them."""
    change = _statement('UPDATE "{t}" SET payload = \'{{"n": 0}}\' WHERE id = {id}')
    blank = _statement("UPDATE \"{t}\" SET payload = '', salt = '' WHERE id = {id}")
    return [
        Tampering("with triggers: a payload is altered", change, guarded=True),
        Tampering("with triggers: a record is deleted",
                  _statement('DELETE FROM "{t}" WHERE id = {id}'), guarded=True),
        Tampering("with triggers: the table is emptied or written anew", _truncate, guarded=True),
        Tampering("with triggers: a payload is blanked as a purge does", blank, guarded=True),
        Tampering("with triggers: the same, and the purge is forged", _purge_forged, guarded=True),
        *(Tampering(title, _statement(text)) for title, text, _ in TAMPERINGS),
        Tampering("a payload is altered, and its seal", _alter_and_seal),
        Tampering("a payload is altered, and the whole chain hashed anew", _alter_and_hash_anew),
        Tampering("two seals change places", _exchange_seals),
        Tampering("a record is gone with its seal", _remove),
        Tampering("the end is cut off", _cut(head="left")),
        Tampering("the end is cut off, and the bookmark set back", _cut(head="set")),
        Tampering("the end is cut off with the bookmark", _cut(head="removed"), sealed=True),
        Tampering("the ledger is emptied", _empty),
        Tampering("a record is forged", _forge, guarded=True, sealed=True),
        Tampering("a record is forged, a month earlier", _forge_earlier, guarded=True, sealed=True),
        Tampering("a record is forged and chained by hand", _forge_and_seal, sealed=True),
    ]  # fmt: skip


def judge(tampering: Tampering, target: Target) -> tuple[str, str]:
    """Write one thing into a ledger, see what becomes of it, and take it back."""
    verdict, why = UNDETECTED, ""
    with rolled_back():
        position, digest = verified_reads.read_chain_end(target.name)
        before = set(verifier.verify_ledger(ledger=target.name).faults)

        def write() -> None:
            if tampering.guarded:
                tampering.write(target)
            else:
                with unguarded([target.model, Seal]):
                    tampering.write(target)

        refusal = attempt(write)
        if refusal:
            verdict, why = REFUSED, refusal
        elif found := _sealer_refuses(tampering, target, now()):
            verdict, why = FOUND, found
        elif faults := set(verifier.verify_ledger(ledger=target.name).faults) - before:
            verdict, why = FOUND, min(faults)
        else:
            heads = {position: {digest}}
            faults = set(verifier.verify_ledger(ledger=target.name, heads=heads).faults) - before
            if faults:
                verdict, why = WITH_HEADS, min(faults)
    return verdict, why


def _sealer_refuses(tampering: Tampering, target: Target, now: Any) -> str:
    """Return why the sealer stops, where it runs after the tampering; it leaves nothing."""
    refused: list[str] = []
    if tampering.sealed:
        try:
            with transaction.atomic():
                sealer.seal_ledger(ledger=target.name, now=now, refused=refused)
        except sealer.SealingRefused as error:
            refused.append(str(error))
    return refused[0] if refused else ""


def targets(names: Sequence[str] = ()) -> list[Target]:
    """Return the ledgers that have enough sealed records, of those that are named or of all."""
    found = []
    for name, model in sorted(ledger_models().items()):
        seals = Seal.objects.filter(ledger=name).order_by("position")
        if (names and name not in names) or seals.count() < FEWEST:
            continue
        seal = seals[1]
        found.append(Target(name, model, model._meta.db_table, seal.record_id, seal.position))
    return found


def run(names: Sequence[str] = ()) -> list[tuple[str, str, str]]:
    """Attack each ledger that has enough records; print and return title, verdict and why."""
    results = []
    with rolled_back():
        sealer.seal_all_ledgers(now=now())
        for target in targets(names):
            for tampering in tamperings():
                verdict, why = judge(tampering, target)
                title = f"{target.name}: {tampering.title}"
                print(f"{verdict:10} {title:76} {why[:120]}", flush=True)
                results.append((title, verdict, why))
    return results


def main(arguments: list[str]) -> int:
    """Return 0 where nothing went undetected and something was tried."""
    results = run(arguments)
    undetected = [title for title, verdict, _ in results if verdict == UNDETECTED]
    for title in undetected:
        print(f"UNDETECTED: {title}", file=sys.stderr)
    if not results:
        print(f"no ledger has {FEWEST} records: ./run manage seed_desk", file=sys.stderr)
    return 0 if results and not undetected else 1
