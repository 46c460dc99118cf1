"""The result of an import's line, foreseen or final. Pure.

The same table gives both: a foreseen result becomes final unless the registry, the lists or GLEIF
changed in between.
"""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import timedelta

from apps.compliance.payees.rules.submission_steps import Step

# after how long a line whose checks could not be made is tried again; then it is given up
WAITS = (timedelta(minutes=1), timedelta(minutes=10), timedelta(hours=1))


@dataclass(frozen=True, slots=True)
class LineFacts:
    """The facts about a line: why it cannot be submitted, or the step that it would be.

    `fault` is the error in its content, `earlier` the line that has the same wallet,
    `missing` the source that could not be reached; `step` is None where it was not determined.
    """

    fault: str = ""
    earlier: int = 0
    missing: str = ""
    step: Step | None = None
    refused: bool = False


@dataclass(frozen=True, slots=True)
class LineRule:
    """The outcome of a line: its code, the expected outcome and the outcome once imported."""

    code: str
    ref: str
    title: str
    before: str
    after: str
    when: Callable[[LineFacts], bool]


def _is_step(step: Step) -> Callable[[LineFacts], bool]:
    return lambda facts: facts.step == step


LINES = (  # first match wins
    LineRule(
        "FAULTY",
        "1 §2.3",
        "A field is missing or wrong, or GLEIF has no such LEI",
        "Cannot be submitted",
        "Not submitted",
        lambda f: bool(f.fault),
    ),
    LineRule(
        "TWICE",
        "D §4 2.3 import",
        "An earlier line has the same wallet",
        "Left out: twice in the file",
        "Left out: twice in the file",
        lambda f: bool(f.earlier),
    ),
    LineRule(
        "UNCHECKED",
        "D §4 fail closed, lists",
        "GLEIF or the lists were not available",
        "Could not be checked",
        "Not registered: could not be checked",
        lambda f: bool(f.missing),
    ),
    LineRule(
        "CONFLICT",
        "D §4 2.3 another name",
        "The wallet is registered to another entity",
        "Conflict: a case opens",
        "Conflict: a case is open",
        _is_step("OTHER_ENTITY"),
    ),
    LineRule(
        "REFUSED",
        "1 §2.7 rule 3",
        "A rule refuses the registration",
        "Would be refused",
        "Refused",
        lambda f: f.refused,
    ),
    LineRule(
        "REGISTER",
        "1 §3",
        "The wallet has no active registration",
        "Would be registered",
        "Registered",
        _is_step("REGISTER"),
    ),
    LineRule(
        "UPGRADE",
        "1 §3",
        "The wallet is registered without an LEI, and one is given",
        "Would be upgraded",
        "Upgraded",
        _is_step("UPGRADE"),
    ),
    LineRule(
        "CHANGE",
        "D §4 2.3 further names",
        "Aliases or country differ",
        "Would be changed",
        "Changed",
        _is_step("CHANGE"),
    ),
    LineRule(
        "SAME",
        "D §4 2.3 again",
        "The same registration exists",
        "Already registered",
        "Was already registered",
        lambda f: f.step == "SAME",
    ),
)
CODES = tuple(rule.code for rule in LINES)
BEFORE = {rule.code: rule.before for rule in LINES}
AFTER = {rule.code: rule.after for rule in LINES}
# lines that are never submitted, whatever the registry says by then
UNFIT = ("FAULTY", "TWICE")


def classify_line(facts: LineFacts) -> LineRule:
    """Return the result of a line; LookupError if nothing is known of it."""
    for rule in LINES:
        if rule.when(facts):
            return rule
    raise LookupError("no rule applies to this line")


def retry_delay(tries: int) -> timedelta | None:
    """Return the delay before the next try of a line after this many tries, or None."""
    # the first wait follows the first try; after the last one the line is given up
    return WAITS[tries - 1] if tries <= len(WAITS) else None
