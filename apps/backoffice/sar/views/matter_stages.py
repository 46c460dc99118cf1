"""How far a matter is, in five stages and in words."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date, timedelta
from typing import Any

from apps.backoffice.sar import rules
from apps.backoffice.sar.date_formats import format_day_count, format_days_left
from apps.backoffice.sar.rules import Clock, Matter
from apps.backoffice.sar.selectors.matter_steps import StepWithCorrections

TITLES = {1: "Detected", 2: "Decide", 3: "File", 4: "Report to OFAC", 5: "Review what goes on"}
DONE, NOW, LATE, LATER = "done", "now", "late", "later"
STATES = {DONE: "done", NOW: "to do", LATE: "late", LATER: "not due"}


@dataclass(frozen=True, slots=True)
class Stage:
    """One of the five; `state` is one of STATES."""

    number: int
    state: str
    words: str

    @property
    def title(self) -> str:
        """Return its name."""
        return TITLES[self.number]

    @property
    def said(self) -> str:
        """Return its state in words."""
        return STATES[self.state]


@dataclass(frozen=True, slots=True)
class _StageInputs:
    """The inputs of the stages."""

    matter: Matter
    running: dict[str, Clock]
    detection: StepWithCorrections
    last: dict[str, StepWithCorrections]
    today: date
    how: str

    def due(self, number: int, ref: str, words: str) -> Stage:
        """Return a stage whose clock runs."""
        clock = self.running[ref]
        left = format_days_left(by=clock.by, today=self.today)
        state = LATE if clock.by < self.today else NOW
        return Stage(number, state, f"{words} by {_format_day(clock.by)}: {left}")


def describe_referrer(data: Mapping[str, Any]) -> str:
    """Say who brought a matter into the log, from the payload of its entry."""
    if not data:
        return "by whom was purged"
    heard = data.get("referred")
    if not heard:
        return "by the system"
    how = "by the decision of" if heard.get("reason") else "referred by"
    return f"{how} {heard.get('by', '')}"


def build_stages(
    *, matter: Matter, steps: Mapping[int, StepWithCorrections], today: date, how: str
) -> tuple[Stage, ...]:
    """Return the five stages of a matter, from its state and its corrected steps.

    `how` says who brought it here (`describe_referrer`).
    """
    seen = _StageInputs(
        matter,
        {clock.ref: clock for clock in rules.list_running_clocks(matter)},
        steps[rules.DETECTION],
        {step.step.action: step for step in steps.values()},
        today,
        how,
    )
    return (
        _build_detected_stage(seen),
        _build_decision_stage(seen),
        _build_filing_stage(seen),
        _build_report_stage(seen),
        _build_review_stage(seen),
    )


def _build_detected_stage(seen: _StageInputs) -> Stage:
    matter, how = seen.matter, seen.how
    if seen.detection.corrections:
        how = f"corrected from {_format_day(seen.detection.day)}"
    anew = f"; opened again on {_format_day(matter.anew)}" if matter.anew else ""
    return Stage(1, DONE, f"{_format_day(matter.detected)}, {how}{anew}")


def _build_decision_stage(seen: _StageInputs) -> Stage:
    if seen.matter.filed:
        step = seen.last.get("TO_FILE")
        return Stage(2, DONE, f"to file, {_format_day_and_officer(step)}" if step else "to file")
    if seen.matter.declined:
        return Stage(2, DONE, f"no SAR, {_format_day_and_officer(seen.last['NOT_FILED'])}")
    if seen.matter.to_file:
        return Stage(2, DONE, f"to file, {_format_day_and_officer(seen.last['TO_FILE'])}")
    words = "file or not; no suspect is known yet," if seen.matter.unknown else "file or not,"
    return seen.due(2, "SAR-1", words)


def _build_filing_stage(seen: _StageInputs) -> Stage:
    if seen.matter.goes_on:
        return seen.due(3, "SAR-3", "again,")
    if seen.matter.filed:
        filing = seen.last["FILED"]
        words = [f"on {_format_day(filing.on)}", filing.value("reference")]
        late = 0
        # only a first filing has a day counted from the detection
        if "CONTINUES" not in seen.last:
            unknown = seen.matter.unknown or filing.value("suspect") == "NO"
            detected, filed = seen.matter.begins, seen.matter.filed
            late = rules.count_days_late(detected=detected, filed=filed, unknown=unknown)
        words.append(f"{format_day_count(late)} after its last day" if late else "")
        return Stage(3, DONE, ", ".join(word for word in words if word))
    if seen.matter.declined:
        return Stage(3, LATER, "nothing is filed")
    return seen.due(3, "SAR-1", "a SAR,") if seen.matter.to_file else Stage(3, LATER, "if decided")


def _build_report_stage(seen: _StageInputs) -> Stage:
    matter = seen.matter
    if matter.ofac in ("BLOCKED", "REJECTED"):
        report = seen.last[f"OFAC_{matter.ofac}"]
        what = "blocked property" if matter.ofac == "BLOCKED" else "rejected transaction"
        parts = [f"{what}, on {_format_day(report.on)}", report.value("reference")]
        if "OFAC-2" in seen.running:
            parts.append(f"annual report by {_format_day(seen.running['OFAC-2'].by)}")
        late = "OFAC-2" in seen.running and seen.running["OFAC-2"].by < seen.today
        return Stage(4, LATE if late else DONE, ", ".join(part for part in parts if part))
    if matter.ofac:
        return Stage(
            4, DONE, f"no report is due, {_format_day_and_officer(seen.last['OFAC_NONE'])}"
        )
    if matter.sanctions:
        return seen.due(4, "OFAC-1", "report, or record why not,")
    return Stage(4, LATER, "only if an embargo forbids it")


def _build_review_stage(seen: _StageInputs) -> Stage:
    matter, first = seen.matter, rules.get_first_review_day(seen.matter)
    if matter.ended:
        return Stage(5, DONE, "the activity does not go on")
    if matter.filed is None or first is None:
        return Stage(5, LATER, "nothing is filed" if matter.declined else "after a filing")
    if matter.goes_on:
        return Stage(5, DONE, "the activity goes on")
    if seen.today >= first:
        return seen.due(5, "SAR-2", "review, and file again if it goes on,")
    last = matter.filed + timedelta(days=rules.DAYS_TO_CONTINUE)
    return Stage(5, LATER, f"from {_format_day(first)}, by {_format_day(last)}")


def _format_day(day: date) -> str:
    return f"{day:%d %b %Y}"


def _format_day_and_officer(step: StepWithCorrections) -> str:
    return f"{_format_day(step.on)} by {step.by}"
