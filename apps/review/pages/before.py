"""What was decided before of a party, and of a party against the same listed one.

Outcomes are chosen and told by the ledger of decisions, never by the columns of a case.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from apps.review.models import Action, Case, CaseQuerySet, DecisionEvent
from apps.review.rules.keys import share_listed
from apps.review.verdicts import Verdict, verdicts

SHOWN = 3
LOOKED_AT = 200  # decisions of one party among which those on the same listed party are looked for
OTHERS = 10
NOTHING = Verdict()


@dataclass(frozen=True, slots=True)
class Other:
    """Another case of the party; `pair` if it is about the same listed party too.

    `strange` tells that the case says other than what is recorded.
    """

    case: Case
    verdict: Verdict
    pair: bool
    strange: bool


@dataclass(frozen=True, slots=True)
class Before:
    """The last outcomes, what contradicts among them in words, and the latest other cases."""

    outcomes: tuple[Other, ...] = ()
    warning: str = ""
    others: tuple[Other, ...] = ()

    @property
    def undecided(self) -> list[Other]:
        """Those of the latest other cases of which no decision is recorded."""
        return [one for one in self.others if not one.verdict.outcome]

    @property
    def cases(self) -> list[Case]:
        """The latest other cases of the party."""
        return [one.case for one in self.others]


def before(case: Case) -> Before:
    """Return what was decided before; two queries, and two more where there are other cases."""
    if not (case.party_key or case.lei or case.wallet_key):
        return Before()
    latest, decided = list(_of_party(case)[:OTHERS]), _decided(case)
    known = {one.pk: one for one in latest}
    if missing := [pk for pk in decided if pk not in known]:
        known |= {one.pk: one for one in _of_party(case).filter(pk__in=missing)}
    said = verdicts(list(known)) if known else {}
    rows = {pk: _other(case, one, said.get(pk, NOTHING)) for pk, one in known.items()}
    told = tuple(rows[pk] for pk in decided if rows[pk].verdict.outcome)
    return Before(told, _warning(told), tuple(rows[one.pk] for one in latest))


def _of_party(case: Case) -> CaseQuerySet:
    found: CaseQuerySet = Case.objects.same_party(case).defer("evidence", "rules")
    return found


def _decided(case: Case) -> list[int]:
    """Return the cases that were decided last: of this party, and of this very pair."""
    party = Case.objects.same_party(case).order_by().values("pk")
    events = DecisionEvent.objects.filter(action=Action.DECIDED, case__in=party)
    rows = list(events.order_by("-pk").values_list("case_id", "case__entity_key")[:LOOKED_AT])
    pairs = [pk for pk, key in rows if share_listed(key, case.entity_key)]
    wanted = {*pairs[:SHOWN], *(pk for pk, _ in rows[:SHOWN])}
    return [pk for pk, _ in rows if pk in wanted]


def _other(case: Case, other: Case, verdict: Verdict) -> Other:
    return Other(
        case=other,
        verdict=verdict,
        pair=share_listed(other.entity_key, case.entity_key),
        strange=(verdict.status, verdict.outcome) != (other.status, other.outcome),
    )


def _warning(told: Sequence[Other]) -> str:
    """Tell whether outcomes contradict each other: of this pair, or of the party at all."""
    for rows, whose in (
        ([one for one in told if one.pair], "this party against the same listed one"),
        (told, "this party"),
    ):
        done = dict.fromkeys(one.verdict.done.lower() for one in rows)
        if len({one.verdict.outcome for one in rows}) > 1:
            return f"Outcomes of {whose} contradict each other: {' and '.join(done)}"
    return ""
