"""What a message and each of its transactions must keep, with ISO 20022's reason codes. Pure.

`pain.001 n` names row n of the mapping table in docs/pain001.md; codes are those of
ExternalStatusReason1Code (second quarter of 2026). Every violated rule is
reported, not only the first, so that the sender can correct a file in one go.
"""

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from decimal import Decimal
from typing import Generic, TypeVar

from apps.payments.payments.pain001.structure.wallet_advice import NO_PROXY

# characters of IVMS 101; ISO 20022 takes 140, and a name is never cut
LONGEST_NAME = 100
NO_REFERENCE = "NOTPROVIDED"
FURTHEST = timedelta(days=366)
# a day ends last at UTC-12
EARLIEST_ZONE = timedelta(hours=12)
# a token, and a chain by CAIP-2 (namespace of 3 to 8, reference of up to 32 characters)
_ASSET = re.compile(r"([A-Z][A-Z0-9]{1,7})(?::([-a-z0-9]{3,8}:[-_a-zA-Z0-9]{1,32}))?")

F = TypeVar("F")


@dataclass(frozen=True, slots=True)
class PartyFacts:
    """What is known of a party: its fields as they came, and what is wrong with each."""

    name: str = ""
    there: bool = False
    hidden: str = ""
    country_fault: str = ""
    lei_fault: str = ""
    wallet: str = ""
    wallet_fault: str = ""
    agent_fault: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class TransactionFacts:
    """What the rules of a transaction look at. `today` is now; `earlier` who has its reference.

    `proxied` says that accounts of the message's version have a Prxy.
    """

    method: str
    day: date | None
    now: datetime
    equivalent: bool
    amount: Decimal | None
    currency: str
    currency_fault: str
    amount_fault: str
    asset: str
    asset_fault: str
    chain: str
    chains: frozenset[str]
    creditor: PartyFacts
    debtor: PartyFacts
    ultimate_creditor: PartyFacts
    ultimate_debtor: PartyFacts
    earlier: int = 0
    proxied: bool = True


@dataclass(frozen=True, slots=True, kw_only=True)
class MessageFacts:
    """What the rules of a whole message look at: what it says of itself, and what was counted."""

    said_count: str
    count: int
    said_sum: str
    total: Decimal
    initiators: frozenset[str] = frozenset()
    known: frozenset[str] = frozenset()


@dataclass(frozen=True)  # slots and Generic do not go together in Python 3.11
class Rule(Generic[F]):
    """One rule: its code, where it comes from, ISO's reason, where it looks, and when it holds."""

    code: str
    ref: str
    reason: str
    path: str
    title: str
    text: Callable[[F], str]
    when: Callable[[F], bool]


def find_violated_rules(rules: Iterable[Rule[F]], facts: F) -> list[Rule[F]]:
    """Return the rules that hold."""
    return [rule for rule in rules if rule.when(facts)]


def is_past(day: date, now: datetime) -> bool:
    """Tell whether a day has ended everywhere on earth: a message states no zone of its days."""
    return day < (now - EARLIEST_ZONE).date()


def parse_asset_and_chain(text: str) -> tuple[str, str] | None:
    """Return the asset and the chain of our local instrument (`USDC`, `USDC:eip155:8453`)."""
    match = _ASSET.fullmatch(text)
    return (match.group(1), match.group(2) or "") if match else None


def is_reference(end_to_end_id: str) -> bool:
    """Tell whether an EndToEndId is a reference: NOTPROVIDED means that there is none."""
    return end_to_end_id.upper() not in ("", NO_REFERENCE)


def _constant_text(text: str) -> Callable[[object], str]:
    return lambda _: text


def _name_fault_text(
    side: str, get: Callable[[TransactionFacts], PartyFacts]
) -> Callable[..., str]:
    def text(facts: TransactionFacts) -> str:
        party = get(facts)
        if party.hidden:
            return f"The name of the {side} cannot be accepted. {party.hidden}"
        if not any(character.isalnum() for character in party.name):
            return f"The {side} has no name, which regulation requires."
        length = len(party.name)
        return (
            f"The name of the {side} has {length} characters; the travel rule's message holds "
            f"{LONGEST_NAME}, and a name is never cut."
        )

    return text


def _has_name_fault(
    get: Callable[[TransactionFacts], PartyFacts], *, needed: bool
) -> Callable[..., bool]:
    def when(facts: TransactionFacts) -> bool:
        party = get(facts)
        if not needed and not party.there:
            return False
        nameless = not any(character.isalnum() for character in party.name)
        return nameless or bool(party.hidden) or len(party.name) > LONGEST_NAME

    return when


