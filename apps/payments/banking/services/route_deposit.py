"""Route a tagged payment into settlement: quoted once, held, or retried by a job."""

import logging
import uuid
from collections.abc import Mapping
from datetime import datetime
from typing import TYPE_CHECKING, Any

from django.conf import settings
from django.db import InterfaceError, OperationalError, transaction

from apps.access.keys.tenant_names import OPERATOR
from apps.compliance.screening.combined.selectors import serialize_cleared_matches
from apps.payments.banking.integrity import BankRowIntegrityError, verify_rows
from apps.payments.banking.merged_deliveries import load_transaction_state
from apps.payments.banking.models import BankTransaction
from apps.payments.banking.record_transition import record_transition
from apps.payments.banking.rules.payers import PAYER_RULES
from apps.payments.banking.rules.retries import OVERDUE, RETRY_DELAYS
from apps.payments.banking.rules.routes import (
    BY_CODE,
    CREATE,
    HALTED,
    LATER,
    ROUTED_STATES,
    TRANSACTION,
    UNDONE_STATUSES,
    DeliveryFacts,
    RoutingRule,
    RoutingVerdict,
    is_altered,
    is_undone,
    judge_delivery,
)
from apps.payments.banking.rules.transitions import has_transition
from apps.payments.banking.screening.deposits import DepositScreening, payer_digest
from apps.payments.banking.services import (
    cancel_routed_settlement,
    deposit_cases,
    quote_deposit,
    rescreen_changed_payer,
)
from apps.payments.banking.services.quote_deposit import check_deposit
from apps.payments.banking.services.routed_sends import publish_routed_send
from apps.payments.banking.transaction_rows import find_sending_institution
from apps.platform.common.clock import SKEW
from apps.platform.jobs import job_queue

if TYPE_CHECKING:
    from django.db.models import QuerySet

logger = logging.getLogger(__name__)
ROUTE_JOB = "banking.route"
SWEEP_BATCH_SIZE = 500
MAX_TROUBLE_LENGTH = 300
TAGGED_AGAIN_REASON = "The bank changed this transaction: it is checked and routed again."
STATES_THAT_CAN_BE_HELD = ("SEEN", "HELD", "WAITING", "CALLED_OFF")
WebhookAnswer = dict[str, Any]
DepositChecks = DepositScreening | Exception | None


def build_rule_answer(row: RoutingRule) -> WebhookAnswer:
    """Return the row of a table for the sender of the delivery."""
    return {"action": row.action, "rule": row.code, "reason": row.says}


def apply_verdict(
    row: BankTransaction,
    *,
    facts: DeliveryFacts,
    verdict: RoutingVerdict,
    deposit_checks: DepositChecks,
    now: datetime,
) -> WebhookAnswer:
    """Act on a verdict, under the lock of its transaction; return the answer.

    `deposit_checks` are the checks made before (quote_deposit.check_deposit).
    """
    # what the bank took back or changed comes first: it may end what the verdict would build on
    if is_undone(facts):
        cancel_routed_settlement.cancel_routed_settlement(row, status=facts.status, now=now)
    if is_altered(facts):
        payer_rules = tuple(
            payer_rule for payer_rule in PAYER_RULES if payer_rule.code in facts.against
        )
        rescreen_changed_payer.stop_changed_deposit(
            row, facts, payer_checks=deposit_checks, payer_rules=payer_rules, now=now
        )
    if facts.status in UNDONE_STATUSES and has_transition(row.THING, row.state, "DROPPED"):
        deposit_cases.retire_deposit_cases(
            row, why=f"Not completed at the bank: {facts.status}.", now=now
        )
        record_transition(row, "DROPPED", now=now, facts={"status": facts.status}, due_at=None)
    if verdict.routes:
        # note the settlement and try to quote it; return the resulting state
        changes: dict[str, Any] = {
            "owner": find_sending_institution(row.resource_id)[0] or OPERATOR,
            "rule": verdict.row.code,
            "wallet": verdict.wallet,
            "destination": verdict.destination,
            "amount": verdict.amount,
        }
        same = all(getattr(row, name) == value for name, value in changes.items())
        if row.state == "HELD":
            deposit_cases.retire_deposit_cases(row, why=TAGGED_AGAIN_REASON, now=now)
        # a repeated report must not reset the tries of a payment that waits
        if row.state != "WAITING" or not same:
            record_transition(row, "TAGGED", now=now, **changes, due_at=now, tries=0, trouble="")
        # a savepoint: if quoting fails, the report and the tag are kept, and it is planned again
        try:
            with transaction.atomic():
                _quote_or_halt(row, verdict, deposit_checks, now)
        except (OperationalError, InterfaceError):
            # the database itself fails: nothing could be written here either
            raise
        except Exception as error:
            logger.warning("bank transaction %s waits: %s", row.pk, type(error).__name__)
            # the failed transition is rolled back, but the object may still show it
            fresh = BankTransaction.objects.get(pk=row.pk)
            for concrete_field in row._meta.concrete_fields:
                setattr(row, concrete_field.attname, getattr(fresh, concrete_field.attname))
            row.due_at = now + RETRY_DELAYS[min(row.tries, len(RETRY_DELAYS) - 1)]
            row.tries, row.trouble = row.tries + 1, type(error).__name__[:MAX_TROUBLE_LENGTH]
            loose = {"due_at": row.due_at, "tries": row.tries, "trouble": row.trouble}
            # only where nobody moved it meanwhile; these columns are not part of the proved row
            BankTransaction.objects.filter(pk=row.pk, steps=row.steps).update(**loose)
            job_queue.enqueue_job(job=ROUTE_JOB, key=str(row.pk), now=now, eta=row.due_at)
        return build_state_answer(row)
    # a routed payment that changed has its case from above, and stays routed
    if verdict.row.action == "held" and row.state in STATES_THAT_CAN_BE_HELD:
        _hold_deposit(row, verdict.row, facts, now)
    # BR-5 and BR-6 speak of an earlier outcome: the answer is that outcome
    return build_state_answer(row) if verdict.row.code in ("BR-5", "BR-6") else {}


