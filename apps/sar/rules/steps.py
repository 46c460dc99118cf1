"""What can be recorded of a SAR matter: when, what each record must say, and what it changes.

Pure. A record that says on which day something was filed or reported counts from that day.
"""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from datetime import date, timedelta

from apps.core.written import day_from, hidden_fault, sum_from
from apps.desk.rules import note_fault
from apps.sar.rules.clocks import DAYS_TO_FILE, Matter, annual_from, review_from

LONGEST_REFERENCE = 100
DECIDE, FILE, OFAC, REVIEW = 2, 3, 4, 5  # the first stage, detection, needs nobody
SUSPECT = {"YES": "Yes", "NO": "No"}
# FinCEN gives a number of 14 digits; hyphens, and letters before it, are how some write it down
_BSA_ID = re.compile(r"(?=(?:[^0-9]*[0-9]){6})[0-9A-Za-z-]{8,20}")


@dataclass(frozen=True, slots=True)
class Field:
    """One thing that a record says: `on` (a day), `reference`, `rationale`, `suspect`, `amount`.

    A `bsa_id` is a reference that FinCEN gave.
    """

    name: str
    label: str
    required: bool = True
    bsa_id: bool = False


@dataclass(frozen=True, slots=True)
class Given:
    """What an officer wrote into the fields of a step, as it was typed; `on` as 2026-11-20."""

    reference: str = ""
    rationale: str = ""
    on: str = ""
    suspect: str = ""
    amount: str = ""


@dataclass(frozen=True, slots=True)
class Step:
    """One thing that can be recorded: what it must say, when it may be, and what it changes.

    `then` is given the day that the record names, and `may` today. `since` is the first day that
    the record may name. `dated` is what a correction calls the day of one that names none, and
    from which a clock runs.
    """

    action: str
    title: str
    stage: int
    fields: tuple[Field, ...]
    may: Callable[[Matter, date], bool]
    then: Callable[[Matter, date], Matter]
    since: Callable[[Matter], date] = lambda m: m.detected
    dated: str = ""

    def has(self, name: str) -> bool:
        """Tell whether the step has a field."""
        return any(field.name == name for field in self.fields)


WHY = Field("rationale", "Rationale")
MORE = Field("rationale", "Remark", required=False)
REPORTED = (Field("on", "Reported on"), Field("reference", "Reference of the report"))


def _reviewable(matter: Matter, day: date) -> bool:
    first = review_from(matter)
    return first is not None and day >= first


def _reported(matter: Matter, day: date) -> bool:
    first = annual_from(matter)
    return first is not None and day >= first


def _anew(matter: Matter, day: date) -> Matter:
    """Open what was settled, filed or not, again: thirty days run from the new suspicion.

    A matter that is not settled has clocks of its own, and a further word moves none of them.
    """
    if not (matter.declined or matter.ended):
        return matter
    fresh = replace(matter, filed=None, declined=False, ended=False, goes_on=False)
    return replace(fresh, to_file=False, unknown=False, anew=day)


def _matched(matter: Matter, day: date) -> Matter:
    """Start the clock of OFAC's report, also where none was due as far as was known then."""
    found = _anew(matter, day)
    if matter.sanctions and matter.ofac != "NONE":
        return found
    ofac = "" if matter.ofac == "NONE" else matter.ofac
    return replace(found, sanctions=True, matched=day, ofac=ofac)


