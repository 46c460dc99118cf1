"""Findings of several parties' screens, in the one case of their payment, settlement or transfer.

Each listed party that a name resembles is a finding of its own: that it is another party was
decided for that entry only.
"""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from apps.backoffice.review.payment_hold_findings import Finding, build_finding_key
from apps.backoffice.review.rules.case_keys import build_entity_key
from apps.backoffice.review.rules.risks import find_highest_risk
from apps.backoffice.review.services import CaseOpening
from apps.compliance.screening.combined.evidence_view import listed_parties
from apps.compliance.screening.rules.findings import RULES
from apps.reference.watchlists.rules.score_limits import PARTIAL_SCORE, PEP_SCORE

Row = Mapping[str, Any]
DECISIONS = {rule.code: rule.decision for rule in RULES}
# rules that find an entry of a list each: where the evidence has them, from which score, in words
ENTRIES = {
    "sanctions.partial": ("sanctions", PARTIAL_SCORE, "Partial sanctions match"),
    "pep.match": ("pep", PEP_SCORE, "Politically exposed person"),
}


@dataclass(frozen=True, slots=True)
class PartyScreen:
    """The screen of one party in a case: its side, and the opening of its own case.

    `whose` is the side in words.
    """

    side: str
    opening: CaseOpening
    whose: str

    @property
    def blocks(self) -> bool:
        """Return whether the screen blocks its party."""
        return any(DECISIONS[reason["code"]] == "BLOCKED" for reason in self.opening.reasons)

    @property
    def evidence(self) -> dict[str, Any]:
        """Return the evidence that the case page draws (party_evidence_views.py)."""
        return dict(self.opening.evidence) | {"side": self.side}

    def found_by(self, reason: Mapping[str, str], *, code: str = "") -> tuple[Finding, ...]:
        """Return the findings of a reason, best match first; none for a reason that only informs.

        `code` is the row of the caller's table that represents the screen.
        """
        decision = DECISIONS[reason["code"]]
        if decision is None:
            return ()
        blocks = decision == "BLOCKED"
        about = [self.side, self.opening.party, reason["ref"]]
        rows = self._entries(reason["code"])
        if not rows:
            key = build_finding_key(*about, reason["sentence"])
            return (Finding(code, reason["ref"], self.named(reason), blocks, key),)
        # the reason's own sentence names the best entry; the others get one in the same form
        sentences = [
            reason["sentence"],
            *(_match_sentence(reason["code"], row) for row in rows[1:]),
        ]
        return tuple(
            Finding(
                code,
                reason["ref"],
                self.named({"sentence": sentence}),
                blocks,
                build_finding_key(*about, _match_key(row), str(row["score"])),
            )
            for row, sentence in zip(rows, sentences, strict=True)
        )

    def findings(self, *, code: str = "") -> tuple[Finding, ...]:
        """Return what flags or blocks the party."""
        findings_by_reason = (self.found_by(reason, code=code) for reason in self.opening.reasons)
        return tuple(
            finding for findings_of_reason in findings_by_reason for finding in findings_of_reason
        )

    def named(self, reason: Mapping[str, str]) -> str:
        """Return a reason with whom it is about."""
        return f"{self.whose} {self.opening.party}: {reason['sentence']}"

    def holding(self, keys: Collection[str]) -> "PartyScreen | None":
        """Return the screen with these findings alone, and what informs; None without any."""
        reasons = [left for reason in self.opening.reasons if (left := self._left(reason, keys))]
        # reasons that only inform never hold a payment
        if all(DECISIONS[reason["code"]] is None for reason in reasons):
            return None
        evidence = dict(self.opening.evidence)
        for code in {reason["code"] for reason in self.opening.reasons} & ENTRIES.keys():
            part, rows = ENTRIES[code][0], self._entries(code)
            gone = [row for row in rows if self._key(code, row) not in keys]
            evidence[part] = [row for row in evidence.get(part, ()) if row not in gone]
        entities = build_entity_key(listed_parties(evidence))
        opening = replace(self.opening, reasons=reasons, evidence=evidence, entity_key=entities)
        return PartyScreen(self.side, opening, self.whose)

    def _left(self, reason: Mapping[str, str], keys: Collection[str]) -> Mapping[str, str] | None:
        """Return a reason limited to these findings; None if it has none of them."""
        rows, of_reason = self._entries(reason["code"]), self.found_by(reason)
        left = [at for at, finding in enumerate(of_reason) if finding.key in keys]
        # its sentence names the best entry: it stays as it is while that one is left
        if not of_reason or left[:1] == [0]:
            return reason
        return (
            dict(reason) | {"sentence": _match_sentence(reason["code"], rows[left[0]])}
            if left
            else None
        )

    def _key(self, code: str, row: Row) -> str:
        (reason,) = (
            case_reason for case_reason in self.opening.reasons if case_reason["code"] == code
        )
        at = self._entries(code).index(row)
        return self.found_by(reason)[at].key

    def _entries(self, code: str) -> list[Row]:
        """Return the entries of lists that a rule finds, the best first; none that are known."""
        if code not in ENTRIES:
            return []
        part, least, _ = ENTRIES[code]
        known = {known_match["key"] for known_match in self.opening.evidence.get("knownFalse", ())}
        rows = self.opening.evidence.get(part, ())
        return [row for row in rows if row["score"] >= least and _match_key(row) not in known]


