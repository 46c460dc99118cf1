"""Screen recipients of bank payments with the combined screen before money leaves.

It covers the names of the recipient, its country and address, and for a wire its bank, by name and
by every country that its details name. The amount is judged by the AML engine instead
(services/judge_send.py).
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
from apps.compliance.screening.rules import screen
from apps.compliance.screening.rules.known_false_positives import ClearedMatch
from apps.compliance.screening.rules.screen import Judgement
from apps.payments.banking.models import Recipient
from apps.platform.common.problems import Unavailable
from apps.platform.crypto.encryption import DecryptionFailed
from apps.reference.watchlists.rules.score_limits import BLOCK_SCORE, PARTIAL_SCORE

logger = logging.getLogger(__name__)
# entries that are kept of a screen: enough to explain it, and an event stays small
MAX_ENTRIES = 10
# a recipient may be a person: PEPs are searched only in wage payments (1 §2.7 rule 4). The bank
# does not report beneficial owners of an account
MAY_BE_A_PERSON = "contractor"
BLOCKED, FLAGGED = "BLOCKED", "FLAGGED"
ScreenedParty = tuple[ScreenRequest, ScreenInputs, Judgement]


class RecipientUnreadable(Unavailable):
    """The details of a recipient cannot be decrypted: its key is missing, or they were altered."""

    code, title = "recipient_unreadable", "The recipient cannot be read"


@dataclass(frozen=True, slots=True)
class ScreeningOutcome:
    """The result of the screens of some parties: the best score of a name in per cent, and why.

    `party` and `country` are the given ones that decided; `decision` is the most severe of all,
    `rules` the codes and `reasons` the sentences behind it. `screens` are those more severe than
    APPROVED, as requested, gathered and judged. `known` are matches that officers know to be
    another party, and `left` the best score without them (None: all count).
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
        """Tell whether a name is that of a listed party."""
        return self.score >= BLOCK_SCORE

    @property
    def near(self) -> bool:
        """Tell whether a name resembles that of a listed party without being the same."""
        counts = self.score if self.left is None else self.left
        return PARTIAL_SCORE <= counts < BLOCK_SCORE

    @property
    def blocked(self) -> bool:
        """Tell whether the payment must not go, whatever the reason."""
        return self.listed or self.decision == BLOCKED

    @property
    def flagged(self) -> bool:
        """Tell whether an officer must review it first."""
        return not self.blocked and (self.near or self.decision == FLAGGED)

    @property
    def clean(self) -> bool:
        """Tell whether there is no sanctions finding."""
        # `sanctionsClean` of document 2 section 2.5: a country under embargo is a sanctions finding
        # too
        return not (self.blocked or self.near or screen.EMBARGOED in self.rules)

    def recorded(self) -> dict[str, object]:
        """Return the outcome as events keep it, without repeating the names."""
        record = {"score": self.score, "entries": list(self.entries), "lists": self.lists}
        record |= {"decision": self.decision, "rules": list(self.rules)}
        known = {"left": self.left, "known": selectors.serialize_cleared_matches(self.known)}
        return record | known if self.known else record

    def shown(self) -> dict[str, object]:
        """Return the outcome as an officer's case has it, with the name and the sentences."""
        return self.recorded() | {"party": self.party, "reasons": list(self.reasons)}


def build_recipient_requests(row: Recipient, *, given: str = "") -> list[ScreenRequest]:
    """Return the screens needed before a recipient is paid; `given` is an additional name.

    Raises RecipientUnreadable (503) if its details cannot be decrypted.
    """
    try:
        details = row.opened()
    except DecryptionFailed as error:
        logger.error("recipient %s: %s", row.recipient_id, error)
        raise RecipientUnreadable(
            "The saved details of the recipient cannot be read, so it is not paid."
        ) from None
    address = (details.get("electronicRoutingInfo") or {}).get("address") or {}
    names = dict.fromkeys(name for name in (row.name, given) if name)
    screen_requests = [
        # the given name too: the payer may mean another party than the saved one
        _build_screen_request(name, row.country, _format_address(address))
        for name in names
    ]
    if wire := details.get("internationalWireRoutingInfo"):
        screen_requests += _build_bank_requests(wire)
    return screen_requests


