"""Screen the parties of a message, and combine their results."""

from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any

from apps.backoffice.review.payment_hold_findings import Finding
from apps.backoffice.sar.sanctions_authorities import is_ofac_report_owed
from apps.compliance.screening.combined import selectors
from apps.compliance.screening.combined.cases import build_case_opening
from apps.compliance.screening.combined.known_false_positives import apply_known_false_positives
from apps.compliance.screening.combined.party_findings import PartyScreen
from apps.compliance.screening.combined.requests import ScreenRequest
from apps.compliance.screening.combined.selectors import ScreenInputs
from apps.compliance.screening.rules import screen as screen_rules
from apps.payments.travelrule.screening.subjects import (
    SIDE_LABELS,
    WALLET_KIND,
    LeftOut,
    ScreeningSubjects,
)
from apps.platform.crypto.canonical import canonical_digest
from apps.reference.names.field.word_tests import build_comparison_key
from apps.reference.names.scripts.text_cleaning import normalize_written_text
from apps.reference.watchlists import engine

BLOCKED = "BLOCKED"
GRAVITY = tuple(row.decision for row in screen_rules.DECISIONS)


@dataclass(frozen=True, slots=True)
class ScreenedParty:
    """One screened party: findings, decision, and evidence for a case."""

    asked: ScreenRequest
    gathered: ScreenInputs
    judgement: screen_rules.Judgement
    screen: PartyScreen

    @property
    def decision(self) -> str:
        """What the screen decides."""
        return self.judgement.outcome.decision

    @property
    def name(self) -> str:
        """The name in one form, however it is written: in capitals, or with invisible letters."""
        return build_comparison_key(normalize_written_text(self.asked.name)) or self.asked.name

    @property
    def finding_keys(self) -> set[str]:
        """The keys of the party's findings, the same however its name is written."""
        named = replace(self.screen, opening=replace(self.screen.opening, party=self.name))
        return {finding.key for finding in named.findings()}

    @property
    def party(self) -> str:
        """A digest that identifies the party: its side, name, LEI, birth date and numbers."""
        # without accounts: a sender could write another one into each message
        screen_request = self.asked
        numbers = [
            [identifier.kind, identifier.value]
            for identifier in screen_request.identifiers
            if identifier.kind != WALLET_KIND
        ]
        asked_fields = [
            self.screen.side,
            self.name,
            screen_request.lei,
            screen_request.birth_date,
            *sorted(numbers),
        ]
        return canonical_digest({"party": asked_fields})

    @property
    def owes_ofac(self) -> bool:
        """Whether OFAC may be owed a report on it."""
        codes = [finding.code for finding in self.judgement.findings]
        return screen_rules.is_ofac_concerned(
            codes, owed=is_ofac_report_owed(self.gathered.blocking_lists)
        )


@dataclass(frozen=True, slots=True)
class PartyHit:
    """A party not APPROVED, with all its screens that were not, the most severe first."""

    screened: tuple[ScreenedParty, ...]

    @property
    def first(self) -> ScreenedParty:
        """The most severe screen of the party."""
        return self.screened[0]

    @property
    def decision(self) -> str:
        """What its screens decide."""
        return self.first.decision

    @property
    def screens(self) -> list[PartyScreen]:
        """Its screens as a case has them."""
        return [party.screen for party in self.screened]

    @property
    def findings(self) -> tuple[Finding, ...]:
        """What flags or blocks it, finding by finding, each once."""
        all_findings = (finding for screen in self.screens for finding in screen.findings())
        return tuple({finding.key: finding for finding in all_findings}.values())

    @property
    def finding_keys(self) -> list[str]:
        """What is found of it by any of its screens, however its name is written."""
        return sorted({key for party in self.screened for key in party.finding_keys})

    @property
    def blocking(self) -> tuple[ScreenedParty, ...]:
        """Its screens that block."""
        return tuple(party for party in self.screened if party.decision == BLOCKED)

    @property
    def wallet(self) -> str:
        """The account that is on a list, else the first one."""
        matches = (match for party in self.screened for match in party.gathered.sanctions.matches)
        listed = (match.asked for match in matches if match.by == "WALLET")
        return next(listed, self.first.asked.wallet_address)


