"""Serialize scores, quotes and reliability of the ESG oracle for the API."""

from datetime import date, datetime, timedelta
from decimal import Decimal
from typing import Any

from django.conf import settings

from apps.insight.esg.computation import METHOD
from apps.insight.esg.models.oracle_runs import EsgRun
from apps.insight.esg.oracle.fees import compute_fee_usd, serialize_fee
from apps.insight.esg.oracle.selectors import latest_run
from apps.insight.stability.fees.rules.esg_fee_tiers import FORMULA
from apps.insight.stability.oracle.rules.decision import LATE_AFTER
from apps.insight.stability.oracle.rules.uptime import SLOT, WINDOW
from apps.platform.api.routers import operations_of_service
from apps.platform.common.days import start_of_day
from apps.platform.common.money import from_micro
from apps.platform.ledger.verification.verified_reads import filter_verified_records
from config.services import SERVICES

SERVICE = "esg"
LIVE, ENTITY = "LIVE", "ENTITY"
HISTORY = 24  # document 3 section 8, reliability history
DOCUMENTS = ("openapi.json", "docs", "llms.txt", "llms-full.txt", ".well-known/ai-plugin.json")
QUOTE_NOTE = (
    "This is the ESG fee only and is not binding. A quote of the stability service has all fees, "
    "is binding for 300 seconds and takes this score as esgScore."
)


def serialize_live_score(run: EsgRun, now: datetime) -> dict[str, Any]:
    """Return the live score; see ScoreOut."""
    return {
        "scope": LIVE,
        "scores": _serialize_scores(run),
        "fee": serialize_fee(run.points or Decimal(0)),
        **_serialize_quality(run),
        "method": METHOD,
        "method_version": run.method,
        "pillars": [_serialize_pillar(pillar, now) for pillar in run.data["pillars"]],
    }


def _serialize_scores(run: EsgRun) -> dict[str, Any]:
    scores = {pillar["pillar"]: Decimal(pillar["score"]) for pillar in run.data["pillars"]}
    return scores | {"average": run.points}


def _serialize_quality(run: EsgRun) -> dict[str, Any]:
    as_of = datetime.fromisoformat(run.data["as_of"])
    return {"data_quality": run.quality, "as_of": as_of, "computed_at": run.recorded_at}


def _serialize_pillar(payload: dict[str, Any], now: datetime) -> dict[str, Any]:
    numbers = {
        name: Decimal(payload[name]) for name in ("score", "contribution", "strain", "coverage")
    }
    return (
        payload
        | numbers
        | {"inputs": [_serialize_input(pillar_input, now) for pillar_input in payload["inputs"]]}
    )


def _serialize_input(payload: dict[str, Any], now: datetime) -> dict[str, Any]:
    # the inputs are daily or slower: their age counts from the beginning of their day
    first = start_of_day(date.fromisoformat(payload["as_of"]))
    names = ("nominal_weight", "weight", "strain", "share")
    numbers = {name: Decimal(payload[name]) for name in names}
    return payload | numbers | {"age_seconds": int((now - first).total_seconds())}


def serialize_entity_score(answer: dict[str, Any], sfdr: dict[str, Any]) -> dict[str, Any]:
    """Return the score of an entity; `answer` is that of document 1 section 2.5. See ScoreOut."""
    same = ("environmental", "social", "governance")
    names = ("lei", "entity_name", "coverage", "lookup", "data_quality", "computed_at")
    return {
        "scope": ENTITY,
        "scores": {name: answer[name] for name in same} | {"average": answer["composite"]},
        "fee": serialize_fee(Decimal(answer["composite"])),
        **{name: answer[name] for name in names},
        "method": METHOD,
        "method_version": answer["reference"],
        "sfdr": sfdr,
    }


def serialize_quote(*, amount: int, score: Decimal, run: EsgRun | None) -> dict[str, Any]:
    """Return the ESG fee of an amount; see QuoteOut. `run` is there for the live score."""
    usd = compute_fee_usd(amount=amount, score=score)
    quote: dict[str, Any] = {
        "amount_usd": from_micro(amount),
        "esg_score": score,
        "score_source": "GIVEN" if run is None else LIVE,
        "fee": serialize_fee(score) | {"usd": usd},
        "net_of_esg_fee_usd": from_micro(amount) - usd,
        "binding": False,
        "note": QUOTE_NOTE,
    }
    return quote if run is None else quote | _serialize_quality(run)


def build_manifest() -> dict[str, Any]:
    """Return what this service is; see ManifestOut."""
    service = SERVICES[SERVICE]
    return {
        "name": service.title,
        "version": service.version,
        "description": service.about,
        "network": settings.X402_NETWORK,
        "fees": {"esg_formula": FORMULA, "least_bps": 0, "most_bps": 50},
        "method": METHOD,
        "onboarding": {"human_required": False},
        "endpoints": [
            {"method": row.method, "path": f"/{row.path}", "summary": row.summary}
            for row in operations_of_service(SERVICE)
        ],
        "documents": [f"/{name}" for name in DOCUMENTS],
        "sandbox": not settings.PRODUCTION,
    }


def build_reliability(now: datetime) -> dict[str, Any]:
    """Return uptime and the last runs, without those that fail their integrity check."""
    newest = list(EsgRun.objects.order_by("-slot")[:HISTORY])
    listed = filter_verified_records(newest)
    # the newest run may have been dropped as altered; an older one must not pass for it
    ours = bool(listed) and listed[0] is newest[0]
    reliability: dict[str, Any] = {
        "is_healthy": ours and is_healthy_run(listed[0], now),
        "runs_due": 0,
        "runs_happened": 0,
        "window_days": int(timedelta(seconds=WINDOW * SLOT).days),
        "every_seconds": SLOT,
        "history": [_serialize_run(esg_run) for esg_run in listed],
    }
    if listed:
        up = latest_run.uptime_of_run(listed[0], now=now)
        reliability |= {"runs_due": up.due, "runs_happened": up.good, "uptime_pct": up.percent}
    return reliability


def is_healthy_run(run: EsgRun, now: datetime) -> bool:
    """Tell whether a run has a score and is not late."""
    return run.points is not None and now - run.recorded_at <= LATE_AFTER


def _serialize_run(run: EsgRun) -> dict[str, Any]:
    payload: dict[str, Any] = {"ran_at": run.recorded_at, "ok": run.points is not None}
    if run.points is None:
        return payload | {"reason": run.data.get("fault", "")}
    return payload | (
        # retention removes the payload, and with it the scores of the pillars
        {} if run.purged else {"scores": _serialize_scores(run), "data_quality": run.quality}
    )
