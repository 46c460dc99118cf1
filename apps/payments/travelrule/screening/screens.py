"""What the screens of a message's parties come to, together."""

from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any

from apps.backoffice.review.findings import Finding
from apps.backoffice.sar.sanctions_authorities import is_ofac_report_owed
from apps.compliance.screening.combined import selectors
from apps.compliance.screening.combined.cases import build_case_opening
from apps.compliance.screening.combined.known_false_positives import apply_known_false_positives
from apps.compliance.screening.combined.party_findings import PartyScreen
from apps.compliance.screening.combined.requests import ScreenRequest
from apps.compliance.screening.combined.selectors import ScreenInputs
from apps.compliance.screening.rules import screen as rules
from apps.payments.travelrule.screening.subjects import (
    SIDE_LABELS,
    WALLET_KIND,
    LeftOut,
    ScreeningSubjects,
)
from apps.platform.crypto.canonical import canonical_digest
from apps.reference.names.field.word_tests import build_comparison_key
from apps.reference.names.scripts.letters import normalize_written_text
from apps.reference.watchlists import engine as engines

BLOCKED = "BLOCKED"
GRAVITY = tuple(row.decision for row in rules.DECISIONS)


@dataclass(frozen=True, slots=True)
class ScreenedParty:
    """One party as it was screened: what was found, what that comes to, and what a case has."""

    asked: ScreenRequest
    gathered: ScreenInputs
    judgement: rules.Judgement
    screen: PartyScreen

    @property
    def decision(self) -> str:
        """What the screen decides."""
        return self.judgement.outcome.decision

    @property
    def name(self) -> str:
        """The name, the same however it is written: in capitals, or with unseen letters."""
        return build_comparison_key(normalize_written_text(self.asked.name)) or self.asked.name

    @property
    def finding_keys(self) -> set[str]:
        """What is found of the party, the same however its name is written."""
        named = replace(self.screen, opening=replace(self.screen.opening, party=self.name))
        return {one.key for one in named.findings()}

    @property
    def party(self) -> str:
        """By what the party is known again: its side and what tells it from namesakes."""
        asked = self.asked
        numbers = [
            [identifier.kind, identifier.value]
            for identifier in asked.identifiers
            if identifier.kind != WALLET_KIND
        ]
        told = [self.screen.side, self.name, asked.lei, asked.birth_date, *sorted(numbers)]
        return canonical_digest({"party": told})

    @property
    def owes_ofac(self) -> bool:
        """Whether OFAC may be owed a report on it."""
        codes = [finding.code for finding in self.judgement.findings]
        return rules.is_ofac_concerned(
            codes, owed=is_ofac_report_owed(self.gathered.blocking_lists)
        )


@dataclass(frozen=True, slots=True)
class PartyHit:
    """A party that came to more than APPROVED, with all screens of it that did, gravest first."""

    screened: tuple[ScreenedParty, ...]

    @property
    def first(self) -> ScreenedParty:
        """The gravest screen of the party."""
        return self.screened[0]

    @property
    def decision(self) -> str:
        """What its screens decide."""
        return self.first.decision

    @property
    def screens(self) -> list[PartyScreen]:
        """Its screens as a case has them."""
        return [one.screen for one in self.screened]

    @property
    def findings(self) -> tuple[Finding, ...]:
        """What flags or blocks it, finding by finding, each once."""
        found = (each for screen in self.screens for each in screen.findings())
        return tuple({one.key: one for one in found}.values())

    @property
    def finding_keys(self) -> list[str]:
        """What is found of it by any of its screens, however its name is written."""
        return sorted({key for one in self.screened for key in one.finding_keys})

    @property
    def blocking(self) -> tuple[ScreenedParty, ...]:
        """Its screens that block."""
        return tuple(one for one in self.screened if one.decision == BLOCKED)

    @property
    def wallet(self) -> str:
        """The account that is on a list, else the first one."""
        matches = (each for one in self.screened for each in one.gathered.sanctions.matches)
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
        """The gravest decision; what was not screened whole is FLAGGED at least."""
        found = {one.decision for one in self.all} | (set() if self.whole else {"FLAGGED"})
        return next(one for one in GRAVITY if one in found | {"APPROVED"})

    @property
    def hits(self) -> tuple[PartyHit, ...]:
        """The parties that came to more than APPROVED: by what was decided, then by the score.

        A country alone scores 100 and flags; a listed name that blocks may score 70.
        """
        held = [one for one in self.all if one.decision != "APPROVED"]
        held.sort(key=lambda one: (GRAVITY.index(one.decision), -one.judgement.risk_score))
        found: dict[str, list[ScreenedParty]] = {}
        for one in held:
            found.setdefault(one.party, []).append(one)
        return tuple(PartyHit(tuple(screened)) for screened in found.values())

    @property
    def findings(self) -> tuple[Finding, ...]:
        """What flags or blocks, finding by finding."""
        return tuple(finding for hit in self.hits for finding in hit.findings)

    def recorded(self) -> dict[str, Any]:
        """Return it as the ledger keeps it: without a name of anybody."""
        lists = {one.gathered.engine.list_set.id for one in self.all}
        cleared = (each for one in self.all for each in one.gathered.known)
        known = selectors.serialize_cleared_matches(dict.fromkeys(cleared))
        return {
            "decision": self.decision,
            "parties": len({one.party for one in self.all}),
            "whole": self.whole,
            "lists": sorted(lists),
            "findings": [finding.recorded() for finding in self.findings],
        } | ({"known": known} if known else {})


def screen_parties(subjects: ScreeningSubjects, *, owner: str, now: datetime) -> PartyScreens:
    """Screen the parties of a message; reads alone, and may wait for GLEIF.

    ListsUnavailable and ListsStale (503) where there are no lists to screen against.
    """
    found = []
    # the travel rule asks for sanctions; office holders are looked for where a list of them is held
    holders = bool(engines.load_current_engine(now).list_set.of("pep"))
    for number, one in enumerate(subjects.parties):
        asked, *places = (
            each if holders else replace(each, individual=False)
            for each in (one.asked, *one.places)
        )
        gathered = selectors.gather_screen(asked=asked, now=now)
        gathered = apply_known_false_positives(asked=asked, gathered=gathered, owner=owner, now=now)
        first = _build_screened_party(one.side, asked, gathered, owner, f"{one.side}/{number}")
        found.append(first)
        seen = {(finding.ref, finding.reason) for finding in first.judgement.findings}
        for at, place in enumerate(places, 1):
            there = selectors.at_another_place(gathered, asked=place, now=now)
            screened = _build_screened_party(
                one.side, place, there, owner, f"{one.side}/{number}/{at}"
            )
            told = {(finding.ref, finding.reason) for finding in screened.judgement.findings}
            if not told <= seen:
                found.append(screened)
                seen |= told
    return PartyScreens(tuple(found), subjects.left_out)


def _build_screened_party(
    side: str, screen_request: ScreenRequest, gathered: ScreenInputs, owner: str, ref: str
) -> ScreenedParty:
    judgement = rules.judge_screen(gathered.facts)
    opening = build_case_opening(
        asked=screen_request, gathered=gathered, judgement=judgement, owner=owner, ref=ref
    )
    screen = PartyScreen(side, opening, SIDE_LABELS[side])
    return ScreenedParty(screen_request, gathered, judgement, screen)
