"""The parts of a month: what moved, and who decided; of one institution, or of all."""

import hashlib
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from datetime import UTC, date, datetime, time
from decimal import Decimal
from typing import Any

from django.conf import settings
from django.db.models import Count, QuerySet
from django.db.models.fields.json import KT

from apps.access.tenants import made_for, whose
from apps.aml.models import AmlScreen
from apps.aml.rules.scoring import ESCALATED
from apps.payments.models import Payment, PaymentEvent
from apps.reports.rules import moving
from apps.reports.rules.marks import SAMPLE
from apps.reports.rules.moving import Moved, of_one, of_the_network, untold
from apps.reports.shape import Part, Piece
from apps.settlement.models import Settlement, SettlementEvent

SOURCES = (
    "This platform: ledger of payments (payment_events)",
    "This platform: ledger of settlements (settlement_events)",
)
BY_OFFICER = ("RELEASED", "REJECTED")
UNDECIDED = ("SUBMITTED", "HELD")  # nobody has said yet whether it goes
CHUNK = 2000


def _flows(*, asked: Mapping[str, Any], now: datetime) -> Piece:
    """Return volumes and corridors; those of the network rounded, and of a crowd alone.

    The network's are of months that have ended, as they stood when they did: they never change, so
    that of two readings no difference tells who moved between.
    """
    owner = asked["account"]
    rows = _rows(asked) if owner or not _running(asked, now) else []
    told = of_one(rows) if owner else _of_all(rows, asked, now)
    scope = {"scope": "INSTITUTION" if owner else "NETWORK", "from": asked["first"]}
    quality = _quality(rows, told)
    return Piece(
        data=scope | {"until": asked["until"]} | told,
        quality=quality,
        mark=SAMPLE if quality == SAMPLE else "",
        sources=SOURCES,
        inputs={"count": len(rows), "digest": _digest(rows)},
    )


def _of_all(rows: list[Moved], asked: Mapping[str, Any], now: datetime) -> dict[str, Any]:
    return untold("RUNNING") if _running(asked, now) else of_the_network(rows)


def _running(asked: Mapping[str, Any], now: datetime) -> bool:
    return now < _day(asked, "until")


def _rows(asked: Mapping[str, Any]) -> list[Moved]:
    return [*_payments(asked["account"], asked), *_settlements(asked["account"], asked)]


def _quality(rows: list[Moved], told: Mapping[str, Any]) -> str:
    if not settings.PRODUCTION or any(one.sandbox for one in rows):
        return SAMPLE  # what settles in a sandbox moves nothing, and a month without is one of it
    return "PARTIAL" if told["withheld"] else "LIVE"


def _digest(rows: Iterable[Moved]) -> str:
    marks = "\n".join(sorted(one.mark for one in rows))
    return hashlib.sha256(marks.encode()).hexdigest()


def _day(asked: Mapping[str, Any], name: str) -> datetime:
    """Return the first moment of a day that is asked, in UTC."""
    return datetime.combine(date.fromisoformat(asked[name]), time(), UTC)


def _within(rows: QuerySet[Any], field: str, asked: Mapping[str, Any]) -> QuerySet[Any]:
    """Return the rows of a month, of an institution where one is named."""
    month = {f"{field}__gte": _day(asked, "first"), f"{field}__lt": _day(asked, "until")}
    return rows.filter(**month)


def _payments(owner: str, asked: Mapping[str, Any]) -> Iterator[Moved]:
    rows = _within(Payment.objects.filter(**_of(owner)), "submitted_at", asked)
    wanted = rows.order_by("pk").values_list(
        "owner", "currency", "asset", "state", KT("price__amountUsd"), KT("price__feeUsd"),
        "submitted_at", "settled_at", KT("price__sandbox"), "payment_id", "steps", "ended_at",
    )  # fmt: skip
    for one in wanted.iterator(chunk_size=CHUNK):
        yield _moved(one, _closed(asked))


def _settlements(owner: str, asked: Mapping[str, Any]) -> Iterator[Moved]:
    rows = Settlement.objects.filter(sandbox=False, **_of(owner))
    wanted = _within(rows, "asked_at", asked).order_by("pk").values_list(
        "owner", "source", "destination", "state", "amount_usd", KT("price__feeUsd"),
        "asked_at", "settled_at", "sandbox", "settlement_id", "steps", "ended_at",
    )  # fmt: skip
    for one in wanted.iterator(chunk_size=CHUNK):
        yield _moved(one, _closed(asked))


def _of(owner: str) -> dict[str, str]:
    return {"owner": owner} if owner else {}


