"""Register how each table is protected against an attacker who can write the database.

Every table is registered here or is a ledger (apps/platform/ledger/records.py), whose records prove
themselves; a test checks all models. `./run manage print_integrity` prints the registry for
docs/security.md. An app keeps its part in `table_proofs.py`.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from operator import attrgetter

from apps.platform.common.registry import Registry
from apps.platform.db.parallel_scan import Span

MONEY = "moves money"
ACCESS = "gains access"
PARTY = "hides a party"

SHOWN = "display only: no decision reads it"
FOUND_BY = "keys for searching and sorting at the desk; the rows found are compared"
TRIED = "time of the next attempt, and the outcome of the last one"
OLDER_FIGURE = "an older figure is used instead, and the answer states its date"
HISTORY = "history for display; the records of `proposals` are authoritative"
GONE, FORGED = "deleted row", "forged row"

# `(progress) -> faults in words`: recomputes a table from a ledger's records and yields where the
# table differs. `progress(done)` is called with the number of rows compared.
TableComparison = Callable[..., Iterable[str]]


@dataclass(frozen=True, slots=True)
class Comparison:
    """A projection: a table beside a ledger that `verify_ledger` compares with the records.

    A projection that several processes can compare in ranges has a `split` that returns these for a
    number of processes; `compare` takes one as `span`. `position` orders those of one ledger.
    """

    compare: TableComparison
    split: Callable[[int], Sequence[Span]] | None = None
    position: int = 0


@dataclass(frozen=True, slots=True)
class TableProof:
    """The effect of changing or deleting a table's rows, and the check that detects it.

    `ledger` is the one with which `verify_ledger` verifies the table, by `compare`; a table without
    one has a MAC in each row. `deleted` says why a deleted row does no harm, if no check detects
    it.
    """

    would: str
    ledger: str = ""
    compare: TableComparison | None = None
    where: str = ""
    deleted: str = ""

    @property
    def description(self) -> str:
        """Describe the protection for the docs."""
        gone = f"; if a row is deleted, {self.deleted}" if self.deleted else ""
        if not self.ledger:
            return f"a MAC on each row, {self.where}{gone}"
        where = f", {self.where}" if self.where else ""
        return f"compared with the ledger `{self.ledger}`{where}{gone}"


# columns, GONE or FORGED, and what an attacker who writes them gains
UncomparedParts = tuple[tuple[tuple[str, ...], str], ...]


@dataclass(frozen=True, kw_only=True)
class TableProofs:
    """The registration of an app: `comparisons` by ledger, the others by the label of a table.

    `uncompared` lists columns of a protected table that nothing compares; `./run attack rows`
    alters all columns, these included. `beside` lists tables whose change moves no money, grants no
    access and hides no party, with the reason.

    `witnessed` are the ledgers that authorise people, agents and wallets and move money: each of
    their records is noted on disk as well (ledger/written_record_log.py), so that a record that is
    deleted before it is sealed is missed. `by_month` are ledgers whose tables PostgreSQL may hold
    in monthly partitions: those that grow without end, and that no other table refers to by a
    constraint.
    """

    comparisons: Mapping[str, Sequence[Comparison]] = field(default_factory=dict)
    proved: Mapping[str, TableProof] = field(default_factory=dict)
    uncompared: Mapping[str, UncomparedParts] = field(default_factory=dict)
    beside: Mapping[str, str] = field(default_factory=dict)
    witnessed: Sequence[str] = ()
    by_month: Sequence[str] = ()


PROJECTIONS: dict[str, list[Comparison]] = {}
PROVED: Registry[TableProof] = Registry("protection of a table")
UNCOMPARED: Registry[UncomparedParts] = Registry("gap in the protection of a table")
BESIDE: Registry[str] = Registry("table without protection")
WITNESSED: set[str] = set()
BY_MONTH: list[str] = []


def register_table_proofs(proofs: TableProofs) -> None:
    """Add the proofs of an app's tables; AlreadyRegistered for a table that has one."""
    for ledger, comparisons in proofs.comparisons.items():
        all_comparisons = [*PROJECTIONS.get(ledger, ()), *comparisons]
        # apps of several groups compare with one ledger; faults come in a fixed order
        PROJECTIONS[ledger] = sorted(all_comparisons, key=attrgetter("position"))
    for label, proof in proofs.proved.items():
        PROVED.register(label, proof)
    for label, parts in proofs.uncompared.items():
        UNCOMPARED.register(label, parts)
    for label, why in proofs.beside.items():
        BESIDE.register(label, why)
    WITNESSED.update(proofs.witnessed)
    BY_MONTH.extend(proofs.by_month)
