"""Health of the banking connector: whether statements are read, and payments carried on."""

from datetime import datetime, timedelta
from typing import Any

from django.db.models import Max

from apps.payments.banking.clients import bank_api
from apps.payments.banking.models import BankTransaction, Send, StatementRun
from apps.payments.chain.assets import CHAINS
from apps.payments.chain.clients.nodes import node_urls
from apps.payments.settlement.rules.routes import CHAIN
from apps.platform.desk.health import CheckWording, format_short_span

STATEMENT_OVERDUE_AFTER = timedelta(days=2)  # they are read once a day
LATE_AFTER = timedelta(minutes=30)


def check_health(now: datetime) -> dict[str, Any]:
    """Judge how long ago what is compared was compared, and what waits; look-ups by index.

    What was never compared counts from the first payment that the bank took.
    """
    rows = StatementRun.objects.order_by().values_list("account_id")
    if not node_urls(CHAINS[CHAIN]):  # nothing of it is compared: that the chain's own health tells
        rows = rows.exclude(account_id=CHAIN)
    last = dict(rows.annotate(last=Max("recorded_at")))
    used = Send.objects.exclude(sent_at=None).order_by().values_list("account_id")
    for account, sent_at in used.annotate(last=Max("sent_at")):
        last.setdefault(str(account), sent_at)
    age = now - min(last.values(), default=now)
    late = now - LATE_AFTER
    waiting = Send.objects.filter(state="TAKEN", asked_at__lt=late).count()
    unquoted = BankTransaction.objects.filter(state="WAITING", due_at__lt=late).count()
    unread = bool(bank_api.get_bank_url()) and age >= STATEMENT_OVERDUE_AFTER
    return {
        "status": "degraded" if unread or waiting or unquoted else "ok",
        "comparedSecondsAgo": max(0, int(age.total_seconds())),
        "waiting": waiting,
        "unquoted": unquoted,
    }


def _describe_health(found: dict[str, Any]) -> list[str]:
    said, age = [], found.get("comparedSecondsAgo") or 0
    if age >= STATEMENT_OVERDUE_AFTER.total_seconds():
        said.append(
            f"An account was last compared with its statement {format_short_span(age)} ago: "
            "check that the bank responds and the daily comparison runs."
        )
    if found.get("waiting"):
        said.append(
            f"{found['waiting']} payments have been waiting for the bank for half an hour or more."
        )
    if found.get("unquoted"):
        said.append(f"{found['unquoted']} tagged payments are waiting for a quote.")
    return said or ["Statements are compared, and nothing is waiting for the bank."]


WORDS = CheckWording("Payments by the bank", _describe_health)
