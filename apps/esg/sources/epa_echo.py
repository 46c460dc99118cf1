"""EPA ECHO: facilities by name, and of each the quarters in non-compliance of the last twelve.

Published service: `echo_rest_services.get_facilities` gives a `QueryID`, `get_qid` its facilities
with `FacName` and `FacQtrsWithNC`. Not verified against a real answer.
"""

import re
from collections.abc import Iterable
from decimal import Decimal
from typing import Any

from apps.esg.evidence import Figure
from apps.esg.sources import Asked
from apps.esg.sources.asking import (
    Malformed,
    Site,
    bare,
    begins_with_form,
    mapping,
    number,
    objects,
    same_company,
    words,
)

SLUG = "epa-echo"
PAGE = "https://echo.epa.gov/facilities/facility-search"
_SITE = re.compile(r"\s-\s|[/(,#:]|\s\d")  # where a facility's own name begins
MOST_FACILITIES = 1000


def fetch(*, url: str, asked: Asked) -> Iterable[Figure]:
    """Return the mean of quarters in non-compliance over the facilities that bear the name."""
    site, name = Site(SLUG, url), " ".join(bare(words(asked.name)))
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
    quarters = list(_quarters(found.get("Facilities"), asked))
    if not quarters:
        return []
    return [_figure(asked, sum(quarters, Decimal(0)) / len(quarters))]


def _results(body: Any) -> Any:
    results = mapping(mapping(body, "the answer").get("Results"), "Results")
    if "Error" in results:
        raise Malformed(f"ECHO: {str(results['Error'])[:120]}")
    return results


def _quarters(facilities: Any, asked: Asked) -> Iterable[Decimal]:
    for one in objects(facilities, "Facilities"):
        if "facname" not in one or "facqtrswithnc" not in one:
            raise Malformed("a facility lacks FacName or FacQtrsWithNC")
        quarters = one["facqtrswithnc"]
        # nothing said is not none: a facility without a permit has no record to be clean
        if quarters not in (None, "") and _is_of(str(one["facname"] or ""), asked):
            yield number(quarters, "FacQtrsWithNC")


def _is_of(facility: str, asked: Asked) -> bool:
    """Tell whether a facility is named after the entity, as `APPLE - CAMPUS 1` is.

    A longer name is another company's: `Apple Valley Foods` is not Apple's.
    """
    if same_company(asked=asked, other=_SITE.split(facility, maxsplit=1)[0]):
        return True
    mine, theirs = bare(words(asked.name)), words(facility)
    named = asked.country == "US" and theirs[: len(mine)] == mine
    return named and begins_with_form(theirs[len(mine) :])


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
