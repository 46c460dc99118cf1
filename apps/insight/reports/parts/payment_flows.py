"""Report parts on a month's payments and decisions: of one institution, or of all."""

import hashlib
from collections import Counter
from collections.abc import Iterator, Mapping
from datetime import UTC, date, datetime
from decimal import Decimal
from typing import Any

from django.conf import settings
from django.db.models import Count, QuerySet
from django.db.models.fields.json import KT

from apps.access.keys.tenant_names import get_tenant_of_owner, list_owners_for_tenant
from apps.compliance.aml.models import AmlScreen
from apps.compliance.aml.rules.scorecard import ESCALATED
from apps.insight.reports.definitions import PartResult, ReportPart
from apps.insight.reports.rules import payment_flows
from apps.insight.reports.rules.payment_flows import (
    PaymentFlow,
    summarize_institution,
    summarize_network,
    summarize_wallet,
)
from apps.insight.reports.rules.sample_marks import SAMPLE
from apps.payments.payments.models import Payment, PaymentEvent
from apps.payments.settlement.models import Settlement, SettlementEvent
from apps.platform.common.days import start_of_day

SOURCES = (
    "This platform: payment ledger (payment_events)",
    "This platform: settlement ledger (settlement_events)",
)
OFFICER_EVENTS = ("RELEASED", "REJECTED")
SETTLED = "SETTLED"
# states of payments and settlements that nobody has decided yet
UNDECIDED_STATES = ("SUBMITTED", "HELD")
# rows that are fetched from the database at a time
CHUNK_SIZE = 2000


def _gather_flows(*, asked: Mapping[str, Any], now: datetime) -> PartResult:
    """Return volumes and corridors: exact for an institution, rounded for the network.

    Network figures cover ended months, as they were at the end. For the current month a payer
    without a key gets the settled payments of the paying wallet.
    """
    if asked["account"]:
        scope, rows = "INSTITUTION", _load_flows(asked)
        institution = summarize_institution(rows)
    elif asked["payer"]:
        # settled flows only: anything else would tell the owner of a wallet what compliance stopped
        wallet = asked["payer"]
        settled_flows = [
            *_iterate_payments({"debtor_wallet": wallet, "state": SETTLED}, asked),
            *_iterate_settlements({"sender": wallet, "state": SETTLED}, asked),
        ]
        scope, rows = "WALLET", settled_flows
        institution = summarize_wallet(rows)
    else:
        scope, rows = "NETWORK", _load_flows(asked)
        institution = summarize_network(rows)
    if not settings.PRODUCTION or any(row.sandbox for row in rows):
        # settlements in a sandbox move nothing; outside production an empty month is one too
        quality = SAMPLE
    else:
        quality = "PARTIAL" if institution["withheld"] else "LIVE"
    # identifies the rows and their states without copying names of payments into the report
    marks = "\n".join(sorted(row.mark for row in rows))
    return PartResult(
        data={"scope": scope, "from": asked["first"], "until": asked["until"]} | institution,
        quality=quality,
        mark=SAMPLE if quality == SAMPLE else "",
        sources=SOURCES,
        inputs={"count": len(rows), "digest": hashlib.sha256(marks.encode()).hexdigest()},
    )


def _load_flows(asked: Mapping[str, Any]) -> list[PaymentFlow]:
    owned = _filter_by_owner(asked["account"])
    return [*_iterate_payments(owned, asked), *_iterate_settlements(owned, asked)]


def _start_of_day(asked: Mapping[str, Any], name: str) -> datetime:
    """Return the start of the requested day, in UTC."""
    return start_of_day(date.fromisoformat(asked[name]))


def _filter_month(rows: QuerySet[Any], field: str, asked: Mapping[str, Any]) -> QuerySet[Any]:
    """Return the rows of a month, of which the first moment of the next is no part."""
    month = {
        f"{field}__gte": _start_of_day(asked, "first"),
        f"{field}__lt": _start_of_day(asked, "until"),
    }
    return rows.filter(**month)


def _iterate_payments(
    conditions: Mapping[str, str], asked: Mapping[str, Any]
) -> Iterator[PaymentFlow]:
    rows = _filter_month(Payment.objects.filter(**conditions), "submitted_at", asked)
    columns = rows.order_by("pk").values_list(
        "owner", "currency", "asset", "state", KT("price__amountUsd"), KT("price__feeUsd"),
        "submitted_at", "settled_at", KT("price__sandbox"), "payment_id", "steps", "ended_at",
    )  # fmt: skip
    for row in columns.iterator(chunk_size=CHUNK_SIZE):
        yield _build_flow(row, _closing_moment(asked))


def _iterate_settlements(
    conditions: Mapping[str, str], asked: Mapping[str, Any]
) -> Iterator[PaymentFlow]:
    rows = Settlement.objects.filter(sandbox=False, **conditions)
    columns = _filter_month(rows, "asked_at", asked).order_by("pk").values_list(
        "owner", "source", "destination", "state", "amount_usd", KT("price__feeUsd"),
        "asked_at", "settled_at", "sandbox", "settlement_id", "steps", "ended_at",
    )  # fmt: skip
    for row in columns.iterator(chunk_size=CHUNK_SIZE):
        yield _build_flow(row, _closing_moment(asked))


def _filter_by_owner(owner: str) -> dict[str, str]:
    return {"owner": owner} if owner else {}


