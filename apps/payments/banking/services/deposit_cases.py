"""Open the cases of bank deposits, and of bank transactions that were reversed or altered."""

from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from typing import Any

from apps.backoffice.review.models import Case
from apps.backoffice.review.payment_hold_findings import Finding
from apps.backoffice.review.rules.risks import find_highest_risk
from apps.backoffice.review.services import CaseOpening, open_case, retire_superseded_cases
from apps.compliance.screening.combined.party_findings import (
    PartyScreen,
    build_case_reasons,
    filter_screens_by_findings,
    highest_risk,
    own_entity_key,
    sort_by_severity,
)
from apps.payments.banking.models import BankTransaction
from apps.payments.banking.rules.payers import parse_payer
from apps.payments.banking.rules.routes import BY_CODE, DeliveryFacts, RoutingRule
from apps.payments.banking.rules.settlement_tags import NOTE_FIELDS
from apps.payments.banking.screening.deposits import DepositScreening, payer_digest
from apps.payments.banking.services import log_blocked_deposit
from apps.platform.crypto.canonical import canonical_digest

KIND = "bank_payment"
PAYER_SIDE = "payer"  # sides whose screens are those of the case's own party
ALTERED_RULE = "BR-21"
UNDONE_RULE = "BR-19"
MAX_TEXT_LENGTH = 300
HELD_AGAIN_REASON = "The bank changed this transaction: another case says why it is now held."
CHANGED_AGAIN_REASON = "The bank changed this transaction again: another case shows all changes."
UNDONE_SENTENCE = "A routed payment did not go through at the bank."


def retire_deposit_cases(row: BankTransaction, *, why: str, now: datetime) -> list[Case]:
    """Close the waiting cases of a payment that has changed since; return them.

    Deciding them would have no effect any more.
    """
    of_it = Case.objects.filter(kind=KIND, ref__startswith=f"{row.pk}.")
    # a failure at the bank still has to be decided, whatever came after it
    return retire_superseded_cases(of_it.exclude(ref=_undone_case_ref(row)), why=why, now=now)


def open_held_case(
    row: BankTransaction, why: RoutingRule, delivery_facts: DeliveryFacts, *, now: datetime
) -> None:
    """Open the case of a tagged payment that cannot be routed, with the bank's report of it."""
    retire_deposit_cases(row, why=HELD_AGAIN_REASON, now=now)
    _open_deposit_case(
        row, _build_reasons(why.code, why.says), {"bank": _build_bank_evidence(delivery_facts)}, now
    )


def _build_bank_evidence(delivery_facts: DeliveryFacts) -> dict[str, str]:
    """Return the bank's report of a transaction, as officers need it to correct it."""
    payer, tags = parse_payer(delivery_facts.state), delivery_facts.tags
    amount = delivery_facts.state.get("amount")
    details = {
        "amount": f"{amount} {delivery_facts.state.get('currency') or 'USD'}"
        if amount is not None
        else "",
        "status": delivery_facts.status,
        "payer": " / ".join(payer.names),
        "country": payer.country,
        "note": " / ".join(
            text for name in NOTE_FIELDS if isinstance(text := delivery_facts.state.get(name), str)
        ),
        "wallets": ", ".join(tags.wallets),
        "default": "requested" if tags.by_default else "",
        "destination": tags.destination,
    }
    return {name: value[:MAX_TEXT_LENGTH] for name, value in details.items() if value}


def open_halted_case(
    row: BankTransaction,
    deposit_screening: DepositScreening,
    findings: Sequence[Finding],
    *,
    facts: Mapping[str, Any],
    now: datetime,
) -> None:
    """Open the case of a payment that checks stop, and enter a block into the SAR log.

    Its severity is that of the most severe screen that holds it, and it has a reason for each
    finding.
    """
    retire_deposit_cases(row, why=HELD_AGAIN_REASON, now=now)
    blocked = facts["decision"] == "BLOCKED"
    screens = filter_screens_by_findings(deposit_screening.screens, findings)
    risk, score = highest_risk(screens)
    # a hold that no screen explains (the note, the AML engine) is MEDIUM at least
    risk = "HIGH" if blocked else find_highest_risk({risk, "MEDIUM"})
    more = dict(facts) | _build_screen_evidence(deposit_screening, screens)
    reasons = build_case_reasons(findings, screens, own=_choose_case_side(screens))
    _open_deposit_case(
        row,
        reasons,
        more,
        now,
        deposit_screening=deposit_screening,
        screens=screens,
        risk=risk,
        score=score,
    )
    if blocked:
        log_blocked_deposit.log_blocked_deposit(
            row, deposit_screening, reasons=facts["checks"], now=now
        )


