"""Stories of a seeded desk in addition to its month of cases: an example of everything it shows.

They are planned into the same queue of moments (seed.py), and use the same actions as people.
"""

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime, timedelta
from decimal import Decimal
from functools import partial
from typing import Any, Protocol

from django.contrib.auth.models import User

from apps.backoffice.review import services as review_services
from apps.backoffice.review.models import Case, KnownFalsePositive, Status
from apps.backoffice.review.selectors.known_false_positives import list_listed_parties
from apps.backoffice.review.services import known_false_positive_decisions
from apps.backoffice.review.services.known_false_positive_proposals import KnownProposal
from apps.backoffice.sar.models import SarEntry
from apps.backoffice.sar.services import filing_steps
from apps.compliance.screening.combined.cases import KIND
from apps.compliance.screening.combined.requests import ScreenRequest
from apps.reference.countries.models import CountryChange, CountryList
from apps.reference.countries.services import propose_change
from apps.reference.lei.models import LeiRecord
from apps.reference.watchlists.models import Source, SourceChange
from apps.reference.watchlists.services import source_changes

HOUR, DAY = timedelta(hours=1), timedelta(days=1)
COMMON = (
    "Only a common word agrees; the register shows another firm, another seat and line of work."
)


class SeedWork(Protocol):
    """The context of stories: a queue of moments, people, clients, and created objects."""

    now: datetime
    made: Counter[str]
    staff: dict[str, User]
    tenants: list[str]

    def at(self, moment: datetime, step: Callable[[datetime], None]) -> None:
        """Plan a step."""
        ...

    def screen(self, screen_request: ScreenRequest, moment: datetime, owner: str) -> dict[str, Any]:
        """Screen a party for a client; returns the answer."""
        ...


def plan_stories(work: SeedWork) -> None:
    """Plan every story that fits what is loaded; each takes place before `work.now`."""
    for story in MATTERS:
        work.at(work.now - story.ago, partial(_seed_blocked_payment, work, story))
    # cases that stay open: a listed owner, an owner who is not named, and a lapsed LEI
    requests = (
        ("SBERBANK CIB (UK) LIMITED", "549300BKWHXYEXPV0328", "GB", "84750.00", 20),
        ("PUMA SE", "529900GRZ2BQY5ZM9N49", "DE", "125245.30", 9),
        ("NFA INTERNATIONAL", "335800CCCPHKUOXPC332", "US", "250000.00", 2),
    )
    for number, (name, lei, country, amount, hours) in enumerate(requests):
        if not LeiRecord.objects.filter(lei=lei).exists():
            continue  # a screen would call GLEIF for it
        screen = ScreenRequest(name=name, lei=lei, country=country, amount=Decimal(amount),
                       payment_type="vendor_payment", reference=f"INV-{7710 + number}")  # fmt: skip
        work.at(work.now - hours * HOUR, partial(_leave_open_case, work, screen))
    _seed_bulk_clear_story(work)
    _plan_known_decision(work, "Wagner Group Travel", ago=12 * DAY, approved=True)
    _plan_known_decision(work, "Garantex Optics", ago=2 * DAY, approved=False)
    _plan_waiting_cases(work)
    work.at(work.now - 4 * HOUR, partial(_propose_country_change, work))
    work.at(work.now - 3 * HOUR, partial(_propose_source_change, work))


# --- suspicious activity: a matter in each state --------------------------------------


@dataclass(frozen=True, slots=True)
class MatterStep:
    """One step of a matter, so many days ago; `on` is the day that it names, as long ago."""

    ago: int
    action: str
    why: str = ""
    reference: str = ""
    on: int | None = None
    suspect: str = ""


@dataclass(frozen=True, slots=True)
class MatterStory:
    """A blocked payment and what was recorded of it."""

    name: str
    ago: timedelta
    amount: str
    reference: str
    steps: tuple[MatterStep, ...] = ()
    country: str = "DE"


