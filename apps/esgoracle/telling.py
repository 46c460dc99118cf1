"""Says scores and quotes of the ESG oracle in the words of the API."""

from datetime import UTC, date, datetime, time, timedelta
from decimal import Decimal
from typing import Any

from django.conf import settings

from apps.core.chain import proven
from apps.core.endpoints import rows
from apps.core.money import from_micro
from apps.esg.rules.tiers import FORMULA
from apps.esgoracle import standing
from apps.esgoracle.fees import fee_said, taken
from apps.esgoracle.models import EsgRun
from apps.stability.oracle.rules.decision import LATE_AFTER
from apps.stability.oracle.rules.uptime import SLOT, WINDOW
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


def live_said(run: EsgRun, now: datetime) -> dict[str, Any]:
    """Return the live score; see ScoreOut."""
    return {
        "scope": LIVE,
        "scores": _scores(run),
        "fee": fee_said(run.points or Decimal(0)),
        **_quality(run),
        "method": METHOD,
        "method_version": run.method,
        "pillars": [_pillar(one, now) for one in run.data["pillars"]],
    }


def _scores(run: EsgRun) -> dict[str, Any]:
    scores = {one["pillar"]: Decimal(one["score"]) for one in run.data["pillars"]}
    return scores | {"average": run.points}


def _quality(run: EsgRun) -> dict[str, Any]:
    as_of = datetime.fromisoformat(run.data["as_of"])
    return {"data_quality": run.quality, "as_of": as_of, "computed_at": run.recorded_at}


def _pillar(one: dict[str, Any], now: datetime) -> dict[str, Any]:
    numbers = {name: Decimal(one[name]) for name in ("score", "contribution", "strain", "coverage")}
    return one | numbers | {"inputs": [_input(each, now) for each in one["inputs"]]}


def _input(one: dict[str, Any], now: datetime) -> dict[str, Any]:
    first = datetime.combine(date.fromisoformat(one["as_of"]), time(), UTC)
    names = ("nominal_weight", "weight", "strain", "share")
    numbers = {name: Decimal(one[name]) for name in names}
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
    return said if run is None else said | _quality(run)


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
    """Return uptime and the last runs, those that are not as written left out."""
    newest = list(EsgRun.objects.order_by("-slot")[:HISTORY])
    listed = proven(newest)
    ours = bool(listed) and listed[0] is newest[0]
    said: dict[str, Any] = {
        "is_healthy": ours and healthy(listed[0], now),
        "runs_due": 0,
        "runs_happened": 0,
        "window_days": int(timedelta(seconds=WINDOW * SLOT).days),
        "every_seconds": SLOT,
        "history": [_run(one) for one in listed],
    }
    if listed:
        up = standing.uptime(listed[0], now=now)
        said |= {"runs_due": up.due, "runs_happened": up.good, "uptime_pct": up.percent}
    return said


def healthy(run: EsgRun, now: datetime) -> bool:
    """Tell whether a run has a score and is not late."""
    return run.points is not None and now - run.recorded_at <= LATE_AFTER


def _run(run: EsgRun) -> dict[str, Any]:
    said: dict[str, Any] = {"ran_at": run.recorded_at, "ok": run.points is not None}
    if run.points is None:
        return said | {"reason": run.data.get("fault", "")}
    return said | ({} if run.purged else {"scores": _scores(run), "data_quality": run.quality})
