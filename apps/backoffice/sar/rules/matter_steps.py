"""The steps that can be recorded of a SAR matter: when, their fields, and their effect.

Pure. A record that names the day of a filing or report counts from that day.
"""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from datetime import date, timedelta

from apps.backoffice.sar.rules.matter_clocks import (
    DAYS_TO_FILE,
    Matter,
    get_first_annual_report_day,
    get_first_review_day,
)
from apps.platform.common.amounts import parse_money_amount
from apps.platform.common.days import parse_day
from apps.platform.common.hidden_characters import find_hidden_character
from apps.platform.desk.note_validation import find_note_fault

LONGEST_REFERENCE = 100
DECIDE, FILE, OFAC, REVIEW = 2, 3, 4, 5  # stages; the first, detection, needs no user
SUSPECT = {"YES": "Yes", "NO": "No"}
# FinCEN gives a number of 14 digits. Some write it with hyphens or letters before it, so that six
# digits in 8 to 20 characters are enough.
_BSA_ID = re.compile(r"(?=(?:[^0-9]*[0-9]){6})[0-9A-Za-z-]{8,20}")


@dataclass(frozen=True, slots=True)
class StepField:
    """One thing that a record says: `on` (a day), `reference`, `rationale`, `suspect`, `amount`.

    A `bsa_id` is a reference that FinCEN gave.
    """

    name: str
    label: str
    required: bool = True
    bsa_id: bool = False


@dataclass(frozen=True, slots=True)
class StepInput:
    """What an officer wrote into the fields of a step, as it was typed; `on` as 2026-11-20."""

    reference: str = ""
    rationale: str = ""
    on: str = ""
    suspect: str = ""
    amount: str = ""


@dataclass(frozen=True, slots=True)
class FilingStep:
    """One thing that can be recorded: what it must say, when it may be, and what it changes.

    `then` is given the day that the record names, and `may` today. `since` is the first day that
    the record may name. `dated` is what a correction calls the day of one that names none, and
    from which a clock runs.
    """

    action: str
    title: str
    stage: int
    fields: tuple[StepField, ...]
    may: Callable[[Matter, date], bool]
    then: Callable[[Matter, date], Matter]
    since: Callable[[Matter], date] = lambda m: m.detected
    dated: str = ""

    def has(self, name: str) -> bool:
        """Tell whether the step has a field."""
        return any(field.name == name for field in self.fields)


WHY = StepField("rationale", "Rationale")
MORE = StepField("rationale", "Remark", required=False)
REPORTED = (StepField("on", "Reported on"), StepField("reference", "Reference of the report"))


def _is_review_possible(matter: Matter, day: date) -> bool:
    first = get_first_review_day(matter)
    return first is not None and day >= first


def _is_annual_report_possible(matter: Matter, day: date) -> bool:
    first = get_first_annual_report_day(matter)
    return first is not None and day >= first


def _reopen_matter(matter: Matter, day: date) -> Matter:
    """Reopen a settled matter: the days to file run again, from the new suspicion."""
    # a matter that is not settled has running clocks, which a further referral does not move
    if not (matter.declined or matter.ended):
        return matter
    fresh = replace(matter, filed=None, declined=False, ended=False, goes_on=False)
    return replace(fresh, to_file=False, unknown=False, anew=day)


def _start_ofac_clock(matter: Matter, day: date) -> Matter:
    """Start the clock of the report to OFAC, even if none was due as far as was known."""
    reopened = _reopen_matter(matter, day)
    # the clock runs already, or the report was made
    if matter.sanctions and matter.ofac != "NONE":
        return reopened
    ofac = "" if matter.ofac == "NONE" else matter.ofac
    return replace(reopened, sanctions=True, matched=day, ofac=ofac)


