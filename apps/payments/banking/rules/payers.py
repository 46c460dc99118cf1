"""The payer of a deposit, and its note without the tags, as the bank reports them. Pure.

FATF R.16: the originator of a settlement is identified and screened, as its beneficiary is.
"""

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from decimal import Decimal
from typing import Any, Literal

from apps.payments.banking.rules.settlement_tags import NOTE_FIELDS, remove_tags
from apps.payments.settlement.rules.flow import IDENTIFIED_FROM_USD

NAME_FIELDS = ("counterpartyName", "counterpartyNickname")
ROUTING_FIELDS = (
    "electronicRoutingInfo",
    "domesticWireRoutingInfo",
    "internationalWireRoutingInfo",
)
ACCOUNT_FIELDS = ("accountNumber", "iban")
# characters that the screen reads whole, as of names and addresses that the API accepts
LONGEST_NAME = 300
LONGEST_ADDRESS = 500
# characters of a text that the list engine compares
LONGEST_PIECE = 400
# characters of a name or a note that are searched, piece by piece
LONGEST_READ = 1_000
# words of a piece, and from piece to piece: a listed name has at most seven words, so with an
# overlap of eight each name is whole in one piece
PIECE, STEP = 16, 8
_COUNTRY = re.compile(r"[A-Z]{2}")
Decision = Literal["BLOCKED", "HOLD"]


@dataclass(frozen=True, slots=True)
class Place:
    """Where a payer or its bank is said to be: country (ISO 3166-1 alpha-2) and address, or one."""

    country: str = ""
    address: str = ""


@dataclass(frozen=True, slots=True)
class Payer:
    """The payer: names and places as reported, or none; `banks` are names of its banks.

    `key` distinguishes this payer from others: its account, else the bank's id of it, else its
    name. `words` is the text of the payment's notes without tags.
    """

    names: tuple[str, ...] = ()
    places: tuple[Place, ...] = ()
    key: tuple[str, ...] = ()
    words: str = ""
    banks: tuple[str, ...] = ()

    @property
    def country(self) -> str:
        """Every country that is named, the payer's own first."""
        return ", ".join(dict.fromkeys(place.country for place in self.places if place.country))

    @property
    def address(self) -> str:
        """Every reported address."""
        return " / ".join(dict.fromkeys(place.address for place in self.places if place.address))

    @property
    def overlong(self) -> bool:
        """Tell whether a name, an address or the note is too long to be screened whole."""
        named = any(len(name) > LONGEST_NAME for name in (*self.names, *self.banks))
        placed = any(len(place.address) > LONGEST_ADDRESS for place in self.places)
        piece = max(map(len, split_into_pieces(self.words)), default=0)
        return named or placed or len(self.words) > LONGEST_READ or piece > LONGEST_PIECE


UNKNOWN_PAYER = Payer()


def parse_payer(state: Mapping[str, Any]) -> Payer:
    """Return the payer of a transaction's current state; malformed values count as not reported."""
    names = tuple(
        dict.fromkeys(folded for name in NAME_FIELDS if (folded := _fold_spaces(state.get(name))))
    )
    details = _as_mapping(state.get("details"))
    routings = [_as_mapping(details.get(name)) for name in ROUTING_FIELDS]
    numbers = [_fold_spaces(routing.get(name)) for routing in routings for name in ACCOUNT_FIELDS]
    # the first that is known identifies the payer: account, the bank's id of it, then its name
    known = [*filter(None, numbers), _fold_spaces(state.get("counterpartyId")), *names]
    notes = [state.get(name) for name in NOTE_FIELDS]
    # without tags: a wallet address is no name, and would only use up the budget of the search
    memo = " ".join(remove_tags(text) for text in notes if isinstance(text, str))
    banks = [
        _fold_spaces(_as_mapping(routing.get("bankDetails")).get("bankName"))
        for routing in routings
    ]
    # every place that an address, a bank, an IBAN or a SWIFT code names, each once
    addresses = [_as_mapping(routing.get("address")) for routing in (details, *routings)]
    places = [
        Place(_parse_country(address), _format_address(address)) for address in addresses if address
    ]
    # a country that an address already has is screened with that address
    countries = {place.country for place in places}
    named = (bank_country for routing in routings for bank_country in _find_bank_countries(routing))
    places += [
        Place(country_name)
        for country_name in dict.fromkeys(named)
        if country_name not in countries
    ]
    return Payer(
        names,
        tuple(place for place in dict.fromkeys(places) if place != Place()),
        tuple(name for name in known if name)[:1],
        memo.strip(),
        tuple(dict.fromkeys(filter(None, banks))),
    )


