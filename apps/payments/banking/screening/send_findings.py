"""Findings against a bank payment before it is sent."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from apps.backoffice.review.payment_hold_findings import (
    Finding,
    build_finding_key,
    list_unanswered_findings,
)
from apps.compliance.screening.combined.party_findings import (
    PartyScreen,
    filter_screens_by_findings,
    sort_by_severity,
)
from apps.payments.banking.models import BankEvent, Send
from apps.payments.banking.rules.automatic_sending import ROWS
from apps.payments.banking.screening.party_screens import build_party_screens
from apps.payments.banking.screening.recipients import ScreeningOutcome
from apps.platform.ledger.verification.verified_reads import filter_verified_records

OWN, GIVEN = "recipient", "given"  # sides whose name may be that of the case
BY_CODE = {row.code: row for row in ROWS}
# rows of rules/automatic_sending.py that repeat a screen's own rules; and those about names in the
# note
SCREENED, NOTED = ("ACH-3", "ACH-10"), "ACH-11"
AML_RULES = {"FLAG": "ACH-6", "BLOCK": "ACH-2"}
# findings about the request itself, which does not change: found once
REQUEST_RULES = ("ACH-4", "ACH-5", "ACH-7")


@dataclass(frozen=True, slots=True)
class SendFindings:
    """Findings about a payment, and the screens that some of them come from."""

    findings: tuple[Finding, ...]
    screens: tuple[PartyScreen, ...] = ()

    @property
    def own(self) -> str:
        """The side that names the case: the recipient's, or a more severe given one."""
        party_screens = [
            screen for screen in sort_by_severity(self.screens) if screen.side in (OWN, GIVEN)
        ]
        return party_screens[0].side if party_screens else OWN

    @property
    def codes(self) -> list[str]:
        """The rows of rules/automatic_sending.py that the findings come from, each once."""
        return list(dict.fromkeys(finding.code for finding in self.findings))

    def recorded(self) -> list[dict[str, Any]]:
        """Return the findings as an event keeps them."""
        return [finding.recorded() for finding in self.findings]

    def without(self, cleared: Collection[str]) -> "SendFindings":
        """Return what officers did not answer, with its screens."""
        unanswered_findings = list_unanswered_findings(self.findings, cleared=cleared)
        return SendFindings(
            unanswered_findings, filter_screens_by_findings(self.screens, unanswered_findings)
        )


def build_send_findings(
    row: Send,
    codes: Iterable[str],
    *,
    screening_outcome: ScreeningOutcome,
    given: str = "",
    named: Sequence[str] = (),
) -> SendFindings:
    """Return the findings about a payment by rows of rules/automatic_sending.py.

    `given` is the name that the payer gave, `named` the listed parties in its note. A screen's
    findings have the screen's own rules.
    """
    sides = ({given: GIVEN} if given else {}) | {row.recipient.name: OWN}
    screens = build_party_screens(screening_outcome.screens, sides=sides, other="recipient_bank")
    findings: list[Finding] = []
    for code in codes:
        own = [finding for screen in screens for finding in screen.findings(code=code)]
        # a row that only repeats a screen is replaced by the screen's findings: officers answer
        # those
        findings += (own if code in SCREENED else ()) or [_build_rule_finding(code, named)]
    return SendFindings(tuple(findings), screens)


def _build_rule_finding(code: str, named: Sequence[str] = ()) -> Finding:
    row, about = BY_CODE[code], named if code == NOTED else ()
    says = f"{row.says.rstrip('.')}: {', '.join(about)}." if about else row.says
    key = build_finding_key(code, *about)
    return Finding(code, code, says, row.decision == "BLOCKED", key)


def build_aml_findings(action: str) -> tuple[Finding, ...]:
    """Return the AML engine's findings about a payment by its action."""
    return (_build_rule_finding(AML_RULES[action]),) if action in AML_RULES else ()


def load_holding_findings(row: Send) -> Sequence[Mapping[str, Any]]:
    """Return the findings that last held a payment, as its ledger has them."""
    # only events with a valid MAC: a forged one could clear or hide a finding
    (last,) = filter_verified_records(_select_events(row, "HELD")[:1]) or (None,)
    return last.data.get("findings", ()) if last is not None else ()


def load_cleared_keys(row: Send) -> frozenset[str]:
    """Return the keys of the findings that officers answered when they released a payment."""
    releases = filter_verified_records(_select_events(row, "RELEASED"))
    return frozenset(key for release in releases for key in release.data.get("answered", ()))


def load_carried_findings(row: Send) -> tuple[Finding, ...]:
    """Return the findings about a payment that are not gathered again.

    They are those about the request itself, and those of the AML engine, which judges a payment
    when it is released.
    """
    codes = (holding_finding["code"] for holding_finding in load_holding_findings(row))
    rule_findings = tuple(_build_rule_finding(code) for code in codes if code in REQUEST_RULES)
    return rule_findings + build_aml_findings(load_released_aml(row).get("action", ""))


def load_released_aml(row: Send) -> Mapping[str, Any]:
    """Return the AML engine's result at a payment's last release; empty if there is none."""
    (last,) = filter_verified_records(_select_events(row, "RELEASED")[:1]) or (None,)
    aml: Mapping[str, Any] = last.data.get("aml", {}) if last is not None else {}
    return aml


def _select_events(row: Send, event: str) -> Any:
    return BankEvent.objects.filter(subject=row.subject, event=event).order_by("-number")
