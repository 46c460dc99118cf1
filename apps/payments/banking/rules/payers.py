"""Who pays a deposit, and what its note says besides its tags, as the bank tells it. Pure.

FATF R.16: the originator of what is settled is known and screened, as its beneficiary is.
"""

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from decimal import Decimal
from typing import Any, Literal

from apps.payments.banking.rules.tags import NOTE_FIELDS, remove_tags

NAME_FIELDS = ("counterpartyName", "counterpartyNickname")
ROUTING_FIELDS = (
    "electronicRoutingInfo",
    "domesticWireRoutingInfo",
    "internationalWireRoutingInfo",
)
ACCOUNT_FIELDS = ("accountNumber", "iban")
LONGEST_NAME = 300  # as of a name that the API takes; the screen reads it whole
LONGEST_ADDRESS = 500
LONGEST_PIECE = 400  # characters that the lists' engine compares of a text
LONGEST_READ = 1_000  # characters of a name or a note that are looked through, piece by piece
PIECE, STEP = 16, 8  # words that the lists' engine compares at once; a listed name has seven
IDENTIFIED_FROM_USD = Decimal(1_000)  # as of a beneficiary (settlement/rules/flow.py)
_COUNTRY = re.compile(r"[A-Z]{2}")
Decision = Literal["BLOCKED", "HOLD"]


@dataclass(frozen=True, slots=True)
class Place:
    """Where a payer or its bank is said to be: country (ISO 3166-1 alpha-2) and address, or one."""

    country: str = ""
    address: str = ""


@dataclass(frozen=True, slots=True)
class Payer:
    """Who pays: names and places as they are told, or none; `banks` are names of its banks.

    `key` is what tells this payer from another: its account, else the bank's id of it, else its
    name. `words` is what the notes of the payment say besides their tags.
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
        """Every address that is told."""
        return " / ".join(dict.fromkeys(place.address for place in self.places if place.address))

    @property
    def overlong(self) -> bool:
        """Whether a name, an address or the note is longer than what is screened whole."""
        named = any(len(one) > LONGEST_NAME for one in (*self.names, *self.banks))
        placed = any(len(place.address) > LONGEST_ADDRESS for place in self.places)
        piece = max(map(len, split_into_pieces(self.words)), default=0)
        return named or placed or len(self.words) > LONGEST_READ or piece > LONGEST_PIECE


UNKNOWN_PAYER = Payer()


def parse_payer(state: Mapping[str, Any]) -> Payer:
    """Return who pays a transaction as it stands; what is of another form is not told."""
    names = tuple(
        dict.fromkeys(one for name in NAME_FIELDS if (one := _fold_spaces(state.get(name))))
    )
    details = _as_mapping(state.get("details"))
    routings = [_as_mapping(details.get(name)) for name in ROUTING_FIELDS]
    numbers = [_fold_spaces(routing.get(name)) for routing in routings for name in ACCOUNT_FIELDS]
    known = [*filter(None, numbers), _fold_spaces(state.get("counterpartyId")), *names]
    notes = [state.get(name) for name in NOTE_FIELDS]
    said = " ".join(remove_tags(text) for text in notes if isinstance(text, str))
    banks = [
        _fold_spaces(_as_mapping(routing.get("bankDetails")).get("bankName"))
        for routing in routings
    ]
    return Payer(
        names,
        _find_places(details, routings),
        tuple(one for one in known if one)[:1],
        said.strip(),
        tuple(dict.fromkeys(filter(None, banks))),
    )


def split_into_pieces(text: str) -> tuple[str, ...]:
    """Return a text in pieces that are compared whole, each overlapping the next."""
    words = text[:LONGEST_READ].split()
    starts = range(0, max(1, len(words) - STEP), STEP)
    return tuple(" ".join(words[start : start + PIECE]) for start in starts) if words else ()


def _fold_spaces(value: Any) -> str:
    """Return a text with its spaces folded, whole: what is too long of it is told of."""
    return " ".join(value.split()) if isinstance(value, str) else ""


def _as_mapping(value: Any) -> Mapping[str, Any]:
    return value if isinstance(value, Mapping) else {}


def _find_places(
    details: Mapping[str, Any], routings: list[Mapping[str, Any]]
) -> tuple[Place, ...]:
    """Return every place that an address, a bank, an IBAN or a SWIFT code names, each once."""
    told = [_as_mapping(one.get("address")) for one in (details, *routings)]
    found = [Place(_parse_country(one), _format_address(one)) for one in told if one]
    countries = {one.country for one in found}
    named = (bank_country for routing in routings for bank_country in _find_bank_countries(routing))
    found += [Place(one) for one in dict.fromkeys(named) if one not in countries]
    return tuple(one for one in dict.fromkeys(found) if one != Place())


def _parse_country(place: Mapping[str, Any]) -> str:
    found = _fold_spaces(place.get("country")).upper()
    return found if _COUNTRY.fullmatch(found) else ""


def _find_bank_countries(routing: Mapping[str, Any]) -> Iterator[str]:
    bank = _as_mapping(routing.get("bankDetails"))
    told = (_fold_spaces(bank.get("bankCountry")), _fold_spaces(routing.get("iban"))[:2])
    for one in (*told, _fold_spaces(routing.get("swiftCode")).replace(" ", "")[4:6]):
        if country := _parse_country({"country": one}):
            yield country


def _format_address(place: Mapping[str, Any]) -> str:
    parts = ("address1", "address2", "city", "region", "state", "postalCode", "country")
    return ", ".join(one for part in parts if (one := _fold_spaces(place.get(part)))).strip()


@dataclass(frozen=True, slots=True)
class PayerFacts:
    """What was found of who pays, and of the note: `named` are listed parties that it names.

    `ours` says that an institution sent it through us, which is a customer. `aml` is the action of
    the AML engine on payer and wallet, empty before it was asked. `unscreened` says that who pays
    by now was not looked at.
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
    """One row: what stands against a deposit; `says` is for officers."""

    code: str
    ref: str
    decision: Decision
    says: str
    when: Callable[[PayerFacts], bool]


