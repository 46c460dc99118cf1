"""Test proposed thresholds against closed cases and screens that no officer saw.

Reads only. How a case was decided is what its ledger says, never what its own columns say.
"""

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from datetime import date, timedelta
from functools import reduce
from itertools import chain, islice
from operator import or_
from typing import Any

from django.db.models import Q, QuerySet

from apps.backoffice.review import case_types
from apps.backoffice.review.models import Case, Status
from apps.backoffice.review.selectors.recorded_decisions import Verdict, load_verdicts
from apps.compliance.screening.combined.cases import KIND
from apps.compliance.screening.models import Screen
from apps.compliance.screening.rules import threshold_effects
from apps.compliance.screening.rules.threshold_effects import (
    EFFECTS,
    SPECIFIED,
    ThresholdEffect,
    Thresholds,
)
from apps.compliance.screening.simulation.threshold_decisions import decide_with_thresholds
from apps.platform.common.batches import iter_chunks
from apps.platform.common.days import start_of_day
from apps.platform.common.uuids import parse_uuid
from apps.platform.ledger.verification.verified_reads import filter_verified_records

PIECE = 250  # records in memory at once: each holds its evidence
UNDECIDED = Verdict()
SEVERITY_ORDER = [effect.code for effect in EFFECTS]


@dataclass(frozen=True, slots=True)
class ThresholdProposal:
    """Thresholds, and the days of the records to test (UTC, both included, None: open).

    Closed cases count on the day of their decision, other screens on their own day. The newest
    `most` of each are tested; None for all.
    """

    bars: Thresholds
    since: date | None = None
    until: date | None = None
    most: int | None = None

    def days(self, column: str) -> Q:
        """Return the condition that a moment lies in these days."""
        condition = Q()
        if self.since:
            condition &= Q(**{f"{column}__gte": start_of_day(self.since)})
        if self.until:
            # the last day is included
            condition &= Q(**{f"{column}__lt": start_of_day(self.until) + timedelta(days=1)})
        return condition


@dataclass(frozen=True, slots=True)
class ChangedScreen:
    """A screen that would have been decided otherwise; `case` is None where there was none."""

    screen: int
    party: str
    then: str
    otherwise: str
    effect: ThresholdEffect
    case: int | None = None
    found: str = ""


@dataclass(slots=True)
class SimulationResult:
    """What a proposal would have come to.

    `pairs` counts by what was decided and what it would have been; `unknown` are screens whose
    record is missing or does not confirm their decision by today's rules, `unproved` records that
    are not as they were written; `more` tells that older ones were left out.
    """

    pairs: Counter[tuple[str, str]] = field(default_factory=Counter)
    effects: Counter[str] = field(default_factory=Counter)
    lines: list[ChangedScreen] = field(default_factory=list)
    closed: int = 0
    without: int = 0
    listed: int = 0
    another: int = 0
    unknown: int = 0
    unproved: int = 0
    more: bool = False


@dataclass(frozen=True, slots=True)
class ReviewedScreen:
    """A record, with its case where an officer closed one."""

    screen: Screen
    case: int | None = None
    verdict: Verdict = UNDECIDED


def simulate_thresholds(proposal: ThresholdProposal) -> SimulationResult:
    """Return what a proposal would have come to; a few queries for each piece of records."""
    simulation_result = SimulationResult()
    # chained, because a tuple of both would hold the evidence of all records at once
    for reviewed_screen in chain(
        _screens_with_decided_case(proposal, simulation_result),
        _screens_without_case(proposal, simulation_result),
    ):
        would = decide_with_thresholds(reviewed_screen.screen, proposal.bars)
        if would is None:
            simulation_result.unknown += 1
            continue
        case = classify_screen(reviewed_screen, would)
        simulation_result.closed += case.closed
        simulation_result.without += not case.closed
        simulation_result.listed += case.listed
        simulation_result.another += case.another
        simulation_result.pairs[case.then, case.otherwise] += 1
        effect = threshold_effects.classify_effect(case)
        if effect is not None:
            simulation_result.effects[effect.code] += 1
            verdict = reviewed_screen.verdict
            changed_screen = ChangedScreen(
                screen=reviewed_screen.screen.pk,
                party=reviewed_screen.screen.data["request"]["name"],
                then=case.then,
                otherwise=case.otherwise,
                effect=effect,
                case=reviewed_screen.case,
                found=f"{verdict.done}: {verdict.reason}" if reviewed_screen.case else "",
            )
            simulation_result.lines.append(changed_screen)
    simulation_result.lines.sort(
        key=lambda line: (SEVERITY_ORDER.index(line.effect.code), -line.screen)
    )
    return simulation_result


