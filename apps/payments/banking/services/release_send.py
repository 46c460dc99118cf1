"""Let a held send go once an officer has released it."""

from collections.abc import Collection
from datetime import datetime
from typing import Any

from apps.access.keys.models import KeyKind
from apps.backoffice.review.payment_hold_findings import list_answered_keys
from apps.compliance.aml.rules.profile_inclusion import OtherChecks
from apps.payments.banking.models import Send
from apps.payments.banking.record_transition import record_transition
from apps.payments.banking.screening.send_findings import (
    build_aml_findings,
    load_cleared_keys,
    load_holding_findings,
)
from apps.payments.banking.services import judge_send
from apps.platform.api.callers import Caller
from apps.platform.jobs import job_queue


def release_send(row: Send, *, rules: Collection[str], now: datetime) -> None:
    """Release a held payment; part of the deciding transaction.

    Its decision answers findings by their `rules`: any other finding holds it again before it is
    sent (services/recheck_send.py). The AML engine judges it as of now, and counts it as sent
    unless a finding remains. It does not judge wires.
    """
    holding_findings = load_holding_findings(row)
    answered = list_answered_keys(holding_findings, rules)
    known = load_cleared_keys(row) | set(answered)
    facts: dict[str, Any] = {"answered": answered}
    # two officers decide a wire, and the AML engine does not judge it
    if row.way != "wire":
        # the engine's own flag is left out: it judges again below, as of now
        (flags,) = build_aml_findings("FLAG")
        left = any(
            holding_finding["key"] not in known
            for holding_finding in holding_findings
            if holding_finding["key"] != flags.key
        )
        payer = Caller(ref=row.owner, kind=KeyKind.INSTITUTION)
        holds = flags.key not in known
        by_aml = judge_send.judge_by_aml(
            row,
            row.recipient.token,
            payer,
            now,
            others=OtherChecks.STOP if left else OtherChecks.PASS,
            holds=holds,
        )
        score = {"score": by_aml["riskScore"], "tier": by_aml["riskTier"]}
        facts |= {"aml": {"action": by_aml["action"]} | score}
    record_transition(row, "RELEASED", now=now, facts=facts, due_at=now)
    job_queue.enqueue_job(job=judge_send.SEND_JOB, key=str(row.pk), now=now)
