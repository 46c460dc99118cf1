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
        title="Regimes that come",
        about="Returns the current regime of stress, and the probability of each in 30, 60 and 90 "
        "days.\n\n"
        "STABLE is a score of 0 to 20, ELEVATED to 40, STRESSED to 60, CRITICAL to 80, CRISIS to "
        "100. Each newly computed answer is kept with one prediction per horizon, sealed before "
        "its day; `ledger` reports the outcomes.",
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
            missing=WORDED_INPUTS.format(what="The chances of what comes"),
            measures="The regime of a composite of markets, prices and policy, and its chances in "
            "30, 60 and 90 days.",
            formula="Score: weighted mean of 100·ECDF of each input. Chances: the changes of the "
            "score over the horizon after each month of the past, weighted by a Gaussian kernel of "
            "15 points around the present score, moved by a ridge regression on three leading "
            "signals (its doubt grows as a signal's weight, min(1, horizon / lead), falls), each "
            "change smoothed by 2.5 points; one more case is spread as all regimes were (Laplace). "
            "A chance of 0 is one below 0.00005. Recalibrated by what came of earlier predictions: "
            "(1 - w)·chain + w·(how often each regime was), w as a record of each month has it "
            "(`recalibration`; see ledger), 0 while there is none. Similar months, of which it is "
            "known what came 90 days later: (1 + cosine) / 2 of the inputs' places counted from "
            "50.",
            window="Expanding: scores from ten years after 1985 on, month by month.",
            blind="It knows what moves and what is written, not what is decided tomorrow; a "
            "composite of many inputs is seldom below 20 or above 80, so of STABLE and CRISIS few "
            "cases are known. Values that a publisher revised before they were first read here "
            "stand in the past as revised.",
            reference="Hamilton 1989 (regimes); Brier 1950; Murphy 1973; Holló, Kremer, Lo Duca "
            "2012 (the transform). `manage.py backtest_regimes` walks the whole past.",
        ),
    ),
    Product(
        name="ledger",
        title="What was foretold, and what came",
        about="Returns how many predictions were made, how many are due, and how good they "
        "were.\n\n"
        "A prediction is resolved once its day is over, by what was known at its end. Skill is "
        "measured against two forecasts that cost nothing: that regimes are as frequent as in the "
        "past (climatology), and that nothing changes (persistence).",
        price=prices.INTELLIGENCE_25,
        kept=None,
        answers=LedgerOut,
        compute=prediction_ledger.compute_prediction_ledger,
        beside=track_record.load_track_record,
        version="3",
        heads={"Predictions": "summary.totalPredictions", "Resolved": "summary.resolved"},
        prose=MethodProse(
            missing="It rests on records, and on no series.",
            measures="How good the predictions of `transition-risk` and the calls of `48h-call` "
            "were.",
            formula="Brier = Σ(p - o)² over five regimes; RPS = Σ(P - O)² of four bounds, over 4; "
            "skill = 1 - Brier / Brier of the reference. Intervals: 1,000 draws of days in blocks "
            "of the horizon's length, with a fixed seed. Of a call: Brier and skill over higher, "
            "lower and unchanged, against the base rates that it told; it went as called where the "
            "first value of its day or of the four after it, as known two weeks later, is so. "
            "Recalibration, once a month by horizon, of the outcomes on record then and not after: "
            "the w that makes the Brier score of (1 - w)·p + w·c least, p being the chain's own "
            "chances and c how often each regime was, days alike; at least 0 and at most a half, "
            "times n/(n + 12) of n cases whose spans do not overlap, and 0 under six of them. "
            "`before` and `after` are of the cases that it was found on, and flatter it.",
            window="All predictions and calls ever resolved.",
            blind="Predictions of one day share their outcome: hundreds of them may be few cases, "
            "so `days` stands beside `n`. When a prediction is made is up to who calls.",
            reference="Brier 1950; Epstein 1969; Murphy 1973; Künsch 1989.",
        ),
    ),
)