def classify_screen(
    reviewed_screen: ReviewedScreen, would: str
) -> threshold_effects.RecordedScreen:
    """Return what is on record of a screen, as the table of effects asks."""
    verdict = reviewed_screen.verdict
    reason = case_types.get_case_type(KIND).reason(
        outcome=verdict.outcome, code=verdict.reason_code
    )
    return threshold_effects.RecordedScreen(
        then=reviewed_screen.screen.decision,
        otherwise=would,
        closed=reviewed_screen.case is not None,
        approved=verdict.outcome == "APPROVE",
        listed=reason is not None and reason.is_listed,
        another=reason is not None and reason.false_positive,
    )


def _screens_with_decided_case(
    proposal: ThresholdProposal, simulation_result: SimulationResult
) -> Iterator[ReviewedScreen]:
    """Yield the screens whose case officers closed, the case decided last first."""
    cases = Case.objects.filter(proposal.days("decided_at"), kind=KIND, status=Status.DECIDED)
    rows = cases.order_by("-decided_at", "-pk").values_list("pk", "ref")
    for piece in iter_chunks(_limit_rows(rows, proposal, simulation_result), PIECE):
        of = {number: pk for pk, ref in piece if (number := parse_uuid(ref))}
        verdicts = load_verdicts(list(of.values()))
        screens = list(Screen.objects.filter(screen_id__in=list(of)))
        simulation_result.unknown += len(piece) - len(screens)
        for screen in _filter_proven(screens, simulation_result):
            case = of[screen.screen_id]
            if verdicts.get(case, UNDECIDED).status == Status.DECIDED:
                yield ReviewedScreen(screen, case, verdicts[case])


def _screens_without_case(
    proposal: ThresholdProposal, simulation_result: SimulationResult
) -> Iterator[ReviewedScreen]:
    """Yield the screens without a case that these thresholds may decide otherwise, newest first."""
    # A higher match threshold releases what a name blocked. A lower one, or a lower review
    # threshold, takes in what was approved with such a score: `risk_score` is never below the
    # sanctions score, so the column narrows the search. A PEP threshold can only be raised, and
    # whatever it flagged has a case.
    bars = proposal.bars
    conditions = []
    if bars.match > SPECIFIED.match:
        named = Q(rules__contains=".match") | Q(rules__contains="rule 3 match")
        conditions.append(Q(decision="BLOCKED") & (named | Q(rules__contains="2.7 rule 5")))
    if bars.look < SPECIFIED.look or bars.match < SPECIFIED.match:
        conditions.append(Q(decision="APPROVED", risk_score__gte=bars.look))
    may = reduce(or_, conditions) if conditions else None
    if may is None:
        return
    screens = Screen.objects.filter(proposal.days("recorded_at")).filter(may)
    ids = screens.order_by("-pk").values_list("pk", flat=True)
    for piece in iter_chunks(_limit_rows(ids, proposal, simulation_result), PIECE):
        rows = list(Screen.objects.filter(pk__in=piece))
        yield from (ReviewedScreen(screen) for screen in _filter_proven(rows, simulation_result))


def _limit_rows(
    rows: "QuerySet[Any, Any]", proposal: ThresholdProposal, simulation_result: SimulationResult
) -> Iterable[Any]:
    """Return the first rows, and note where there are more."""
    if proposal.most is None:
        return rows.iterator(PIECE)
    limited = list(rows[: proposal.most + 1])
    simulation_result.more = simulation_result.more or len(limited) > proposal.most
    return islice(limited, proposal.most)


def _filter_proven(screens: list[Screen], simulation_result: SimulationResult) -> list[Screen]:
    ours = filter_verified_records(screens)
    simulation_result.unproved += len(screens) - len(ours)
    return ours