def _hold_deposit(
    row: BankTransaction, why: RoutingRule, facts: DeliveryFacts, now: datetime
) -> None:
    """Hold a payment that cannot be routed; for the same reason again, one case."""
    if (row.state, row.rule) == ("HELD", why.code):
        return
    # the earlier transfer is not expected any more: the order would be another
    anew: dict[str, Any] = {"order_id": uuid.uuid4()} if row.state == "CALLED_OFF" else {}
    record_transition(row, "HELD", now=now, rule=why.code, due_at=None, **anew)
    deposit_cases.open_held_case(row, why, facts, now=now)


def build_state_answer(row: BankTransaction) -> WebhookAnswer:
    """Return the current state of a transaction as an answer."""
    if row.state in ROUTED_STATES:
        routed: WebhookAnswer = row.routed
        return build_rule_answer(BY_CODE["BR-16"]) | routed
    if row.state in ("HALTED", "REFUSED"):
        return build_rule_answer(HALTED)
    if row.state in ("HELD", "CALLED_OFF"):
        return build_rule_answer(BY_CODE[row.rule])
    return build_rule_answer(LATER)


def _quote_or_halt(
    row: BankTransaction, verdict: RoutingVerdict, deposit_checks: DepositChecks, now: datetime
) -> None:
    deposit = quote_deposit.quote_deposit(row, verdict, looked=deposit_checks, now=now)
    if deposit.halted:
        # quote_deposit raises for anything else
        assert isinstance(deposit_checks, DepositScreening)
        facts = {"decision": deposit.decision, "why": deposit.why, "checks": list(deposit.against)}
        marks = {"findings": [finding.recorded() for finding in deposit.findings], "of": deposit.of}
        marks |= build_known_match_facts(deposit_checks)
        record_transition(
            row, "HALTED", now=now, facts=facts | marks, rule=HALTED.code, due_at=None
        )
        deposit_cases.open_halted_case(row, deposit_checks, deposit.findings, facts=facts, now=now)
        return
    changes: Mapping[str, Any] = {
        "quote_id": deposit.quote_id,
        "routed": deposit.said,
        "due_at": None,
    }
    facts = {
        "quote": deposit.quote_id,
        # a later report with another payer is screened again (rescreen_changed_payer.py)
        "payer": payer_digest(verdict.payer),
    } | build_known_match_facts(deposit_checks)
    record_transition(row, "ROUTED", now=now, facts=facts, **changes)
    publish_routed_send(row, now=now)


def build_known_match_facts(deposit_checks: DepositChecks) -> dict[str, Any]:
    """Return the matches known to be another party, as an event keeps them."""
    known = deposit_checks.known if isinstance(deposit_checks, DepositScreening) else ()
    return {"known": serialize_cleared_matches(known)} if known else {}


def route_waiting_deposit(key: str, now: datetime) -> None:
    """Quote a payment that could not be quoted before; the job `banking.route`.

    The checks run first; the decision by them is made under the lock of the payment.
    """
    open_rows = BankTransaction.objects.filter(pk=int(key or 0), state__in=("WAITING", "SEEN"))
    try:
        row = _select_due_row(open_rows, now)
        if row is None:
            return
        deposit = check_deposit(
            judge_delivery(_load_facts(row)), resource_id=row.resource_id, now=now
        )
        with transaction.atomic():
            # again, under the lock: a delivery may have routed it during the checks
            row = _select_due_row(open_rows.select_for_update(), now)
            if row is not None:
                facts = _load_facts(row)
                apply_verdict(
                    row, facts=facts, verdict=judge_delivery(facts), deposit_checks=deposit, now=now
                )
    except BankRowIntegrityError:
        return  # the ledger's verification reports it; nothing is done with it


def _select_due_row(rows: "QuerySet[BankTransaction]", now: datetime) -> BankTransaction | None:
    """Return the payment if it is due, or if it is planned further ahead than possible.

    In that case the clock that chose its time has been set back.
    """
    row = rows.first()
    if row is None or (
        row.due_at is not None and now < row.due_at <= now + RETRY_DELAYS[-1] + SKEW
    ):
        return None
    return verify_rows([row])[0]


def _load_facts(row: BankTransaction) -> DeliveryFacts:
    """Return the current facts of a transaction, whichever delivery was the last."""
    owner, unsure = find_sending_institution(row.resource_id)
    return DeliveryFacts(
        resource=TRANSACTION,
        # a job has no delivery: as a create, so that BR-4 does not ask for a status that was
        # reported long ago
        operation=CREATE,
        patch={},
        state=load_transaction_state(row.resource_id),
        stands=row.state,
        default=settings.BANK_DEFAULT_RECIPIENT,
        ours=bool(owner),
        unsure=unsure,
        went=row.went,
    )


def enqueue_overdue_routes(now: datetime) -> None:
    """Plan work for payments that should have been quoted and have no job."""
    late = BankTransaction.objects.filter(state="WAITING", due_at__lt=now - OVERDUE)
    for number in late.order_by("due_at").values_list("pk", flat=True)[:SWEEP_BATCH_SIZE]:
        job_queue.enqueue_job(job=ROUTE_JOB, key=str(number), now=now)
