"""Map a transaction to a native instruction, and judge it by the rules. Pure.

Rows 9 to 31 of the mapping table (docs/pain001.md), the same for both readers.
"""

from dataclasses import asdict, dataclass, field, replace
from datetime import datetime
from decimal import Decimal
from typing import Any

from apps.payments.payments.instructions import Instruction, InstructionSource
from apps.payments.payments.pain001 import parties
from apps.payments.payments.pain001.faults import Fault
from apps.payments.payments.pain001.headers import GroupHeader, PaymentHeader
from apps.payments.payments.pain001.message_parts import PAYMENT, TRANSACTION, MessagePart
from apps.payments.payments.pain001.parties import ParsedParty, TextTracker
from apps.payments.payments.pain001.rules import (
    TRANSACTION_RULES,
    TransactionFacts,
    find_violated_rules,
    is_reference,
    parse_asset_and_chain,
)
from apps.payments.payments.pain001.tree import Node
from apps.payments.payments.pain001.versions import has_proxy
from apps.payments.payments.rules import assets

FORMAT = "pain.001"
INTERMEDIARY_AGENTS = ("IntrmyAgt1", "IntrmyAgt2", "IntrmyAgt3")
# where rules look in the PmtInf; `Dbtr` begins DbtrAcct too
_PAYMENT_LEVEL_PATHS = ("PmtMtd", "ReqdExctnDt", "Dbtr")


