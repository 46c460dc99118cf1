"""Replays payments in the order of time, with officers who decide late and not on everything."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from itertools import groupby

from apps.compliance.aml.backtest.dataset_parser import Dataset
from apps.compliance.aml.backtest.memory_engine import MemoryEngine
from apps.compliance.aml.rules import calibration
from apps.compliance.aml.rules.calibration import CohortCounts, CohortMeasurement
from apps.compliance.aml.rules.payment_judgement import is_sampled
from apps.compliance.aml.rules.profile import DAY, Payment
from apps.compliance.aml.rules.rank_auc import compute_rank_auc
from apps.compliance.aml.rules.scorecard import (
    COHORTS,
    Judgement,
    Weights,
    judge_signals,
    maturity_of_count,
    prior_weights,
    risk_at,
)

# assumptions about a team of officers; the figures of docs/aml.md depend on them
REVIEWS_A_DAY = 20
DECIDED_AFTER = 5  # days
AGAIN_AFTER = 30  # days before a reviewed wallet is reviewed again
CALIBRATED_EVERY = 14  # days


@dataclass(frozen=True, slots=True)
class Alert:
    """A judgement that goes to review."""

    wallet: str
    judgement: Judgement
    count: int


@dataclass(slots=True)
class ReplayResult:
    """What a replay ended with: the highest running risk of each account, and its cohort."""

    risks: dict[str, int]
    cohorts: dict[str, str]
    labels: int = 0
    flagged: int = 0
    versions: int = 0
    refused: list[str] = field(default_factory=list)
    weights: dict[str, dict[str, int]] = field(default_factory=prior_weights)


class BacktestReplay:
    """One run; `learns` says whether decisions move the weights."""

    def __init__(
        self, data: Dataset, *, learns: bool, progress: Callable[[str], object] = print
    ) -> None:
        self.progress = progress
        self.data, self.learns = data, learns
        self.engine = MemoryEngine(prior_weights())
        self.result = ReplayResult(dict.fromkeys(data.accounts, 0), {})
        self.counts = {name: CohortCounts() for name in COHORTS}
        self.labelled: list[tuple[Alert, bool]] = []
        self.waiting: list[Alert] = []
        self.pending: list[tuple[int, Alert]] = []
        self.last_reviewed: dict[str, int] = {}
        self.calibrated = self.reported_tenths = 0
        self.counted: set[tuple[str, str, bool]] = set()

    def run(self) -> ReplayResult:
        """Replay everything and return what came of it."""
        serial = 0
        for day, payments in groupby(self.data.payments, key=lambda paid: paid.at // DAY):
            # decisions of earlier days come first: officers do not decide on what happens today
            due = [label for when, label in self.pending if when <= day]
            self.pending = [(when, label) for when, label in self.pending if when > day]
            for alert in due:
                bad = alert.wallet in self.data.bad
                signals = frozenset(signal.fired.id for signal in alert.judgement.signals)
                unit = alert.wallet, alert.judgement.cohort, bad
                if unit not in self.counted:  # as decisions are counted: of each wallet the first
                    self.counted.add(unit)
                    self.counts[alert.judgement.cohort].add(bad=bad, signals=signals)
                self.labelled.append((alert, bad))
                self.result.labels += 1
                if bad:
                    self.engine.flagged.add(alert.wallet)
            self._report_progress(serial)
            for payment in payments:
                serial += 1
                self._screen(payment, day, serial)
            # sorted and then reversed: of equal alerts the later ones first
            self.waiting.sort(key=_review_priority)
            self.waiting.reverse()
            taken = self.waiting[:REVIEWS_A_DAY]
            self.waiting = self.waiting[REVIEWS_A_DAY:]
            self.pending += [(day + DECIDED_AFTER, alert) for alert in taken]
            if self.learns and day - self.calibrated >= CALIBRATED_EVERY:
                self.calibrated = day
                weight_moves = calibration.compute_weight_moves(
                    counts=self.counts, current=self.engine.weights
                )
                after = calibration.apply_weight_moves(weight_moves)
                # nothing to measure, and no version to count
                if all(weight_move.was == weight_move.becomes for weight_move in weight_moves):
                    continue
                measured = list(self._measured(after))
                if why := calibration.find_refusal(measured):
                    self.result.refused.append(why)
                    continue
                self.engine.weights = after
                self.result.versions += 1
        self._report_progress(serial)
        for wallet, known in self.engine.profiles.items():
            self.result.cohorts[wallet] = cohort_of_count(known.solid)
        self.result.weights = {name: dict(points) for name, points in self.engine.weights.items()}
        return self.result

    def _report_progress(self, done: int) -> None:
        """Say each tenth of the way how far it is."""
        share = 10 * done // len(self.data.payments)
        if share > self.reported_tenths:
            self.reported_tenths = share
            self.progress(f"  {share}0 %")

    def _screen(self, payment: Payment, day: int, serial: int) -> None:
        before = self.engine.of(payment.sender).solid, self.engine.of(payment.receiver).solid
        screened = self.engine.screen(payment)
        for out, wallet, judgement, count in zip(
            (1, 0), (payment.sender, payment.receiver), screened, before, strict=True
        ):
            risk = risk_at(self.engine.of(wallet), payment.at)
            self.result.risks[wallet] = max(self.result.risks[wallet], risk)
            chosen = judgement.action != "PROCEED"
            self.result.flagged += chosen
            # a wallet that was just reviewed does not fill the queue again
            rested = day - self.last_reviewed.get(wallet, -AGAIN_AFTER) >= AGAIN_AFTER
            if rested and (chosen or is_sampled(f"{serial}/{out}")):
                self.last_reviewed[wallet] = day
                self.waiting.append(Alert(wallet, judgement, count))

    def _measured(self, after: dict[str, dict[str, int]]) -> Iterator[CohortMeasurement]:
        """Yield how the labelled alerts of each cohort rank before and after."""
        for name in COHORTS:
            mine = [(a, bad) for a, bad in self.labelled if a.judgement.cohort == name]
            bad = [flag for _, flag in mine]
            ranked = [
                compute_rank_auc([_score_alert(a, weights) for a, _ in mine], bad)
                for weights in (self.engine.weights, after)
            ]
            yield CohortMeasurement(name, sum(bad), len(bad) - sum(bad), *ranked)


def _review_priority(alert: Alert) -> tuple[bool, int]:
    """Return by what officers take up alerts: what was drawn by chance last, else the evidence."""
    return alert.judgement.action == "PROCEED", alert.judgement.evidence


def _score_alert(alert: Alert, weights: Weights) -> int:
    signals = [signal.fired for signal in alert.judgement.signals]
    return judge_signals(signals=signals, count=alert.count, weights=weights).evidence


def cohort_of_count(count: int) -> str:
    """Return the name of the cohort of a wallet of so many payments."""
    return maturity_of_count(count).name