PATTERN = "Four payments in nine days, each just under ten thousand, to accounts opened that week."
OTHER = "The listed party is another one: founded in another year, under another number."
MATTERS = (
    MatterStory("Hiden Cobra Ltd", 3 * HOUR, "18400.00", "PO-2291"),
    MatterStory("Quillan Instruments AB", 41 * DAY, "9650.00", "PO-1877", country="KP"),
    MatterStory(
        "Guardians of Peece Ltd",
        26 * DAY,
        "9800.00",
        "PO-1990",
        (
            MatterStep(24, "TO_FILE", PATTERN),
            MatterStep(22, "OFAC_NONE", OTHER),
            MatterStep(14, "FILED", reference="31000284411795", on=16, suspect="YES"),
        ),
    ),
    MatterStory(
        "Thistledown Timber GmbH",
        20 * DAY,
        "12400.50",
        "PO-2044",
        (
            MatterStep(
                17,
                "NOT_FILED",
                "A country code typed wrongly; the payer's letter and the invoice "
                "name Malaysia, and the payment went there a week later.",
            ),
        ),
        "MM",
    ),
    MatterStory(
        "Korea Kwangsong Banking Corp",
        18 * DAY,
        "61000.00",
        "PO-2051",
        (
            MatterStep(
                12, "TO_FILE", "The account is held for the listed bank; the funds stay blocked."
            ),
            MatterStep(9, "OFAC_BLOCKED", reference="FFR-2026-114", on=10),
        ),
    ),
    MatterStory(
        "World Islamik Front",
        128 * DAY,
        "7300.00",
        "PO-1203",
        (
            MatterStep(126, "OFAC_NONE", OTHER),
            MatterStep(104, "FILED", reference="31000279930461", on=105, suspect="NO"),
        ),
    ),
    MatterStory("World Islamik Front", 11 * DAY, "7450.00", "PO-2117"),
    MatterStory(
        "Wagner Groupe",
        190 * DAY,
        "25245.30",
        "PO-0988",
        (
            MatterStep(186, "OFAC_REJECTED", reference="FFR-2026-031", on=187),
            MatterStep(172, "FILED", reference="31000271106820", on=172, suspect="YES"),
            MatterStep(
                80,
                "ENDED",
                "No payment to or from the party in ninety days; the client closed the "
                "supplier's account.",
                on=80,
            ),
        ),
    ),
)


def _seed_blocked_payment(work: SeedWork, story: MatterStory, moment: datetime) -> None:
    amount = Decimal(story.amount)
    screen_request = ScreenRequest(name=story.name, country=story.country, amount=amount,
                  payment_type="vendor_payment", reference=story.reference)  # fmt: skip
    body = work.screen(screen_request, moment, work.tenants[0])
    work.made[body["decision"].lower()] += 1
    if body["decision"] != "BLOCKED":
        return
    entry = SarEntry.objects.get(kind=KIND, ref=body["screenId"])
    # `seen` is the number of steps that the person saw: a matter that moved on refuses the step
    for seen, step in enumerate(story.steps):
        work.at(
            work.now - step.ago * DAY, partial(_record_matter_step, work, entry, seen, step, amount)
        )


def _record_matter_step(
    work: SeedWork,
    entry: SarEntry,
    seen: int,
    matter_step: MatterStep,
    amount: Decimal,
    moment: datetime,
) -> None:
    on = "" if matter_step.on is None else f"{work.now - matter_step.on * DAY:%Y-%m-%d}"
    step_input = filing_steps.StepInput(
        rationale=matter_step.why,
        reference=matter_step.reference,
        on=on,
        suspect=matter_step.suspect,
        amount=f"{amount:.2f} USD",
    )
    by = work.staff["sofia" if matter_step.action == "FILED" else "samir"]
    filing_steps.record_filing_step(
        entry_id=entry.pk, action=matter_step.action, seen=seen, said=step_input, by=by, now=moment
    )
    work.made["filing decisions"] += 1


# --- cases ----------------------------------------------------------------------------


def _screen_for_case(
    work: SeedWork, screen_request: ScreenRequest, moment: datetime
) -> Case | None:
    """Screen a party; returns its case, None where the lists that are loaded flag nothing."""
    body = work.screen(screen_request, moment, work.tenants[1])
    flagged = body["decision"] == "FLAGGED"
    work.made["further cases" if flagged else body["decision"].lower()] += 1
    return Case.objects.filter(kind=KIND, ref=body["screenId"]).first()


def _leave_open_case(work: SeedWork, screen_request: ScreenRequest, moment: datetime) -> None:
    _screen_for_case(work, screen_request, moment)


