"""Earlier decisions on a party, and on a party against the same listed one.

Outcomes are read from the ledger of decisions, never from the columns of a case.
"""

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from django.db.models import Q

from apps.access.keys import tenant_names
from apps.backoffice.review import case_types
from apps.backoffice.review.case_types import CASE_TYPES, drop_disowned_lei
from apps.backoffice.review.models import Action, Case, CaseQuerySet, DecisionEvent, Outcome
from apps.backoffice.review.rules.case_keys import has_shared_listed_party
from apps.backoffice.review.selectors.recorded_decisions import Verdict, load_verdicts
from apps.platform.desk.local_dates import local_date

SHOWN = 3
# of one party: among these those on the same listed party are searched for
MOST_DECISIONS = 200
OTHERS = 10
NOTHING = Verdict()
PARTY = (
    "case_id", "case__kind", "case__party_key", "case__lei", "case__wallet_key",
    "case__entity_key", "case__rule_refs",
)  # fmt: skip
FINDING_LABELS = {True: "the listed party", False: "another party"}


class DecisionRow(NamedTuple):
    """A decision that may be shown: its case, the party of the case, and its finding."""

    case: int
    kind: str
    party_key: str
    lei: str
    wallet_key: str
    entity_key: str
    rule_refs: str
    outcome: str
    payload: str

    @property
    def finding(self) -> bool | None:
        """See `classify_finding`; a purged record found nothing any more."""
        code = json.loads(self.payload).get("reason_code", "") if self.payload else ""
        return classify_finding(self.kind, outcome=self.outcome, code=code)


@dataclass(frozen=True, slots=True)
class PriorCase:
    """Another case of the party; `pair` if it is about the same listed party too.

    `strange` tells that the case says other than what is recorded. `client` is whose it is, by
    name, where that is another client than the case's.
    """

    case: Case
    verdict: Verdict
    pair: bool
    strange: bool
    client: str = ""

    @property
    def recorded(self) -> str:
        """Number, outcome, day, officers and reason, in words that stay as they are."""
        verdict = self.verdict
        who = f"{verdict.first} and {verdict.second}" if verdict.second else verdict.first
        day = f" on {local_date(verdict.decided_at):%d %b %Y}" if verdict.decided_at else ""
        pair = ", against the same listed party" if self.pair else ""
        whose = f" of {self.client}" if self.client else ""
        return (
            f"Case {self.case.pk}{whose}: {verdict.done.lower()}{day} by {who}{pair}: "
            f"{verdict.reason}"
        )

    @property
    def finding(self) -> bool | None:
        """Whether the party was found to be the listed party; None if the reason says neither."""
        verdict = self.verdict
        return classify_finding(self.case.kind, outcome=verdict.outcome, code=verdict.reason_code)


@dataclass(frozen=True, slots=True)
class PriorDecisions:
    """The last outcomes, what contradicts among them in words, and the latest other cases."""

    outcomes: tuple[PriorCase, ...] = ()
    warning: str = ""
    others: tuple[PriorCase, ...] = ()

    @property
    def found(self) -> PriorCase | None:
        """The last case that was rejected because this party is this listed one, or None."""
        rejected = (
            outcome for outcome in self.outcomes if outcome.verdict.outcome == Outcome.REJECT
        )
        return next((case for case in rejected if case.pair and case.finding), None)

    @property
    def true_match(self) -> str:
        """What the last such case found, in words; an empty text where none did."""
        if (prior_case := self.found) is None:
            return ""
        day = (
            f" on {local_date(prior_case.verdict.decided_at):%d %b %Y}"
            if prior_case.verdict.decided_at
            else ""
        )
        return f"Case {prior_case.case.pk}{day}: {prior_case.verdict.reason}."

    @property
    def recorded(self) -> dict[str, Any]:
        """What a decision records of it: `earlier` in words, and what was warned of."""
        evidence: dict[str, Any] = {"earlier": [outcome.recorded for outcome in self.outcomes]}
        return evidence | ({"warning": self.warning} if self.warning else {})

    @property
    def undecided(self) -> list[PriorCase]:
        """Those of the latest other cases of which no decision is recorded."""
        return [other for other in self.others if not other.verdict.outcome]

    @property
    def cases(self) -> list[Case]:
        """The latest other cases of the party."""
        return [other.case for other in self.others]


def classify_finding(kind: str, *, outcome: str, code: str) -> bool | None:
    """Tell whether a reason finds the party to be the listed party; None if it says neither."""
    reason = (
        case_types.get_case_type(kind).reason(outcome=outcome, code=code)
        if kind in CASE_TYPES
        else None
    )
    if reason is None or reason.is_listed == reason.false_positive:
        return None
    return reason.is_listed


def load_prior_decisions(case: Case) -> PriorDecisions:
    """Return what was decided before; at most six queries."""
    if not _has_party(case):
        return PriorDecisions()
    cases: CaseQuerySet = Case.objects.same_party(case).defer("evidence", "rules")
    latest = list(cases[:OTHERS])
    if not latest:  # so nothing was decided of it either
        return PriorDecisions()
    decided = _find_decided_cases([case])[case.pk]
    known = {earlier_case.pk: earlier_case for earlier_case in latest}
    if missing := [pk for pk in decided if pk not in known]:
        known |= {
            earlier_case.pk: earlier_case
            for earlier_case in _select_without_evidence().filter(pk__in=missing)
        }
    verdicts = load_verdicts(list(known)) if known else {}
    clients = _load_client_names([case], known.values())
    rows = {
        pk: _build_prior_case(case, event, verdicts.get(pk, NOTHING), clients)
        for pk, event in known.items()
    }
    prior_cases = tuple(rows[pk] for pk in decided if rows[pk].verdict.outcome)
    return PriorDecisions(
        prior_cases, _describe_contradiction(prior_cases), tuple(rows[event.pk] for event in latest)
    )


