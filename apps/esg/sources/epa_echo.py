"""EPA ECHO: facilities by name, and of each the quarters in non-compliance of the last twelve.

Published service: `echo_rest_services.get_facilities` gives a `QueryID`, `get_qid` its facilities
with `FacName` and `FacQtrsWithNC`. Not verified against a real answer.
"""

from collections.abc import Iterable
from decimal import Decimal
from typing import Any

from apps.esg.evidence import Figure
from apps.esg.sources import Asked
from apps.esg.sources.asking import Malformed, Site, mapping, number, objects
from apps.lei.names import fold

SLUG = "epa-echo"
PAGE = "https://echo.epa.gov/facilities/facility-search"
FORMS = {"inc", "incorporated", "corp", "corporation", "co", "company", "llc", "ltd", "plc", "lp"}
MOST_FACILITIES = 1000


def fetch(*, url: str, asked: Asked) -> Iterable[Figure]:
    """Return the mean of quarters in non-compliance over the facilities that bear the name."""
    site, name = Site(SLUG, url), " ".join(_words(asked.name))
    if not name:
        return []
    first = _results(
        site.json("/echo_rest_services.get_facilities", output="JSON", p_fn=name, p_act="Y")
    )
    if int(number(first.get("QueryRows", 0), "QueryRows")) == 0:
        return []
    query = str(first.get("QueryID") or "")
    if not query:
        raise Malformed("the answer names no QueryID")
    found = _results(
        site.json(
            "/echo_rest_services.get_qid",
            output="JSON",
            qid=query,
            pageno="1",
            responseset=str(MOST_FACILITIES),
        )
    )
    quarters = list(_quarters(found.get("Facilities"), asked.name))
    if not quarters:
        return []
    return [_figure(asked, sum(quarters, Decimal(0)) / len(quarters))]


def _results(body: Any) -> Any:
    results = mapping(mapping(body, "the answer").get("Results"), "Results")
    if "Error" in results:
        raise Malformed(f"ECHO: {str(results['Error'])[:120]}")
    return results


def _quarters(facilities: Any, name: str) -> Iterable[Decimal]:
    wanted = _words(name)
    for one in objects(facilities, "Facilities"):
        if "facname" not in one or "facqtrswithnc" not in one:
            raise Malformed("a facility lacks FacName or FacQtrsWithNC")
        if _words(str(one["facname"]))[: len(wanted)] == wanted:
            yield number(one["facqtrswithnc"] or 0, "FacQtrsWithNC")


def _words(name: str) -> list[str]:
    """Return the words of a name without its legal form: facilities are named after the firm."""
    bare = "".join(c if c.isalnum() else " " for c in fold(name)).split()
    while bare and bare[-1] in FORMS:
        bare.pop()
    return bare


def _figure(asked: Asked, quarters: Decimal) -> Figure:
    return Figure(
        subject=asked.lei,
        key="noncompliance_quarters",
        value=quarters,
        period=f"to {asked.today:%Y-%m}",
        period_end=asked.today,
        source="EPA_ECHO",
        url=PAGE,
        as_of=asked.today,
    )
