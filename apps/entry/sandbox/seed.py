"""Fill a sandbox's desk with a month of work, through the same actions that people use.

The work is a queue of moments: each step plans the steps that follow from it, and steps after `now`
do not happen. So cases are left open, awaiting, snoozed and overdue by themselves.
"""

import heapq
import random
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from decimal import Decimal
from itertools import count
from typing import Any

from django.conf import settings
from django.contrib.auth.models import User
from django.db import transaction

from apps.access.keys.models import Account, KeyKind
from apps.backoffice.oversight.models import Sample
from apps.backoffice.oversight.rules import get_month_before
from apps.backoffice.oversight.services import reads, samples, second_looks
from apps.backoffice.review import services as review_services
from apps.backoffice.review.case_types import OTHER
from apps.backoffice.review.models import Case, Outcome, Status
from apps.backoffice.review.rules.note_templates import GAP
from apps.backoffice.review.services.claims import reload_case
from apps.backoffice.review.views.evidence import draw_case_evidence
from apps.backoffice.review.views.note_templates import build_case_note_facts, build_note_template
from apps.backoffice.sar.models import SarEntry
from apps.backoffice.sar.services import filing_steps
from apps.compliance.screening.case_types.screens import (
    COUNTRY,
    EMBARGO,
    OWNER,
    PEP,
    SCREEN,
    SUBJECT,
)
from apps.compliance.screening.combined.cases import KIND
from apps.compliance.screening.combined.requests import ScreenRequest
from apps.compliance.screening.combined.selectors import gather_screen
from apps.compliance.screening.combined.services import conclude_screen
from apps.entry.sandbox import invented_names
from apps.entry.sandbox.screen_requests import make_firm_name, make_flaggable_screen
from apps.entry.sandbox.services import NotASandbox
from apps.platform.api.callers import Caller
from apps.platform.common.problems import Conflict
from apps.platform.ledger import sealer

DAYS = 30
MINUTE, DAY = timedelta(minutes=1), timedelta(days=1)
STAFF = ("olivia", "samir", "sofia")
TENANTS = ("Demo Treasury", "Demo Bank", "Other Bank")
Step = Callable[[datetime], None]


