"""What a decision covers: a case and the duplicates in it, which end as it does."""

from collections.abc import Sequence

from django.db.models import Q

from apps.backoffice.review import case_types
from apps.backoffice.review.models import Case, DecisionEvent, Outcome
from apps.backoffice.review.selectors.recorded_decisions import STEPS
from apps.platform.crypto.canonical import canonical_digest
from apps.platform.db.compiled_statements import CompiledLookup

MERGED = CompiledLookup(Case, by="merged_into", columns=("pk",))


def lock_duplicates(case: Case) -> list[Case]:
    """Return what was merged into a case; while the transaction lasts nothing joins or leaves."""
    # in the order of their ids, as a merge locks them: two transactions cannot wait for each other
    group = Case.objects.filter(Q(pk=case.pk) | Q(merged_into=case.pk))
    list(group.select_for_update().order_by("pk").values_list("pk"))
    # a second query: what was merged while the first waited for its lock is not in its result
    return list_duplicates(case)


def list_duplicates(case: Case) -> list[Case]:
    """Return what was merged into a case; most have none, which one short query tells."""
    if MERGED.first(case.pk) is None:
        return []
    return list(Case.objects.filter(merged_into=case.pk).order_by("pk"))


def list_fitting_reasons(
    case: Case, others: Sequence[Case], outcome: str
) -> tuple[case_types.Reason, ...]:
    """Return the reasons for an outcome that fit a case and each of its duplicates."""
    kind = case_types.get_case_type(case.kind)
    offered = kind.offered(outcome=outcome, refs=case.refs)
    for other in others:
        also = kind.offered(outcome=outcome, refs=other.refs)
        offered = tuple(reason for reason in offered if reason in also)
    return offered


def find_reason_fault(case: Case, others: Sequence[Case], outcome: str, code: str) -> str:
    """Return why a reason does not fit the rules of a case and its duplicates, or an empty text."""
    kind = case_types.get_case_type(case.kind)
    for duplicate in (case, *others):
        if code in {reason.code for reason in kind.offered(outcome=outcome, refs=duplicate.refs)}:
            continue
        if duplicate is case:
            return "Choose a reason that fits the outcome and the rules that flagged the case."
        return (
            f"Choose a reason that also fits case {duplicate.pk}, which was merged into this one."
        )
    return ""


def is_second_officer_needed(case: Case, others: Sequence[Case], outcome: str) -> bool:
    """Tell whether an approval needs a second officer for what the cases are together.

    It does if they match more than one listed party, if the sum of their amounts requires it, and
    if the value of any is not known in USD.
    """
    # a duplicate that needs a second officer by itself is not considered: only a case that needs
    # one too can take it in (rules/bulk_and_merge.py)
    if outcome != Outcome.APPROVE or not others:
        return False
    cases = [case, *others]
    known = [sibling.amount_usd for sibling in cases if sibling.amount_usd is not None]
    if (
        len(known) < len(cases)
        or len({sibling.entity_key for sibling in cases if sibling.entity_key}) > 1
    ):
        return True
    total = sum(known[1:], known[0])
    return (
        case_types.get_case_type(case.kind).second(case_types.Stakes(case.risk, total, total))
        is not None
    )


def compute_case_stamp(case: Case, others: Sequence[Case]) -> str:
    """Return the stamp by which a form identifies the state of its case; one query.

    It changes with each step towards a decision and with the scope of the decision.
    """
    # a form that was sent twice, or left open too long, decides nothing that its officer has not
    # seen
    turns = DecisionEvent.objects.filter(case=case.pk, action__in=STEPS).order_by("-pk")
    state = {
        "turn": turns.values_list("pk", flat=True).first(),
        "escalation": case.escalation,
        "merged_into": case.merged_into_id,
        "others": [other.pk for other in others],
    }
    return canonical_digest(state)[:16]
