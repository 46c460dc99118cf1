"""What the JSON of a command says as figures: names, payees, payments and regimes. Pure."""

from collections.abc import Mapping, Sequence
from typing import Any

from benchmarks.report.figures import Bar, Chart, Line, Reading, Stat, Table

Found = Mapping[str, Any]


def share(value: float, digits: int = 1) -> str:
    """Return a share as percent."""
    return f"{100 * value:.{digits}f} %"


def number(value: float | None, digits: int = 3) -> str:
    """Return a number with so many digits; a dash where there is none."""
    return "–" if value is None else f"{value:.{digits}f}"


def within(low: float | None, high: float | None, digits: int = 3) -> str:
    """Return an interval in words."""
    if low is None or high is None:
        return "–"
    return f"{low:.{digits}f} to {high:.{digits}f}"


def payee_bands(found: Found) -> Reading:
    """Read `./run bench payee`: pairs classified as they were labelled, ours beside the peer's."""
    bands, peer = found["bands"], found["peer"]
    unseen = bands["payee_cases_unseen.csv"]["ours"]
    errors = sum(band["ours"]["no_as_match"] for band in bands.values())
    rows, bars = [], []
    for name, both in bands.items():
        for whose, one in (("ours", both["ours"]), (peer["name"], both["peer"])):
            cells = (share(one["strict"]), share(one["lenient"]), f"{one['no_as_match']}")
            rows.append((f"{_set(name)}: {whose}", f"{one['pairs']}", *cells, f"{one['false_no']}"))
            words = f"{_set(name)}, {whose}"
            text = share(one["lenient"])
            bars.append(Bar(words, 100 * one["lenient"], ours=one is both["ours"], text=text))
    columns = (
        "pairs",
        "number",
        "as expected",
        "as allowed",
        "wrong payee reported as a match",
        "right payee reported as no match",
    )
    return Reading(
        stats=(
            Stat("pairs never in view, reported as allowed", unseen["lenient"],
                 share(unseen["lenient"]), "goal: 98 %", unseen["lenient"] >= 0.98),
            Stat("wrong payee reported as a match, all sets", errors, f"{errors}",
                 "goal: none", errors == 0),
        ),
        table=Table(columns, tuple(rows)),
        chart=Chart("Pairs reported as allowed", "percent of the pairs", bars=tuple(bars)),
        note=f"The peer reports a match from {peer['match']} and close from {peer['close']}: "
        "the scorer and the thresholds that do best on the pairs in view.",
    )  # fmt: skip


def payee_tiers(found: Found) -> Reading:
    """Read `./run bench payee`: scores that lie in the tier that their pair needs."""
    rows = tuple(
        (_set(name), f"{one['pairs']}", f"{one['right']}", f"{one['above']}", f"{one['below']}")
        for name, one in found["tiers"].items()
    )
    unseen = found["tiers"]["payee_tiers_unseen.csv"]
    right = unseen["right"] / unseen["pairs"]
    return Reading(
        stats=(
            Stat("pairs never in view that score in their tier", right, share(right),
                 "goal: 90 %", right >= 0.9),
        ),
        table=Table(("pairs", "number", "in their tier", "above it", "below it"), rows),
    )  # fmt: skip


def _set(name: str) -> str:
    """Return what a set of pairs is called."""
    words = name.removesuffix(".csv").replace("payee_", "").replace("_", " ")
    return (
        words
        if "unseen" in words or "near" in words or "published" in words
        else f"{words} in view"
    )


MEASURES = {
    "auc": "AUC",
    "average_precision": "average precision",
    "precision_at_100": "precision at 100",
}


