"""The case of a bank payment that cannot be routed, is stopped by checks, or was reversed."""

from collections.abc import Collection, Mapping
from dataclasses import replace
from datetime import datetime, timedelta
from typing import Any

from django.db import transaction

from apps.backoffice.review.case_types import (
    OTHER,
    CaseType,
    ListedParty,
    ListEntry,
    OutcomeLabels,
    Reason,
    RuleLabel,
    SecondRule,
)
from apps.backoffice.review.payment_hold_findings import list_answered_keys
from apps.backoffice.review.services import load_answered_rules
from apps.compliance.screening.case_types.screens import SCREEN, SECOND_OFFICER_RULES, concerns_ofac
from apps.compliance.screening.combined.party_evidence_views import (
    find_screen_lists,
    list_own_listed_parties,
)
from apps.compliance.screening.rules.findings import RULES as SCREEN_RULES
from apps.payments.banking.evidence_view import (
    EvidenceRow,
    build_bank_payment_view,
    build_bank_send_view,
)
from apps.payments.banking.integrity import verify_rows
from apps.payments.banking.models import BankTransaction, Send
from apps.payments.banking.record_transition import record_transition
from apps.payments.banking.rules.automatic_sending import ROWS as ACH_ROWS
from apps.payments.banking.rules.payers import PAYER_RULES
from apps.payments.banking.rules.reconciliation import DIFFERENCE_KINDS
from apps.payments.banking.rules.routes import BY_CODE, ROWS
from apps.payments.banking.rules.send_troubles import TROUBLE_BY_STATE, TROUBLES
from apps.payments.banking.rules.transitions import has_transition
from apps.payments.banking.screening.deposits import load_halting_findings
from apps.payments.banking.screening.send_findings import NOTED as NOTED_ROW
from apps.payments.banking.screening.send_findings import OWN as SEND_OWN
from apps.payments.banking.screening.send_findings import SCREENED as SCREENED_ROWS
from apps.payments.banking.services.deposit_cases import (
    ALTERED_RULE,
    PAYER_SIDE,
    UNDONE_RULE,
    UNDONE_SENTENCE,
)
from apps.payments.banking.services.judge_send import SEND_JOB
from apps.payments.banking.services.release_send import release_send
from apps.payments.banking.services.route_deposit import ROUTE_JOB
from apps.payments.banking.services.send_cases import SEND_KIND, send_case_ref
from apps.payments.chain.case_types import LARGE_TRANSFER
from apps.payments.settlement.rules.flow import NO_RATE, NOT_RUN
from apps.payments.settlement.rules.flow import RULES as FLOW_RULES
from apps.platform.jobs import job_queue
from apps.reference.watchlists.selectors.list_entries import find_successors, load_entries

BASIS = "FATF R.10"
# BR-6 holds for a decision that another case already asks for; a change after routing has its own
# reasons
HELD_RULES = frozenset(row.code for row in ROWS if row.action == "held") - {"BR-6", ALTERED_RULE}
UNDONE_RULES = frozenset({UNDONE_RULE, ALTERED_RULE})
DIFFERENCE_RULES = frozenset(difference_kind.code for difference_kind in DIFFERENCE_KINDS)
FAILED_RULES = frozenset(trouble.code for trouble in TROUBLE_BY_STATE.values())
UNCLEAR_RULES = frozenset(trouble.code for trouble in TROUBLES) - FAILED_RULES


@transaction.atomic
def apply_bank_payment_decision(*, ref: str, outcome: str, now: datetime) -> None:
    """Retry or refuse a payment; part of the transaction that decides.

    A payment that has changed since stays as it is. A retried payment passes every check again, and
    uses the same key at the bank.
    """
    number, _, steps = ref.partition(".")
    # the case of a difference or of a reversal records a decision and moves no payment
    if number in DIFFERENCE_RULES or not steps.isdigit():
        return
    row: BankTransaction | Send | None
    if number.isdigit():
        # the steps in the reference: a case of an earlier state must not move the present one
        bank_transactions = BankTransaction.objects.select_for_update().filter(pk=int(number))
        row, job = bank_transactions.filter(steps=int(steps)).first(), ROUTE_JOB
    else:
        ours = Send.objects.select_for_update().filter(send_id=number)
        row, job = ours.filter(steps=int(steps)).first(), SEND_JOB
    event = "RELEASED" if outcome == "APPROVE" else "REFUSED"
    if row is None or not has_transition(row.THING, row.state, event):
        return
    verify_rows([row])
    # a refusal is the end: nothing to plan, and the findings need no answer
    if event == "REFUSED":
        record_transition(row, event, now=now)
        return
    facts = {}
    if isinstance(row, BankTransaction) and row.state == "HALTED":
        # only findings that the decision answers are cleared: others are found again and keep
        # holding the payment
        rules = load_answered_rules(kind="bank_payment", ref=ref)
        facts = {"answered": list_answered_keys(load_halting_findings(row), rules)}
    record_transition(row, event, now=now, facts=facts, due_at=now, tries=0, trouble="")
    job_queue.enqueue_job(job=job, key=str(row.pk), now=now)