def seed_desk(
    *,
    now: datetime,
    cases: int,
    seed: int,
    stories: Callable[[Any], None] = lambda work: None,
    progress: Callable[[int], None] = lambda done: None,
) -> Counter[str]:
    """Make a month of cases, decisions, blocked outcomes and second looks up to `now`.

    The same seed makes the same work; `stories` plan further demo content. Returns how many
    of each were made. Raises NotASandbox in production, KeyError without the sandbox's people,
    ListsUnavailable without lists or index.
    """
    if settings.PRODUCTION:
        raise NotASandbox("DJANGO_ENV is production: no sample work is created.")
    month = _SeededMonth(now=now, random=random.Random(seed), progress=progress)  # noqa: S311
    month.plan(cases)
    stories(month)
    month.run()
    # what the periodic jobs would have done meanwhile
    review_services.escalate_overdue_cases(now=now)
    sampled = samples.sample_month(month=get_month_before(month.now.date()), now=month.now)
    month.made["samples"] += sampled
    # half of the second looks are done, the others wait
    for sample in Sample.objects.waiting().order_by("pk")[: (sampled + 1) // 2]:
        # a second look is for somebody who did not decide the case
        others = [
            u for u in month.staff.values() if u.pk not in (sample.first_by_id, sample.second_by_id)
        ]
        verdict = month.random.choices(("AGREE", "DISAGREE"), (5, 1))[0]
        look: dict[str, Any] = {
            "sample": sample,
            "by": others[0],
            "note": invented_names.SECOND_LOOK_NOTES[verdict],
        }
        outcome = (
            sample.case.outcome
            if verdict == "AGREE"
            else (Outcome.REJECT if sample.case.outcome == Outcome.APPROVE else Outcome.APPROVE)
        )
        # first without seeing the decision, then compared with it
        reason = second_looks.list_offered_reasons(sample.case, outcome)[0].code
        second_looks.record_blind_verdict(
            outcome=outcome, reason_code=reason, now=month.now, **look
        )
        second_looks.record_second_look(verdict=verdict, now=month.now, **look)
        month.made["second looks"] += 1
    sealer.seal_all_ledgers(now=now)
    return month.made


@dataclass
class _SeededMonth:
    """The queue of steps in the order of their moments, and the people who take them."""

    now: datetime
    random: random.Random
    progress: Callable[[int], None]
    made: Counter[str] = field(default_factory=Counter)
    queue: list[tuple[datetime, int, Step]] = field(default_factory=list)
    # second key of the queue: steps of one moment keep their order, and are never compared
    numbers: Any = field(default_factory=count)
    staff: dict[str, User] = field(default_factory=dict)
    tenants: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        known = {user.username: user for user in User.objects.filter(is_staff=True)}
        self.staff = {name: known[name] for name in STAFF}
        accounts = [
            Account.objects.get_or_create(name=name, defaults={"created_at": self.now})[0]
            for name in TENANTS
        ]
        self.tenants = [account.ref for account in accounts]

    def at(self, moment: datetime, step: Step) -> None:
        """Plan a step; one that lies in the future does not happen."""
        if moment <= self.now:
            heapq.heappush(self.queue, (moment, next(self.numbers), step))

    def soon(self, moment: datetime, least: int, most: int, step: Step) -> None:
        """Plan a step for some minutes after another."""
        self.at(moment + self.random.randint(least, most) * MINUTE, step)

    def plan(self, cases: int) -> None:
        """Spread the screens over the month: a fifth of them over its last three days."""
        # in addition to the cases: a block has no case, but an entry in the SAR log
        blocked = max(2, cases // 16)
        for number in range(cases + blocked):
            days = 3 if number % 5 == 0 else DAYS
            ago = self.random.randint(5, days * 24 * 60) * MINUTE
            self.at(self.now - ago, self._flagged if number < cases else self._blocked)

    def run(self) -> None:
        """Take the steps in order; one that earlier steps made impossible is left out."""
        while self.queue:
            moment, _, step = heapq.heappop(self.queue)
            try:
                step(moment)
            except (Conflict, review_services.StepNotAllowed, review_services.InvalidCaseStep):
                self.made["left out"] += 1

    # --- what comes in ----------------------------------------------------------------

    def _flagged(self, moment: datetime) -> None:
        flaggable_screen = make_flaggable_screen(self.random)
        body = self._screen(flaggable_screen, moment)
        if body["decision"] != "FLAGGED":
            self.made[body["decision"].lower()] += 1
            # the lists that are loaded do not flag it: try another one
            self._flagged(moment)
            return
        self.made["cases"] += 1
        self.progress(self.made["cases"])
        case = Case.objects.get(kind=KIND, ref=body["screenId"])
        self._fate(case, moment)

    def _blocked(self, moment: datetime) -> None:
        name = self.random.choice(invented_names.MATCH_FIRMS)
        country = self.random.choice(invented_names.PLAIN)
        if self.random.random() < 0.4:
            name, country = (
                make_firm_name(self.random),
                self.random.choice(invented_names.CALL_FOR_ACTION),
            )
        body = self._screen(ScreenRequest(name=name, country=country, amount=Decimal(9800)), moment)
        self.made[body["decision"].lower()] += 1
        if body["decision"] == "BLOCKED":
            entry = SarEntry.objects.get(kind=KIND, ref=body["screenId"])
            self.soon(moment, 600, 30_000, lambda at: self._file(entry, at))

    def _screen(self, screen_request: ScreenRequest, moment: datetime) -> dict[str, Any]:
        return self.screen(screen_request, moment, self.random.choice(self.tenants))

    def screen(self, screen_request: ScreenRequest, moment: datetime, owner: str) -> dict[str, Any]:
        """Screen a party for a client, as a call would; returns the answer."""
        with transaction.atomic():
            return conclude_screen(
                asked=screen_request,
                gathered=gather_screen(asked=screen_request, now=moment),
                caller=Caller(owner, KeyKind.SUBSCRIPTION),
                now=moment,
            )

    # --- what officers do -------------------------------------------------------------

    def _fate(self, case: Case, moment: datetime) -> None:
        """Choose what becomes of a case; one in fourteen is forgotten."""
        drawn = self.random.random()
        if drawn < 0.07:
            return
        if drawn < 0.13:
            self.soon(moment, 20, 240, lambda at: self._aside(case, at))
        elif drawn < 0.20:
            self.soon(moment, 20, 240, lambda at: self._escalate(case, at))
        elif drawn < 0.26:
            self.soon(moment, 10, 60, lambda at: self._assign(case, at))
        else:
            self.soon(moment, 15, 1500, lambda at: self._claim(case, at))

    def _claim(self, case: Case, moment: datetime) -> None:
        officer = self.staff[self.random.choice(("olivia", "olivia", "samir"))]
        reads.record_read(by=officer, what="review.case", ref=str(case.pk), now=moment)
        review_services.claim_case(case=reload_case(case), by=officer, now=moment)
        self.soon(moment, 1, 20, lambda at: self._decide(case, officer, at))

    def _decide(self, case: Case, officer: User, moment: datetime) -> None:
        outcome = self.random.choices(("APPROVE", "REJECT"), (4, 1))[0]
        code, note = self._said(case, outcome)
        decided = review_services.decide_case(
            case=reload_case(case),
            by=officer,
            outcome=outcome,
            reason_code=code,
            note=note,
            now=moment,
        )
        self.made["decided"] += decided.status == Status.DECIDED
        if decided.status == Status.AWAITING_SECOND:
            self.soon(moment, 10, 900, lambda at: self._second(case, officer, code, at))

    def _said(self, case: Case, outcome: str) -> tuple[str, str]:
        """Choose a reason that fits the case, and complete the note that its template begins."""
        fits = {reason.code for reason in SCREEN.offered(outcome=outcome, refs=case.refs)}
        other = (OTHER, invented_names.OTHERS[outcome][_find_note_subject(case.refs)])
        rows = (*invented_names.NOTES[outcome], other)
        fitting = [
            row for row in rows if row[0] in fits and _is_shown_by_case(case, outcome, row[0])
        ]
        code, note = self.random.choice(fitting)
        begun = build_note_template(reload_case(case), outcome=outcome, code=code)
        return code, begun.removesuffix(GAP) + note if begun.endswith(GAP) else begun or note

    def _second(self, case: Case, first: User, code: str, moment: datetime) -> None:
        senior = self.staff["sofia" if first.username == "samir" else "samir"]
        if self.random.random() < 0.1:
            note = self.random.choice(invented_names.RETURNS)
            review_services.return_decision(
                case=reload_case(case), by=senior, note=note, now=moment
            )
            self.soon(moment, 30, 600, lambda at: self._claim(case, at))
            return
        note = "Documents reviewed; I reach the same result."
        review_services.confirm_decision(
            case=reload_case(case), by=senior, reason_code=code, note=note, now=moment
        )
        self.made["decided"] += 1

    def _aside(self, case: Case, moment: datetime) -> None:
        until = moment + self.random.randint(1, 6) * DAY
        note = self.random.choice(invented_names.SNOOZES)
        review_services.snooze_case(
            case=reload_case(case), by=self.staff["olivia"], until=until, note=note, now=moment
        )
        self.made["snoozed"] += 1
        self.soon(until, 5, 300, lambda at: self._claim(case, at))

    def _escalate(self, case: Case, moment: datetime) -> None:
        note = self.random.choice(invented_names.ESCALATIONS)
        review_services.escalate_case(
            case=reload_case(case), by=self.staff["olivia"], note=note, now=moment
        )
        self.made["escalated"] += 1
        senior = self.staff["sofia"]
        self.soon(moment, 60, 2000, lambda at: self._decide(case, senior, at))

    def _assign(self, case: Case, moment: datetime) -> None:
        senior, to = self.staff["samir"], self.staff["olivia"]
        review_services.assign_case(case=reload_case(case), to=to, by=senior, now=moment)
        self.soon(moment, 30, 700, lambda at: self._decide(case, to, at))

    def _file(self, entry: SarEntry, moment: datetime) -> None:
        """Record what became of a blocked outcome."""
        steps = entry.matter.steps
        filed = self.random.random() < 0.4
        reference = f"BSA-{moment:%Y}-{self.random.randint(10_000, 99_999)}"
        step_input = filing_steps.StepInput(rationale=self.random.choice(invented_names.RATIONALES))
        if filed:
            step_input = filing_steps.StepInput(
                reference=reference, on=f"{moment:%Y-%m-%d}", suspect="YES"
            )
        filing_steps.record_filing_step(
            entry_id=entry.pk,
            action="FILED" if filed else "NOT_FILED",
            seen=steps,
            said=step_input,
            by=self.staff["samir"],
            now=moment,
        )
        self.made["filing decisions"] += 1
        if entry.matter.sanctions and self.random.random() < 0.7:
            self.soon(moment, 30, 3000, lambda at: self._settle(entry, at))

    def _settle(self, entry: SarEntry, moment: datetime) -> None:
        """Record that no report to OFAC is due: the listed party was another one."""
        step_input = filing_steps.StepInput(rationale=invented_names.RATIONALES[-1])
        filing_steps.record_filing_step(
            entry_id=entry.pk, action="OFAC_NONE", seen=1, said=step_input, by=self.staff["sofia"],
            now=moment,
        )  # fmt: skip


def _is_shown_by_case(case: Case, outcome: str, code: str) -> bool:
    """Tell whether a case's data supports a reason."""
    # a reason such as "different party" needs data that differs: the case must have some
    reason = SCREEN.reason(outcome=outcome, code=code)
    if reason is None or reason.speaks is None:
        return True
    note_facts = build_case_note_facts(case, draw_case_evidence(case))
    return reason.speaks(note_facts) and not build_note_template(
        case, outcome=outcome, code=code
    ).endswith(GAP)


def _find_note_subject(refs: list[str]) -> str:
    """Return the subject of a case's most severe rule: a key of invented_names.OTHERS."""
    gravest = SCREEN.gravest(frozenset(refs))
    about = {"sanctions": SUBJECT, "pep": PEP, "country": COUNTRY | EMBARGO, "owners": OWNER}
    return next((name for name, rules in about.items() if gravest & rules), "unchecked")
