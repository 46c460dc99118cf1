"""Opens the cases of the banking connector, and its entries in the SAR log."""

from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from typing import Any

from apps.access.keys.tenants import OPERATOR
from apps.backoffice.review.findings import Finding
from apps.backoffice.review.models import Case
from apps.backoffice.review.services import CaseOpening, open_case, retire_superseded_cases
from apps.backoffice.sar.entry_facts import PaymentFacts
from apps.backoffice.sar.sanctions_authorities import is_ofac_report_owed
from apps.backoffice.sar.services.entries import BlockedOutcome, open_entry
from apps.compliance.screening.combined.party_findings import (
    PartyScreen,
    build_case_reasons,
    filter_screens_by_findings,
    highest_risk,
    own_entity_key,
    sort_by_severity,
)
from apps.compliance.screening.combined.request_rows import build_request_rows
from apps.compliance.screening.rules.screen import is_ofac_concerned
from apps.payments.banking.models import BankTransaction, Send
from apps.payments.banking.rules.payers import parse_payer
from apps.payments.banking.rules.reconciliation import DOUBTED, Difference
from apps.payments.banking.rules.routes import BY_CODE, DeliveryFacts, RoutingRule
from apps.payments.banking.rules.tags import NOTE_FIELDS
from apps.payments.banking.rules.troubles import TROUBLE_BY_STATE, SendTrouble
from apps.payments.banking.screening.payers import DepositScreening, payer_digest
from apps.payments.banking.screening.screens import ScreeningOutcome
from apps.payments.banking.screening.send_findings import BY_CODE as BY_ROW
from apps.payments.banking.screening.send_findings import SendFindings
from apps.payments.banking.services import log_blocked_deposit
from apps.platform.crypto.canonical import canonical_digest

KIND = "bank_payment"
PAYER_SIDE = "payer"  # whose screens are those of the case's own party
RISKS = ("LOW", "MEDIUM", "HIGH")
ALTERED_RULE = "BR-21"
UNDONE_RULE = "BR-19"
MAX_TEXT_LENGTH = 300
HELD_AGAIN_REASON = "The bank told of it otherwise: another case says why it waits by now."
CHANGED_AGAIN_REASON = "The bank told of it otherwise once more: another case shows all of it."
UNDONE_SENTENCE = "A payment that was routed did not come about at the bank."


def retire_deposit_cases(row: BankTransaction, *, why: str, now: datetime) -> list[Case]:
    """Retire what waits of a payment that is another matter by now; return it.

    A decision on it would change nothing any more. That it failed at the bank stays to be decided.
    """
    of_it = Case.objects.filter(kind=KIND, ref__startswith=f"{row.pk}.")
    return retire_superseded_cases(of_it.exclude(ref=_undone_case_ref(row)), why=why, now=now)


def open_held_case(
    row: BankTransaction, why: RoutingRule, told: DeliveryFacts, *, now: datetime
) -> None:
    """Open the case of a tagged payment that cannot be routed as it is, with what is told of it."""
    retire_deposit_cases(row, why=HELD_AGAIN_REASON, now=now)
    _open_deposit_case(
        row, _build_reasons(why.code, why.says), {"bank": _build_bank_evidence(told)}, now
    )


def _build_bank_evidence(delivery_facts: DeliveryFacts) -> dict[str, str]:
    """Return what the bank tells of a transaction, as officers need it to put it right."""
    payer, tags = parse_payer(delivery_facts.state), delivery_facts.tags
    amount = delivery_facts.state.get("amount")
    said = {
        "amount": f"{amount} {delivery_facts.state.get('currency') or 'USD'}"
        if amount is not None
        else "",
        "status": delivery_facts.status,
        "payer": " / ".join(payer.names),
        "country": payer.country,
        "note": " / ".join(
            one for name in NOTE_FIELDS if isinstance(one := delivery_facts.state.get(name), str)
        ),
        "wallets": ", ".join(tags.wallets),
        "default": "asked for" if tags.by_default else "",
        "destination": tags.destination,
    }
    return {name: value[:MAX_TEXT_LENGTH] for name, value in said.items() if value}


