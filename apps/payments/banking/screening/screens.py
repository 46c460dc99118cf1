"""Who is paid by the bank, held against the platform's combined screen before money leaves.

The names of the recipient, its country and address, and for a wire its bank, by name and by every
country that its details name. No amount: that is judged by the AML engine
(services/authorize_send.py).
"""

import logging
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime
from types import MappingProxyType
from typing import Any

from apps.compliance.screening.combined import selectors
from apps.compliance.screening.combined.known_false_positives import (
    Party,
    apply_known_false_positives,
)
from apps.compliance.screening.combined.requests import ScreenRequest
from apps.compliance.screening.combined.selectors import ScreenInputs
from apps.compliance.screening.rules import screen as rules
from apps.compliance.screening.rules.known_false_positives import ClearedMatch
from apps.compliance.screening.rules.screen import Finding, Judgement
from apps.payments.banking.encryption import DecryptionFailed
from apps.payments.banking.models import Recipient
from apps.platform.common.problems import Unavailable
from apps.reference.watchlists.rules import BLOCK_SCORE, PARTIAL_SCORE

logger = logging.getLogger(__name__)
MAX_ENTRIES = 10  # entries that are kept of a look
# PEPs are asked for in payments of wages alone (1 §2.7 rule 4); who stands behind an account the
# bank does not tell
MAY_BE_A_PERSON = "contractor"
BLOCKED, FLAGGED = "BLOCKED", "FLAGGED"
ScreenedParty = tuple[ScreenRequest, ScreenInputs, Judgement]


class RecipientUnreadable(Unavailable):
    """The details of a recipient cannot be decrypted: its key is missing, or they were altered."""

    code, title = "recipient_unreadable", "The recipient cannot be read"


@dataclass(frozen=True, slots=True)
class ScreeningOutcome:
    """What the screens of some parties came to: the best score of a name in per cent, and why.

    `party` and `country` are those, of what was given, that decided; `decision` the gravest of all,
    `rules` the codes and `reasons` the sentences of what decided so. `screens` are those that came
    to more than APPROVED, as they were asked, gathered and judged. `known` is what officers know to
    be another party, and `left` the best score without that (None: all count).
    """

    score: int
    entries: tuple[str, ...]
    datasets: tuple[str, ...]
    lists: str
    party: str = ""
    country: str = ""
    decision: str = ""
    rules: tuple[str, ...] = ()
    reasons: tuple[str, ...] = ()
    screens: tuple[ScreenedParty, ...] = ()
    left: int | None = None
    known: tuple[ClearedMatch, ...] = ()

    @property
    def listed(self) -> bool:
        """Whether a name is that of a listed party."""
        return self.score >= BLOCK_SCORE

    @property
    def near(self) -> bool:
        """Whether a name resembles that of a listed party, and is not it."""
        counts = self.score if self.left is None else self.left
        return PARTIAL_SCORE <= counts < BLOCK_SCORE

    @property
    def blocked(self) -> bool:
        """Whether it must not go, whatever stands against it."""
        return self.listed or self.decision == BLOCKED

    @property
    def flagged(self) -> bool:
        """Whether an officer is to look at it first."""
        return not self.blocked and (self.near or self.decision == FLAGGED)

    @property
    def clean(self) -> bool:
        """Whether nothing that sanctions are about stands against it."""
        return not (self.blocked or self.near or rules.EMBARGOED in self.rules)

    def recorded(self) -> dict[str, object]:
        """Return it as events keep it: whom the names are of is not repeated."""
        kept = {"score": self.score, "entries": list(self.entries), "lists": self.lists}
        kept |= {"decision": self.decision, "rules": list(self.rules)}
        known = {"left": self.left, "known": selectors.serialize_cleared_matches(self.known)}
        return kept | known if self.known else kept

    def shown(self) -> dict[str, object]:
        """Return it as the case of an officer has it, with the name and the sentences."""
        return self.recorded() | {"party": self.party, "reasons": list(self.reasons)}


def build_recipient_requests(row: Recipient, *, given: str = "") -> list[ScreenRequest]:
    """Return who is to be screened before a recipient is paid; `given` is a name besides its own.

    RecipientUnreadable (503) where its details do not open.
    """
    try:
        details = row.opened()
    except DecryptionFailed as error:
        logger.error("recipient %s: %s", row.recipient_id, error)
        raise RecipientUnreadable(
            "The saved details of the recipient cannot be read, so it is not paid."
        ) from None
    address = (details.get("electronicRoutingInfo") or {}).get("address") or {}
    names = dict.fromkeys(one for one in (row.name, given) if one)
    found = [_build_screen_request(name, row.country, _format_address(address)) for name in names]
    if wire := details.get("internationalWireRoutingInfo"):
        found += _build_bank_requests(wire)
    return found


