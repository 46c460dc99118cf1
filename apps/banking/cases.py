"""Opens the cases of the banking connector, and its entries in the SAR log."""

from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from typing import Any

from apps.banking import blocked_deposits
from apps.banking.folding import OPERATOR
from apps.banking.models import BankTransaction, Send
from apps.banking.payers import Checked, payer_digest
from apps.banking.rules.ach import ROWS
from apps.banking.rules.payers import payer_of
from apps.banking.rules.reconciling import DOUBTED, Difference
from apps.banking.rules.routing import BY_CODE, HALTED, Row
from apps.banking.rules.routing import Facts as Told
from apps.banking.rules.tags import NOTES
from apps.banking.rules.troubles import OF_END, Trouble
from apps.banking.screens import Looked
from apps.core.canonical import digest
from apps.review.actions import Opening, open_case
from apps.review.models import Case
from apps.sar.actions import Blocked, open_entry
from apps.sar.authorities import owes_ofac
from apps.sar.facts import Facts
from apps.screening.rules.screen import ofac_concerned

KIND = "bank_payment"
ALTERED = "BR-21"
UNDONE = "BR-19"
LONGEST_SAID = 300
UNDONE_SAYS = "A payment that was routed did not come about at the bank."


def held(row: BankTransaction, why: Row, told: Told, *, now: datetime) -> None:
    """Open the case of a tagged payment that cannot be routed as it is, with what is told of it."""
    _open(row, why.code, why.says, {"bank": _at_bank(told)}, now)


def _at_bank(told: Told) -> dict[str, str]:
    """Return what the bank tells of a transaction, as officers need it to put it right."""
    payer, tags = payer_of(told.state), told.tags
    amount = told.state.get("amount")
    said = {
        "amount": f"{amount} {told.state.get('currency') or 'USD'}" if amount is not None else "",
        "status": told.status,
        "payer": " / ".join(payer.names),
        "country": payer.country,
        "note": " / ".join(one for name in NOTES if isinstance(one := told.state.get(name), str)),
        "wallets": ", ".join(tags.wallets),
        "default": "asked for" if tags.by_default else "",
        "destination": tags.destination,
    }
    return {name: value[:LONGEST_SAID] for name, value in said.items() if value}


def halted(
    row: BankTransaction, looked: Checked, *, facts: Mapping[str, Any], now: datetime
) -> None:
    """Open the case of a payment that checks halt, and enter what is blocked into the SAR log."""
    blocked = facts["decision"] == "BLOCKED"
    more = dict(facts) | {"payer": looked.shown()}
    says = f"{facts['decision']}: {facts['why']}"
    _open(row, HALTED.code, says, more, now, risk="HIGH" if blocked else "MEDIUM")
    if blocked:
        blocked_deposits.log(row, looked, reasons=facts["checks"], now=now)


def undone(row: BankTransaction, *, status: str, now: datetime) -> None:
    """Open the case of a payment that was routed and then failed at the bank; once."""
    more = {"status": status, "quote": row.quote_id}
    _open(row, UNDONE, UNDONE_SAYS, more, now, ref=_undone(row), risk="HIGH")


def known_undone(rows: Iterable[BankTransaction]) -> set[str]:
    """Return those that were routed and failed at the bank, as officers know, by the bank's ids."""
    refs = {_undone(one): one.resource_id for one in rows}
    found = Case.objects.filter(kind=KIND, ref__in=refs).values_list("ref", flat=True)
    return {refs[one] for one in found}


def _undone(row: BankTransaction) -> str:
    return f"{row.pk}.undone"


def altered(
    row: BankTransaction,
    told: Told,
    looked: Checked | None = None,
    *,
    checks: Sequence[str] = (),
    now: datetime,
) -> Case:
    """Open the case of a payment that was routed and is told otherwise by now; once for each.

    `looked` is who pays by now, where `checks` stand against them.
    """
    amount = f"{told.state.get('amount', 'none')} {told.state.get('currency') or 'USD'}"
    wallets = ", ".join(one or "none of the chain" for one in told.wallets)
    said = {"amount": amount[:100], "wallets": wallets or "none", "for": told.tags.destination}
    who = [payer_digest(payer_of(told.state))] if checks else []
    ref = f"{row.pk}.told-{digest([*said.values(), told.status, *who, *checks])[:32]}"
    more: dict[str, Any] = {"told": said, "status": told.status, "quote": row.quote_id}
    if checks:
        more |= {"checks": list(checks), "bank": _at_bank(told)}
    if looked is not None:
        more |= {"payer": looked.shown()}
    return _open(row, ALTERED, BY_CODE[ALTERED].says, more, now, ref=ref, risk="HIGH")