def open_halted_case(
    row: BankTransaction,
    looked: DepositScreening,
    found: Sequence[Finding],
    *,
    facts: Mapping[str, Any],
    now: datetime,
) -> None:
    """Open the case of a payment that checks halt, and enter what is blocked into the SAR log.

    It is as grave as the gravest screen that it is held by, and has a reason for each finding.
    """
    retire_deposit_cases(row, why=HELD_AGAIN_REASON, now=now)
    blocked = facts["decision"] == "BLOCKED"
    screens = filter_screens_by_findings(looked.screens, found)
    risk, score = highest_risk(screens)
    risk = "HIGH" if blocked else max(risk, "MEDIUM", key=RISKS.index)
    more = dict(facts) | _build_screen_evidence(looked, screens)
    reasons = build_case_reasons(found, screens, own=_choose_case_side(screens))
    _open_deposit_case(
        row, reasons, more, now, deposit_screening=looked, screens=screens, risk=risk, score=score
    )
    if blocked:
        log_blocked_deposit.log_blocked_deposit(row, looked, reasons=facts["checks"], now=now)


def _build_screen_evidence(
    deposit_screening: DepositScreening, screens: Sequence[PartyScreen]
) -> dict[str, Any]:
    """Return who pays, and the screens that the case page draws."""
    own, name = _choose_case_side(screens), _choose_case_party(deposit_screening, screens)
    # those of the party of the case come first: the first of its side is its own screen
    drawn = sorted(screens, key=lambda screen: screen.opening.party != name)
    party = [dict(one) for one in deposit_screening.party(name, own=own)]
    found = {"payer": deposit_screening.shown(), "screens": [one.evidence for one in drawn]}
    return found | {"own": own, "party": party}


def _choose_case_side(screens: Sequence[PartyScreen]) -> str:
    """Return whose case it is: the payer's, unless the wallet's party alone is flagged."""
    return (
        "wallet" if screens and all(screen.side == "wallet" for screen in screens) else PAYER_SIDE
    )


def _choose_case_party(deposit_screening: DepositScreening, screens: Sequence[PartyScreen]) -> str:
    """Return whom a case is about: of several names of a payer the one whose screen is gravest."""
    own, names = _choose_case_side(screens), deposit_screening.verdict.payer.names
    named = [one for one in sort_by_severity(screens) if one.side == own]
    if own == PAYER_SIDE:
        named = [one for one in named if one.opening.party in names]
    return named[0].opening.party if named else next(iter(names), "")


def open_undone_case(row: BankTransaction, *, status: str, now: datetime) -> None:
    """Open the case of a payment that was routed and then failed at the bank; once."""
    more = {"status": status, "quote": row.quote_id}
    _open_deposit_case(
        row,
        _build_reasons(UNDONE_RULE, UNDONE_SENTENCE),
        more,
        now,
        ref=_undone_case_ref(row),
        risk="HIGH",
    )


def find_undone_ids(rows: Iterable[BankTransaction]) -> set[str]:
    """Return those that were routed and failed at the bank, as officers know, by the bank's ids."""
    refs = {_undone_case_ref(row): row.resource_id for row in rows}
    found = Case.objects.filter(kind=KIND, ref__in=refs).values_list("ref", flat=True)
    return {refs[one] for one in found}


def _undone_case_ref(row: BankTransaction) -> str:
    return f"{row.pk}.undone"


