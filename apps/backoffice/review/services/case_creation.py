"""Open cases: one for each matter, whoever notices it first."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from decimal import Decimal
from typing import Any, Protocol

from django.db import transaction
from django.db.models import Exists, OuterRef

from apps.backoffice.review import case_types
from apps.backoffice.review.desk_hours import load_working_hours
from apps.backoffice.review.models import Action, Case, DecisionEvent
from apps.backoffice.review.rules.case_keys import build_party_key, join_rule_refs
from apps.backoffice.review.rules.evidence import freeze_evidence
from apps.backoffice.review.rules.hours import compute_due_time
from apps.backoffice.review.services.decision_events import record_decision_event

MICRO = Decimal("0.000001")  # the precision of money columns


@dataclass(frozen=True, slots=True, kw_only=True)
class CaseOpening:
    """What is known of a case as it begins; it never changes after.

    `reasons` are rows of `ref` and `sentence`, and of `code` where the rule has one: each rule
    that brought the case here. `amount_usd` is the amount in USD; without it an amount that is
    not in USD has no known value. `entity_key` names the listed parties that it matches
    (rules/case_keys.py). `evidence` may hold, each optional, what the case page draws
    (views/evidence.py has the shapes), or what the kind's `picture` turns into that; floats in it
    become texts.
    """

    kind: str
    ref: str
    owner: str
    title: str
    risk: str
    risk_score: int = 0
    summary: str = ""
    party: str = ""
    country: str = ""
    lei: str = ""
    wallet: str = ""
    reference: str = ""
    amount: Decimal | None = None
    currency: str = ""
    amount_usd: Decimal | None = None
    entity_key: str = ""
    reasons: Sequence[Mapping[str, str]] = ()
    evidence: Mapping[str, Any] = field(default_factory=dict)

    @property
    def usd(self) -> Decimal | None:
        """The value in USD as a row can hold it (a converted one may be finer), if it is known."""
        known = self.amount_usd
        if known is None and self.currency == "USD":
            known = self.amount
        return None if known is None else known.quantize(MICRO)


# without a savepoint: it is always part of the domain's transaction, and an error ends all of it
@transaction.atomic(savepoint=False)
def open_case(*, opening: CaseOpening, now: datetime) -> Case:
    """Open the case of a domain record, or return the open one; at most 3 queries.

    Call it inside the domain's transaction: record and case then exist together or not at all.
    KeyError for a kind that no app registers.
    """
    kind = case_types.get_case_type(opening.kind)
    refs = frozenset(reason["ref"] for reason in opening.reasons)
    second = kind.second(case_types.Stakes(opening.risk, opening.amount, opening.usd, refs))
    within = kind.within(risk=opening.risk, refs=refs)
    case = Case(
        **{name: getattr(opening, name) for name in AS_GIVEN},
        title=opening.title[:300],
        party_key=build_party_key(opening.party)[:500],
        wallet_key=opening.wallet.lower(),
        reference_key=opening.reference.lower(),
        amount_usd=opening.usd,
        rules=freeze_evidence([dict(reason) for reason in opening.reasons]),
        rule_refs=join_rule_refs(reason["ref"] for reason in opening.reasons),
        evidence=freeze_evidence(dict(opening.evidence)),
        needs_second=second is not None,
        second_rule=second.ref if second else "",
        opened_at=now,
        due_at=compute_due_time(start=now, working=within, hours=load_working_hours()),
    )
    # ON CONFLICT waits for the transaction of a concurrent opening; then its case and event are
    # visible
    Case.objects.bulk_create([case], ignore_conflicts=True)
    recorded = DecisionEvent.objects.filter(case=OuterRef("pk"), action=Action.OPENED)
    cases = Case.objects.annotate(recorded=Exists(recorded))
    stored = cases.get(kind=opening.kind, ref=opening.ref)
    if not stored.recorded:  # type: ignore[attr-defined]
        record_decision_event(stored, Action.OPENED, None, now, {"digest": stored.facts_digest()})
    return stored


class CaseOpener(Protocol):
    """What is given a case to open: `open_case`, or who joins several in one."""

    def __call__(self, *, opening: CaseOpening, now: datetime) -> object: ...


def open_no_case(*, opening: CaseOpening, now: datetime) -> None:
    """Open no case: the caller opens one for all that its checks found."""


AS_GIVEN = (
    "kind", "ref", "owner", "summary", "party", "country", "lei", "wallet", "reference",
    "amount", "currency", "risk", "risk_score", "entity_key",
)  # fmt: skip