STEPS: tuple[FilingStep, ...] = (
    FilingStep(
        "TO_FILE",
        "A SAR will be filed",
        DECIDE,
        (WHY,),
        lambda m, day: not m.filed and not m.to_file,
        lambda m, day: replace(m, to_file=True, declined=False),
    ),
    FilingStep(
        "NOT_FILED",
        "No SAR",
        DECIDE,
        (WHY,),
        lambda m, day: not m.filed and not m.declined,
        lambda m, day: replace(m, declined=True, to_file=False),
    ),
    FilingStep(
        "NO_SUSPECT",
        "No suspect is known yet: thirty days more",
        DECIDE,
        (WHY,),
        # once the first deadline has passed nothing can extend it
        lambda m, day: (
            not (m.filed or m.declined or m.unknown)
            and day <= m.begins + timedelta(days=DAYS_TO_FILE)
        ),
        lambda m, day: replace(m, unknown=True),
    ),
    FilingStep(
        "REFERRED",
        "New suspicion",
        DECIDE,
        (WHY,),
        # a referral is recorded whenever it comes (services/entries.py); by hand it opens a settled
        # matter
        lambda m, day: m.declined or m.ended,
        _reopen_matter,
        dated="Suspected on",
    ),
    FilingStep(
        "FILED",
        "SAR filed",
        FILE,
        (
            StepField("on", "Filed on"),
            StepField("reference", "FinCEN’s tracking reference (BSA ID)", bsa_id=True),
            StepField("suspect", "A suspect is identified"),
            MORE,
        ),
        # always: a continuing report, or a filing after the decision not to file
        lambda m, day: True,
        lambda m, day: replace(
            m, filed=day, declined=False, ended=False, goes_on=False, to_file=False
        ),
        lambda m: m.filed or m.begins,
    ),
    FilingStep(
        "MATCHED",
        "A sanctioned party was found",
        OFAC,
        (WHY,),
        lambda m, day: not m.sanctions and not m.ofac,
        lambda m, day: _start_ofac_clock(m, day),
        dated="Found on",
    ),
    FilingStep(
        "OFAC_BLOCKED",
        "Blocked property reported to OFAC",
        OFAC,
        (*REPORTED, StepField("amount", "Property blocked")),
        # also where a country alone blocked, and where another answer was recorded by error
        lambda m, day: m.ofac != "BLOCKED",
        lambda m, day: replace(m, ofac="BLOCKED"),
    ),
    FilingStep(
        "OFAC_REJECTED",
        "Rejected transaction reported to OFAC",
        OFAC,
        (*REPORTED, StepField("amount", "Amount rejected")),
        lambda m, day: m.ofac in ("", "NONE"),
        lambda m, day: replace(m, ofac="REJECTED"),
    ),
    FilingStep(
        "OFAC_NONE",
        "No report to OFAC is due",
        OFAC,
        (WHY,),
        lambda m, day: m.sanctions and not m.ofac,
        lambda m, day: replace(m, ofac="NONE"),
    ),
    FilingStep(
        "ANNUAL",
        "Annual report of blocked property made",
        OFAC,
        REPORTED,
        _is_annual_report_possible,
        lambda m, day: replace(m, annuals=m.annuals + 1),
        lambda m: get_first_annual_report_day(m) or m.detected,
    ),
    FilingStep(
        "RELEASED",
        "Blocked property released",
        OFAC,
        (StepField("on", "Released on"), StepField("reference", "Licence or other ground")),
        lambda m, day: m.ofac == "BLOCKED" and m.released is None,
        lambda m, day: replace(m, released=day),
    ),
    FilingStep(
        "CONTINUES",
        "Reviewed: the activity goes on",
        REVIEW,
        (StepField("on", "Reviewed on"), WHY),
        lambda m, day: _is_review_possible(m, day) and not m.goes_on,
        lambda m, day: replace(m, goes_on=True, ended=False),
        lambda m: get_first_review_day(m) or m.detected,
    ),
    FilingStep(
        "ENDED",
        "Reviewed: the activity does not go on",
        REVIEW,
        (StepField("on", "Reviewed on"), WHY),
        lambda m, day: _is_review_possible(m, day) and not m.ended,
        lambda m, day: replace(m, ended=True, goes_on=False),
        lambda m: get_first_review_day(m) or m.detected,
    ),
)
BY_ACTION = {step.action: step for step in STEPS}


def apply_steps(matter: Matter, recorded: Sequence[tuple[str, date]]) -> Matter:
    """Return the state of a matter after its records, the oldest first."""
    for action, day in recorded:
        matter = BY_ACTION[action].then(matter, day)
    return matter


def list_possible_steps(matter: Matter, day: date) -> tuple[FilingStep, ...]:
    """Return what can be recorded on a day."""
    return tuple(step for step in STEPS if step.may(matter, day))


def find_input_faults(
    *, step: FilingStep, given: StepInput, matter: Matter, today: date
) -> dict[str, str]:
    """Return what is missing from a record or wrong in it, by field; empty when it is whole."""
    input_faults = {}
    for field in step.fields:
        text = getattr(given, field.name)
        day_fault = (
            _find_day_fault(text, step, matter, today)
            if field.name == "on"
            else _find_field_fault(field, text)
        )
        if fault := day_fault or find_hidden_character(text, lines=field.name == "rationale"):
            input_faults[field.name] = fault
    return input_faults


def normalize_input(*, step: FilingStep, given: StepInput) -> dict[str, str]:
    """Return what a record keeps of what was written into its fields, each in its one form.

    An amount is `9800.00 USD` however it was typed. The day is no part of it: it has a column.
    """
    texts = {field.name: getattr(given, field.name).strip() for field in step.fields}
    texts.pop("on", None)
    if "amount" in texts:
        texts["amount"] = parse_money_amount(texts["amount"]) or texts["amount"]
    return texts


def _find_day_fault(text: str, step: FilingStep, matter: Matter, today: date) -> str:
    day, first = parse_day(text), step.since(matter)
    if day is None:
        return "Give the day, as 2026-11-20."
    if day > today:
        return "This day is in the future."
    return f"It cannot be before {first:%d %b %Y}." if day < first else ""


def _find_field_fault(field: StepField, text: str) -> str:
    if field.name == "rationale":
        return (
            find_note_fault(text, what=field.label.lower())
            if field.required or text.strip()
            else ""
        )
    if field.name == "suspect":
        return "" if text in SUSPECT else "Say whether a suspect is identified."
    if field.name == "amount":
        whole = parse_money_amount(text) is not None
        return "" if whole else "Give an amount above zero and its currency, as 9,800.00 USD."
    if not text.strip():
        return "Give the reference of what was filed or reported."
    if len(text) > LONGEST_REFERENCE:
        return f"Keep the reference under {LONGEST_REFERENCE} characters."
    if field.bsa_id and not _BSA_ID.fullmatch(text.strip()):
        return "Give the BSA ID as FinCEN acknowledged it: 14 digits, as 31000123456789."
    return ""
