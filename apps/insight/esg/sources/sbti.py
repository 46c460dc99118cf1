"""Science Based Targets initiative: the near-term target of a company, by LEI, as CSV.

The initiative publishes one row for each company with `lei` and `near_term_status`. An unlisted
company gives no figure, since it may be listed without its LEI. ESG_SOURCES gives the address; not
verified against a real file. The initiative's terms of use apply.
"""

from collections.abc import Iterable
from decimal import Decimal

from apps.insight.esg.evidence_figures import Figure
from apps.insight.esg.sources import SourceQuery
from apps.insight.esg.sources.connector_helpers import MalformedAnswer, iter_csv_rows

SLUG = "sbti"
PAGE = "https://sciencebasedtargets.org/companies-taking-action"
NEEDED = ("lei", "near_term_status")
STATUSES = {
    "targets set": Decimal(1),
    "committed": Decimal("0.5"),
    "commitment removed": Decimal(0),
}


def fetch_figures(*, url: str, asked: SourceQuery) -> Iterable[Figure]:
    """Return the state of a company's target; a state that is not known is Malformed."""
    for row in iter_csv_rows(slug=SLUG, url=url, needed=NEEDED, today=asked.today):
        if row["lei"].upper() != asked.lei:
            continue
        status = row["near_term_status"].lower()
        if status not in STATUSES:
            raise MalformedAnswer(f"{status[:40]!r} is not a target status")
        return [
            Figure(
                subject=asked.lei,
                key="climate_target",
                value=STATUSES[status],
                period=f"{asked.today:%Y-%m}",
                period_end=asked.today,
                source="SBTI",
                url=PAGE,
                as_of=asked.today,
            )
        ]
    return []
