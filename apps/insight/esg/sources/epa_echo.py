"""EPA ECHO: facilities by name, and of each the quarters in non-compliance of the last twelve.

Published service: `echo_rest_services.get_facilities` gives a `QueryID`, `get_qid` its facilities
with `FacName` and `FacQtrsWithNC`. Not verified against a real answer.
"""

import re
from collections.abc import Iterable
from decimal import Decimal
from typing import Any

from apps.insight.esg.evidence_figures import Figure
from apps.insight.esg.sources import SourceQuery
from apps.insight.esg.sources.connector_helpers import (
    MalformedAnswer,
    SourceServer,
    begins_with_legal_form,
    is_same_company,
    parse_number,
    require_object,
    require_object_list,
    split_company_name,
    strip_legal_form,
)
from apps.reference.signals.means import decimal_mean

SLUG = "epa-echo"
PAGE = "https://echo.epa.gov/facilities/facility-search"
_SITE = re.compile(r"\s-\s|[/(,#:]|\s\d")  # where a facility's own name begins
# facilities read of one entity; those beyond are not counted
MOST_FACILITIES = 1000


def fetch_figures(*, url: str, asked: SourceQuery) -> Iterable[Figure]:
    """Return the mean of quarters in non-compliance over the facilities that bear the name."""
    site, name = SourceServer(SLUG, url), " ".join(strip_legal_form(split_company_name(asked.name)))
    if not name:
        return []
    first = _parse_results(
        site.json("/echo_rest_services.get_facilities", output="JSON", p_fn=name, p_act="Y")
    )
    # no facility is no figure, and not a clean record
    if int(parse_number(first.get("QueryRows", 0), "QueryRows")) == 0:
        return []
    query = str(first.get("QueryID") or "")
    if not query:
        raise MalformedAnswer("the answer has no QueryID")
    results = _parse_results(
        site.json(
            "/echo_rest_services.get_qid",
            output="JSON",
            qid=query,
            pageno="1",
            responseset=str(MOST_FACILITIES),
        )
    )
    quarters = list(_parse_quarters(results.get("Facilities"), asked))
    if not quarters:
        return []
    figure = Figure(
        subject=asked.lei,
        key="noncompliance_quarters",
        value=decimal_mean(quarters),
        period=f"to {asked.today:%Y-%m}",
        period_end=asked.today,
        source="EPA_ECHO",
        url=PAGE,
        as_of=asked.today,
    )
    return [figure]


def _parse_results(body: Any) -> Any:
    results = require_object(require_object(body, "the answer").get("Results"), "Results")
    if "Error" in results:
        raise MalformedAnswer(f"ECHO: {str(results['Error'])[:120]}")
    return results


def _parse_quarters(facilities: Any, source_query: SourceQuery) -> Iterable[Decimal]:
    for facility in require_object_list(facilities, "Facilities"):
        if "facname" not in facility or "facqtrswithnc" not in facility:
            raise MalformedAnswer("a facility lacks FacName or FacQtrsWithNC")
        quarters = facility["facqtrswithnc"]
        # nothing said is not none: a facility without a permit has no record to be clean
        if quarters not in (None, "") and _is_facility_of_entity(
            str(facility["facname"] or ""), source_query
        ):
            yield parse_number(quarters, "FacQtrsWithNC")


def _is_facility_of_entity(facility: str, source_query: SourceQuery) -> bool:
    """Tell whether a facility is named after the entity, as `APPLE - CAMPUS 1` is.

    A longer name is another company's: `Apple Valley Foods` is not Apple's.
    """
    if is_same_company(query=source_query, other=_SITE.split(facility, maxsplit=1)[0]):
        return True
    mine, theirs = (
        strip_legal_form(split_company_name(source_query.name)),
        split_company_name(facility),
    )
    named = source_query.country == "US" and theirs[: len(mine)] == mine
    return named and begins_with_legal_form(theirs[len(mine) :])