def _creditor_facts(facts: TransactionFacts) -> PartyFacts:
    return facts.creditor


def _debtor_facts(facts: TransactionFacts) -> PartyFacts:
    return facts.debtor


def _ultimate_creditor_facts(facts: TransactionFacts) -> PartyFacts:
    return facts.ultimate_creditor


def _ultimate_debtor_facts(facts: TransactionFacts) -> PartyFacts:
    return facts.ultimate_debtor


WALLET_PLACES = {
    True: "It is given in CdtrAcct/Prxy/Id with Prxy/Tp/Prtry WALLET.",
    False: NO_PROXY,
}


def _wallet_fault_text(facts: TransactionFacts) -> str:
    return facts.creditor.wallet_fault or f"No wallet is given. {WALLET_PLACES[facts.proxied]}"


def _chain_fault_text(facts: TransactionFacts) -> str:
    chains = " or ".join(sorted(facts.chains)) or "no chain that a message may name"
    return f"Payments settle here on {chains}, not on {facts.chain}: name another, or none."


T = Rule
TRANSACTION_RULES: tuple[Rule[TransactionFacts], ...] = (
    T("PAIN-1", "pain.001 7", "AG01", "PmtMtd", "The payment is not a transfer",
      _constant_text("Only transfers (TRF) are accepted, no cheques or advices."),
      lambda f: f.method != "TRF"),
    T("PAIN-2", "pain.001 8", "DT01", "ReqdExctnDt", "The execution date is past",
      lambda f: f"{f.day} is past: give today or a later day.",
      lambda f: f.day is not None and is_past(f.day, f.now)),
    T("PAIN-3", "pain.001 8", "CH03", "ReqdExctnDt", "The execution date is over a year ahead",
      lambda f: f"{f.day} is more than {FURTHEST.days} days ahead.",
      lambda f: f.day is not None and f.day > (f.now + FURTHEST).date()),
    T("PAIN-4", "pain.001 14", "AM12", "Amt/EqvtAmt", "The amount is an equivalent amount",
      _constant_text("No equivalent amounts are accepted: give InstdAmt."), lambda f: f.equivalent),
    T("PAIN-5", "pain.001 12", "AM01", "Amt/InstdAmt", "The amount is zero",
      _constant_text("The amount is zero."), lambda f: not f.equivalent and f.amount == 0),
    T("PAIN-6", "pain.001 13", "AM03", "Amt/InstdAmt/@Ccy", "The currency is not taken",
      lambda f: f.currency_fault, lambda f: not f.equivalent and bool(f.currency_fault)),
    T("PAIN-7", "pain.001 12", "AM12", "Amt/InstdAmt", "The amount is not valid in its currency",
      lambda f: f.amount_fault,
      lambda f: not f.equivalent and f.amount != 0 and not f.currency_fault
      and bool(f.amount_fault)),
    T("PAIN-8", "pain.001 22", "FF05", "PmtTpInf/LclInstrm/Prtry", "The asset is not known",
      lambda f: f.asset_fault, lambda f: bool(f.asset_fault)),
    T("PAIN-9", "pain.001 24-26", "AC03", "CdtrAcct", "The creditor's wallet is missing or wrong",
      _wallet_fault_text, lambda f: bool(f.creditor.wallet_fault) or not f.creditor.wallet),
    T("PAIN-10", "pain.001 20", "AC02", "DbtrAcct", "The debtor's wallet is wrong",
      lambda f: f.debtor.wallet_fault, lambda f: bool(f.debtor.wallet_fault)),
    T("PAIN-11", "pain.001 16, 17", "BE16", "Dbtr/Id", "The debtor's LEI is wrong",
      lambda f: f.debtor.lei_fault, lambda f: bool(f.debtor.lei_fault)),
    T("PAIN-12", "pain.001 16, 17", "BE17", "Cdtr/Id", "The creditor's LEI is wrong",
      lambda f: f.creditor.lei_fault, lambda f: bool(f.creditor.lei_fault)),
    T("PAIN-13", "pain.001 27", "BE16", "UltmtDbtr/Id", "The ultimate debtor's LEI is wrong",
      lambda f: f.ultimate_debtor.lei_fault, lambda f: bool(f.ultimate_debtor.lei_fault)),
    T("PAIN-14", "pain.001 27", "BE17", "UltmtCdtr/Id", "The ultimate creditor's LEI is wrong",
      lambda f: f.ultimate_creditor.lei_fault, lambda f: bool(f.ultimate_creditor.lei_fault)),
    T("PAIN-15", "pain.001 15; IVMS 101 D1", "RR02", "Dbtr/Nm",
      "The debtor's name is missing, too long or holds hidden characters",
      _name_fault_text("debtor", _debtor_facts), _has_name_fault(_debtor_facts, needed=True)),
    T("PAIN-16", "pain.001 21; IVMS 101 D1", "RR03", "Cdtr/Nm",
      "The creditor's name is missing, too long or holds hidden characters",
      _name_fault_text("creditor", _creditor_facts), _has_name_fault(_creditor_facts, needed=True)),
    T("PAIN-17", "pain.001 27; IVMS 101 D1", "RR02", "UltmtDbtr/Nm",
      "The ultimate debtor's name is missing, too long or holds hidden characters",
      _name_fault_text("ultimate debtor", _ultimate_debtor_facts),
      _has_name_fault(_ultimate_debtor_facts, needed=False)),
    T("PAIN-18", "pain.001 27; IVMS 101 D1", "RR03", "UltmtCdtr/Nm",
      "The ultimate creditor's name is missing, too long or holds hidden characters",
      _name_fault_text("ultimate creditor", _ultimate_creditor_facts),
      _has_name_fault(_ultimate_creditor_facts, needed=False)),
    T("PAIN-19", "pain.001 18; IVMS 101 C3", "RR02", "Dbtr",
      "The country of a debtor is none",
      lambda f: f.debtor.country_fault or f.ultimate_debtor.country_fault,
      lambda f: bool(f.debtor.country_fault or f.ultimate_debtor.country_fault)),
    T("PAIN-20", "pain.001 18; IVMS 101 C3", "RR03", "Cdtr",
      "The country of a creditor is none",
      lambda f: f.creditor.country_fault or f.ultimate_creditor.country_fault,
      lambda f: bool(f.creditor.country_fault or f.ultimate_creditor.country_fault)),
    T("PAIN-21", "pain.001 23", "AGNT", "CdtrAgt", "The LEI of an agent is wrong",
      lambda f: f.creditor.agent_fault or f.debtor.agent_fault,
      lambda f: bool(f.creditor.agent_fault or f.debtor.agent_fault)),
    T("PAIN-22", "pain.001 10", "AM05", "PmtId/EndToEndId",
      "An earlier transaction of the message has its EndToEndId",
      lambda f: f"Transaction {f.earlier} of this message has the same EndToEndId.",
      lambda f: bool(f.earlier)),
    T("PAIN-23", "pain.001 22", "FF05", "PmtTpInf/LclInstrm/Prtry",
      "Payments do not settle on this chain here",
      _chain_fault_text, lambda f: bool(f.chain) and f.chain not in f.chains),
)  # fmt: skip


