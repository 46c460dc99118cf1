"""How each table is proved against whoever can write the database, as apps register it.

Every table is in one of these, or is a ledger (apps/platform/ledger/records.py), whose records
prove themselves; a test walks all models. `./run manage print_integrity` prints it for
docs/security.md. An app keeps its part in `table_proofs.py`.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from operator import attrgetter

from apps.platform.common.registry import Registry
from apps.platform.db.parallel_scan import Span

MONEY = "moves money"
ACCESS = "lets somebody in"
PARTY = "hides a party"

SHOWN = "shown, and nothing is decided by it"
FOUND_BY = "finds and sorts rows at the desk; what is found is compared"
TRIED = "when it is tried again, and what the last try met"
OLDER_FIGURE = "an older figure counts in its place, and the answer says of which day it is"
HISTORY = "history as pages show it; what counts are the records of `proposals`"
GONE, FORGED = "a row that is gone", "a row that is forged"

# `(progress) -> faults in words`: computes a table anew from a ledger's records and says where the
# table differs. `progress(done)` is called with the number of rows looked at.
TableComparison = Callable[..., Iterable[str]]


@dataclass(frozen=True, slots=True)
class Comparison:
    """A projection: what is kept beside a ledger, held against its records by `verify_ledger`.

    One that can be looked at in stretches, several at once, has a `split` that returns these for a
    number of processes; `compare` takes one as `span`. `position` orders those of one ledger.
    """

    compare: TableComparison
    split: Callable[[int], Sequence[Span]] | None = None
    position: int = 0


@dataclass(frozen=True, slots=True)
class TableProof:
    """What a change or a deletion of a table's rows would do, and what finds it.

    `ledger` is the one that `verify_ledger` verifies it with, by `compare`; a table without
    carries a MAC of its own in each row. `deleted` says why a row that is gone does no harm, where
    nothing misses it.
    """

    would: str
    ledger: str = ""
    compare: TableComparison | None = None
    where: str = ""
    deleted: str = ""

    @property
    def told(self) -> str:
        """How it is proved, for the docs."""
        gone = f"; where one is gone, {self.deleted}" if self.deleted else ""
        if not self.ledger:
            return f"a MAC on each row, {self.where}{gone}"
        where = f", {self.where}" if self.where else ""
        return f"compared with the ledger `{self.ledger}`{where}{gone}"


# columns, GONE or FORGED, and what whoever writes them gains
UncomparedParts = tuple[tuple[tuple[str, ...], str], ...]


@dataclass(frozen=True, kw_only=True)
class TableProofs:
    """What an app registers: `comparisons` by ledger, the others by the label of a table.

    `uncompared` has what nothing compares in a proved table; `./run attack rows` tries all else,
    and this too. `beside` has tables whose change moves no money, lets nobody in and hides nobody,
    and why that is so.

    `witnessed` are ledgers by whose records people, agents and wallets are let in, and money moves:
    each record is noted on disk as well (ledger/witness_log.py), so that one that is cut off before
    it is sealed is missed. `by_month` are ledgers whose tables PostgreSQL may hold in monthly
    partitions: those that grow without end, and that no other table refers to by a constraint.
    """

    comparisons: Mapping[str, Sequence[Comparison]] = field(default_factory=dict)
    proved: Mapping[str, TableProof] = field(default_factory=dict)
    uncompared: Mapping[str, UncomparedParts] = field(default_factory=dict)
    beside: Mapping[str, str] = field(default_factory=dict)
    witnessed: Sequence[str] = ()
    by_month: Sequence[str] = ()


PROJECTIONS: dict[str, list[Comparison]] = {}
PROVED: Registry[TableProof] = Registry("proof of a table")
UNCOMPARED: Registry[UncomparedParts] = Registry("gap in the proof of a table")
BESIDE: Registry[str] = Registry("table without a proof")
WITNESSED: set[str] = set()
BY_MONTH: list[str] = []


def register_table_proofs(proofs: TableProofs) -> None:
    """Add how the tables of an app are proved; AlreadyRegistered for a table that has its proof."""
    for ledger, comparisons in proofs.comparisons.items():
        every = [*PROJECTIONS.get(ledger, ()), *comparisons]
        PROJECTIONS[ledger] = sorted(every, key=attrgetter("position"))
    for label, proof in proofs.proved.items():
        PROVED.register(label, proof)
    for label, parts in proofs.uncompared.items():
        UNCOMPARED.register(label, parts)
    for label, why in proofs.beside.items():
        BESIDE.register(label, why)
    WITNESSED.update(proofs.witnessed)
    BY_MONTH.extend(proofs.by_month)