def aml(found: Found) -> Reading:
    """Read `manage.py aml_backtest`: how well accounts are ranked, with 95 % intervals."""
    rows, bars = [], []
    for key, name in MEASURES.items():
        for way in ("static", "calibrated"):
            value, (low, high) = found[way][key], found[way]["intervals"][key]
            text = number(value)
            rows.append((f"{name}, {way}", text, within(low, high)))
            bars.append(Bar(f"{name}, {way}", value, low, high, way == "static", text))
    for name, one in found["cohorts"].items():
        if one["static"] is not None:
            few = "" if one["proves"] else ": too few to prove anything"
            accounts = f"{one['bad']} bad of {one['accounts']}{few}"
            for way in ("static", "calibrated"):
                rows.append((f"AUC of {name.lower()} accounts, {way}", number(one[way]), accounts))
    data, static = found["data"], found["static"]
    low, high = static["intervals"]["auc"]
    return Reading(
        stats=(
            Stat("AUC, weights as delivered", static["auc"],
                 f"{number(static['auc'])} ({within(low, high)})"),
            Stat("bad among the 100 ranked highest", static["precision_at_100"],
                 share(static["precision_at_100"], 0)),
        ),
        table=Table(("measure", "value", "95 % interval"), tuple(rows)),
        chart=Chart("Ranking of accounts, with 95 % intervals",
                    "1 is best; an AUC of 0.5 is chance", bars=tuple(bars), dots=True),
        note=f"{data['payments']:,} payments of {data['accounts']:,} accounts, {data['bad']:,} "
        f"of them bad; rules {found['rules']}. The data is simulated: no labels of real "
        "laundering were available.",
    )  # fmt: skip


def regimes(found: Found) -> Reading:
    """Read `manage.py backtest_regimes`: skill at each horizon against what is simplest."""
    rows, bars, stats = [], [], []
    for horizon, forecast in found["horizons"].items():
        days = horizon.removeprefix("h")
        name, ours = next(iter(forecast["methods"].items()))
        for reference, one in ours["skill"].items():
            low, high = one["interval"] or (None, None)
            label = f"{days} days, against {reference}"
            proved = "–" if low is None else "yes" if low > 0 else "no"
            rows.append((label, number(one["skill"]), within(low, high), proved))
            if one["skill"] is not None:
                bars.append(Bar(label, one["skill"], low, high, text=number(one["skill"])))
        rows.append((f"{days} days, Brier score of the {name}", number(ours["brier"]), "–", "–"))
        stats.append(_skill(days, ours))
    return Reading(
        stats=tuple(stats),
        table=Table(("horizon", "value", "95 % interval", "better than chance"), tuple(rows)),
        chart=Chart("Skill of the Brier score, with 95 % intervals",
                    "0 is as good as the reference, 1 is perfect", bars=tuple(bars), dots=True),
        note=f"{found['months']} months, {found['from']} to {found['to']}; each forecast uses "
        "only what was known at its month's end.",
    )  # fmt: skip


def _skill(days: str, ours: Found) -> Stat:
    persistence = ours["skill"]["persistence"]
    low = (persistence["interval"] or [None])[0]
    met = None if low is None else low > 0
    return Stat(
        f"skill at {days} days against persistence",
        persistence["skill"],
        number(persistence["skill"]),
        "goal: its interval above 0",
        met,
    )


def lines_of(points: Sequence[Found], x: str, y: str) -> tuple[tuple[float, float], ...]:
    """Return the points of a curve by the names of its two values."""
    return tuple((point[x], point[y]) for point in points)