def find_listed_parties(evidence: EvidenceRow) -> list[ListedParty]:
    """Return the listed parties that match the party of a deposit's case, and no others."""
    return list_own_listed_parties(evidence.get("screens", ()), own=evidence.get("own", PAYER_SIDE))


def find_listed_parties_of_send(evidence: EvidenceRow) -> list[ListedParty]:
    """Return the listed parties that match the party of a payment's case, and no others."""
    return list_own_listed_parties(evidence.get("screens", ()), own=evidence.get("own", SEND_OWN))


def load_listed_entries(
    keys: Collection[str], *, seen: Mapping[str, Any] | None = None
) -> Mapping[str, ListEntry]:
    """Return listed entries (apps/backoffice/review/case_types.py, Entries).

    They are as the lists were for the case: all of its screens were made at one moment.
    """
    screens = () if seen is None else seen.get("screens", ())
    own = None if seen is None else next((dict(screen) for screen in screens), {})
    return load_entries(keys, seen=own)


def _extend_screen_reasons(outcome: str, **more: frozenset[str]) -> tuple[Reason, ...]:
    """Return the reasons of a screen's case, some of which answer rules of ours as well."""
    return tuple(
        replace(reason, rules=reason.rules | more.get(reason.code, frozenset()))
        for reason in SCREEN.reasons[outcome]
        if reason.code != OTHER
    )


# a block cannot be released; a retry checks it again
BLOCKS = (
    frozenset(rule.ref for rule in SCREEN_RULES if rule.decision == "BLOCKED")
    | {payer_rule.code for payer_rule in PAYER_RULES if payer_rule.decision == "BLOCKED"}
    | {flow_rule.code for flow_rule in FLOW_RULES if flow_rule.outcome == "BLOCK"}
)
# which rules an officer's reason can answer (rules/payers.py BO-…, settlement/rules/flow.py FLOW-…)
LISTED, OWNED = frozenset({"1 §2.7 rule 3 match", "FLOW-4"}), frozenset({"1 §2.7 rule 5"})
FLAGGED = frozenset({"BO-2", "FLOW-6"})  # a screen flags, and has no rule of its own
NOTED, LONG, OFFICE = frozenset({"BO-3"}), frozenset({"BO-7"}), frozenset({"FLOW-25"})
UNKNOWN = frozenset({"BO-4", "BO-8"})
BEHAVIOUR = frozenset({"BO-6", "FLOW-2"})
BENEFICIARY = frozenset({"FLOW-8", "FLOW-10"})
STABILITY = frozenset({"FLOW-18"})
UNSETTLED = frozenset({"FLOW-14", "FLOW-15", "FLOW-17", NOT_RUN.code, NO_RATE.code})
HALTS = (BLOCKS, *SCREEN.gravity, FLAGGED, NOTED, UNKNOWN, LONG, OFFICE, BEHAVIOUR,
         BENEFICIARY, STABILITY, UNSETTLED)  # fmt: skip
STOPPED = frozenset[str]().union(*HALTS)
REPAIRED = BLOCKS | BENEFICIARY | UNSETTLED
HALT_RULES = {
    **SCREEN.rules,
    **{payer_rule.code: RuleLabel(payer_rule.says.rstrip(".")) for payer_rule in PAYER_RULES},
    **{
        rule.code: RuleLabel(rule.title.rstrip("."))
        for rule in (*FLOW_RULES, NOT_RUN, NO_RATE)
        if rule.outcome != "PASS"
    },
}


def _build_embargo_rule(ref: str) -> SecondRule:
    """Return the screen's rule by which two officers decide on embargoed transactions."""
    return replace(
        next(
            second_officer_rule
            for second_officer_rule in SECOND_OFFICER_RULES
            if second_officer_rule.ref == "SECOND-4"
        ),
        ref=ref,
    )


