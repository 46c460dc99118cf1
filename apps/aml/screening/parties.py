"""The first layer: wallets and those registered for them, held against the sanctions lists."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from apps.core.chain import proven
from apps.core.prepared import Select
from apps.core.problems import Unavailable
from apps.registry.models import Registration, RegistrationEvent
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
    held = {}
    if registered := [pk for (pk,) in ACTIVE.rows(wallets)]:
        held = {one.wallet: one for one in Registration.objects.filter(pk__in=registered)}
        _insist(list(held.values()))
    first, second = (_party(engine, one, held.get(one)) for one in wallets)
    return first, second


def _insist(rows: list[Registration]) -> None:
    """Raise RegistrationUnproved unless each registration is as its last event has it."""
    events = RegistrationEvent.objects.filter(registration__in=rows).order_by("pk")
    last = {one.registration_id: one for one in events}
    for row in rows:
        if list(faults(row, proven([last[row.pk]] if row.pk in last else []))):
            raise RegistrationUnproved("A registration of these wallets is not as it was recorded.")


def _active(wallets: Sequence[str]) -> Any:
    return Registration.objects.active().filter(wallet__in=wallets).order_by().values_list("pk")


ACTIVE = Select(_active)


def _party(engine: Engine, wallet: str, row: Registration | None) -> Party:
    if row is None:
        return listed_address(engine, wallet)
    subject = Subject(
        name=row.legal_name, aliases=tuple(row.aliases), lei=row.lei, wallet=row.wallet
    )
    matches = _matches(engine, subject)
    hits = [one for one in matches if one.score >= BLOCK_SCORE]
    partial = max((one.score for one in matches if one.score < BLOCK_SCORE), default=0)
    near = partial if row.under_review and partial >= PARTIAL_SCORE else 0
    return Party(
        wallet,
        row.legal_name,
        tuple(f"{one.dataset}:{one.ref} {one.name}" for one in hits),
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


def _address(engine: Engine, wallet: str) -> Party:
    index = engine.sanctions
    asked = Identifier("wallet", wallet)
    hits = {}
    for kind, value in evidence.looked_up(asked):
        for hit in index.search_exact(kind=kind, value=value):
            if not evidence.doubt(index.entity(hit.position), kind=kind, identifier=asked):
                hits[hit.ref] = (f"{hit.dataset}:{hit.ref} {hit.name}".strip(), hit.dataset)
    named = sorted(hits.values())
    return Party(
        wallet, "", tuple(one for one, _ in named), tuple(sorted({one for _, one in named}))
    )