def _closed(asked: Mapping[str, Any]) -> datetime | None:
    """Return the moment as of which states are told; None for now, as an institution has them."""
    return None if asked["account"] else _day(asked, "until")


def _moved(row: tuple[Any, ...], closed: datetime | None) -> Moved:
    owner, source, to, state, usd, fee, begun, settled, sandbox, name, steps, ended = row
    last = settled or ended
    if closed is not None and last is not None and last >= closed:
        state, settled = "WAITING", None
    return Moved(
        owner=owner,
        corridor=f"{source} to {to}",
        state=state,
        usd=None if usd is None else Decimal(usd),
        fee=None if fee is None else Decimal(fee),
        seconds=(settled - begun).total_seconds() if settled else None,
        day=f"{begun.astimezone(UTC):%Y-%m-%d}",
        sandbox=str(sandbox).lower() in ("true", "1"),
        mark=f"{name}.{steps}",
    )


def _decisions(*, asked: Mapping[str, Any], now: datetime) -> Piece:
    """Return who decided: rules alone, officers; and what language models had part in.

    Of the network each count is told of a crowd alone, where flows tells how all of them ended.
    """
    owner = asked["account"]
    parts, also, waiting = _counts(owner, asked)
    exact = {name: one.total() for name, one in (parts | also).items()}
    whole = {"decided": sum(one.total() for one in parts.values()), "undecided": waiting}
    if owner:
        told: dict[str, Any] = whole | exact
    elif _running(asked, now) or not _ends_are_told(asked):
        told = dict.fromkeys(whole | exact)
    else:
        told = {"undecided": None} | moving.decided(parts, also)
    quality = "LIVE" if settings.PRODUCTION else SAMPLE
    return Piece(
        data=told,
        quality=quality,
        sources=(),
        inputs=whole | exact,
        mark=SAMPLE if quality == SAMPLE else "",
    )


def _ends_are_told(asked: Mapping[str, Any]) -> bool:
    """Whether all is told of how what moved ended: what was decided is the sum of it."""
    volume = of_the_network(_rows(asked))["volume"]
    return volume is not None and None not in (volume["blocked"], volume["failed"])


def _counts(
    owner: str, asked: Mapping[str, Any]
) -> tuple[dict[str, Counter[str]], dict[str, Counter[str]], int]:
    """Return by institution who decided, what models had part in, and how much is undecided."""
    payments = _within(Payment.objects.filter(**_of(owner)), "submitted_at", asked)
    settlements = _within(Settlement.objects.filter(sandbox=False, **_of(owner)), "asked_at", asked)
    all_of = _by_owner(payments) + _by_owner(settlements)
    over = _decided(payments, asked), _decided(settlements, asked)
    decided = _by_owner(over[0]) + _by_owner(over[1])
    officers = _by_officer(PaymentEvent, "payment", over[0], asked)
    officers += _by_officer(SettlementEvent, "settlement", over[1], asked)
    also = {
        "advisedByModel": _by_owner(settlements.exclude(reasoning="")),
        "turnedByModel": _turned(owner, asked),
    }
    parts = {"byRules": decided - officers, "byOfficer": officers}
    return parts, also, all_of.total() - decided.total()


def _decided(rows: QuerySet[Any], asked: Mapping[str, Any]) -> QuerySet[Any]:
    """Return those that somebody decided; of the network those that ended within the month."""
    closed = _closed(asked)
    return rows.filter(ended_at__lt=closed) if closed else rows.exclude(state__in=UNDECIDED)


def _by_owner(rows: QuerySet[Any]) -> Counter[str]:
    counted = rows.order_by().values_list("owner").annotate(n=Count("pk"))
    return Counter(dict(counted))


def _by_officer(
    events: type[Any], of: str, rows: QuerySet[Any], asked: Mapping[str, Any]
) -> Counter[str]:
    found = events.objects.filter(event__in=BY_OFFICER, **{f"{of}__in": rows})
    if closed := _closed(asked):
        found = found.filter(recorded_at__lt=closed)
    counted = found.order_by().values_list(f"{of}__owner").annotate(n=Count(of, distinct=True))
    return Counter(dict(counted))


def _turned(owner: str, asked: Mapping[str, Any]) -> Counter[str]:
    rows = AmlScreen.objects.filter(rule=ESCALATED.code)
    if owner:
        rows = rows.filter(owner__in=made_for(owner))
    counted: Counter[str] = Counter()
    for name, n in _by_owner(_within(rows, "recorded_at", asked)).items():
        counted[whose(name)] += n
    return counted


PARTS = (
    Part(name="flows", title="Volume and corridors", gather=_flows),
    Part(name="decisions", title="Decisions", gather=_decisions),
)