def split_into_pieces(text: str) -> tuple[str, ...]:
    """Split a text into pieces that are compared whole, each overlapping the next."""
    words = text[:LONGEST_READ].split()
    # a text of at most sixteen words is one piece; a rest that the last piece covers begins none
    starts = range(0, max(1, len(words) - STEP), STEP)
    return tuple(" ".join(words[start : start + PIECE]) for start in starts) if words else ()


def _fold_spaces(value: Any) -> str:
    """Return a text with single spaces; "" for anything else."""
    # not cut here: `overlong` has to see that a text is too long
    return " ".join(value.split()) if isinstance(value, str) else ""


def _as_mapping(value: Any) -> Mapping[str, Any]:
    return value if isinstance(value, Mapping) else {}


def _parse_country(place: Mapping[str, Any]) -> str:
    code = _fold_spaces(place.get("country")).upper()
    return code if _COUNTRY.fullmatch(code) else ""


def _find_bank_countries(routing: Mapping[str, Any]) -> Iterator[str]:
    bank = _as_mapping(routing.get("bankDetails"))
    # ISO 13616: an IBAN begins with a country; ISO 9362: letters five and six of a BIC are one
    country_codes = (_fold_spaces(bank.get("bankCountry")), _fold_spaces(routing.get("iban"))[:2])
    for code in (*country_codes, _fold_spaces(routing.get("swiftCode")).replace(" ", "")[4:6]):
        if country := _parse_country({"country": code}):
            yield country


def _format_address(place: Mapping[str, Any]) -> str:
    parts = ("address1", "address2", "city", "region", "state", "postalCode", "country")
    return ", ".join(text for part in parts if (text := _fold_spaces(place.get(part)))).strip()


@dataclass(frozen=True, slots=True)
class PayerFacts:
    """The findings about the payer and the note: `named` are listed parties that it names.

    `ours` says that an institution, which is a customer, sent it through us. `aml` is the action of
    the AML engine on payer and wallet, empty before it ran. `unscreened` says that the current
    payer was not screened.
    """

    amount: Decimal
    blocked: bool = False
    flagged: bool = False
    known: bool = True
    ours: bool = False
    named: tuple[str, ...] = ()
    aml: str = ""
    overlong: bool = False
    unscreened: bool = False


@dataclass(frozen=True, slots=True)
class PayerRule:
    """One row: an objection to a deposit; `says` is for officers."""

    code: str
    ref: str
    decision: Decision
    says: str
    when: Callable[[PayerFacts], bool]


PAYER_RULES: tuple[PayerRule, ...] = (
    PayerRule("BO-1", "1 §2.7 BLOCKED", "BLOCKED",
          "The screen of the payer or its bank is BLOCKED.", lambda s: s.blocked),
    PayerRule("BO-5", "1 §2.4 BLOCK", "BLOCKED", "The AML screen of payer and wallet blocks it.",
          lambda s: s.aml == "BLOCK"),
    PayerRule("BO-2", "1 §2.7 FLAGGED", "HOLD", "The screen of the payer or its bank is FLAGGED.",
          lambda s: s.flagged),
    PayerRule("BO-3", "1 §2.7 rule 3", "HOLD", "The note of the payment names a listed party.",
          lambda s: bool(s.named)),
    PayerRule("BO-4", "D §4 Fail closed", "HOLD",
          f"The bank names no payer, and the amount is {IDENTIFIED_FROM_USD:,} USD or more.",
          lambda s: not s.known and not s.ours and s.amount >= IDENTIFIED_FROM_USD),
    PayerRule("BO-6", "1 §2.4 FLAG", "HOLD", "The AML screen of payer and wallet flags it.",
          lambda s: s.aml == "FLAG"),
    PayerRule("BO-7", "D §4 Fail closed", "HOLD",
          "A name, an address or the note is too long to be screened in full.",
          lambda s: s.overlong),
    PayerRule("BO-8", "D §4 Fail closed", "HOLD",
          "The payer changed after the payment was routed and could not be screened.",
          lambda s: s.unscreened),
)  # fmt: skip


def find_payer_rules(seen: PayerFacts) -> tuple[PayerRule, ...]:
    """Return the objections to a deposit, the most severe first."""
    return tuple(payer_rule for payer_rule in PAYER_RULES if payer_rule.when(seen))
