"""The first layer: screen wallets and their registered parties against the sanctions lists."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from apps.compliance.payees.integrity import find_registration_faults
from apps.compliance.payees.models import Action, Registration, RegistrationEvent
from apps.platform.common.problems import Unavailable
from apps.platform.db.compiled_statements import CompiledSelect
from apps.platform.ledger.verification.verified_reads import filter_verified_records
from apps.reference.watchlists import lookup, match_effects
from apps.reference.watchlists.budgeted_name_search import OVER_BUDGET
from apps.reference.watchlists.engine import Engine
from apps.reference.watchlists.listed_entity import Identifier
from apps.reference.watchlists.matches import ListMatch, LookupResult
from apps.reference.watchlists.rules.score_limits import BLOCK_SCORE, PARTIAL_SCORE
from apps.reference.watchlists.subjects import Subject

# a wallet pays again and again: a cached answer saves the look-up in the index
KEPT = 65_536  # answers of the lists in force, per process


class RegistrationIntegrityError(Unavailable):
    """Integrity check failed for a registration that the screen depends on."""

    code, title = "registration_unproved", "Registration integrity check failed"


@dataclass(frozen=True, slots=True)
class ScreenedWallet:
    """One of the two wallets: who is registered for it, and what the lists have of both.

    `listed` are `list:id` with the name, of entries that count as a match; `wallets` says that an
    entry bears the address itself. `near` is the best partial match of a name that no officer has
    cleared, in per cent.
    """

    wallet: str
    name: str = ""
    listed: tuple[str, ...] = ()
    lists: tuple[str, ...] = ()
    matches: tuple[ListMatch, ...] = ()
    near: int = 0

    def recorded(self) -> dict[str, Any]:
        """Return it as the record keeps it."""
        return {
            "wallet": self.wallet,
            "name": self.name,
            "listed": list(self.listed),
            "near": self.near,
            "matches": [match.recorded() for match in self.matches],
        }


def screen_wallets(
    *, engine: Engine, wallets: tuple[str, str]
) -> tuple[ScreenedWallet, ScreenedWallet]:
    """Hold two wallets and those registered for them against the lists.

    Two queries at most. Raises RegistrationIntegrityError (503) where a registration was altered.
    """
    registrations_by_wallet, cleared = {}, ClearedMatches()
    # most wallets are not registered: one prepared statement finds that out
    if registered := [pk for (pk,) in ACTIVE.rows(wallets)]:
        registrations_by_wallet = {
            registration.wallet: registration
            for registration in Registration.objects.filter(pk__in=registered)
        }
        try:
            # each registration must be as its last event has it; only verified events clear matches
            rows = list(registrations_by_wallet.values())
            events = list(RegistrationEvent.objects.filter(registration__in=rows).order_by("pk"))
            last = {event.registration_id: event for event in events}
            for row in rows:
                if list(
                    find_registration_faults(
                        row, filter_verified_records([last[row.pk]] if row.pk in last else [])
                    )
                ):
                    raise RegistrationIntegrityError(
                        "Integrity check failed for a registration of these wallets."
                    )
            cleared = _collect_cleared_matches(filter_verified_records(events))
        except RegistrationIntegrityError:
            # a listed address blocks, whatever its stated owner
            if not any(screen_address(engine, wallet).listed for wallet in wallets):
                raise
            registrations_by_wallet = {}
    first, second = (
        _screen_wallet(engine, wallet, registrations_by_wallet.get(wallet), cleared)
        for wallet in wallets
    )
    return first, second


def screen_registered_wallet(
    *, engine: Engine, row: Registration, events: Iterable[RegistrationEvent]
) -> ScreenedWallet:
    """Hold the wallet of a registration that is proved, with its own events, against the lists."""
    return _screen_wallet(engine, row.wallet, row, _collect_cleared_matches(events))


class ClearedMatches(dict[int, frozenset[str]]):
    """The listed parties that an officer saw and cleared, by registration."""

    def __missing__(self, key: int) -> frozenset[str]:
        return frozenset()


def _collect_cleared_matches(events: Iterable[RegistrationEvent]) -> ClearedMatches:
    """Return what officers cleared: the entries of the checks before their decision."""
    seen: dict[int, set[str]] = {}
    cleared_matches = ClearedMatches()
    for event in events:
        sanctions = event.data.get("evidence", {}).get("sanctions", ())
        # an officer clears what the checks up to then had found, and nothing that lists add later
        seen.setdefault(event.registration_id, set()).update(row["entityId"] for row in sanctions)
        if event.action == Action.CLEARED:
            cleared_matches[event.registration_id] = frozenset(seen[event.registration_id])
    return cleared_matches


def _select_active(wallets: Sequence[str]) -> Any:
    return Registration.objects.active().filter(wallet__in=wallets).order_by().values_list("pk")


ACTIVE = CompiledSelect(_select_active)


def _screen_wallet(
    engine: Engine, wallet: str, row: Registration | None, cleared: ClearedMatches
) -> ScreenedWallet:
    """Return what the lists have of a wallet and of who is registered for it.

    A name that resembles a listed one in part counts until an officer cleared it of that entry.
    """
    if row is None:
        return screen_address(engine, wallet)
    subject = Subject(
        name=row.legal_name, aliases=tuple(row.aliases), lei=row.lei, wallet=row.wallet
    )
    answers = _answers.held(engine)
    if subject not in answers:
        answers[subject] = lookup.match_sanctions(engine=engine, subject=subject)
    looked_up: LookupResult = answers[subject]
    matches = looked_up.matches
    hits = [match for match in matches if match.score >= BLOCK_SCORE]
    open_scores = [
        match.score for match in matches if match.ref not in cleared[row.pk] or row.under_review
    ]
    # a name that takes too long to compare counts as one that resembles a listed one
    open_scores += [PARTIAL_SCORE] if OVER_BUDGET in looked_up.unread else []
    partial = max((score for score in open_scores if score < BLOCK_SCORE), default=0)
    near = partial if partial >= PARTIAL_SCORE else 0
    return ScreenedWallet(
        wallet,
        row.legal_name,
        tuple(_format_entry(hit.dataset, hit.ref, hit.name) for hit in hits),
        tuple(sorted({hit.dataset for hit in hits})),
        matches,
        near,
    )


class _AnswerCache:
    """What one set of lists answered: the same asked again is the same, until others are live."""

    def __init__(self) -> None:
        self.of: tuple[Any, dict[Any, Any]] = (None, {})

    def held(self, engine: Engine) -> dict[Any, Any]:
        """Return the cached answers of the engine's lists; a full or stale cache starts empty."""
        index, answers = self.of
        # another list version is another index object
        if index is not engine.sanctions or len(answers) >= KEPT:
            self.of = engine.sanctions, (answers := {})
        return answers


