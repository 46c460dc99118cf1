"""What follows for the treasury report of a month: volume, corridors, who decided. Pure.

Document 2 section 4: volume, corridor performance, AI decision audit.
"""

from collections.abc import Iterator, Mapping
from typing import Any

from apps.reports.rules.bands import Band, banded
from apps.reports.rules.bounds import Bounds, compare, compare_each
from apps.reports.rules.charts import Chart, Row
from apps.reports.rules.findings import Data, Rule
from apps.reports.rules.moving import FEWEST
from apps.reports.rules.reading import at, count, listed, num, pct

REPORT, PRIVACY = "2 §4", "D §4"
SLOW = Bounds(least=3600)  # seconds, median
ALONE = Bounds(least=0.8)  # share of the volume on one corridor
OFTEN = Bounds(least=0.1)  # share that an officer decided
BLOCKED = Bounds(least=0.05)  # share of what came in


def _settled(data: Data, share: float) -> str:
    return (
        f"Of {count(at(data, 'flows.volume.settled') + _bad(data), 'payment')} that ended "
        f"{at(data, 'flows.volume.settled'):,} settled: {num(100 * share)} per cent."
    )


def _bad(data: Data) -> int:
    return int(at(data, "flows.volume.blocked") + at(data, "flows.volume.failed"))


def _blocked(data: Data) -> Iterator[str]:
    n, blocked = at(data, "flows.volume.count"), at(data, "flows.volume.blocked")
    if n and blocked is not None and BLOCKED.holds(blocked / n):
        yield f"{blocked:,} of {n:,} were blocked by compliance: {pct(blocked / n)}."


def _waiting(data: Data, waiting: int) -> str:
    return f"{count(waiting, 'payment')} of the month had not ended when this was made."


def _alone(data: Data) -> Iterator[str]:
    whole = at(data, "flows.volume.settledUsd")
    for one in listed(data, "flows.corridors")[:1]:
        if whole and ALONE.holds(one["settledUsd"] / whole):
            yield (
                f"The corridor {one['corridor']} carries {pct(one['settledUsd'] / whole)} of the "
                f"volume, {num(one['settledUsd'], 2)} USD."
            )


def _slow(data: Data, corridor: Any) -> str:
    hours = num(corridor["medianSeconds"] / 3600)
    return f"By {corridor['corridor']} half of what settled took {hours} hours or more."


def _officers(data: Data) -> Iterator[str]:
    n, officers = at(data, "decisions.decided"), at(data, "decisions.byOfficer")
    if n and officers is not None and OFTEN.holds(officers / n):
        yield f"Officers decided {officers:,} of {n:,}: {pct(officers / n)}."


def _models(data: Data, turned: int) -> str:
    advised = at(data, "decisions.advisedByModel")
    return (
        f"The assessment of a language model turned {count(turned, 'flag')} into a block; "
        f"{count(advised or 0, 'held settlement')} had its advice."
    )


def _withheld(data: Data) -> Iterator[str]:
    what = at(data, "flows.withheld.what")
    if what == "RUNNING":
        yield (
            f"The month is over on {at(data, 'flows.until')}: of the network a month is told once "
            "it has ended."
        )
    elif what:
        named = "all figures" if at(data, "flows.volume") is None else "some figures"
        yield (
            f"Of the network {named} are withheld: fewer than {FEWEST} institutions have part in "
            "them, or one has more than half."
        )


def _untold(data: Data) -> Iterator[str]:
    return _withheld(data) if at(data, "flows.volume") is None else iter(())


def _some(data: Data) -> Iterator[str]:
    return _withheld(data) if at(data, "flows.volume") is not None else iter(())


def _volume(data: Data) -> Iterator[str]:
    if at(data, "flows.volume") is not None:
        yield (
            f"{num(at(data, 'flows.volume.settledUsd'), 2)} USD settled in "
            f"{count(at(data, 'flows.volume.settled'), 'payment')}, for "
            f"{num(at(data, 'flows.volume.feesUsd'), 2)} USD of fees."
        )