BANK_PAYMENT = CaseType(
    title="Bank payment",
    reasons={
        "APPROVE": (
            *_extend_screen_reasons(
                "APPROVE",
                DIFFERENT_PARTY=FLAGGED,
                NAME_ONLY=FLAGGED,
                PEP_ACCEPTED=OFFICE,
                CHECK_COMPLETED=LONG,
            ),
            Reason("NOTE_EXPLAINED", "The note names another party", "FATF R.6", NOTED),
            Reason("PAYER_KNOWN", "The payer is identified by documents", BASIS, UNKNOWN),
            Reason("PURPOSE_SHOWN", "Business purpose established by documents", BASIS, BEHAVIOUR),
            Reason(
                "BENEFICIARY_KNOWN",
                "The beneficiary is documented",
                "FATF R.16",
                BENEFICIARY,
            ),
            Reason(
                "EXPOSURE_ACCEPTED", "The exposure to the stablecoin is accepted", BASIS, STABILITY
            ),
            Reason(
                "MENDED",
                "The error is corrected: it is checked again",
                BASIS,
                HELD_RULES | REPAIRED,
                repairs=True,
            ),
            Reason("EXPLAINED", "The difference is explained", BASIS, DIFFERENCE_RULES),
            Reason(
                "ASK_AGAIN",
                "The payment is resubmitted to the bank with the same key",
                BASIS,
                UNCLEAR_RULES,
            ),
            Reason("SEEN_TO", "The payer knows and is handling it", BASIS, FAILED_RULES),
            Reason("CALLED_OFF", "The settlement was cancelled in time", BASIS, UNDONE_RULES),
            Reason("OTHER", "Other (say which in the note)", BASIS),
        ),
        "REJECT": (
            *_extend_screen_reasons(
                "REJECT",
                LISTED_PARTY=LISTED | FLAGGED,
                LISTED_OWNER=OWNED,
                PEP_DECLINED=OFFICE,
                NOT_IDENTIFIED=FLAGGED | UNKNOWN | BENEFICIARY | LONG | NOTED,
            ),
            Reason("NOT_MEANT", "It is not meant for settlement", BASIS, HELD_RULES),
            Reason("SENT_BACK", "It is sent back by the bank", BASIS, HELD_RULES | STOPPED),
            Reason("SUSPICION", "Money laundering is suspected", "FATF R.20", STOPPED),
            Reason(
                "CLAIMED",
                "The bank was informed of its error",
                BASIS,
                DIFFERENCE_RULES | FAILED_RULES,
            ),
            Reason("NOT_GONE", "The bank says that no money left", BASIS, UNCLEAR_RULES),
            Reason("LOSS", "It was settled: the loss is claimed", BASIS, UNDONE_RULES),
            Reason("OTHER", "Other (say which in the note)", BASIS),
        ),
    },
    # the most severe group first: the reason of a decision must answer the first that holds
    gravity=(UNDONE_RULES | DIFFERENCE_RULES | UNCLEAR_RULES | FAILED_RULES, *HALTS, HELD_RULES),
    disowns=SCREEN.disowns,
    paces=SCREEN.paces,
    due={"HIGH": timedelta(hours=2), "MEDIUM": timedelta(hours=8), "LOW": timedelta(hours=30)},
    risks=(
        "Anything that a check blocks is HIGH.",
        "If a screen flags a party, the case has the risk of that screen, and at least MEDIUM.",
        "A payment that failed or was changed at the bank after it was routed is HIGH.",
        "If money may have left without our knowledge, the risk is HIGH; otherwise MEDIUM.",
    ),
    seconds=(
        SecondRule("BANK-SECOND-1", "The risk is HIGH.", lambda s: s.risk == "HIGH"),
        SecondRule(
            "BANK-SECOND-2",
            f"The amount is {LARGE_TRANSFER:,} USD or more.",
            lambda s: s.usd is not None and s.usd >= LARGE_TRANSFER,
        ),
        _build_embargo_rule("BANK-SECOND-3"),
    ),
    words={
        "APPROVE": OutcomeLabels("Retry", "Retried"),
        "REJECT": OutcomeLabels("Refuse", "Refused"),
    },
    true_matches=SCREEN.true_matches,
    reported=SCREEN.reported,
    concerns_ofac=concerns_ofac,
    lists=find_screen_lists,
    listed=find_listed_parties,
    entries=load_listed_entries,
    successors=find_successors,
    sentence=SCREEN.sentence,
    picture=build_bank_payment_view,
    decided=apply_bank_payment_decision,
    rules={row.code: RuleLabel(row.says.rstrip(".")) for row in ROWS if row.code in HELD_RULES}
    | HALT_RULES
    | {UNDONE_RULE: RuleLabel(UNDONE_SENTENCE.rstrip("."))}
    | {ALTERED_RULE: RuleLabel(BY_CODE[ALTERED_RULE].says.rstrip("."))}
    | {
        difference_kind.code: RuleLabel(difference_kind.says.rstrip("."))
        for difference_kind in DIFFERENCE_KINDS
    }
    | {trouble.code: RuleLabel(trouble.says.rstrip(".")) for trouble in TROUBLES},
)


