"""How a case begins, and what its caller may learn of its end."""

from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal
from typing import TYPE_CHECKING, Any

from django.db import transaction
from django.db.models import Exists, OuterRef

from apps.review import rules
from apps.review.evidence import entity_key
from apps.review.models import Action, Case, DecisionEvent, Status
from config.review import KINDS, working_hours

MICRO = Decimal("0.000001")

if TYPE_CHECKING:
    from django.contrib.auth.models import User


@dataclass(frozen=True, slots=True)
class Resolution:
    """What a caller may learn of a decided case: nothing of who decided, or why."""

    outcome: str
    decided_at: datetime


def resolution_of(*, kind: str, ref: str) -> Resolution | None:
    """Return how the case of a domain record was decided, or None while it is not."""
    return resolutions_of(kind=kind, refs=[ref]).get(ref)


def resolutions_of(*, kind: str, refs: Collection[str]) -> dict[str, Resolution]:
    """Return how those of several domain records were decided that are, by ref; one query."""
    if not refs:
        return {}
    decided = Case.objects.filter(kind=kind, ref__in=refs, status=Status.DECIDED)
    rows = decided.values_list("ref", "outcome", "decided_at")
    return {ref: Resolution(outcome, at) for ref, outcome, at in rows if at is not None}


@transaction.atomic(savepoint=False)
def open_case(
    *,
    kind: str,
    ref: str,
    owner: str,
    title: str,
    risk: str,
    now: datetime,
    summary: str = "",
    party: str = "",
    country: str = "",
    lei: str = "",
    wallet: str = "",
    reference: str = "",
    amount: Decimal | None = None,
    currency: str = "",
    amount_usd: Decimal | None = None,
    risk_score: int = 0,
    reasons: list[dict[str, str]] | None = None,
    evidence: dict[str, Any] | None = None,
) -> Case:
    """Open the case of a domain record, or return the one that stands; at most 3 queries.

    Call it inside the domain's transaction: record and case then exist together or not at all.
    `reasons` are rows of `ref` and `sentence`: each rule that brought the case here.
    `amount_usd` is the amount in USD; without it an amount that is not in USD needs a second
    officer, because how large it is is not known. `evidence` may hold, each optional, what the
    case page draws (apps/review/evidence.py has the shapes), or what the kind's `picture` turns
    into that; floats in it become texts. KeyError for a kind that config/review.py lacks.
    """
    KINDS[kind]
    usd = amount if amount_usd is None and currency == "USD" else amount_usd
    if usd is not None:
        usd = usd.quantize(MICRO)  # a converted value may be finer than a row can hold
    second = rules.second_officer(rules.Stakes(risk, amount, usd))
    case = Case(
        kind=kind,
        ref=ref,
        owner=owner,
        title=title[:300],
        summary=summary,
        party=party,
        party_key=rules.party_key(party)[:500],
        country=country,
        lei=lei,
        wallet=wallet,
        wallet_key=wallet.lower(),
        reference=reference,
        reference_key=reference.lower(),
        amount=amount,
        currency=currency,
        amount_usd=usd,
        risk=risk,
        risk_score=risk_score,
        rules=rules.frozen(reasons or []),
        evidence=rules.frozen(evidence or {}),
        needs_second=second is not None,
        second_rule=second.ref if second else "",
        opened_at=now,
        due_at=rules.due_at(risk=risk, opened_at=now, hours=working_hours()),
    )
    case.rule_refs = rules.rule_refs(one["ref"] for one in case.rules)
    case.entity_key = entity_key(case)
    # ON CONFLICT waits for a rival's transaction: after it, its case and its event are seen
    Case.objects.bulk_create([case], ignore_conflicts=True)
    recorded = DecisionEvent.objects.filter(case=OuterRef("pk"), action=Action.OPENED)
    stored = Case.objects.annotate(recorded=Exists(recorded)).get(kind=kind, ref=ref)
    if not stored.recorded:  # type: ignore[attr-defined]
        record(stored, Action.OPENED, None, now, {"digest": stored.facts_digest()})
    return stored


def record(
    case: Case,
    action: Action,
    by: "User | None",
    now: datetime,
    payload: dict[str, Any],
    outcome: str = "",
) -> None:
    """Append one event to the ledger of decisions."""
    DecisionEvent.write(payload=payload, now=now, case=case, action=action, by=by, outcome=outcome)
