"""Health of the banking connector: whether statements are read, and payments processed."""

from datetime import datetime, timedelta
from typing import Any

from django.db.models import Max

from apps.payments.banking.clients import bank_api
from apps.payments.banking.models import BankTransaction, Send, StatementRun
from apps.payments.chain.assets import CHAINS
from apps.payments.chain.clients.nodes import node_urls
from apps.payments.settlement.rules.payout_stablecoins import CHAIN
from apps.platform.desk.health import CheckWording, format_short_span

# statements are read once a day: one missed run is no alarm
STATEMENT_OVERDUE_AFTER = timedelta(days=2)
# as long as the longest delay of rules/retries.py
LATE_AFTER = timedelta(minutes=30)


def check_health(now: datetime) -> dict[str, Any]:
    """Judge the age of the last reconciliations, and waiting payments; look-ups by index."""
    rows = StatementRun.objects.order_by().values_list("account_id")
    # none of it is reconciled: the chain's own health reports that
    if not node_urls(CHAINS[CHAIN]):
        rows = rows.exclude(account_id=CHAIN)
    last = dict(rows.annotate(last=Max("recorded_at")))
    used = Send.objects.exclude(sent_at=None).order_by().values_list("account_id")
    for account, sent_at in used.annotate(last=Max("sent_at")):
        # an account that was never reconciled counts from the payments that the bank accepted
        last.setdefault(str(account), sent_at)
    # the account that was compared longest ago decides, not the average
    age = now - min(last.values(), default=now)
    late = now - LATE_AFTER
    waiting = Send.objects.filter(state="TAKEN", asked_at__lt=late).count()
    unquoted = BankTransaction.objects.filter(state="WAITING", due_at__lt=late).count()
    # without a bank there is no statement to read
    unread = bool(bank_api.get_bank_url()) and age >= STATEMENT_OVERDUE_AFTER
    return {
        "status": "degraded" if unread or waiting or unquoted else "ok",
        "comparedSecondsAgo": max(0, int(age.total_seconds())),
        "waiting": waiting,
        "unquoted": unquoted,
    }


def _describe_health(health: dict[str, Any]) -> list[str]:
    sentences, age = [], health.get("comparedSecondsAgo") or 0
    if age >= STATEMENT_OVERDUE_AFTER.total_seconds():
        sentences.append(
            f"An account was last compared with its statement {format_short_span(age)} ago: "
            "check that the bank responds and the daily comparison runs."
        )
    if health.get("waiting"):
        sentences.append(
            f"{health['waiting']} payments have been waiting for the bank for half an hour or more."
        )
    if health.get("unquoted"):
        sentences.append(f"{health['unquoted']} tagged payments are waiting for a quote.")
    return sentences or ["Statements are compared, and nothing is waiting for the bank."]


WORDS = CheckWording("Payments by the bank", _describe_health)
