"""Steps of cases. Each step is one compare-and-set and one ledger event.

Two officers can never both win a step: the loser's update finds no row and gets an error that says
why.
"""

from apps.backoffice.review.selectors.resolutions import (
    Resolution,
    load_answered_rules,
    load_resolution,
    load_resolutions,
)
from apps.backoffice.review.services.bulk_cases import (
    BulkNotPossible,
    assign_cases,
    claim_cases,
    confirm_bulk_clear,
    find_bulk_clear_fault,
    find_shared_unanswered_rules,
    get_bulk_limit,
    list_shared_reasons,
    propose_bulk_clear,
    return_bulk_clear,
)
from apps.backoffice.review.services.case_creation import CaseOpening, open_case
from apps.backoffice.review.services.case_decisions import (
    confirm_decision,
    decide_case,
    return_decision,
)
from apps.backoffice.review.services.case_retirement import (
    lock_undecided_case,
    retire_case,
    retire_superseded_cases,
)
from apps.backoffice.review.services.case_routing import (
    InvalidCaseStep,
    assign_case,
    escalate_case,
    escalate_overdue_cases,
    list_assignable_officers,
    snooze_case,
)
from apps.backoffice.review.services.claims import (
    AlreadyDecided,
    CaseMerged,
    CaseNotHeld,
    ClaimedByOther,
    NoDecisionWaiting,
    SameOfficer,
    StepNotAllowed,
    claim_case,
    release_case,
)
from apps.backoffice.review.services.decision_checks import (
    EvidenceAltered,
    InvalidDecision,
    load_unaltered_case,
)
from apps.backoffice.review.services.merges import CasesNotMergeable, merge_case, split_merged_case
from apps.backoffice.review.services.next_case import (
    claim_next_case,
    clear_skipped_cases,
    skip_case,
)
from apps.backoffice.review.services.sar_referrals import refer_to_sar_log

__all__ = [
    "AlreadyDecided",
    "BulkNotPossible",
    "CaseMerged",
    "CaseNotHeld",
    "CaseOpening",
    "CasesNotMergeable",
    "ClaimedByOther",
    "EvidenceAltered",
    "InvalidCaseStep",
    "InvalidDecision",
    "NoDecisionWaiting",
    "Resolution",
    "SameOfficer",
    "StepNotAllowed",
    "assign_case",
    "assign_cases",
    "claim_case",
    "claim_cases",
    "claim_next_case",
    "clear_skipped_cases",
    "confirm_bulk_clear",
    "confirm_decision",
    "decide_case",
    "escalate_case",
    "escalate_overdue_cases",
    "find_bulk_clear_fault",
    "find_shared_unanswered_rules",
    "get_bulk_limit",
    "list_assignable_officers",
    "list_shared_reasons",
    "load_answered_rules",
    "load_resolution",
    "load_resolutions",
    "load_unaltered_case",
    "lock_undecided_case",
    "merge_case",
    "open_case",
    "propose_bulk_clear",
    "refer_to_sar_log",
    "release_case",
    "retire_case",
    "retire_superseded_cases",
    "return_bulk_clear",
    "return_decision",
    "skip_case",
    "snooze_case",
    "split_merged_case",
]