_answers = _AnswerCache()


def screen_address(engine: Engine, wallet: str) -> ScreenedWallet:
    """Return a wallet without a known party: only its address can be on a list."""
    answers = _answers.held(engine)
    if wallet not in answers:
        answers[wallet] = _look_up_address(engine, wallet)
    answer: ScreenedWallet = answers[wallet]
    return answer


def _format_entry(dataset: str, ref: str, name: str) -> str:
    """Format a listed party: its list, its number there, and its name."""
    number = ref.removeprefix(f"{dataset}:")
    return f"{dataset}:{number} {name}".strip()


def _look_up_address(engine: Engine, wallet: str) -> ScreenedWallet:
    index = engine.sanctions
    identifier = Identifier("wallet", wallet)
    hits = {}
    # lists print addresses as wallets, and some among other identifiers
    for kind, value in match_effects.expand_identifier_kinds(identifier):
        for hit in index.search_exact(kind=kind, value=value):
            if not match_effects.describe_identifier_doubt(
                index.entity(hit.position), kind=kind, identifier=identifier
            ):
                hits[hit.ref] = (_format_entry(hit.dataset, hit.ref, hit.name), hit.dataset)
    named = sorted(hits.values())
    return ScreenedWallet(
        wallet,
        "",
        tuple(name for name, _ in named),
        tuple(sorted({list_name for _, list_name in named})),
    )