PAYER_RULES: tuple[PayerRule, ...] = (
    PayerRule("BO-1", "1 §2.7 BLOCKED", "BLOCKED",
          "The screen of who pays or of its bank is BLOCKED.", lambda s: s.blocked),
    PayerRule("BO-5", "1 §2.4 BLOCK", "BLOCKED", "The AML screen of payer and wallet blocks it.",
          lambda s: s.aml == "BLOCK"),
    PayerRule("BO-2", "1 §2.7 FLAGGED", "HOLD", "The screen of who pays or of its bank is FLAGGED.",
          lambda s: s.flagged),
    PayerRule("BO-3", "1 §2.7 rule 3", "HOLD", "The note of the payment names a listed party.",
          lambda s: bool(s.named)),
    PayerRule("BO-4", "D §4 Fail closed", "HOLD",
          f"The bank names nobody who pays, and the amount is {IDENTIFIED_FROM_USD:,} USD or more.",
          lambda s: not s.known and not s.ours and s.amount >= IDENTIFIED_FROM_USD),
    PayerRule("BO-6", "1 §2.4 FLAG", "HOLD", "The AML screen of payer and wallet flags it.",
          lambda s: s.aml == "FLAG"),
    PayerRule("BO-7", "D §4 Fail closed", "HOLD",
          "A name, an address or the note is longer than what is screened whole.",
          lambda s: s.overlong),
    PayerRule("BO-8", "D §4 Fail closed", "HOLD",
          "Who pays is told otherwise since it was routed, and could not be screened.",
          lambda s: s.unscreened),
)  # fmt: skip


def find_payer_rules(seen: PayerFacts) -> tuple[PayerRule, ...]:
    """Return what stands against a deposit, the gravest first."""
    return tuple(payer_rule for payer_rule in PAYER_RULES if payer_rule.when(seen))
