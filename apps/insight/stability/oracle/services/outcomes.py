"""How weeks turned out: each day's first run is a prediction, and resolves seven days later."""

from datetime import date, datetime, timedelta
from decimal import Decimal

from django.db import IntegrityError, transaction

from apps.insight.stability.models import StabilityRun, TierOutcome
from apps.insight.stability.models.runs import MICRO
from apps.insight.stability.oracle.rules import series_names, weight_updates
from apps.insight.stability.oracle.rules.layers import SHARES
from apps.insight.stability.oracle.rules.measures import SeriesValues, round_exact
from apps.platform.common.days import start_of_day
from apps.platform.ledger.verification.verified_reads import filter_verified_records
from apps.reference.signals.selectors import series_values

DAY = timedelta(days=1)
MOST = 60  # days that one run of the job resolves
SEEN_FROM = (
    72  # fewest runs with a score in the week, half a day's worth, for an outcome to be known
)
NEAR = 5  # days that a rate may be older than the day it is wanted of


def resolve_due_days(key: str, now: datetime) -> None:
    """Resolve every day that is due, oldest first; running it twice adds nothing twice."""
    due = (now - weight_updates.RESOLVES_AFTER).date()
    last = TierOutcome.objects.order_by("-day").values_list("day", flat=True).first()
    since = max(due - MOST * DAY, last + DAY if last else date.min)
    for day in [since + n * DAY for n in range((due - since).days)]:
        resolve_day(day=day, now=now)


@transaction.atomic
def resolve_day(*, day: date, now: datetime) -> TierOutcome | None:
    """Record the outcome of the week after a day's first run; None if it cannot be determined.

    It cannot where the day has no proved run of real data, where too few runs of the week had a
    number, where one of them is not as it was written, or where the rate of the dollar is not
    known at its ends.
    """
    start = start_of_day(day)
    scored = StabilityRun.objects.filter(score__isnull=False, sample=False)
    run = (
        scored.filter(recorded_at__gte=start, recorded_at__lt=start + DAY).order_by("slot").first()
    )
    if run is None or run.purged or not filter_verified_records([run]):
        return None
    end = run.recorded_at + weight_updates.RESOLVES_AFTER
    deviation = _largest_deviation(run.recorded_at, end)
    past = series_values.load_history(
        series_names.EUR_USD, as_of=now, since=run.recorded_at.date() - NEAR * DAY
    )
    span = (end.date() - run.recorded_at.date()).days
    rates = SeriesValues(end.date(), Decimal(0), tuple(past))
    then, after = (rates.before(days, late=NEAR) for days in (span, 0))
    moved = None if not then or after is None else round_exact(100 * (after - then) / then)
    if deviation is None or moved is None:
        return None
    payload = {
        "runId": run.run_id,
        "values": layer_values_of_run(run),
        "deviation": deviation,
        "moved": moved,
    }
    bad = weight_updates.is_bad_week(deviation=deviation, moved=moved)
    try:
        with transaction.atomic():
            outcome: TierOutcome = TierOutcome.write(payload=payload, now=now, day=day, bad=bad)
    except IntegrityError:  # resolved already
        return None
    return outcome


def _largest_deviation(start: datetime, end: datetime) -> Decimal | None:
    """Return how far the peg was off at most after a moment and up to another, in basis points.

    None where too few runs had a number, and where one is not as it was written: it may have been
    the worst.
    """
    stability_runs = list(StabilityRun.objects.filter(recorded_at__gt=start, recorded_at__lte=end))
    ours = filter_verified_records(stability_runs)
    deviations = [run.deviation for run in ours if run.deviation is not None and not run.sample]
    if len(ours) < len(stability_runs) or len(deviations) < SEEN_FROM:
        return None
    return Decimal(max(deviations)) / MICRO


def layer_values_of_run(run: StabilityRun) -> dict[str, int]:
    """Return the values of a run's layers, in ten-thousandths of a point; those that were known."""
    return {
        layer["id"]: int(Decimal(layer["value"]) * SHARES)
        for layer in run.data["layers"]
        if layer["value"] is not None
    }