def describe_recipient_bank(row: Recipient) -> list[str]:
    """Return the bank of a wire's recipient in words, for officers; none where it is not read."""
    try:
        wire = row.opened().get("internationalWireRoutingInfo") or {} if row.details else {}
    except DecryptionFailed:
        return ["its details cannot be read"]
    bank = wire.get("bankDetails") or {}
    place = _format_bank_place(bank)
    said = (bank.get("bankName", ""), place, f"SWIFT {wire['swiftCode']}" if wire else "")
    return [", ".join(one for one in said if one)] if wire else []


def _build_screen_request(
    name: str, country: str, address: str = "", payment_type: str | None = None
) -> ScreenRequest:
    return ScreenRequest(
        name=name,
        country=country,
        address=address,
        source_given=False,
        payment_type=payment_type or MAY_BE_A_PERSON,
    )


def _build_bank_requests(wire: Mapping[str, Any]) -> Iterator[ScreenRequest]:
    """Yield the bank of a wire, for each country that its name or its SWIFT code gives it."""
    bank = wire.get("bankDetails") or {}
    name, told = bank.get("bankName", ""), bank.get("bankCountry", "")
    for country in dict.fromkeys(one for one in (told, wire.get("swiftCode", "")[4:6]) if one):
        yield _build_screen_request(
            name or "Bank", country, _format_bank_place(bank), "vendor_payment"
        )


def _format_bank_place(bank: Mapping[str, str]) -> str:
    return _format_address(
        {"city": bank.get("bankCityState", ""), "country": bank.get("bankCountry", "")}
    )


def _format_address(address: Mapping[str, str]) -> str:
    """Return an address in one line, its country last."""
    parts = ("address1", "city", "region", "postalCode", "country")
    return ", ".join(one for part in parts if (one := address.get(part, "")))[:500]


def screen_parties(
    parties: Iterable[ScreenRequest],
    *,
    owner: str,
    now: datetime,
    known: Mapping[str, Party] = MappingProxyType({}),
) -> ScreeningOutcome:
    """Screen some parties, and return what they come to; ListsUnavailable, ListsStale (503).

    What officers know of parties of the `owner` to be another one does not count. `known` is what
    is known of a party, by its name, where that is more than each of its screens is asked for.
    """
    found: list[ScreenedParty] = []
    for one in parties:
        gathered = selectors.gather_screen(asked=one, now=now)
        party = known.get(one.name)
        left = apply_known_false_positives(
            asked=one, gathered=gathered, owner=owner, now=now, party=party
        )
        found.append((one, left, rules.judge_screen(left.facts)))
    return combine_screens(found)


def combine_screens(found: list[ScreenedParty]) -> ScreeningOutcome:
    """Return what the screens of some parties come to: the gravest of them decides."""
    grave = [row.decision for row in rules.DECISIONS]
    worst = min(
        found, key=lambda one: (grave.index(one[2].outcome.decision), -one[1].sanctions.score)
    )
    decision = worst[2].outcome.decision
    why = dict.fromkeys(
        (item.code, item.reason)
        for _, _, one in found
        for item in _find_deciding_findings(one, decision)
    )
    matches = [match for _, gathered, _ in found for match in gathered.sanctions.matches]
    return ScreeningOutcome(
        max(gathered.sanctions.score for _, gathered, _ in found),
        tuple(dict.fromkeys(match.ref for match in matches))[:MAX_ENTRIES],
        tuple(sorted({name for _, gathered, _ in found for name in gathered.blocking_lists})),
        worst[1].engine.list_set.id,
        party=worst[0].name,
        country=worst[0].country,
        decision=decision,
        rules=tuple(dict.fromkeys(code for code, _ in why)),
        reasons=tuple(reason for _, reason in why),
        screens=tuple(one for one in found if one[2].outcome.decision in (BLOCKED, FLAGGED)),
        left=max(gathered.facts.sanctions_counts for _, gathered, _ in found),
        known=tuple(dict.fromkeys(each for _, gathered, _ in found for each in gathered.known)),
    )


def _find_deciding_findings(judgement: Judgement, decision: str) -> Iterator[Finding]:
    return (item for item in judgement.findings if item.decision == decision)