def _open(
    row: BankTransaction,
    rule: str,
    sentence: str,
    evidence: Mapping[str, Any],
    now: datetime,
    *,
    ref: str = "",
    risk: str = "MEDIUM",
) -> Case:
    opening = Opening(
        kind=KIND,
        ref=ref or f"{row.pk}.{row.steps}",
        owner=row.owner,
        title=f"Bank payment {row.resource_id}",
        wallet=row.wallet,
        reference=row.resource_id,
        risk=risk,
        amount=row.amount,
        currency="USD" if row.amount is not None else "",
        amount_usd=row.amount,
        reasons=[{"ref": rule, "sentence": sentence}],
        evidence={"transaction": {"id": row.resource_id, "seen": row.seen_at.isoformat()}}
        | dict(evidence),
    )
    return open_case(opening=opening, now=now)


SENDS = "bank_send"
WHY_SEND = {one.code: one.says for one in ROWS}


def send_held(
    row: Send, *rules: str, now: datetime, facts: Mapping[str, Any], score: int = 0
) -> None:
    """Open the case of a payment that officers are to look at before it is sent."""
    opening = Opening(
        kind=SENDS,
        ref=str(row.send_id),
        owner=row.owner,
        title=f"Payment by the bank to {row.recipient.name}",
        party=row.recipient.name,
        country=row.recipient.country,
        reference=row.key[:200],
        risk="MEDIUM",
        risk_score=score,
        amount=row.amount,
        currency="USD",
        amount_usd=row.amount,
        reasons=[{"ref": one, "sentence": WHY_SEND[one]} for one in rules],
        evidence={"payment": _payment(row)} | dict(facts),
    )
    open_case(opening=opening, now=now)


def trouble(row: Send, why: Trouble, *, now: datetime, facts: Mapping[str, Any]) -> None:
    """Open the case of a payment that did not simply go; each time anew."""
    opening = Opening(
        kind=KIND,
        ref=f"{row.send_id}.{row.steps}",
        owner=row.owner,
        title=f"Payment by the bank to {row.recipient.name}",
        party=row.recipient.name,
        country=row.recipient.country,
        reference=row.bank_id or row.key[:200],
        risk="MEDIUM" if why in OF_END.values() else "HIGH",
        amount=row.amount,
        currency="USD",
        amount_usd=row.amount,
        reasons=[{"ref": why.code, "sentence": why.says}],
        evidence={"payment": _payment(row)} | dict(facts),
    )
    open_case(opening=opening, now=now)


def _payment(row: Send) -> dict[str, str]:
    return {
        "id": str(row.send_id),
        "payee": row.recipient.name,
        "method": row.method,
        "from": str(row.account_id),
        "account": f"ending {row.recipient.tail}",
        "purpose": row.category,
        "note": row.note,
    }


def stopped_by(looked: Looked) -> str:
    """Return the row by which a screen stops a payment."""
    return "ACH-1" if looked.listed else "ACH-9"


def log_blocked(row: Send, *rules: str, looked: Looked, now: datetime) -> None:
    """Enter a payment that the screen stopped into the SAR log, by the name that it stopped."""
    blocked = Blocked(
        kind=SENDS,
        ref=str(row.send_id),
        owner=row.owner,
        party=looked.party or row.recipient.name,
        reasons=[WHY_SEND[one] for one in rules],
        rules=rules,
        sanctions=ofac_concerned(looked.rules, owed=owes_ofac(looked.datasets)),
        lists=looked.datasets,
        risk_score=looked.score,
        screened_at=now,
        facts=Facts(
            amount=row.amount,
            currency="USD",
            usd=row.amount,
            country=row.recipient.country,
            reference=row.key[:200],
            picture={"facts": [{"label": "Screen", "value": one} for one in looked.reasons]},
        ),
    )
    open_entry(blocked=blocked, now=now)


def differs(one: Difference, *, account: str, now: datetime) -> None:
    """Open the case of a difference between us and the bank; found again it is the same case."""
    amounts = {"ours": one.ours, "theirs": one.theirs}
    told = {name: f"{value:,.2f} USD" for name, value in amounts.items() if value is not None}
    known = one.ours if one.ours is not None else one.theirs
    opening = Opening(
        kind=KIND,
        ref=f"{one.kind.code}.{digest([account, one.bank_id])[:40]}",
        owner=OPERATOR,
        title=f"Difference at the bank: {one.bank_id}",
        reference=one.bank_id,
        risk="HIGH" if one.kind is DOUBTED else "MEDIUM",
        amount=abs(known) if known is not None else None,
        currency="USD" if known is not None else "",
        reasons=[{"ref": one.kind.code, "sentence": one.kind.says}],
        evidence={"transaction": {"id": one.bank_id, "account": account}} | told,
    )
    open_case(opening=opening, now=now)