def _seed_bulk_clear_story(work: SeedWork) -> None:
    """Let three cases of one listed party wait to be cleared together."""
    cases: list[Case] = []

    def come(number: int, moment: datetime) -> None:
        screen_request = ScreenRequest(
            name="Lazarus Group Films",
            country="FR",
            amount=Decimal(1200 + number),
            payment_type="vendor_payment",
            reference=f"FILM-{number}",
        )
        cases.extend(case for case in [_screen_for_case(work, screen_request, moment)] if case)

    def clear(moment: datetime) -> None:
        review_services.propose_bulk_clear(
            cases=cases,
            by=work.staff["olivia"],
            reason_code="NAME_ONLY",
            note=COMMON,
            now=moment,
        )
        work.made["clears"] += 1

    for number in (1, 2, 3):
        work.at(work.now - (10 - number) * HOUR, partial(come, number))
    work.at(work.now - 6 * HOUR, clear)


def _plan_known_decision(work: SeedWork, name: str, *, ago: timedelta, approved: bool) -> None:
    def come(moment: datetime) -> None:
        screen_request = ScreenRequest(name=name, country="PT", amount=Decimal("2350.75"),
                      payment_type="vendor_payment", reference="TRIP-31")  # fmt: skip
        if case := _screen_for_case(work, screen_request, moment):
            work.at(moment + HOUR, partial(decide, case))

    def decide(case: Case, moment: datetime) -> None:
        keys = tuple(listed_party.key for listed_party in list_listed_parties(case))
        until = (moment + 180 * DAY).date()
        why, olivia, samir = "NAME_ONLY", work.staff["olivia"], work.staff["samir"]
        decided = review_services.decide_case(
            case=case,
            by=olivia,
            outcome="APPROVE",
            reason_code=why,
            note=COMMON,
            known=KnownProposal(keys, until),
            now=moment,
        )
        if decided.status == Status.AWAITING_SECOND:
            review_services.confirm_decision(
                case=decided, by=samir, reason_code=why, note=COMMON, now=moment
            )
        work.made["decided"] += 1
        if approved:
            work.at(moment + 2 * HOUR, partial(approve, case))

    def approve(case: Case, moment: datetime) -> None:
        note = "Extract of the register seen: another firm."
        for known in KnownFalsePositive.objects.filter(case=case):
            known_false_positive_decisions.approve_known(
                known=known, by=work.staff["samir"], note=note, now=moment
            )
            work.made["known false positives"] += 1

    work.at(work.now - ago, come)


def _plan_waiting_cases(work: SeedWork) -> None:
    """Leave a case with a question to the seniors, and one snoozed for two days."""

    def asks(moment: datetime) -> None:
        screen_request = ScreenRequest(
            name="Haverlund Marine Parts AB",
            country="SE",
            amount=Decimal(780_000),
            payment_type="vendor_payment",
            reference="HULL-8",
        )
        if case := _screen_for_case(work, screen_request, moment):
            note = "The price is twice that of the last hull. Is the broker's letter enough?"
            review_services.escalate_case(
                case=case, by=work.staff["olivia"], note=note, now=moment + HOUR
            )
            work.made["escalated"] += 1

    def aside(moment: datetime) -> None:
        screen_request = ScreenRequest(
            name="Ottilie Brackwell",
            country="HT",
            amount=Decimal("480.00"),
            individual=True,
            payment_type="contractor",
            reference="PAY-5",
        )
        if case := _screen_for_case(work, screen_request, moment):
            note = "The client sends the contract on Tuesday."
            until = work.now + 2 * DAY
            review_services.snooze_case(
                case=case, by=work.staff["olivia"], until=until, note=note, now=moment
            )
            work.made["snoozed"] += 1

    work.at(work.now - 5 * HOUR, asks)
    work.at(work.now - 8 * HOUR, aside)


# --- what waits for a second person ---------------------------------------------------


def _propose_country_change(work: SeedWork, moment: datetime) -> None:
    propose_change(
        by=work.staff["sofia"], kind=CountryChange.Kind.ADD, list=CountryList.INCREASED_MONITORING,
        country="AQ", effective=moment.date(), source="Example of the sandbox: no publication",
        reason="To show how two officers change a listing.", now=moment,
    )  # fmt: skip
    work.made["changes proposed"] += 1


def _propose_source_change(work: SeedWork, moment: datetime) -> None:
    source = Source.objects.filter(enabled=True).order_by("pk").first()
    otto = User.objects.filter(username="otto", is_staff=True).first()
    if source is None or otto is None:
        return
    source_changes.propose_source_change(
        source=source, field=SourceChange.Field.MAX_AGE, after=96, by=otto, now=moment,
        reason="The publisher was silent over a long weekend; four days leave room for that.",
    )  # fmt: skip
    work.made["changes proposed"] += 1