@dataclass(frozen=True, slots=True)
class MappedTransaction:
    """One transaction: its ids and amount, its instruction, and its faults.

    `instruction` is None where there are faults. `more` is what the instruction has no place for:
    the agents between.
    """

    number: int
    instruction_id: str
    end_to_end_id: str
    uetr: str
    amount: Decimal | None
    currency: str
    creditor: str
    payment_info_id: str
    instruction: Instruction | None
    faults: tuple[Fault, ...]
    more: dict[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class MessageContext:
    """What is known of the message that a transaction belongs to.

    `chains` are those on which payments settle here.
    """

    version: str
    sha256: str
    group: GroupHeader
    now: datetime
    in_name: bool = False
    chains: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class _ParsedTransaction:
    """What was read of a transaction."""

    ids: dict[str, str]
    amount: Decimal | None
    currency: str
    equivalent: bool
    local: str
    creditor: ParsedParty
    ultimate_creditor: ParsedParty
    ultimate_debtor: ParsedParty
    more: dict[str, Any]
    purpose: str
    charges: str
    remittance: tuple[str, ...]
    unmapped: tuple[str, ...]


def map_transaction(
    part: MessagePart,
    *,
    number: int,
    head: PaymentHeader,
    message: MessageContext,
    uetr: str,
    earlier: int = 0,
) -> MappedTransaction:
    """Map a transaction.

    `number` counts in the whole message; `uetr` is used where the message has none; `earlier` is
    the number of a transaction before it with the same EndToEndId, 0 where there is none.
    """
    transaction = _parse_transaction(part.node, head, in_name=message.in_name)
    facts = _build_facts(transaction, head, message, earlier=earlier)
    faults = tuple(
        _build_fault(rule, facts, part) for rule in find_violated_rules(TRANSACTION_RULES, facts)
    )
    ids = transaction.ids | {"uetr": transaction.ids["uetr"] or uetr}
    instruction = None
    if not faults and transaction.amount is not None:
        # without an EndToEndId the place in the message is the reference: the same file again is
        # the same payments
        where = f"{message.group.message_id}/{number}"
        instruction = _build_instruction(transaction, ids, head, message, where=where)
    return MappedTransaction(
        number=number,
        **ids,
        amount=transaction.amount,
        currency=transaction.currency,
        creditor=transaction.creditor.party.name,
        payment_info_id=head.info_id,
        instruction=instruction,
        faults=faults,
        more=transaction.more,
    )


def _parse_transaction(node: Node, head: PaymentHeader, *, in_name: bool) -> _ParsedTransaction:
    text_tracker = TextTracker()
    kind = node.first("PmtTpInf")
    purpose = text_tracker.text(node, "Purp", "Cd") or text_tracker.text(kind, "CtgyPurp", "Cd")
    amount, currency = _parse_amount(text_tracker, node)
    creditor = parties.parse_party(
        text_tracker,
        node.first("Cdtr"),
        side="creditor",
        accounts=parties.parse_account(text_tracker, node.first("CdtrAcct"), in_name=in_name),
        institution=parties.parse_agent(text_tracker, node.first("CdtrAgt")),
    )
    payer = parties.parse_party(text_tracker, node.first("UltmtDbtr"), side="ultimate debtor")
    tags = {"instruction_id": "InstrId", "end_to_end_id": "EndToEndId", "uetr": "UETR"}
    inner = node.first("RmtInf")
    texts = text_tracker.texts(inner, "Ustrd")
    for structured in inner.all("Strd") if inner is not None else []:
        texts.append(text_tracker.text(structured, "CdtrRefInf", "Ref"))
    agents = (parties.parse_agent(text_tracker, node.first(tag))[0] for tag in INTERMEDIARY_AGENTS)
    there = [agent for agent in agents if agent is not None]
    parsed = _ParsedTransaction(
        ids={name: text_tracker.text(node, "PmtId", tag) for name, tag in tags.items()},
        amount=amount,
        currency=currency,
        equivalent=node.first("Amt", "EqvtAmt") is not None,
        local=text_tracker.text(kind, "LclInstrm", "Prtry") or head.asset,
        creditor=creditor,
        ultimate_creditor=parties.parse_party(
            text_tracker, node.first("UltmtCdtr"), side="ultimate creditor"
        ),
        # the transaction's own wins over that of its PmtInf
        ultimate_debtor=payer if payer.facts.there else head.ultimate,
        more=_drop_empty(
            {
                "transferPath": [
                    {"sequence": at, **_drop_empty(asdict(agent))} for at, agent in enumerate(there)
                ]
            }
        ),
        purpose=purpose or head.purpose,
        charges=text_tracker.text(node, "ChrgBr") or head.charges,
        remittance=tuple(text for text in texts if text),
        unmapped=(),
    )
    # last: everything that is mapped has been read by now
    unmapped = text_tracker.unmapped(node, f"{PAYMENT}/{TRANSACTION}")
    return replace(parsed, unmapped=unmapped)


def _parse_amount(text_tracker: TextTracker, node: Node) -> tuple[Decimal | None, str]:
    amount_node = node.first("Amt", "InstdAmt")
    if amount_node is None:
        return None, ""
    return Decimal(text_tracker.text(node, "Amt", "InstdAmt")), amount_node.attributes.get(
        "Ccy", ""
    )


def _drop_empty(fields: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in fields.items() if value not in ("", None, [], {}, ())}


def _build_facts(
    transaction: _ParsedTransaction, head: PaymentHeader, message: MessageContext, *, earlier: int
) -> TransactionFacts:
    asset, chain = _asset_of_instrument(transaction), _chain_of_instrument(transaction)
    fault = assets.pair_fault(transaction.currency, asset)
    known = asset in assets.ASSETS
    return TransactionFacts(
        method=head.method,
        day=head.day,
        now=message.now,
        equivalent=transaction.equivalent,
        amount=transaction.amount,
        currency=transaction.currency,
        currency_fault=fault[1] if fault and fault[0] == "currency" else "",
        amount_fault=assets.amount_fault(transaction.amount, transaction.currency)
        if transaction.amount
        else "",
        asset=asset,
        asset_fault=""
        if known
        else f"The asset is {transaction.local[:35]}: it must be one of "
        f"{', '.join(assets.ASSETS)}, by itself or with its chain (USDC:eip155:1).",
        chain=chain,
        chains=message.chains,
        creditor=transaction.creditor.facts,
        debtor=head.debtor.facts,
        ultimate_creditor=transaction.ultimate_creditor.facts,
        ultimate_debtor=transaction.ultimate_debtor.facts,
        earlier=earlier,
        proxied=has_proxy(message.version),
    )


def _asset_of_instrument(transaction: _ParsedTransaction) -> str:
    """Return the asset of our local instrument, or the default if none is given (row 22)."""
    if not transaction.local:
        return assets.default_asset(transaction.currency)
    coin = parse_asset_and_chain(transaction.local)
    return coin[0] if coin else transaction.local


def _chain_of_instrument(transaction: _ParsedTransaction) -> str:
    """Return the chain that our local instrument names, "" where it names none."""
    coin = parse_asset_and_chain(transaction.local)
    return coin[1] if coin else ""


def _build_fault(rule: Any, facts: TransactionFacts, part: MessagePart) -> Fault:
    above = rule.path.startswith(_PAYMENT_LEVEL_PATHS)
    base = part.path.partition("/")[0] if above else part.path
    return Fault(rule.reason, rule.text(facts), f"{base}/{rule.path}", part.node.line)


def _build_instruction(
    transaction: _ParsedTransaction,
    ids: dict[str, str],
    head: PaymentHeader,
    message: MessageContext,
    *,
    where: str,
) -> Instruction:
    # the caller has checked
    assert transaction.amount is not None
    own = ids["end_to_end_id"]
    payer, payee = transaction.ultimate_debtor, transaction.ultimate_creditor
    return Instruction(
        reference=own if is_reference(own) else where,
        amount=transaction.amount,
        currency=transaction.currency,
        asset=_asset_of_instrument(transaction),
        creditor=transaction.creditor.party,
        debtor=head.debtor.party,
        ultimate_creditor=payee.party if payee.facts.there else None,
        ultimate_debtor=payer.party if payer.facts.there else None,
        execution_date=head.day.isoformat() if head.day else "",
        purpose=transaction.purpose,
        remittance=transaction.remittance,
        charge_bearer=transaction.charges,
        chain=_chain_of_instrument(transaction),
        source=InstructionSource(
            format=FORMAT,
            version=message.version,
            sha256=message.sha256,
            message_id=message.group.message_id,
            payment_info_id=head.info_id,
            unmapped=message.group.unmapped + head.unmapped + transaction.unmapped,
            **ids,
        ),
    )
