"""Who is paid by the bank, held against the platform's combined screen before money leaves.

The names of the recipient, its country and address, and for a wire its bank, by name and by every
country that its details name. No amount: that is judged by the AML engine (judging.py).
"""

import logging
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from apps.banking.models import Recipient
from apps.banking.sealing import Unreadable
from apps.core.problems import Unavailable
from apps.screening.combined import gather
from apps.screening.combined.asked import Asked
from apps.screening.combined.gather import Gathered
from apps.screening.rules import screen as rules
from apps.screening.rules.screen import Finding, Judgement
from apps.watchlists.rules import BLOCK_SCORE, PARTIAL_SCORE

logger = logging.getLogger(__name__)
MOST = 10  # entries that are kept of a look
# PEPs are asked for in payments of wages alone (1 §2.7 rule 4); who stands behind an account the
# bank does not tell
MAY_BE_A_PERSON = "contractor"
BLOCKED, FLAGGED = "BLOCKED", "FLAGGED"


class DetailsUnreadable(Unavailable):
    """The details of a recipient do not open: its key is not held, or they were altered."""

    code, title = "recipient_unreadable", "The recipient cannot be read"


@dataclass(frozen=True, slots=True)
class Looked:
    """What the screens of some parties came to: the best score of a name in per cent, and why.

    `party` and `country` are those, of what was given, that decided; `decision` the gravest of all,
    `rules` the codes and `reasons` the sentences of what decided so.
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

    @property
    def listed(self) -> bool:
        """Whether a name is that of a listed party."""
        return self.score >= BLOCK_SCORE

    @property
    def near(self) -> bool:
        """Whether a name resembles that of a listed party, and is not it."""
        return PARTIAL_SCORE <= self.score < BLOCK_SCORE

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
        return kept | {"decision": self.decision, "rules": list(self.rules)}

    def shown(self) -> dict[str, object]:
        """Return it as the case of an officer has it, with the name and the sentences."""
        return self.recorded() | {"party": self.party, "reasons": list(self.reasons)}


def of_recipient(row: Recipient, *, given: str = "") -> list[Asked]:
    """Return who is to be screened before a recipient is paid; `given` is a name besides its own.

    DetailsUnreadable (503) where its details do not open.
    """
    try:
        details = row.opened()
    except Unreadable as error:
        logger.error("recipient %s: %s", row.recipient_id, error)
        raise DetailsUnreadable(
            "What was saved of the recipient cannot be read: it is not paid."
        ) from None
    address = (details.get("electronicRoutingInfo") or {}).get("address") or {}
    names = dict.fromkeys(one for one in (row.name, given) if one)
    found = [_asked(one, row.country, _written(address)) for one in names]
    if wire := details.get("internationalWireRoutingInfo"):
        found += _banks(wire)
    return found


def bank_of(row: Recipient) -> list[str]:
    """Return the bank of a wire's recipient in words, for officers; none where it is not read."""
    try:
        wire = row.opened().get("internationalWireRoutingInfo") or {} if row.details else {}
    except Unreadable:
        return ["its details cannot be read"]
    bank = wire.get("bankDetails") or {}
    place = _place(bank)
    said = (bank.get("bankName", ""), place, f"SWIFT {wire['swiftCode']}" if wire else "")
    return [", ".join(one for one in said if one)] if wire else []


def _asked(name: str, country: str, address: str = "", payment_type: str | None = None) -> Asked:
    return Asked(
        name=name,
        country=country,
        address=address,
        source_given=False,
        payment_type=payment_type or MAY_BE_A_PERSON,
    )


def _banks(wire: Mapping[str, Any]) -> Iterator[Asked]:
    """Yield the bank of a wire, for each country that its name or its SWIFT code gives it."""
    bank = wire.get("bankDetails") or {}
    name, told = bank.get("bankName", ""), bank.get("bankCountry", "")
    for country in dict.fromkeys(one for one in (told, wire.get("swiftCode", "")[4:6]) if one):
        yield _asked(name or "Bank", country, _place(bank), "vendor_payment")


def _place(bank: Mapping[str, str]) -> str:
    return _written({"city": bank.get("bankCityState", ""), "country": bank.get("bankCountry", "")})


def _written(address: Mapping[str, str]) -> str:
    """Return an address in one line, its country last."""
    parts = ("address1", "city", "region", "postalCode", "country")
    return ", ".join(one for part in parts if (one := address.get(part, "")))[:500]


def look(parties: Iterable[Asked], *, now: datetime) -> Looked:
    """Screen some parties, and return what they come to; ListsUnavailable, ListsStale (503)."""
    found = [(one, gather.gather(asked=one, now=now)) for one in parties]
    return together([(one, gathered, rules.judge(gathered.facts)) for one, gathered in found])


def together(found: list[tuple[Asked, Gathered, Judgement]]) -> Looked:
    """Return what the screens of some parties come to: the gravest of them decides."""
    grave = [row.decision for row in rules.DECISIONS]
    worst = min(
        found, key=lambda one: (grave.index(one[2].outcome.decision), -one[1].sanctions.score)
    )
    decision = worst[2].outcome.decision
    why = dict.fromkeys(
        (item.code, item.reason) for _, _, one in found for item in _deciding(one, decision)
    )
    matches = [match for _, gathered, _ in found for match in gathered.sanctions.matches]
    return Looked(
        max(gathered.sanctions.score for _, gathered, _ in found),
        tuple(dict.fromkeys(match.ref for match in matches))[:MOST],
        tuple(sorted({name for _, gathered, _ in found for name in gathered.blocking_lists})),
        worst[1].engine.list_set.id,
        party=worst[0].name,
        country=worst[0].country,
        decision=decision,
        rules=tuple(dict.fromkeys(code for code, _ in why)),
        reasons=tuple(reason for _, reason in why),
    )


def _deciding(one: Judgement, decision: str) -> Iterator[Finding]:
    return (item for item in one.findings if item.decision == decision)
