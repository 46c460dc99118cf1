"""Screens a party and records what was decided, with everything that hangs on it."""

import time
import uuid
from collections.abc import Callable, Iterable
from datetime import datetime
from typing import Any

from django.db import transaction

from apps.access import metering
from apps.core.problems import NotFound
from apps.core.shapes import iso
from apps.review.actions import Resolution, open_case, resolution_of, resolutions_of
from apps.sar.models import SarEntry
from apps.screening import rules
from apps.screening.answers import answer
from apps.screening.checks import Asked, Gathered, gather
from apps.screening.models import Screen
from apps.screening.rules import Judgement
from apps.screening.ubo import encounters
from apps.screening.versions import matcher
from apps.watchlists.actions import Encounter, remember_parties
from apps.watchlists.models import PartyKind

KIND = "screen"
UNIT = "screen"
Finish = Callable[[dict[str, Any]], None]


def screen(
    *,
    asked: Asked,
    owner: str,
    account_id: int | None,
    now: datetime,
    finish: Finish = lambda body: None,
) -> dict[str, Any]:
    """Screen a party, record what was decided, and return the answer (document 1 section 2.7).

    Raises ListsUnavailable, ListsStale. `finish` and what is written: see `conclude`.
    """
    started = time.perf_counter()
    gathered = gather(asked=asked, now=now)
    return conclude(
        asked=asked,
        gathered=gathered,
        owner=owner,
        account_id=account_id,
        now=now,
        started=started,
        finish=finish,
    )


def conclude(
    *,
    asked: Asked,
    gathered: Gathered,
    owner: str,
    account_id: int | None,
    now: datetime,
    started: float,
    finish: Finish = lambda body: None,
) -> dict[str, Any]:
    """Judge what was gathered and write everything in one transaction; returns the answer.

    Written are the sealed record, the case of a FLAGGED one, the SAR log entry of a BLOCKED
    one, the parties, the billed call, and `finish(body)`, which keeps the answer for an
    Idempotency-Key. `started` is the monotonic moment from which `processingMs` counts.
    """
    judgement = rules.judge(gathered.facts)
    body = answer(
        screen_id=uuid.uuid4(),
        asked=asked,
        gathered=gathered,
        judgement=judgement,
        now=now,
        milliseconds=int((time.perf_counter() - started) * 1000),
    )
    with transaction.atomic():
        record = _record(owner, asked, gathered, judgement, body, now)
        if judgement.outcome.decision == "FLAGGED":
            _open_case(record, asked, gathered, judgement, now)
        elif judgement.outcome.decision == "BLOCKED":
            _log_blocked(record, asked, body, now)
        _remember(asked, gathered, record, now)
        finish(body)
        if account_id is not None:
            metering.count(account_id=account_id, unit=UNIT, now=now)
    return body


def stored(*, screen_id: str, owner: str) -> dict[str, Any]:
    """Return a stored answer of this owner; `resolution` once an officer has decided.

    Raises NotFound for an unknown id and for another owner's. A BLOCKED screen never has a
    resolution, and nothing of the officers' reasons is in one (no tipping-off).
    """
    try:
        wanted = uuid.UUID(screen_id)
    except ValueError:
        raise NotFound("There is no such screen.") from None
    record = Screen.objects.of(owner).filter(screen_id=wanted).first()
    if record is None or record.purged:
        raise NotFound("There is no such screen.")
    body: dict[str, Any] = record.data["response"]
    if record.decision == "FLAGGED":
        found = resolution_of(kind=KIND, ref=str(wanted))
        if found is not None:
            body["resolution"] = _resolution(found)
    return body


def listed(screens: Iterable[Screen]) -> list[dict[str, Any]]:
    """Return screens in short, with the resolution of those that officers decided; one query."""
    found = list(screens)
    flagged = [str(one.screen_id) for one in found if one.decision == "FLAGGED"]
    resolved = resolutions_of(kind=KIND, refs=flagged)
    return [_short(one, resolved.get(str(one.screen_id))) for one in found]


def _short(record: Screen, resolved: Resolution | None) -> dict[str, Any]:
    body = {
        "screenId": str(record.screen_id),
        "decision": record.decision,
        "riskScore": record.risk_score,
        "rules": [ref for ref in record.rules.split("; ") if ref],
        "reference": record.data.get("request", {}).get("reference", ""),
        "screenedAt": iso(record.recorded_at),
    }
    return body | ({"resolution": _resolution(resolved)} if resolved else {})


def _resolution(found: Resolution) -> dict[str, Any]:
    return {"outcome": found.outcome, "decidedAt": iso(found.decided_at)}


def _record(
    owner: str,
    asked: Asked,
    gathered: Gathered,
    judgement: Judgement,
    body: dict[str, Any],
    now: datetime,
) -> Screen:
    lists = gathered.engine.list_set
    return Screen.write(
        payload={
            "request": request_of(asked),
            "response": body,
            "evidence": gathered.evidence(),
            "versions": {
                "lists": lists.versions,
                "rules": rules.VERSION,
                "matcher": matcher(),
            },
        },
        now=now,
        screen_id=uuid.UUID(body["screenId"]),
        owner=owner,
        decision=judgement.outcome.decision,
        risk_score=judgement.risk_score,
        rules="; ".join(finding.ref for finding in judgement.findings),
        rules_version=rules.VERSION,
        lists=lists.id,
        sample=gathered.engine.sample,
    )


def request_of(asked: Asked) -> dict[str, Any]:
    """Return what was asked in canonical form."""
    return {
        "name": asked.name,
        "lei": asked.lei,
        "country": asked.country,
        "sourceCountry": asked.source_country,
        "amount": asked.amount,
        "currency": asked.currency,
        "paymentType": asked.payment_type,
        "individual": asked.individual,
        "reference": asked.reference,
    }


def _open_case(
    record: Screen, asked: Asked, gathered: Gathered, judgement: Judgement, now: datetime
) -> None:
    open_case(
        kind=KIND,
        ref=str(record.screen_id),
        owner=record.owner,
        title=f"Screen of {asked.name}",
        party=asked.name,
        country=asked.country,
        lei=asked.lei,
        reference=asked.reference,
        amount=asked.amount,
        currency=asked.currency if asked.amount is not None else "",
        amount_usd=gathered.facts.amount_usd,
        risk=rules.case_risk(judgement.risk_score),
        risk_score=judgement.risk_score,
        reasons=[{"ref": f.ref, "sentence": f.reason} for f in judgement.findings],
        evidence=record.data["evidence"] | {"versions": record.data["versions"]},
        now=now,
    )


def _log_blocked(record: Screen, asked: Asked, body: dict[str, Any], now: datetime) -> None:
    SarEntry.write(
        payload={
            "party": asked.name,
            "lei": asked.lei,
            "reasons": body["reasons"],
            "rules": body["rules"],
            "owner": record.owner,
            "riskScore": body["riskScore"],
        },
        now=now,
        kind=KIND,
        ref=str(record.screen_id),
    )


def _remember(asked: Asked, gathered: Gathered, record: Screen, now: datetime) -> None:
    """Keep the party, so that a change of the lists can be held against it later."""
    asked_for = Encounter(
        kind=PartyKind.SCREENED,
        schema="Person" if asked.individual else "Unknown",
        name=asked.name,
        country="",  # the destination of a payment says nothing of the party itself
        reference=f"{KIND}:{record.screen_id}",
    )
    owners = (
        [one for one in gathered.chain.nodes if one.role != "SUBJECT"] if gathered.chain else []
    )
    remember_parties(encounters=[asked_for, *encounters(owners)], now=now)
