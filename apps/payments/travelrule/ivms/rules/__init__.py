"""Rules of IVMS 101 over one canonical message: one table, all findings at once."""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date
from typing import Literal

from apps.payments.travelrule.ivms.dialects import Reading, read_message
from apps.payments.travelrule.ivms.input_limits import DEFAULT_LIMITS, MessageLimits, MessageRefused
from apps.payments.travelrule.ivms.pointers import format_pointer, trace_sent_path
from apps.payments.travelrule.ivms.rules.context import RuleContext, Transfer
from apps.payments.travelrule.ivms.rules.table import BY_ID, RULES, Rule

Profile = Literal["out", "in"]


@dataclass(frozen=True)
class Finding:
    """One breach. Values are not repeated: they may be personal data.

    `severity` is E (refuse), W (accept with a warning) or N (read in another spelling). `pointer`
    is a JSON pointer (RFC 6901) into what was sent, `canonical` one into the canonical message
    (empty when the value is not in it); a missing element is reported where it is missing.
    """

    rule: str
    severity: str
    pointer: str
    message: str
    canonical: str


def validate_message(
    message: object,
    *,
    profile: Profile,
    today: date,
    authorities: frozenset[str] | None = None,
    transfer: Transfer | None = None,
    limits: MessageLimits = DEFAULT_LIMITS,
) -> list[Finding]:
    """Return all findings of a message in any dialect: `out` is strict, `in` lenient.

    `today` is the day in UTC. `authorities` are the codes of GLEIF's list, `transfer` the facts
    that X1 needs; without them C10b and X1 are not judged. It never raises for any JSON value:
    one that exceeds a limit is the finding L1.
    """
    try:
        reading = read_message(message, limits=limits)
    except MessageRefused as refused:
        rule = BY_ID["L1"]
        return [Finding(rule.id, _severity_of(rule, profile), "", str(refused), "")]
    return judge_reading(
        reading,
        profile=profile,
        today=today,
        authorities=authorities,
        transfer=transfer,
        limits=limits,
    )


def judge_reading(
    reading: Reading,
    *,
    profile: Profile,
    today: date,
    authorities: frozenset[str] | None = None,
    transfer: Transfer | None = None,
    limits: MessageLimits = DEFAULT_LIMITS,
) -> list[Finding]:
    """Return all findings of a message that was read already; see `validate_message`."""
    case = RuleContext(
        message=reading.message,
        today=today,
        charset="2023" if reading.dialect == "ivms101-2023" else "2020",
        authorities=authorities,
        transfer=transfer,
    )
    findings = [
        *_find_reading_breaches(reading, profile),
        *_find_rule_breaches(case, reading, profile),
    ]
    # the most severe first, also because a long list is cut
    findings.sort(key=lambda finding: "EWN".index(finding.severity))
    if len(findings) <= limits.findings:
        return findings
    rule = BY_ID["L1"]
    sentence = f"There are {len(findings)} findings; the {limits.findings} most severe are listed."
    return [
        *findings[: limits.findings],
        Finding(rule.id, _severity_of(rule, profile), "", sentence, ""),
    ]


def select_errors(findings: list[Finding]) -> list[Finding]:
    """Return the findings that refuse the message."""
    return [finding for finding in findings if finding.severity == "E"]


def _find_reading_breaches(reading: Reading, profile: Profile) -> Iterator[Finding]:
    for change in reading.changes:
        severity = _severity_of(BY_ID[change.rule], profile)
        yield Finding(change.rule, severity, change.sent, change.what, change.canonical)


def _find_rule_breaches(case: RuleContext, reading: Reading, profile: Profile) -> Iterator[Finding]:
    for rule in RULES:
        for hit in rule.check(case) if rule.check else ():
            sentence = f"{rule.sentence} {hit.more}".strip()
            sent = format_pointer(trace_sent_path(hit.path, reading.origins))
            yield Finding(
                rule.id, _severity_of(rule, profile), sent, sentence, format_pointer(hit.path)
            )


def _severity_of(rule: Rule, profile: Profile) -> str:
    return rule.out if profile == "out" else rule.inn


def format_rules_table() -> str:
    """Return the rules as a Markdown table."""
    rows = [
        f"| {rule.id} | {rule.out} | {rule.inn} | {rule.sentence} | {rule.source} |"
        for rule in RULES
    ]
    head = ["| rule | out | in | it says | source |", "| --- | --- | --- | --- | --- |"]
    return "\n".join([*head, *rows])


__all__ = [
    "RULES",
    "Finding",
    "Rule",
    "Transfer",
    "format_rules_table",
    "judge_reading",
    "select_errors",
    "validate_message",
]