RULES: tuple[Rule, ...] = (
    *banded(
        (
            Band(least=0, code="POOR", level="HIGH",
                 advice="Find out why payments end unsettled before more are sent."),
            Band(least=0.8, code="WEAK", level="ELEVATED",
                 advice="Look at the payments that were blocked or failed, corridor by corridor."),
            Band(least=0.95, code="FAIR", level="MODERATE"),
            Band(least=0.99, code="GOOD", level="LOW"),
        ),
        code="TREAS-SETTLED", ref=REPORT, weight=95, path="flows.volume.settledShare",
        title="settledShare", say=_settled,
    ),
    Rule(code="TREAS-BLOCKED", ref=REPORT, level="ELEVATED", weight=90,
         condition=f"blocked is {BLOCKED} of count", finds=_blocked,
         advice="Check whom is paid before payments are sent: a screen of each payee."),
    compare_each(
        code="TREAS-SLOW", ref=REPORT, level="MODERATE", weight=70,
        title="a corridor's medianSeconds", rows="flows.corridors", field="medianSeconds",
        condition=SLOW, say=_slow, advice="Use another rail where settling is slow.",
    ),
    compare(
        code="TREAS-MODELS", ref=REPORT, level="MODERATE", weight=65, title="turnedByModel",
        value="decisions.turnedByModel", condition=Bounds(above=0), say=_models,
        advice="Have an officer look again at what a model's assessment blocked.",
    ),
    Rule(code="TREAS-OFFICERS", ref=REPORT, level="MODERATE", weight=60,
         condition=f"byOfficer is {OFTEN} of decisions", finds=_officers,
         advice="Register payees with their LEI, so that fewer payments wait for an officer."),
    Rule(code="TREAS-ALONE", ref=REPORT, level="MODERATE", weight=55,
         condition=f"one corridor has {ALONE} of the volume", finds=_alone,
         advice="Keep a second corridor open."),
    compare(
        code="TREAS-WAITING", ref=REPORT, level="MODERATE", weight=50, title="waiting",
        value="flows.volume.waiting", condition=Bounds(above=0), say=_waiting,
    ),
    Rule(code="TREAS-VOLUME", ref=REPORT, level="LOW", weight=40,
         condition="figures are told", finds=_volume),
    Rule(code="TREAS-UNKNOWN", ref=PRIVACY, level="MODERATE", weight=99,
         condition="no figure of the network may be told", finds=_untold,
         advice="Ask with an institution's key for its own month."),
    Rule(code="TREAS-WITHHELD", ref=PRIVACY, level="LOW", weight=30,
         condition="some figures of the network are withheld", finds=_some),
)  # fmt: skip


def headline(data: Data) -> str:
    """Return the last sentence of the summary."""
    if at(data, "flows.volume") is None:
        return "Nothing is told of the network: its risk is not known."
    return (
        f"{num(at(data, 'flows.volume.settledUsd'), 2)} USD settled in "
        f"{count(at(data, 'flows.volume.settled'), 'payment')}."
    )


def told_volume(data: Data) -> str:
    """Tell the volume of the month."""
    told = at(data, "flows.volume")
    if told is None:
        return next(_withheld(data))
    seconds = told["medianSeconds"]
    took = f" Half of it settled within {num(seconds)} seconds." if seconds is not None else ""
    ends = {"settled": "settled", "blocked": "were blocked", "failed": "failed",
            "waiting": "had not ended"}  # fmt: skip
    known = [f"{told[name]:,} {does}" for name, does in ends.items() if told[name] is not None]
    came = f"{count(told['count'], 'payment')} came in" if told["count"] is not None else "Of all"
    return (
        f"{came}: {', '.join(known)}. {num(told['settledUsd'], 2)} USD settled, for "
        f"{num(told['feesUsd'], 2)} USD of fees.{took}"
    )


def told_corridors(data: Data) -> str:
    """Tell the corridors with their volume and how they did."""
    told = [
        f"{one['corridor']} {num(one['settledUsd'], 2)} USD in {one['settled']:,}"
        + (f", {num(100 * one['settledShare'])} % settled" if one["settledShare"] else "")
        for one in listed(data, "flows.corridors")
    ]
    return f"{count(len(told), 'corridor')}: {'; '.join(told)}." if told else ""


def told_decisions(data: Data) -> str:
    """Tell who decided: rules, officers, and what language models had part in."""
    told = at(data, "decisions")
    if told is None or told["decided"] is None:
        return ""
    waits = f"; {told['undecided']:,} are not decided" if told["undecided"] else ""
    return (
        f"Decided were {told['decided']:,}{waits}. By rules alone {_n(told, 'byRules')}, by "
        f"officers {_n(told, 'byOfficer')}. A language model advised on "
        f"{_n(told, 'advisedByModel')} held settlements, which changes nothing, and turned "
        f"{_n(told, 'turnedByModel')} flags into blocks; it releases nothing."
    )


def _n(told: Mapping[str, Any], name: str) -> str:
    return "a number that is not told" if told[name] is None else f"{told[name]:,}"


def corridors(data: Data) -> Iterator[Row]:
    """Yield the volume of corridors."""
    for one in listed(data, "flows.corridors"):
        yield one["corridor"], one["settledUsd"], f"{num(one['settledUsd'], 2)} USD"


def days(data: Data) -> Iterator[Row]:
    """Yield the volume of days."""
    for one in listed(data, "flows.days"):
        yield one["day"], one["settledUsd"], f"{num(one['settledUsd'], 2)} USD"


def outcomes(data: Data) -> Iterator[Row]:
    """Yield how payments ended."""
    told = at(data, "flows.volume")
    for name in ("settled", "blocked", "failed", "waiting") if told else ():
        yield name.capitalize(), told[name], "" if told[name] is None else f"{told[name]:,}"


CHARTS: tuple[Chart, ...] = (
    Chart(title="How payments ended", bars=outcomes, low=0),
    Chart(title="Settled by corridor, USD", bars=corridors, low=0),
    Chart(title="Settled by day, USD", bars=days, low=0),
)