def describe_recipient_bank(row: Recipient) -> list[str]:
    """Describe the bank of a wire's recipient for officers; none if it is unreadable."""
    try:
        wire = row.opened().get("internationalWireRoutingInfo") or {} if row.details else {}
    except DecryptionFailed:
        return ["its details cannot be read"]
    bank = wire.get("bankDetails") or {}
    place = _format_bank_place(bank)
    parts = (bank.get("bankName", ""), place, f"SWIFT {wire['swiftCode']}" if wire else "")
    return [", ".join(part for part in parts if part)] if wire else []


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
    """Yield the bank of a wire, for each country in its name or its SWIFT code."""
    bank = wire.get("bankDetails") or {}
    name, bank_country = bank.get("bankName", ""), bank.get("bankCountry", "")
    for country in dict.fromkeys(
        bank_country_code
        # ISO 9362: letters five and six are the country, which may differ from the stated one
        for bank_country_code in (bank_country, wire.get("swiftCode", "")[4:6])
        if bank_country_code
    ):
        # a bank is no person: no search for PEPs
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
    return ", ".join(text for part in parts if (text := address.get(part, "")))[:500]


def screen_parties(
    parties: Iterable[ScreenRequest],
    *,
    owner: str,
    now: datetime,
    known: Mapping[str, Party] = MappingProxyType({}),
) -> ScreeningOutcome:
    """Screen some parties, and return the result; ListsUnavailable, ListsStale (503).

    Matches of the `owner`'s parties that officers know to be another party do not count. `known`
    holds further known facts of a party, by its name, beyond what its screens are given.
    """
    screened: list[ScreenedParty] = []
    for screen_request in parties:
        gathered = selectors.gather_screen(asked=screen_request, now=now)
        party = known.get(screen_request.name)
        left = apply_known_false_positives(
            screen_request=screen_request, gathered=gathered, owner=owner, now=now, party=party
        )
        screened.append((screen_request, left, screen.judge_screen(left.facts)))
    return combine_screens(screened)


def combine_screens(screened_parties: list[ScreenedParty]) -> ScreeningOutcome:
    """Return the combined result of the screens of some parties: the most severe decides."""
    # the table lists decisions from the most severe on; of equals the higher score names the case
    severities = [row.decision for row in screen.DECISIONS]
    worst = min(
        screened_parties,
        key=lambda screened_party: (
            severities.index(screened_party[2].outcome.decision),
            -screened_party[1].sanctions.score,
        ),
    )
    decision = worst[2].outcome.decision
    # why that decision, and not what milder screens found besides
    why = dict.fromkeys(
        (item.code, item.reason)
        for _, _, judgement in screened_parties
        for item in judgement.findings
        if item.decision == decision
    )
    matches = [match for _, gathered, _ in screened_parties for match in gathered.sanctions.matches]
    return ScreeningOutcome(
        max(gathered.sanctions.score for _, gathered, _ in screened_parties),
        tuple(dict.fromkeys(match.ref for match in matches))[:MAX_ENTRIES],
        tuple(
            sorted(
                {name for _, gathered, _ in screened_parties for name in gathered.blocking_lists}
            )
        ),
        worst[1].engine.list_set.id,
        party=worst[0].name,
        country=worst[0].country,
        decision=decision,
        rules=tuple(dict.fromkeys(code for code, _ in why)),
        reasons=tuple(reason for _, reason in why),
        screens=tuple(
            screened_party
            for screened_party in screened_parties
            if screened_party[2].outcome.decision in (BLOCKED, FLAGGED)
        ),
        left=max(gathered.facts.sanctions_counts for _, gathered, _ in screened_parties),
        known=tuple(
            dict.fromkeys(match for _, gathered, _ in screened_parties for match in gathered.known)
        ),
    )