def open_altered_case(
    row: BankTransaction,
    told: DeliveryFacts,
    looked: DepositScreening | None = None,
    *,
    checks: Sequence[str] = (),
    now: datetime,
) -> Case:
    """Open the case of a payment that was routed and is told otherwise by now; once for each.

    What waits of it already is shown in the new one, with what was told before. `looked` is who
    pays by now, where `checks` stand against them.
    """
    amount = f"{told.state.get('amount', 'none')} {told.state.get('currency') or 'USD'}"
    wallets = ", ".join(wallet or "none of the chain" for wallet in told.wallets)
    said = {"amount": amount[:100], "wallets": wallets or "none", "for": told.tags.destination}
    who = [payer_digest(parse_payer(told.state))] if checks else []
    ref = f"{row.pk}.told-{canonical_digest([*said.values(), told.status, *who, *checks])[:32]}"
    more: dict[str, Any] = {"told": said, "status": told.status, "quote": row.quote_id}
    if checks:
        more |= {"checks": list(checks), "bank": _build_bank_evidence(told)}
    reasons, score = _build_reasons(ALTERED_RULE, BY_CODE[ALTERED_RULE].says), 0
    screens: tuple[PartyScreen, ...] = ()
    if looked is not None:
        found = looked.of_payer()
        screens = filter_screens_by_findings(looked.payer_screens, found)
        more |= _build_screen_evidence(looked, screens)
        reasons += build_case_reasons(found, screens, own=PAYER_SIDE)
        _, score = highest_risk(screens)
    before = None
    if not Case.objects.filter(kind=KIND, ref=ref).exists():
        before = next(reversed(retire_deposit_cases(row, why=CHANGED_AGAIN_REASON, now=now)), None)
    if before is not None:
        reasons += [rule for rule in before.rules if rule not in reasons]
        more = _merge_earlier_evidence(more, before.evidence)
        score = max(score, before.risk_score)
    return _open_deposit_case(
        row, reasons, more, now, deposit_screening=looked, screens=screens, before=before, ref=ref,
        risk="HIGH", score=score,
    )  # fmt: skip


def _merge_earlier_evidence(more: Mapping[str, Any], before: Mapping[str, Any]) -> dict[str, Any]:
    """Return the evidence of a case with that of the one that it takes the place of."""
    screens = list(more.get("screens", ()))
    screens += [one for one in before.get("screens", ()) if one not in screens]
    who = {} if more.get("screens") else {name: before.get(name) for name in ("own", "party")}
    told = [*before.get("before", ()), before.get("told", {})]
    kept = {name: one for name, one in who.items() if one}
    return dict(more) | {"screens": screens, "before": told} | kept


def _build_reasons(rule: str, sentence: str) -> list[dict[str, str]]:
    return [{"ref": rule, "sentence": sentence}]


def _open_deposit_case(
    row: BankTransaction,
    reasons: Sequence[Mapping[str, str]],
    evidence: Mapping[str, Any],
    now: datetime,
    *,
    deposit_screening: DepositScreening | None = None,
    screens: Sequence[PartyScreen] = (),
    before: Case | None = None,
    ref: str = "",
    risk: str = "MEDIUM",
    score: int = 0,
) -> Case:
    told = evidence.get("bank", {})
    past = (before.party, before.entity_key) if before is not None and not screens else ("", "")
    party = (
        _choose_case_party(deposit_screening, screens)
        if deposit_screening is not None
        else told.get("payer", "")
    )
    party = past[0] or party
    opening = CaseOpening(
        kind=KIND,
        ref=ref or f"{row.pk}.{row.steps}",
        owner=row.owner,
        title=f"Bank payment {row.resource_id}",
        party=party[:MAX_TEXT_LENGTH],
        entity_key=own_entity_key(screens, own=_choose_case_side(screens), party=party) or past[1],
        wallet=row.wallet,
        reference=row.resource_id,
        risk=risk,
        risk_score=score,
        amount=row.amount,
        currency="USD" if row.amount is not None else "",
        amount_usd=row.amount,
        reasons=reasons,
        evidence={"transaction": {"id": row.resource_id, "seen": row.seen_at.isoformat()}}
        | dict(evidence),
    )
    return open_case(opening=opening, now=now)


SEND_KIND = "bank_send"


def send_case_ref(row: Send) -> str:
    """Return what the case of a hold is named by: a payment may be held again, for more."""
    return str(row.send_id) if row.steps == 1 else f"{row.send_id}.{row.steps}"


def find_first_case(row: Send) -> Case | None:
    """Return the case of a payment that was held as it was asked for; None where it was not."""
    return Case.objects.filter(kind=SEND_KIND, ref=str(row.send_id)).first()


