"""How far a matter is, in five stages and in words."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date, timedelta
from typing import Any

from apps.sar import rules
from apps.sar.days import days_left, in_days
from apps.sar.rules import Clock, Matter
from apps.sar.taken import Taken

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
class _Seen:
    """What the stages are told from."""

    matter: Matter
    running: dict[str, Clock]
    detection: Taken
    last: dict[str, Taken]
    today: date
    how: str

    def due(self, number: int, ref: str, words: str) -> Stage:
        """Return a stage whose clock runs."""
        clock = self.running[ref]
        left = days_left(by=clock.by, today=self.today)
        state = LATE if clock.by < self.today else NOW
        return Stage(number, state, f"{words} by {_day(clock.by)}: {left}")


def found_by(data: Mapping[str, Any]) -> str:
    """Say who brought a matter into the log, from the payload of its entry."""
    if not data:
        return "by whom was purged"
    heard = data.get("referred")
    if not heard:
        return "by the system"
    how = "by the decision of" if heard.get("reason") else "referred by"
    return f"{how} {heard.get('by', '')}"


def stages(
    *, matter: Matter, steps: Mapping[int, Taken], today: date, how: str
) -> tuple[Stage, ...]:
    """Return the five stages of a matter, from where it stands and its steps as they stand.

    `how` says who brought it here (`found_by`).
    """
    seen = _Seen(
        matter,
        {clock.ref: clock for clock in rules.clocks(matter)},
        steps[rules.DETECTION],
        {one.step.action: one for one in steps.values()},
        today,
        how,
    )
    return (_detected(seen), _decided(seen), _filed(seen), _reported(seen), _after(seen))


def _detected(seen: _Seen) -> Stage:
    matter, how = seen.matter, seen.how
    if seen.detection.corrections:
        how = f"corrected from {_day(seen.detection.day)}"
    anew = f"; opened again on {_day(matter.anew)}" if matter.anew else ""
    return Stage(1, DONE, f"{_day(matter.detected)}, {how}{anew}")


def _decided(seen: _Seen) -> Stage:
    if seen.matter.filed:
        told = seen.last.get("TO_FILE")
        return Stage(2, DONE, f"to file, {_by(told)}" if told else "to file")
    if seen.matter.declined:
        return Stage(2, DONE, f"no SAR, {_by(seen.last['NOT_FILED'])}")
    if seen.matter.to_file:
        return Stage(2, DONE, f"to file, {_by(seen.last['TO_FILE'])}")
    words = "file or not; no suspect is known yet," if seen.matter.unknown else "file or not,"
    return seen.due(2, "SAR-1", words)


def _filed(seen: _Seen) -> Stage:
    if seen.matter.goes_on:
        return seen.due(3, "SAR-3", "again,")
    if seen.matter.filed:
        filing = seen.last["FILED"]
        words = [f"on {_day(filing.on)}", filing.value("reference")]
        late = 0
        if "CONTINUES" not in seen.last:
            unknown = seen.matter.unknown or filing.value("suspect") == "NO"
            detected, filed = seen.matter.begins, seen.matter.filed
            late = rules.days_late(detected=detected, filed=filed, unknown=unknown)
        words.append(f"{in_days(late)} after its last day" if late else "")
        return Stage(3, DONE, ", ".join(one for one in words if one))
    if seen.matter.declined:
        return Stage(3, LATER, "nothing is filed")
    return seen.due(3, "SAR-1", "a SAR,") if seen.matter.to_file else Stage(3, LATER, "if decided")


def _reported(seen: _Seen) -> Stage:
    matter = seen.matter
    if matter.ofac in ("BLOCKED", "REJECTED"):
        report = seen.last[f"OFAC_{matter.ofac}"]
        what = "blocked property" if matter.ofac == "BLOCKED" else "rejected transaction"
        told = [f"{what}, on {_day(report.on)}", report.value("reference")]
        if "OFAC-2" in seen.running:
            told.append(f"annual report by {_day(seen.running['OFAC-2'].by)}")
        late = "OFAC-2" in seen.running and seen.running["OFAC-2"].by < seen.today
        return Stage(4, LATE if late else DONE, ", ".join(one for one in told if one))
    if matter.ofac:
        return Stage(4, DONE, f"no report is due, {_by(seen.last['OFAC_NONE'])}")
    if matter.sanctions:
        return seen.due(4, "OFAC-1", "report, or record why not,")
    return Stage(4, LATER, "only if an embargo forbids it")


def _after(seen: _Seen) -> Stage:
    matter, first = seen.matter, rules.review_from(seen.matter)
    if matter.ended:
        return Stage(5, DONE, "the activity does not go on")
    if matter.filed is None or first is None:
        return Stage(5, LATER, "nothing is filed" if matter.declined else "after a filing")
    if matter.goes_on:
        return Stage(5, DONE, "the activity goes on")
    if seen.today >= first:
        return seen.due(5, "SAR-2", "review, and file again if it goes on,")
    last = matter.filed + timedelta(days=rules.DAYS_TO_CONTINUE)
    return Stage(5, LATER, f"from {_day(first)}, by {_day(last)}")


def _day(day: date) -> str:
    return f"{day:%d %b %Y}"


def _by(one: Taken) -> str:
    return f"{_day(one.on)} by {one.by}"
