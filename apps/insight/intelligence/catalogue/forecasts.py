"""Forecast products: regimes, and the ledger of predictions."""

from datetime import timedelta

from apps.insight.intelligence.catalogue.product import (
    WORDED_INPUTS,
    MethodProse,
    Product,
    SeriesNeed,
)
from apps.insight.intelligence.methods import prediction_ledger, regime_transition
from apps.insight.intelligence.regimes import (
    active_recalibration,
    leading_signals,
    predictions,
    track_record,
)
from apps.insight.intelligence.regimes.predictions import REGIME_COMPOSITE
from apps.insight.intelligence.rules.regimes import VERSION
from apps.insight.intelligence.serializers.forecasts import LedgerOut, TransitionRiskOut
from config import prices

PRODUCTS: tuple[Product, ...] = (
    Product(
        name="transition-risk",
        title="Regime forecast",
        about="Returns the current stress regime, and the probability of each regime in 30, 60 "
        "and 90 days.\n\n"
        "STABLE is a score of 0 to 20, ELEVATED to 40, STRESSED to 60, CRITICAL to 80, CRISIS to "
        "100. Each newly computed answer is kept with one prediction per horizon, sealed before "
        "its target day; `ledger` reports the outcomes.",
        price=prices.INTELLIGENCE_75,
        kept=timedelta(hours=1),
        answers=TransitionRiskOut,
        compute=regime_transition.compute_transition_risk,
        composites=(REGIME_COMPOSITE,),
        needs=tuple(SeriesNeed(series=name) for name in leading_signals.READ_SERIES),
        version=VERSION,
        beside=active_recalibration.load_active_recalibration,
        keeps=predictions.save_predictions,
        free=predictions.is_slot_free,
        heads={
            "Regime-Score": "currentScore",
            "Regime": "currentRegime",
            "Transition-Signal": "transitionSignal",
            "H30": "horizons.h30.mostLikely",
            "H60": "horizons.h60.mostLikely",
            "H90": "horizons.h90.mostLikely",
        },
        prose=MethodProse(
            missing=WORDED_INPUTS.format(what="The forecast probabilities"),
            measures="The regime of a composite of markets, prices and policy, and its "
            "probabilities in 30, 60 and 90 days.",
            formula="Score: weighted mean of 100·ECDF of each input. Probabilities: the changes "
            "of the score over the horizon after each past month, weighted by a Gaussian kernel "
            "of 15 points around the present score and moved by a ridge regression on three "
            "leading signals (its uncertainty grows as a signal's weight, min(1, horizon / lead), "
            "falls), each change smoothed by 2.5 points; one additional case is spread as all "
            "past regimes were (Laplace). A probability of 0 is one below 0.00005. Recalibrated "
            "by the outcomes of earlier predictions: (1 - w)·chain + w·(past frequency of each "
            "regime), w from a monthly record (`recalibration`; see ledger), 0 until there is "
            "one. Similar months, among those whose outcome 90 days later is known: (1 + cosine) "
            "/ 2 of the inputs' percentiles measured from 50.",
            window="Expanding: scores start ten years after 1985, month by month.",
            blind="Tomorrow's decisions: it sees prices and publications only. A composite of "
            "many inputs is seldom below 20 or above 80, so there are few cases of STABLE and "
            "CRISIS. Values that a publisher revised before we first read them enter the past as "
            "revised.",
            reference="Hamilton 1989 (regimes); Brier 1950; Murphy 1973; Holló, Kremer, Lo Duca "
            "2012 (the transform). `manage.py backtest_regimes` runs the method over the whole "
            "past.",
        ),
    ),
    Product(
        name="ledger",
        title="Track record of predictions",
        about="Returns how many predictions were made, how many are due, and how good they "
        "were.\n\n"
        "A prediction is resolved once its target day is over, using what was known at the end of "
        "that day. Skill is measured against two naive forecasts: that regimes are as frequent as "
        "in the past (climatology), and that nothing changes (persistence).",
        price=prices.INTELLIGENCE_25,
        kept=None,
        answers=LedgerOut,
        compute=prediction_ledger.compute_prediction_ledger,
        beside=track_record.load_track_record,
        version="3",
        heads={"Predictions": "summary.totalPredictions", "Resolved": "summary.resolved"},
        prose=MethodProse(
            missing="It uses records only, no series.",
            measures="How accurate the predictions of `transition-risk` and the calls of "
            "`48h-call` were.",
            formula="Brier = Σ(p - o)² over five regimes; RPS = Σ(P - O)² of four bounds, over 4; "
            "skill = 1 - Brier / Brier of the reference. Intervals: 1,000 draws of days in blocks "
            "of the horizon's length, with a fixed seed. For a call: Brier and skill over higher, "
            "lower and unchanged, against the base rates that the call stated; it was right where "
            "the first value of its day or of the four days after it, as known two weeks later, "
            "agrees. Recalibration, once a month per horizon, from the outcomes recorded until "
            "then: the w that minimises the Brier score of (1 - w)·p + w·c, p being the chain's "
            "own probabilities and c the frequency of each regime, all days weighted alike; at "
            "least 0 and at most a half, times n/(n + 12) of n cases whose spans do not overlap, "
            "and 0 with fewer than six of them. `before` and `after` are measured on the cases "
            "used to find w, so they are optimistic.",
            window="All predictions and calls ever resolved.",
            blind="How independent predictions are: those of one day share their outcome, so "
            "hundreds may be few cases, and `days` is given with `n`. Callers decide when "
            "predictions are made.",
            reference="Brier 1950; Epstein 1969; Murphy 1973; Künsch 1989.",
        ),
    ),
)
