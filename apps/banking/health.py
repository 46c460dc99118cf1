"""Health of the banking connector: whether statements are read, and payments carried on."""

from datetime import datetime, timedelta
from typing import Any

from django.db.models import Max

from apps.banking import adapter
from apps.banking.models import BankTransaction, Send, StatementRun
from apps.chain.assets import CHAINS
from apps.chain.nodes import urls_of
from apps.desk.health import Words, span
from apps.settlement.rules.routes import CHAIN

UNREAD_AFTER = timedelta(days=2)  # they are read once a day
LATE_AFTER = timedelta(minutes=30)


def check(now: datetime) -> dict[str, Any]:
    """Judge how long ago what is compared was compared, and what waits; look-ups by index.

    What was never compared counts from the first payment that the bank took.
    """
    rows = StatementRun.objects.order_by().values_list("account_id")
    if not urls_of(CHAINS[CHAIN]):  # nothing of it is compared: that the chain's own health tells
        rows = rows.exclude(account_id=CHAIN)
    last = dict(rows.annotate(last=Max("recorded_at")))
    used = Send.objects.exclude(sent_at=None).order_by().values_list("account_id")
    for account, sent_at in used.annotate(last=Max("sent_at")):
        last.setdefault(str(account), sent_at)
    age = now - min(last.values(), default=now)
    late = now - LATE_AFTER
    waiting = Send.objects.filter(state="TAKEN", asked_at__lt=late).count()
    unquoted = BankTransaction.objects.filter(state="WAITING", due_at__lt=late).count()
    unread = bool(adapter.address()) and age >= UNREAD_AFTER
    return {
        "status": "degraded" if unread or waiting or unquoted else "ok",
        "comparedSecondsAgo": max(0, int(age.total_seconds())),
        "waiting": waiting,
        "unquoted": unquoted,
    }


def _sentences(found: dict[str, Any]) -> list[str]:
    said, age = [], found.get("comparedSecondsAgo") or 0
    if age >= UNREAD_AFTER.total_seconds():
        said.append(
            f"An account was last compared with its statement {span(age)} ago: does the bank "
            "answer, and does the daily comparison run?"
        )
    if found.get("waiting"):
        said.append(f"{found['waiting']} payments wait for the bank for half an hour or more.")
    if found.get("unquoted"):
        said.append(f"{found['unquoted']} tagged payments wait to be quoted.")
    return said or ["Statements are compared, and nothing waits for the bank."]


WORDS = Words("Payments by the bank", _sentences)