@dataclass(frozen=True, slots=True)
class PartyScreens:
    """The screens of all parties of a message, and what of it was left out, if anything was."""

    all: tuple[ScreenedParty, ...]
    left_out: tuple[LeftOut, ...] = ()

    @property
    def whole(self) -> bool:
        """Whether nothing was left out."""
        return not self.left_out

    @property
    def decision(self) -> str:
        """The most severe decision; at least FLAGGED if something was not screened."""
        decisions = {party.decision for party in self.all} | (set() if self.whole else {"FLAGGED"})
        return next(level for level in GRAVITY if level in decisions | {"APPROVED"})

    @property
    def hits(self) -> tuple[PartyHit, ...]:
        """The parties that were not APPROVED: by decision, then by score."""
        # by decision first: a country alone scores 100 and flags, a listed name may block with 70
        screened_parties = [party for party in self.all if party.decision != "APPROVED"]
        screened_parties.sort(
            key=lambda party: (GRAVITY.index(party.decision), -party.judgement.risk_score)
        )
        grouped_screened_parties: dict[str, list[ScreenedParty]] = {}
        for screened_party in screened_parties:
            grouped_screened_parties.setdefault(screened_party.party, []).append(screened_party)
        return tuple(PartyHit(tuple(screened)) for screened in grouped_screened_parties.values())

    @property
    def findings(self) -> tuple[Finding, ...]:
        """What flags or blocks, finding by finding."""
        return tuple(finding for hit in self.hits for finding in hit.findings)

    def recorded(self) -> dict[str, Any]:
        """Return the results for the ledger, without anybody's name."""
        # events are kept when the message is erased: names live only in the cases
        lists = {party.gathered.engine.list_set.id for party in self.all}
        cleared = (cleared_match for party in self.all for cleared_match in party.gathered.known)
        known = selectors.serialize_cleared_matches(dict.fromkeys(cleared))
        return {
            "decision": self.decision,
            "parties": len({party.party for party in self.all}),
            "whole": self.whole,
            "lists": sorted(lists),
            "findings": [finding.recorded() for finding in self.findings],
        } | ({"known": known} if known else {})


def screen_parties(subjects: ScreeningSubjects, *, owner: str, now: datetime) -> PartyScreens:
    """Screen the parties of a message; read-only, and may wait for GLEIF.

    Raises ListsUnavailable and ListsStale (503) without lists to screen against.
    """
    screened_parties = []
    # the travel rule requires sanctions screening; PEPs are screened if a PEP list is loaded
    holders = bool(engine.load_current_engine(now).list_set.of("pep"))
    for number, party in enumerate(subjects.parties):
        screen_request, *places = (
            asked_subject if holders else replace(asked_subject, individual=False)
            for asked_subject in (party.asked, *party.places)
        )
        gathered = selectors.gather_screen(asked=screen_request, now=now)
        gathered = apply_known_false_positives(
            screen_request=screen_request, gathered=gathered, owner=owner, now=now
        )
        first = _build_screened_party(
            party.side, screen_request, gathered, owner, f"{party.side}/{number}"
        )
        screened_parties.append(first)
        seen = {(finding.ref, finding.reason) for finding in first.judgement.findings}
        for at, place in enumerate(places, 1):
            there = selectors.at_another_place(gathered, screen_request=place, now=now)
            screened = _build_screened_party(
                party.side, place, there, owner, f"{party.side}/{number}/{at}"
            )
            # a further place counts only for what it adds: its names were screened already
            reasons = {(finding.ref, finding.reason) for finding in screened.judgement.findings}
            if not reasons <= seen:
                screened_parties.append(screened)
                seen |= reasons
    return PartyScreens(tuple(screened_parties), subjects.left_out)


def _build_screened_party(
    side: str, screen_request: ScreenRequest, gathered: ScreenInputs, owner: str, ref: str
) -> ScreenedParty:
    judgement = screen_rules.judge_screen(gathered.facts)
    opening = build_case_opening(
        screen_request=screen_request, gathered=gathered, judgement=judgement, owner=owner, ref=ref
    )
    screen = PartyScreen(side, opening, SIDE_LABELS[side])
    return ScreenedParty(screen_request, gathered, judgement, screen)