def load_prior_decisions_of_cases(cases: Sequence[Case]) -> dict[int, PriorDecisions]:
    """Return what was decided before of each of several cases; five queries for all of them."""
    named = [case for case in cases if _has_party(case)]
    decided = _find_decided_cases(named) if named else {}
    numbers = {pk for pks in decided.values() for pk in pks}
    known = (
        {
            decided_case.pk: decided_case
            for decided_case in _select_without_evidence().filter(pk__in=numbers)
        }
        if numbers
        else {}
    )
    verdicts = load_verdicts(numbers) if numbers else {}
    prior_decisions, clients = {}, _load_client_names(cases, known.values()) if known else {}
    for case in cases:
        of_it = [known[pk] for pk in decided.get(case.pk, ())]
        rows = [
            _build_prior_case(case, decided_case, verdicts.get(decided_case.pk, NOTHING), clients)
            for decided_case in of_it
        ]
        prior_cases = tuple(row for row in rows if row.verdict.outcome)
        prior_decisions[case.pk] = PriorDecisions(prior_cases, _describe_contradiction(prior_cases))
    return prior_decisions


def _has_party(case: Case) -> bool:
    return bool(case.party_key or case.own_lei or case.wallet_key)


def _select_without_evidence() -> CaseQuerySet:
    cases: CaseQuerySet = Case.objects.defer("evidence", "rules")
    return cases


def _find_decided_cases(cases: Sequence[Case]) -> dict[int, list[int]]:
    """Return by case the latest decisions, and the latest findings on the party's identity.

    One query, and one more if there are older decisions.
    """
    of_them = Case.objects.same_parties(cases).order_by().values("pk")
    events = DecisionEvent.objects.filter(action=Action.DECIDED, case__in=of_them)
    decision_events = events.order_by("-pk").values_list("pk", *PARTY, "outcome", "payload")
    most = MOST_DECISIONS * len(cases)
    rows = {row[0]: DecisionRow(*row[1:]) for row in decision_events[:most]}
    # there may be older ones: a finding that the party is the listed party must never be missed,
    # however many decisions came after it
    if len(rows) == most:
        grave = Q(pk__in=[])
        reasons_by_kind = (
            kind.reasons.get(Outcome.REJECT, ()) for kind in case_types.load_case_types().values()
        )
        true_match_codes = {
            reason.code for reasons in reasons_by_kind for reason in reasons if reason.is_listed
        }
        for code in sorted(true_match_codes):
            # payloads are canonical JSON, without spaces
            grave |= Q(payload__contains=f'"reason_code":"{code}"')
        older = decision_events.filter(grave, outcome=Outcome.REJECT)
        rows |= {row[0]: DecisionRow(*row[1:]) for row in older}
    newest = [rows[pk] for pk in sorted(rows, reverse=True)]
    return {case.pk: _choose_shown_cases(case, newest) for case in cases}


def _choose_shown_cases(case: Case, newest: Sequence[DecisionRow]) -> list[int]:
    """Return the cases to show: the last three, of the pair too, and the last findings."""
    party = [row for row in newest if _is_same_party(case, row)]
    pair = [row for row in party if has_shared_listed_party(row.entity_key, case.entity_key)]
    cases = {row.case for rows in (party, pair) for row in rows[:SHOWN]}
    for rows in (party, pair):
        # the newest decision of each finding, so that a contradiction shows however old it is
        shown_decisions = [(row.finding, row.outcome) for row in rows]
        last = {
            shown_decisions.index(shown_decision)
            for shown_decision in set(shown_decisions)
            if shown_decision[0] is not None
        }
        cases |= {rows[at].case for at in last}
    return list(dict.fromkeys(row.case for row in party if row.case in cases))


def _is_same_party(case: Case, row: DecisionRow) -> bool:
    """Tell what `QueueQuerySet.same_party` asks of the database."""
    if row.case == case.pk:
        return False
    same = (
        (case.party_key, row.party_key),
        (case.own_lei, drop_disowned_lei(row.lei, row.rule_refs)),
        (case.wallet_key, row.wallet_key),
    )
    return any(value and value == other for value, other in same)


def _load_client_names(cases: Iterable[Case], others: Iterable[Case]) -> dict[str, str]:
    """Return the names of tenants if they are more than one; one query then."""
    owners = {case.owner for case in (*cases, *others)}
    return (
        {owner: owner for owner in owners} | tenant_names.load_tenant_names(owners)
        if len(owners) > 1
        else {}
    )


def _build_prior_case(
    case: Case, other: Case, verdict: Verdict, clients: Mapping[str, str]
) -> PriorCase:
    return PriorCase(
        case=other,
        verdict=verdict,
        pair=has_shared_listed_party(other.entity_key, case.entity_key),
        client=clients.get(other.owner, "") if other.owner != case.owner else "",
        strange=(verdict.status, verdict.outcome) != (other.status, other.outcome),
    )


def _describe_contradiction(prior_cases: Sequence[PriorCase]) -> str:
    """Tell whether findings contradict each other: of this pair, or of the party at all.

    That one payment was approved and another rejected contradicts nothing: each has its reasons.
    """
    for rows, whose in (
        (
            [prior_case for prior_case in prior_cases if prior_case.pair],
            "this party against the same listed one",
        ),
        (prior_cases, "this party"),
    ):
        findings = [row.finding for row in rows]
        if True in findings and False in findings:
            done = dict.fromkeys(
                FINDING_LABELS[finding] for finding in findings if finding is not None
            )
            return f"Earlier findings on {whose} contradict each other: {' and '.join(done)}"
    return ""