def _count_fault_text(facts: MessageFacts) -> str:
    return f"The message states {facts.said_count[:20]} transactions but contains {facts.count}."


def _sum_fault_text(facts: MessageFacts) -> str:
    return (
        f"The message states a sum of {facts.said_sum[:40]}; its amounts add up to {facts.total}."
    )


def _is_sum_different(facts: MessageFacts) -> bool:
    return bool(facts.said_sum) and Decimal(facts.said_sum) != facts.total


M = Rule
MESSAGE_RULES: tuple[Rule[MessageFacts], ...] = (
    M("PAIN-31", "pain.001 3", "AM18", "NbOfTxs", "The number of transactions differs",
      _count_fault_text, lambda f: bool(f.said_count) and int(f.said_count) != f.count),
    M("PAIN-32", "pain.001 4", "AM10", "CtrlSum", "The control sum is another",
      _sum_fault_text, _is_sum_different),
    M("PAIN-33", "pain.001 5", "BE15", "InitgPty/Id",
      "The initiating party is not the API's client",
      _constant_text("This key does not send for the initiating party."),
      lambda f: bool(f.known) and not (f.initiators and f.initiators <= f.known)),
)  # fmt: skip


def build_rule_tables() -> Iterator[tuple[str, tuple[str, ...], list[tuple[str, ...]]]]:
    """Yield title, head and rows of each table."""
    head = ("code", "reference", "when", "reason of ISO 20022", "path")
    for title, rules in (
        ("Transactions of pain.001; all that apply are reported", TRANSACTION_RULES),
        ("Messages of pain.001; all that apply are reported", MESSAGE_RULES),
    ):
        yield (
            title,
            head,
            [
                (
                    f"`{rule.code}`",
                    f"`{rule.ref}`",
                    rule.title,
                    f"`{rule.reason}`",
                    f"`{rule.path}`",
                )
                for rule in rules
            ],
        )
