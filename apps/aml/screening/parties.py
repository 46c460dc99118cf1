"""The first layer: wallets and those registered for them, held against the sanctions lists."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from apps.core.chain import proven
from apps.core.prepared import Select
from apps.core.problems import Unavailable
from apps.registry.models import Action, Registration, RegistrationEvent
from apps.registry.projection import faults
from apps.watchlists import evidence, lookup
from apps.watchlists.engine import Engine
from apps.watchlists.found import Match
from apps.watchlists.rules import BLOCK_SCORE, PARTIAL_SCORE
from apps.watchlists.subjects import Subject
from apps.watchlists.values import Identifier

KEPT = 65_536  # answers of the lists in force, per process


class RegistrationUnproved(Unavailable):
    """A registration that the screen rests on is not as it was recorded."""

    code, title = "registration_unproved", "The registration cannot be relied on"


@dataclass(frozen=True, slots=True)
class Party:
    """One of the two wallets: who is registered for it, and what the lists have of both.

    `listed` are `list:id` with the name, of entries that count as a match; `wallets` says that an
    entry bears the address itself. `near` is the best partial match of a name that no officer has
    cleared, in per cent.
    """

    wallet: str
    name: str = ""
    listed: tuple[str, ...] = ()
    lists: tuple[str, ...] = ()
    matches: tuple[Match, ...] = ()
    near: int = 0

    def recorded(self) -> dict[str, Any]:
        """Return it as the record keeps it."""
        return {
            "wallet": self.wallet,
            "name": self.name,
            "listed": list(self.listed),
            "near": self.near,
            "matches": [one.recorded() for one in self.matches],
        }


def parties(*, engine: Engine, wallets: tuple[str, str]) -> tuple[Party, Party]:
    """Hold two wallets and those registered for them against the lists.

    Two queries at most. Raises RegistrationUnproved (503) where a registration was altered.
    """
    held, cleared = {}, Cleared()
    if registered := [pk for (pk,) in ACTIVE.rows(wallets)]:
        held = {one.wallet: one for one in Registration.objects.filter(pk__in=registered)}
        try:
            cleared = _insist(list(held.values()))
        except RegistrationUnproved:
            # a listed address blocks whoever is said to stand behind it
            if not any(listed_address(engine, one).listed for one in wallets):
                raise
            held = {}
    first, second = (_party(engine, one, held.get(one), cleared) for one in wallets)
    return first, second


def registered_party(
    *, engine: Engine, row: Registration, events: Iterable[RegistrationEvent]
) -> Party:
    """Hold the wallet of a registration that is proved, with its own events, against the lists."""
    return _party(engine, row.wallet, row, _cleared(events))


class Cleared(dict[int, frozenset[str]]):
    """The listed parties that an officer saw and cleared, by registration."""

    def __missing__(self, key: int) -> frozenset[str]:
        return frozenset()


def _cleared(events: Iterable[RegistrationEvent]) -> Cleared:
    """Return what officers cleared: the entries of the checks before their decision."""
    seen: dict[int, set[str]] = {}
    found = Cleared()
    for one in events:
        said = one.data.get("evidence", {}).get("sanctions", ())
        seen.setdefault(one.registration_id, set()).update(row["entityId"] for row in said)
        if one.action == Action.CLEARED:
            found[one.registration_id] = frozenset(seen[one.registration_id])
    return found


def _insist(rows: list[Registration]) -> Cleared:
    """Raise RegistrationUnproved unless each registration is as its last event has it.

    Returns what officers cleared of them, by the events that are proved to be ours.
    """
    events = list(RegistrationEvent.objects.filter(registration__in=rows).order_by("pk"))
    last = {one.registration_id: one for one in events}
    for row in rows:
        if list(faults(row, proven([last[row.pk]] if row.pk in last else []))):
            raise RegistrationUnproved("A registration of these wallets is not as it was recorded.")
    return _cleared(proven(events))


def _active(wallets: Sequence[str]) -> Any:
    return Registration.objects.active().filter(wallet__in=wallets).order_by().values_list("pk")


ACTIVE = Select(_active)


def _party(engine: Engine, wallet: str, row: Registration | None, cleared: Cleared) -> Party:
    """Return what the lists have of a wallet and of who is registered for it.

    A name that resembles a listed one in part counts until an officer cleared it of that entry.
    """
    if row is None:
        return listed_address(engine, wallet)
    subject = Subject(
        name=row.legal_name, aliases=tuple(row.aliases), lei=row.lei, wallet=row.wallet
    )
    matches = _matches(engine, subject)
    hits = [one for one in matches if one.score >= BLOCK_SCORE]
    open_ = [one.score for one in matches if one.ref not in cleared[row.pk] or row.under_review]
    partial = max((score for score in open_ if score < BLOCK_SCORE), default=0)
    near = partial if partial >= PARTIAL_SCORE else 0
    return Party(
        wallet,
        row.legal_name,
        tuple(_entry(one.dataset, one.ref, one.name) for one in hits),
        tuple(sorted({one.dataset for one in hits})),
        matches,
        near,
    )


class _Answers:
    """What one set of lists answered: the same asked again is the same, until others are live."""

    def __init__(self) -> None:
        self.of: tuple[Any, dict[Any, Any]] = (None, {})

    def held(self, engine: Engine) -> dict[Any, Any]:
        """Return the answers of the lists of an engine; none for other lists, nor too many."""
        index, answers = self.of
        if index is not engine.sanctions or len(answers) >= KEPT:
            self.of = engine.sanctions, (answers := {})
        return answers


_answers = _Answers()


def _matches(engine: Engine, subject: Subject) -> tuple[Match, ...]:
    """Return what the lists have of somebody who is registered."""
    answers = _answers.held(engine)
    if subject not in answers:
        answers[subject] = lookup.sanctions(engine=engine, subject=subject).matches
    found: tuple[Match, ...] = answers[subject]
    return found


def listed_address(engine: Engine, wallet: str) -> Party:
    """Return a wallet of whom nobody is known: only its address can be on a list."""
    answers = _answers.held(engine)
    if wallet not in answers:
        answers[wallet] = _address(engine, wallet)
    found: Party = answers[wallet]
    return found


def _entry(dataset: str, ref: str, name: str) -> str:
    """Return a listed party as it is told: its list, its number there, and its name."""
    number = ref.removeprefix(f"{dataset}:")
    return f"{dataset}:{number} {name}".strip()


def _address(engine: Engine, wallet: str) -> Party:
    index = engine.sanctions
    asked = Identifier("wallet", wallet)
    hits = {}
    for kind, value in evidence.looked_up(asked):
        for hit in index.search_exact(kind=kind, value=value):
            if not evidence.doubt(index.entity(hit.position), kind=kind, identifier=asked):
                hits[hit.ref] = (_entry(hit.dataset, hit.ref, hit.name), hit.dataset)
    named = sorted(hits.values())
    return Party(
        wallet, "", tuple(one for one, _ in named), tuple(sorted({one for _, one in named}))
    )