def matching(found: Found) -> Reading:
    """Read `./run bench curves`: precision over recall on labelled pairs, ours and the peers'."""
    matchers = found["pairs"]["matchers"]
    lines, rows = [], []
    for name, one in matchers.items():
        ours = name == "ours"
        at = one["at"]
        marked = (at["recall"], at["precision"], f"ours at {at['threshold']:.2f}") if ours else None
        points = lines_of(one["curve"], "recall", "precision")
        lines.append(Line(name, points, ours=ours, marked=marked))
        rows += _matcher(name, one)
    own, best = matchers["ours"], max(o["auc"] for name, o in matchers.items() if name != "ours")
    low, high = own["auc_interval"]
    at = own["at"]
    return Reading(
        stats=(
            Stat("AUC", own["auc"], f"{number(own['auc'])} ({within(low, high)})",
                 f"goal: above the best peer's {number(best)}", own["auc"] > best),
            Stat(f"F1 at the match threshold of {at['threshold']:.2f}", at["f1"], number(at["f1"])),
        ),
        table=Table(("matcher", "threshold", "precision", "recall", "F1", "AUC"), tuple(rows)),
        chart=Chart("Precision over recall", "recall", "precision", lines=tuple(lines)),
        note=f"{found['pairs']['number']:,} labelled pairs; the peers' thresholds are those at "
        "which they find as many pairs as ours does at its own two.",
    )  # fmt: skip


def _matcher(name: str, one: Found) -> list[tuple[str, ...]]:
    """Return the rows of a matcher: at the threshold of a match, and of a review."""
    return [
        (name, number(at["threshold"], 2), number(at["precision"]), number(at["recall"]),
         number(at["f1"]), number(one["auc"]))
        for at in (one["at"], one["look"])
    ]  # fmt: skip


def innocents(found: Found) -> Reading:
    """Read `./run bench curves`: the share of innocent names that any listed name is found for."""
    every = [
        (f"{kind}: {name}", row)
        for kind, one in found["innocents"].items()
        for name, row in one["matchers"].items()
    ]
    rows = tuple(
        (label, f"{row['names']:,}", number(row["threshold"], 2), share(row["share"], 2),
         " to ".join(share(end, 2) for end in row["interval"]))
        for label, row in every
    )  # fmt: skip
    bars = tuple(
        Bar(label, 100 * row["share"], *(100 * end for end in row["interval"]),
            ours=": ours" in label, text=share(row["share"], 2))
        for label, row in every if row["equal"]
    )  # fmt: skip
    stats = tuple(
        Stat(f"{kind} stopped at {one['matchers']['ours']['threshold']:.2f}",
             one["matchers"]["ours"]["share"], share(one["matchers"]["ours"]["share"], 2))
        for kind, one in found["innocents"].items()
    )  # fmt: skip
    columns = ("who and by what", "names", "threshold", "any hit", "95 % interval")
    return Reading(
        stats=stats,
        table=Table(columns, rows),
        chart=Chart("Innocent names with a hit, at equal recall", "percent of the names",
                    bars=bars),
        note=f"Screened against a list of {found['listed']:,} names. The peers' threshold is that "
        "at which they find as many of the labelled pairs as ours at a match; `review` is ours at "
        "the lower threshold, from which an officer reviews.",
    )  # fmt: skip


def pep(found: Found) -> Reading:
    """Read `./run bench pep`: innocent names with a hit, and PEPs found."""
    innocent = found["innocent"]
    rows = [
        ("innocent names with a hit", f"{innocent['names']:,}", share(innocent["hits"], 2),
         share(innocent["due"], 2)),
        *((f"PEPs, {kind}", f"{one['sought']:,}", share(one["found"], 2),
           share(one["due"], 2)) for kind, one in found["holders"].items()),
    ]  # fmt: skip
    every = found["holders"]["of all"]["found"]
    return Reading(
        stats=(
            Stat("innocent names with a hit", innocent["hits"], share(innocent["hits"], 2),
                 "goal: at most 4 %", innocent["hits"] <= 0.04),
            Stat("with enhanced due diligence", innocent["due"], share(innocent["due"], 2),
                 "goal: at most 1.5 %", innocent["due"] <= 0.015),
            Stat("PEPs found under their own name as others write it", every,
                 share(every), "goal: at least 95 %", every >= 0.95),
        ),
        table=Table(("who", "names", "with a hit", "with due diligence"), tuple(rows)),
    )  # fmt: skip
