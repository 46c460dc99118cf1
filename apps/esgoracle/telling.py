"""Says scores and quotes of the ESG oracle in the words of the API."""

from datetime import UTC, date, datetime, time
from decimal import Decimal
from typing import Any

from django.conf import settings

from apps.core.endpoints import rows
from apps.core.money import from_micro
from apps.esg.rules.tiers import FORMULA
from apps.esgoracle import running
from apps.esgoracle.fees import fee_said, taken
from apps.esgoracle.models import EsgRun
from config.services import SERVICES

SERVICE = "esg"
METHOD = "docs/esg-method.md"
LIVE, ENTITY = "LIVE", "ENTITY"
HISTORY = 24  # document 3 section 8, reliability history
DOCUMENTS = ("openapi.json", "docs", "llms.txt", "llms-full.txt", ".well-known/ai-plugin.json")
QUOTE_NOTE = (
    "This is the ESG fee alone, and it binds nobody: a quote of the stability service has all "
    "fees, binds for 300 seconds and takes this score as esgScore."
)


def average_of(run: EsgRun) -> Decimal:
    """Return the average of a run."""
    return Decimal(run.detail["average"])


def live_said(run: EsgRun, now: datetime) -> dict[str, Any]:
    """Return the live score; see ScoreOut."""
    pillars = run.detail["pillars"]
    scores = {one["pillar"]: Decimal(one["score"]) for one in pillars}
    average = average_of(run)
    return {
        "scope": LIVE,
        "scores": scores | {"average": average},
        "fee": fee_said(average),
        "data_quality": run.quality,
        "as_of": datetime.fromisoformat(run.detail["as_of"]),
        "computed_at": run.ran_at,
        "method": METHOD,
        "method_version": run.detail["version"],
        "pillars": [_pillar(one, now) for one in pillars],
    }


def _pillar(one: dict[str, Any], now: datetime) -> dict[str, Any]:
    numbers = {name: Decimal(one[name]) for name in ("score", "strain", "coverage")}
    return one | numbers | {"inputs": [_input(each, now) for each in one["inputs"]]}


def _input(one: dict[str, Any], now: datetime) -> dict[str, Any]:
    first = datetime.combine(date.fromisoformat(one["as_of"]), time(), UTC)
    numbers = {name: Decimal(one[name]) for name in ("weight", "strain", "share")}
    return one | numbers | {"age_seconds": int((now - first).total_seconds())}


def entity_said(answer: dict[str, Any], sfdr: dict[str, Any]) -> dict[str, Any]:
    """Return the score of an entity; `answer` is that of document 1 section 2.5. See ScoreOut."""
    same = ("environmental", "social", "governance")
    kept = ("lei", "entity_name", "coverage", "lookup", "data_quality", "computed_at")
    return {
        "scope": ENTITY,
        "scores": {name: answer[name] for name in same} | {"average": answer["composite"]},
        "fee": fee_said(Decimal(answer["composite"])),
        **{name: answer[name] for name in kept},
        "method": METHOD,
        "method_version": answer["reference"],
        "sfdr": sfdr,
    }


def quote_said(*, amount: int, score: Decimal, run: EsgRun | None) -> dict[str, Any]:
    """Return the ESG fee of an amount; see QuoteOut. `run` is there for the live score."""
    usd = taken(amount=amount, score=score)
    said: dict[str, Any] = {
        "amount_usd": from_micro(amount),
        "esg_score": score,
        "score_source": "GIVEN" if run is None else LIVE,
        "fee": fee_said(score) | {"usd": usd},
        "net_of_esg_fee_usd": from_micro(amount) - usd,
        "binding": False,
        "note": QUOTE_NOTE,
    }
    if run is None:
        return said
    as_of = datetime.fromisoformat(run.detail["as_of"])
    return said | {"data_quality": run.quality, "as_of": as_of, "computed_at": run.ran_at}


def manifest() -> dict[str, Any]:
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
            for row in rows(SERVICE)
        ],
        "documents": [f"/{name}" for name in DOCUMENTS],
        "sandbox": not settings.PRODUCTION,
    }


def reliability(now: datetime) -> dict[str, Any]:
    """Return uptime and the last runs; see ReliabilityOut."""
    due, happened = running.uptime(now=now)
    listed = list(EsgRun.objects.order_by("-slot")[:HISTORY])
    fresh = listed[0] if listed and listed[0].slot >= running.slot_of(now - running.FRESH) else None
    said = {
        "is_healthy": fresh is not None and fresh.ok,
        "runs_due": due,
        "runs_happened": happened,
        "window_days": running.WINDOW.days,
        "every_seconds": int(running.EVERY.total_seconds()),
        "history": [_run(one) for one in listed],
    }
    return said | ({"uptime_pct": Decimal(100 * happened) / due} if due else {})


def _run(run: EsgRun) -> dict[str, Any]:
    said: dict[str, Any] = {"ran_at": run.ran_at, "ok": run.ok}
    if not run.ok:
        return said | {"reason": run.reason}
    scores = {one["pillar"]: Decimal(one["score"]) for one in run.detail["pillars"]}
    return said | {"scores": scores | {"average": average_of(run)}, "data_quality": run.quality}
