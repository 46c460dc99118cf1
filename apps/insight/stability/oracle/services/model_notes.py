"""Request a language model's note on a run, after the run; no figure depends on it.

The model gets the figures and decides nothing. A note that fails, contradicts the figures or
belongs to a run that has one already is left out.
"""

import re
from collections.abc import Mapping
from datetime import datetime
from decimal import Decimal
from typing import Any

from django.conf import settings
from django.db import IntegrityError, transaction

from apps.insight.stability.models import RunNote, StabilityRun
from apps.insight.stability.oracle.presenters import LAYER_TITLES, status_at_run
from apps.insight.stability.oracle.rules.layers import TIERS
from apps.insight.stability.oracle.serializers.runs import OUTLOOKS
from apps.platform.advisory.opinions import OpinionRequest, request_opinion
from apps.platform.api.shapes import ListOf, Number, OneOf, Shape, Text
from apps.platform.ledger.verification.verified_reads import filter_verified_records

_NUMBER = re.compile(r"\d+(?:\.\d+)?")
# numbers of the scales and bounds of scores, which refer to no figure
ROUND = {Decimal(number) for number in (0, 1, 2, 9, 10, 12, 24, 26, 30, 50, 75, 90, 91, 100, 2500)}
# decimals to which a note may round a figure
DECIMALS = (0, 1, 2)


class NoteIn(Shape):
    """A note as the model gives it."""

    reasoning = Text(max_length=900)
    confidence = Number(min_value=0, max_value=1, decimal_places=2, max_digits=3)
    alerts = ListOf(child=Text(max_length=200), max_length=3)
    outlook = OneOf(choices=OUTLOOKS)


QUESTION = OpinionRequest(
    task="Tell in two or three plain sentences what this run of a settlement stability oracle says "
    "and which layers moved it. `dataQuality` ESTIMATED means that it rests on estimates or on "
    "demonstration figures: say so. Add no figure that is not given.",
    fields={
        "reasoning": "two or three sentences",
        "confidence": "how sure you are, a number of 0 to 1 with at most two decimals",
        "alerts": "a list of at most three short sentences, empty where nothing alarms",
        "outlook": "one of " + ", ".join(OUTLOOKS),
    },
    shape=NoteIn,
    # seconds
    deadline=8.0,
)


def record_model_note(key: str, now: datetime) -> None:
    """Request and store a note on a run, or nothing if that fails. `key` is the run's number."""
    run = StabilityRun.objects.filter(pk=int(key), score__isnull=False, note=None).first()
    if run is None or not filter_verified_records([run]) or run.purged:
        return
    facts = build_run_facts(run)
    opinion = request_opinion(question=QUESTION, facts=facts, now=now)
    if opinion is None or contradicts_run_facts(note=opinion, facts=facts):
        return
    try:
        with transaction.atomic():
            RunNote.objects.create(
                run=run,
                reasoning=opinion["reasoning"],
                confidence=opinion["confidence"],
                alerts=opinion["alerts"],
                outlook=opinion["outlook"],
                model=str(settings.ADVISORY_MODEL)[:100],
                generated_at=opinion["processed_at"],
            )
    # another run of this job stored its note first
    except IntegrityError:
        return


def build_run_facts(run: StabilityRun) -> dict[str, Any]:
    """Return the facts of a run for the model."""
    data = run.data
    usd = data["usd_health"]
    return {
        "score": data["score"],
        "status": status_at_run(run),
        "pegDeviationBps": data["peg"]["deviation_bps"],
        "confidence": data["confidence"],
        "dataQuality": data["data_quality"],
        "layers": [
            {
                "layer": LAYER_TITLES.get(layer["id"], layer["id"]),
                "value": layer["value"],
                "tier": layer["id"] in TIERS,
            }
            for layer in data["layers"]
        ],
        "usd": {
            "score": usd["score"],
            "outlook": usd["structural_outlook"],
            "consensus": usd["usd_strength_consensus"],
            "alerts": usd["alerts"] + usd["divergence_alerts"],
        },
    }


def contradicts_run_facts(*, note: Mapping[str, Any], facts: Any) -> bool:
    """Tell whether a note has a number that is not among the facts, rounded or not."""
    text = " ".join([note["reasoning"], *note["alerts"]])
    given_numbers = {Decimal(number) for number in _NUMBER.findall(str(facts))}
    known = (
        ROUND
        | {round(number, places) for number in given_numbers for places in DECIMALS}
        | given_numbers
    )
    return any(Decimal(number) not in known for number in _NUMBER.findall(text))