def _closing_moment(asked: Mapping[str, Any]) -> datetime | None:
    """Return the moment as of which states are reported; None means now, for the caller's own
    figures.
    """
    return None if asked["account"] or asked["payer"] else _start_of_day(asked, "until")


def _build_flow(row: tuple[Any, ...], closed: datetime | None) -> PaymentFlow:
    owner, source, to, state, usd, fee, begun, settled, sandbox, name, steps, ended = row
    last = settled or ended
    # network figures are as of the end of the month and never change: the difference of two reports
    # on it would reveal what ended in between
    if closed is not None and last is not None and last >= closed:
        state, settled = "WAITING", None
    return PaymentFlow(
        owner=owner,
        corridor=f"{source} to {to}",
        state=state,
        usd=None if usd is None else Decimal(usd),
        fee=None if fee is None else Decimal(fee),
        seconds=(settled - begun).total_seconds() if settled else None,
        day=f"{begun.astimezone(UTC):%Y-%m-%d}",
        # KT() gives the JSON value as text, which databases spell differently; a column gives a
        # bool
        sandbox=str(sandbox).lower() in ("true", "1"),
        mark=f"{name}.{steps}",
    )


def _gather_decisions(*, asked: Mapping[str, Any], now: datetime) -> PartResult:
    """Return counts of decisions by rules and by officers, and of those with a model's part.

    A network count is disclosed only for enough institutions, and only if the flows disclose all
    outcomes.
    """
    owner = asked["account"]
    parts, also, waiting = _count_decisions(owner, asked)
    exact = {name: counts.total() for name, counts in (parts | also).items()}
    whole = {"decided": sum(part.total() for part in parts.values()), "undecided": waiting}
    if owner:
        figures: dict[str, Any] = whole | exact
    # decided payments are the sum of the outcomes, so they would give away a withheld one
    elif asked["payer"] or not _are_outcomes_disclosed(asked):
        figures = dict.fromkeys(whole | exact)
    else:
        figures = {"undecided": None} | payment_flows.disclose_decisions(parts, also)
    quality = "LIVE" if settings.PRODUCTION else SAMPLE
    return PartResult(
        data=figures,
        quality=quality,
        sources=(),
        inputs=whole | exact,
        mark=SAMPLE if quality == SAMPLE else "",
    )


def _are_outcomes_disclosed(asked: Mapping[str, Any]) -> bool:
    """Whether all outcomes are disclosed; the number of decisions is their sum."""
    volume = summarize_network(_load_flows(asked))["volume"]
    return volume is not None and None not in (volume["blocked"], volume["failed"])


def _count_decisions(
    owner: str, asked: Mapping[str, Any]
) -> tuple[dict[str, Counter[str]], dict[str, Counter[str]], int]:
    """Return by institution who decided, what models took part in, and how many are undecided."""
    payments = _filter_month(
        Payment.objects.filter(**_filter_by_owner(owner)), "submitted_at", asked
    )
    settlements = _filter_month(
        Settlement.objects.filter(sandbox=False, **_filter_by_owner(owner)), "asked_at", asked
    )
    all_of = _count_by_owner(payments) + _count_by_owner(settlements)
    over = _filter_decided(payments, asked), _filter_decided(settlements, asked)
    decided = _count_by_owner(over[0]) + _count_by_owner(over[1])
    officers = _count_by_officer(PaymentEvent, "payment", over[0], asked)
    officers += _count_by_officer(SettlementEvent, "settlement", over[1], asked)
    rows = AmlScreen.objects.filter(rule=ESCALATED.code)
    if owner:
        rows = rows.filter(owner__in=list_owners_for_tenant(owner))
    counted: Counter[str] = Counter()
    for name, n in _count_by_owner(_filter_month(rows, "recorded_at", asked)).items():
        counted[get_tenant_of_owner(name)] += n
    also = {
        "advisedByModel": _count_by_owner(settlements.exclude(reasoning="")),
        "turnedByModel": counted,
    }
    parts = {"byRules": decided - officers, "byOfficer": officers}
    return parts, also, all_of.total() - decided.total()


def _filter_decided(rows: QuerySet[Any], asked: Mapping[str, Any]) -> QuerySet[Any]:
    """Return decided payments; for the network those that ended within the month."""
    closed = _closing_moment(asked)
    return rows.filter(ended_at__lt=closed) if closed else rows.exclude(state__in=UNDECIDED_STATES)


def _count_by_owner(rows: QuerySet[Any]) -> Counter[str]:
    # order_by() drops the default ordering, whose columns would join the GROUP BY
    counted = rows.order_by().values_list("owner").annotate(n=Count("pk"))
    return Counter(dict(counted))


def _count_by_officer(
    events: type[Any], of: str, rows: QuerySet[Any], asked: Mapping[str, Any]
) -> Counter[str]:
    officer_events = events.objects.filter(event__in=OFFICER_EVENTS, **{f"{of}__in": rows})
    if closed := _closing_moment(asked):
        officer_events = officer_events.filter(recorded_at__lt=closed)
    counted = (
        officer_events.order_by().values_list(f"{of}__owner").annotate(n=Count(of, distinct=True))
    )
    return Counter(dict(counted))


PARTS = (
    ReportPart(name="flows", title="Volume and corridors", gather=_gather_flows),
    ReportPart(name="decisions", title="Decisions", gather=_gather_decisions),
)