@transaction.atomic
def apply_bank_send_decision(*, ref: str, outcome: str, now: datetime) -> None:
    """Have the bank send a held payment, once, or stop it; part of the deciding transaction.

    The case of an earlier hold, or of a payment that is no longer HELD, changes nothing.
    """
    number = ref.partition(".")[0]
    # locked: the sweep or another decision may move the payment at the same moment
    row = Send.objects.select_for_update().filter(send_id=number, state="HELD").first()
    if row is None or ref != send_case_ref(row):
        return
    verify_rows([row])
    if outcome == "APPROVE":
        release_send(row, rules=load_answered_rules(kind=SEND_KIND, ref=ref), now=now)
    else:
        record_transition(row, "STOPPED", now=now, due_at=now)


FLAGGED_RULES = frozenset(rule.code for rule in ACH_ROWS if rule.decision == "FLAGGED")
SCREENED_RULES = frozenset(SCREENED_ROWS)  # a screen flags, and has no rule of its own
SEND_NOTED = frozenset({NOTED_ROW})
UNUSUAL_RULES = FLAGGED_RULES - SCREENED_RULES - SEND_NOTED
SCREENED = frozenset[str]().union(*SCREEN.gravity)
BANK_SEND = CaseType(
    title="Payment by the bank",
    reasons={
        "APPROVE": (
            *_extend_screen_reasons(
                "APPROVE", DIFFERENT_PARTY=SCREENED_RULES, NAME_ONLY=SCREENED_RULES
            ),
            Reason("NOTE_EXPLAINED", "The note names another party", "FATF R.6", SEND_NOTED),
            Reason(
                "PAYEE_CONFIRMED",
                "Confirmed with the payee by a known number",
                BASIS,
                UNUSUAL_RULES,
            ),
            Reason(
                "PURPOSE_SHOWN", "Business purpose established by documents", BASIS, UNUSUAL_RULES
            ),
            Reason("OTHER", "Other (say which in the note)", BASIS),
        ),
        "REJECT": (
            *_extend_screen_reasons(
                "REJECT", LISTED_PARTY=SCREENED_RULES, NOT_IDENTIFIED=SCREENED_RULES | SEND_NOTED
            ),
            Reason("NOT_CONFIRMED", "The payee did not confirm it", BASIS, UNUSUAL_RULES),
            Reason("FRAUD", "Fraud is suspected", "FATF R.20", FLAGGED_RULES | SCREENED),
            Reason("OTHER", "Other (say which in the note)", "FATF R.20"),
        ),
    },
    gravity=(*SCREEN.gravity, SCREENED_RULES, SEND_NOTED, UNUSUAL_RULES),
    disowns=SCREEN.disowns,
    paces=SCREEN.paces,
    due={"HIGH": timedelta(hours=2), "MEDIUM": timedelta(hours=4), "LOW": timedelta(hours=30)},
    risks=("Each is MEDIUM, or has the risk of the screen that flags a party.",),
    seconds=(
        SecondRule("BANK-SEND-1", "The risk is HIGH.", lambda s: s.risk == "HIGH"),
        SecondRule(
            "BANK-SEND-2",
            f"The amount is {LARGE_TRANSFER:,} USD or more.",
            lambda s: s.usd is not None and s.usd >= LARGE_TRANSFER,
        ),
        _build_embargo_rule("BANK-SEND-3"),
    ),
    words={
        "APPROVE": OutcomeLabels("Send", "Sent on"),
        "REJECT": OutcomeLabels("Refuse", "Refused"),
    },
    true_matches=SCREEN.true_matches,
    reported=SCREEN.reported,
    concerns_ofac=concerns_ofac,
    lists=find_screen_lists,
    listed=find_listed_parties_of_send,
    entries=load_listed_entries,
    successors=find_successors,
    sentence=SCREEN.sentence,
    picture=build_bank_send_view,
    decided=apply_bank_send_decision,
    rules={
        **{rule.code: RuleLabel(rule.says.rstrip(".")) for rule in ACH_ROWS},
        **SCREEN.rules,
    },
)