def _build_screen_evidence(
    deposit_screening: DepositScreening, screens: Sequence[PartyScreen]
) -> dict[str, Any]:
    """Return the payer, and the screens for the case page."""
    own, name = _choose_case_side(screens), _choose_case_party(deposit_screening, screens)
    # those of the case's party come first: the first of its side is its own screen
    drawn = sorted(screens, key=lambda screen: screen.opening.party != name)
    party = [dict(row) for row in deposit_screening.party(name, own=own)]
    screen_evidence = {
        "payer": deposit_screening.shown(),
        "screens": [screen.evidence for screen in drawn],
    }
    return screen_evidence | {"own": own, "party": party}


def _choose_case_side(screens: Sequence[PartyScreen]) -> str:
    """Return the case's side: the payer's, unless only the wallet's party is flagged."""
    return (
        "wallet" if screens and all(screen.side == "wallet" for screen in screens) else PAYER_SIDE
    )


def _choose_case_party(deposit_screening: DepositScreening, screens: Sequence[PartyScreen]) -> str:
    """Return the case's party: of several names of a payer the one with the most severe screen."""
    own, names = _choose_case_side(screens), deposit_screening.verdict.payer.names
    named = [screen for screen in sort_by_severity(screens) if screen.side == own]
    if own == PAYER_SIDE:
        named = [screen for screen in named if screen.opening.party in names]
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
    cases = Case.objects.filter(kind=KIND, ref__in=refs).values_list("ref", flat=True)
    return {refs[case] for case in cases}


def _undone_case_ref(row: BankTransaction) -> str:
    return f"{row.pk}.undone"


def open_altered_case(
    row: BankTransaction,
    delivery_facts: DeliveryFacts,
    screening: DepositScreening | None = None,
    *,
    checks: Sequence[str] = (),
    now: datetime,
) -> Case:
    """Open the case of a routed payment whose report has changed since; once for each change.

    A case that waits already is merged into the new one, with the earlier report. `screening` is
    that of the current payer, if `checks` object to it.
    """
    state = delivery_facts.state
    amount = f"{state.get('amount', 'none')} {state.get('currency') or 'USD'}"
    wallets = ", ".join(wallet or "none of the chain" for wallet in delivery_facts.wallets)
    details = {
        "amount": amount[:100],
        "wallets": wallets or "none",
        "for": delivery_facts.tags.destination,
    }
    who = [payer_digest(parse_payer(state))] if checks else []
    # what the bank reports now: a repeated delivery finds its case, another change opens a new one
    digest = canonical_digest([*details.values(), delivery_facts.status, *who, *checks])
    ref = f"{row.pk}.told-{digest[:32]}"
    more: dict[str, Any] = {"told": details, "status": delivery_facts.status, "quote": row.quote_id}
    if checks:
        more |= {"checks": list(checks), "bank": _build_bank_evidence(delivery_facts)}
    reasons, score = _build_reasons(ALTERED_RULE, BY_CODE[ALTERED_RULE].says), 0
    screens: tuple[PartyScreen, ...] = ()
    if screening is not None:
        findings = screening.of_payer()
        screens = filter_screens_by_findings(screening.payer_screens, findings)
        more |= _build_screen_evidence(screening, screens)
        reasons += build_case_reasons(findings, screens, own=PAYER_SIDE)
        _, score = highest_risk(screens)
    before = None
    # else this change has its case already, and that must not retire itself
    if not Case.objects.filter(kind=KIND, ref=ref).exists():
        before = next(reversed(retire_deposit_cases(row, why=CHANGED_AGAIN_REASON, now=now)), None)
    if before is not None:
        reasons += [rule for rule in before.rules if rule not in reasons]
        more = _merge_earlier_evidence(more, before.evidence)
        score = max(score, before.risk_score)
    return _open_deposit_case(
        row, reasons, more, now, deposit_screening=screening, screens=screens, before=before,
        ref=ref, risk="HIGH", score=score,
    )  # fmt: skip


def _merge_earlier_evidence(more: Mapping[str, Any], before: Mapping[str, Any]) -> dict[str, Any]:
    """Return the evidence of a case, merged with that of the one that it replaces."""
    screens = list(more.get("screens", ()))
    screens += [screen for screen in before.get("screens", ()) if screen not in screens]
    who = {} if more.get("screens") else {name: before.get(name) for name in ("own", "party")}
    decisions_before = [*before.get("before", ()), before.get("told", {})]
    earlier_evidence = {name: value for name, value in who.items() if value}
    return dict(more) | {"screens": screens, "before": decisions_before} | earlier_evidence


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
    bank = evidence.get("bank", {})
    # a change that no screen objects to keeps the party under which officers know the case
    past = (before.party, before.entity_key) if before is not None and not screens else ("", "")
    party = (
        _choose_case_party(deposit_screening, screens)
        if deposit_screening is not None
        else bank.get("payer", "")
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
