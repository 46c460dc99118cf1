"""What is looked at afterwards: whose pages hold personal data, and how much is sampled.

Opening any page of the desk is recorded unless its model stands in `IMPERSONAL`: a new model
is recorded until somebody says here that it holds nobody's data.
"""

IMPERSONAL = frozenset(
    {
        "access.account",
        "access.apikey",
        "core.job",
        "core.ledgerhead",
        "core.legalhold",
        "core.periodic",
        "core.purgeevent",
        "lei.gleiffile",
        "lei.leirecord",
        "lei.leiuse",
        "lei.relationship",
        "lei.reportingexception",
        "oversight.exportevent",
        "oversight.health",
        "oversight.readevent",
        "countries.countrychange",
        "countries.countrylisting",
        "review.triage",
        "signals.observation",
        "upstreams.upstreamstate",
        "watchlists.listversion",
        "watchlists.source",
        "watchlists.sourcechange",
    }
)

# Lists that people work from all day: opening one is no news, searching in it is
WORK_LISTS = frozenset({"review.case", "oversight.sample"})

# Closed cases that a different officer looks at again, in per cent by risk, each month
QA_PERCENT = {"HIGH": 20, "MEDIUM": 10, "LOW": 5}
