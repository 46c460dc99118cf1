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
# days that one run of the job resolves
MOST = 60
# fewest runs with a score in the week, half a day's worth, for an outcome to be known
SEEN_FROM = 72
# days by which a rate may be older than its day: weekends and holidays
NEAR = 5


def resolve_due_days(key: str, now: datetime) -> None:
    """Resolve every day that is due, oldest first; idempotent."""
    due = (now - weight_updates.RESOLVES_AFTER).date()
    last = TierOutcome.objects.order_by("-day").values_list("day", flat=True).first()
    since = max(due - MOST * DAY, last + DAY if last else date.min)
    for day in [since + n * DAY for n in range((due - since).days)]:
        resolve_day(day=day, now=now)


@transaction.atomic
def resolve_day(*, day: date, now: datetime) -> TierOutcome | None:
    """Record the outcome of the week after a day's first run; None if it cannot be determined.

    It cannot if the day has no verified run of real data, too few runs of the week had a score, one
    of them fails its integrity check, or EUR/USD is not known at both ends of the week.
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
    # only before() is used, which looks up the past; the value of the day itself is a placeholder
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
    # the day was resolved in the meantime
    except IntegrityError:
        return None
    return outcome


def _largest_deviation(start: datetime, end: datetime) -> Decimal | None:
    """Return the largest deviation of the peg in a span, without its start, in basis points.

    None if too few runs had a score, or one fails its integrity check.
    """
    stability_runs = list(StabilityRun.objects.filter(recorded_at__gt=start, recorded_at__lte=end))
    ours = filter_verified_records(stability_runs)
    deviations = [run.deviation for run in ours if run.deviation is not None and not run.sample]
    # an altered run may have been the worst of the week
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