def open_send_case(
    row: Send, held: SendFindings, *, now: datetime, facts: Mapping[str, Any], score: int = 0
) -> None:
    """Open the case of a payment that officers are to look at before it is sent.

    It shows what holds the payment now. A screen that flags the recipient or its bank has its own
    reasons there, and makes the case as grave as it is.
    """
    own = held.own
    name = next(
        (screen.opening.party for screen in held.screens if screen.side == own), row.recipient.name
    )
    risk, most = highest_risk(held.screens)
    opening = CaseOpening(
        kind=SEND_KIND,
        ref=send_case_ref(row),
        owner=row.owner,
        title=f"Payment by the bank to {name}",
        party=name,
        country=row.recipient.country,
        reference=row.key[:200],
        risk=max(risk, "MEDIUM", key=RISKS.index),
        risk_score=max(score, most),
        entity_key=own_entity_key(held.screens, own=own, party=name),
        amount=row.amount,
        currency="USD",
        amount_usd=row.amount,
        reasons=build_case_reasons(held.findings, held.screens, own=own),
        evidence={
            "payment": _build_payment_evidence(row),
            "screens": [screen.evidence for screen in held.screens],
            "own": own,
            "party": _build_send_party_rows(held),
        }
        | dict(facts),
    )
    open_case(opening=opening, now=now)


def _build_send_party_rows(send_findings: SendFindings) -> list[dict[str, str]]:
    own = next(
        (screen for screen in send_findings.screens if screen.side == send_findings.own), None
    )
    return build_request_rows(dict(own.evidence))["party"] if own is not None else []


def open_trouble_case(
    row: Send, why: SendTrouble, *, now: datetime, facts: Mapping[str, Any]
) -> None:
    """Open the case of a payment that did not simply go; each time anew."""
    opening = CaseOpening(
        kind=KIND,
        ref=f"{row.send_id}.{row.steps}",
        owner=row.owner,
        title=f"Payment by the bank to {row.recipient.name}",
        party=row.recipient.name,
        country=row.recipient.country,
        reference=row.bank_id or row.key[:200],
        risk="MEDIUM" if why in TROUBLE_BY_STATE.values() else "HIGH",
        amount=row.amount,
        currency="USD",
        amount_usd=row.amount,
        reasons=[{"ref": why.code, "sentence": why.says}],
        evidence={"payment": _build_payment_evidence(row)} | dict(facts),
    )
    open_case(opening=opening, now=now)


def _build_payment_evidence(row: Send) -> dict[str, str]:
    return {
        "id": str(row.send_id),
        "amount": f"{row.amount:,.2f} USD",
        "payee": row.recipient.name,
        "method": row.method,
        "from": str(row.account_id),
        "account": f"ending {row.recipient.tail}",
        "purpose": row.category,
        "note": row.note,
    }


def stopping_rule_of(looked: ScreeningOutcome) -> str:
    """Return the row by which a screen stops a payment."""
    return "ACH-1" if looked.listed else "ACH-9"


def log_blocked_send(row: Send, *rules: str, looked: ScreeningOutcome, now: datetime) -> None:
    """Enter a payment that the screen stopped into the SAR log, by the name that it stopped."""
    blocked = BlockedOutcome(
        kind=SEND_KIND,
        ref=str(row.send_id),
        owner=row.owner,
        party=looked.party or row.recipient.name,
        reasons=[BY_ROW[rule].says for rule in rules],
        rules=rules,
        sanctions=is_ofac_concerned(looked.rules, owed=is_ofac_report_owed(looked.datasets)),
        lists=looked.datasets,
        risk_score=looked.score,
        screened_at=now,
        facts=PaymentFacts(
            amount=row.amount,
            currency="USD",
            usd=row.amount,
            country=row.recipient.country,
            reference=row.key[:200],
            picture={"facts": [{"label": "Screen", "value": reason} for reason in looked.reasons]},
        ),
    )
    open_entry(blocked=blocked, now=now)


def open_difference_case(one: Difference, *, account: str, now: datetime) -> None:
    """Open the case of a difference between us and the bank; found again it is the same case."""
    amounts = {"ours": one.ours, "theirs": one.theirs}
    told = {name: f"{value:,.2f} USD" for name, value in amounts.items() if value is not None}
    known = one.ours if one.ours is not None else one.theirs
    opening = CaseOpening(
        kind=KIND,
        ref=f"{one.kind.code}.{canonical_digest([account, one.bank_id])[:40]}",
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