STEPS: tuple[Step, ...] = (
    Step(
        "TO_FILE",
        "A SAR will be filed",
        DECIDE,
        (WHY,),
        lambda m, day: not m.filed and not m.to_file,
        lambda m, day: replace(m, to_file=True, declined=False),
    ),
    Step(
        "NOT_FILED",
        "No SAR",
        DECIDE,
        (WHY,),
        lambda m, day: not m.filed and not m.declined,
        lambda m, day: replace(m, declined=True, to_file=False),
    ),
    Step(
        "NO_SUSPECT",
        "No suspect is known yet: thirty days more",
        DECIDE,
        (WHY,),
        # a day that is past has lapsed: no later record makes it good
        lambda m, day: (
            not (m.filed or m.declined or m.unknown)
            and day <= m.begins + timedelta(days=DAYS_TO_FILE)
        ),
        lambda m, day: replace(m, unknown=True),
    ),
    Step(
        "REFERRED",
        "New suspicion",
        DECIDE,
        (WHY,),
        # a referral is recorded whenever it comes (actions.py); by hand it opens a settled matter
        lambda m, day: m.declined or m.ended,
        _anew,
        dated="Suspected on",
    ),
    Step(
        "FILED",
        "SAR filed",
        FILE,
        (
            Field("on", "Filed on"),
            Field("reference", "FinCEN’s tracking reference (BSA ID)", bsa_id=True),
            Field("suspect", "A suspect is identified"),
            MORE,
        ),
        lambda m, day: True,
        lambda m, day: replace(
            m, filed=day, declined=False, ended=False, goes_on=False, to_file=False
        ),
        lambda m: m.filed or m.begins,
    ),
    Step(
        "MATCHED",
        "A sanctioned party was found",
        OFAC,
        (WHY,),
        lambda m, day: not m.sanctions and not m.ofac,
        lambda m, day: _matched(m, day),
        dated="Found on",
    ),
    Step(
        "OFAC_BLOCKED",
        "Blocked property reported to OFAC",
        OFAC,
        (*REPORTED, Field("amount", "Property blocked")),
        # also where a country alone blocked, and where another answer was recorded by error
        lambda m, day: m.ofac != "BLOCKED",
        lambda m, day: replace(m, ofac="BLOCKED"),
    ),
    Step(
        "OFAC_REJECTED",
        "Rejected transaction reported to OFAC",
        OFAC,
        (*REPORTED, Field("amount", "Amount rejected")),
        lambda m, day: m.ofac in ("", "NONE"),
        lambda m, day: replace(m, ofac="REJECTED"),
    ),
    Step(
        "OFAC_NONE",
        "No report to OFAC is due",
        OFAC,
        (WHY,),
        lambda m, day: m.sanctions and not m.ofac,
        lambda m, day: replace(m, ofac="NONE"),
    ),
    Step(
        "ANNUAL",
        "Annual report of blocked property made",
        OFAC,
        REPORTED,
        _reported,
        lambda m, day: replace(m, annuals=m.annuals + 1),
        lambda m: annual_from(m) or m.detected,
    ),
    Step(
        "RELEASED",
        "Blocked property released",
        OFAC,
        (Field("on", "Released on"), Field("reference", "Licence or other ground")),
        lambda m, day: m.ofac == "BLOCKED" and m.released is None,
        lambda m, day: replace(m, released=day),
    ),
    Step(
        "CONTINUES",
        "Reviewed: the activity goes on",
        REVIEW,
        (Field("on", "Reviewed on"), WHY),
        lambda m, day: _reviewable(m, day) and not m.goes_on,
        lambda m, day: replace(m, goes_on=True, ended=False),
        lambda m: review_from(m) or m.detected,
    ),
    Step(
        "ENDED",
        "Reviewed: the activity does not go on",
        REVIEW,
        (Field("on", "Reviewed on"), WHY),
        lambda m, day: _reviewable(m, day) and not m.ended,
        lambda m, day: replace(m, ended=True, goes_on=False),
        lambda m: review_from(m) or m.detected,
    ),
)
BY_ACTION = {step.action: step for step in STEPS}


def after(matter: Matter, recorded: Sequence[tuple[str, date]]) -> Matter:
    """Return where a matter stands after what was recorded, the oldest first."""
    for action, day in recorded:
        matter = BY_ACTION[action].then(matter, day)
    return matter


def possible(matter: Matter, day: date) -> tuple[Step, ...]:
    """Return what can be recorded on a day."""
    return tuple(step for step in STEPS if step.may(matter, day))


def faults(*, step: Step, given: Given, matter: Matter, today: date) -> dict[str, str]:
    """Return what is missing from a record or wrong in it, by field; empty when it is whole."""
    found = {}
    for field in step.fields:
        text = getattr(given, field.name)
        said = _on(text, step, matter, today) if field.name == "on" else _said(field, text)
        if told := said or hidden_fault(text, lines=field.name == "rationale"):
            found[field.name] = told
    return found


def kept(*, step: Step, given: Given) -> dict[str, str]:
    """Return what a record keeps of what was written into its fields, each in its one form.

    An amount is `9800.00 USD` however it was typed. The day is no part of it: it has a column.
    """
    texts = {field.name: getattr(given, field.name).strip() for field in step.fields}
    texts.pop("on", None)
    if "amount" in texts:
        texts["amount"] = sum_from(texts["amount"]) or texts["amount"]
    return texts


def _on(text: str, step: Step, matter: Matter, today: date) -> str:
    day, first = day_from(text), step.since(matter)
    if day is None:
        return "Give the day, as 2026-11-20."
    if day > today:
        return "This day is still to come."
    return f"It cannot be before {first:%d %b %Y}." if day < first else ""


def _said(field: Field, text: str) -> str:
    if field.name == "rationale":
        return note_fault(text, what=field.label.lower()) if field.required or text.strip() else ""
    if field.name == "suspect":
        return "" if text in SUSPECT else "Say whether a suspect is identified."
    if field.name == "amount":
        whole = sum_from(text) is not None
        return "" if whole else "Give an amount above zero and its currency, as 9,800.00 USD."
    if not text.strip():
        return "Give the reference of what was filed or reported."
    if len(text) > LONGEST_REFERENCE:
        return f"Keep the reference under {LONGEST_REFERENCE} characters."
    if field.bsa_id and not _BSA_ID.fullmatch(text.strip()):
        return "Give the BSA ID as FinCEN acknowledged it: 14 digits, as 31000123456789."
    return ""