def _match_key(row: Row) -> str:
    return f"{row['dataset']}:{row['entityId']}"


def _match_sentence(code: str, row: Row) -> str:
    return f"{ENTRIES[code][2]} at {row['score']}%: {row['name']} ({row['dataset']})."


def filter_screens_by_findings(
    screens: Iterable[PartyScreen], findings: Iterable[Finding]
) -> tuple[PartyScreen, ...]:
    """Return the screens that findings are of, each with those alone."""
    keys = {finding.key for finding in findings}
    return tuple(left for screen in screens if (left := screen.holding(keys)) is not None)


def build_case_reasons(
    findings: Sequence[Finding], screens: Sequence[PartyScreen], *, own: str
) -> list[dict[str, str]]:
    """Return the reasons of a case: its findings, and reasons that only inform.

    `screens` are those that hold the payment. Reasons of its `own` side do not name the party,
    unless that side has several parties, which must not be confused.
    """
    alone = (
        len({party_screen.opening.party for party_screen in screens if party_screen.side == own})
        == 1
    )
    rows: list[dict[str, str]] = []
    for screen in screens:
        bare = alone and screen.side == own
        for reason in screen.opening.reasons:
            sentence = reason["sentence"] if bare else screen.named(reason)
            rows.append({"ref": reason["ref"], "code": reason["code"], "sentence": sentence})
    screened = {finding.key for screen in screens for finding in screen.findings()}
    rows += [
        {"ref": finding.ref, "sentence": finding.says}
        for finding in findings
        if finding.key not in screened
    ]
    return list({(row["ref"], row["sentence"]): row for row in rows}.values())


def highest_risk(screens: Sequence[PartyScreen]) -> tuple[str, int]:
    """Return the highest risk and score of the screens that hold a case; LOW and 0 for none."""
    risk = find_highest_risk({screen.opening.risk for screen in screens})
    return risk, max((screen.opening.risk_score for screen in screens), default=0)


def sort_by_severity(screens: Iterable[PartyScreen]) -> list[PartyScreen]:
    """Return screens in the order of what they decide, those of one decision by their score."""
    # the score alone would not do: a country of the address scores 100 and flags, while a listed
    # name that blocks may score 70
    return sorted(screens, key=lambda screen: (not screen.blocks, -screen.opening.risk_score))


def own_entity_key(screens: Sequence[PartyScreen], *, own: str, party: str) -> str:
    """Return the key of the listed parties that the case's own party matches.

    Cases are grouped by it; matches of another party of the same side do not count.
    """
    known = (
        screen.opening.entity_key
        for screen in screens
        if screen.side == own and screen.opening.party == party
    )
    return next(filter(None, known), "")
