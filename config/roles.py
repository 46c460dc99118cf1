"""Who may do what: the groups of the desk, each with exactly these permissions.

The table is brought into the database after every `migrate` (apps/desk/roles.py), exactly: what
is not in it is taken away. Nobody's daily work needs a superuser.
"""

OFFICER = (
    "review.view_case",
    "review.claim_case",
    "review.decide_case",
    "oversight.view_sample",
    "oversight.look_sample",
)
LEDGERS = (
    "core.view_ledgerhead",
    "core.view_legalhold",
    "core.view_purgeevent",
    "review.view_decisionevent",
    "screening.view_screen",
    "screening.view_reportrecord",
    "countries.view_listingrecord",
    "watchlists.view_listrecord",
    "oversight.view_readevent",
    "oversight.view_exportevent",
    "oversight.export_records",
    "oversight.view_sample",
    "oversight.view_secondlook",
    "staff.view_peopleevent",
)

ROLES: dict[str, tuple[str, ...]] = {
    "Compliance officer": OFFICER,
    "Senior officer": (
        *OFFICER,
        "review.approve_second",
        "review.assign_case",
        "review.view_triage",
        # that a SAR entry exists is confidential: nobody else has these
        "sar.view_sarentry",
        "sar.file_sarentry",
        "sar.view_sarread",
        "sar.view_filingevent",
        "screening.view_screen",
        "screening.view_reportrecord",
        "core.view_legalhold",
        "core.place_legalhold",
        "core.lift_legalhold",
        "countries.view_countrylisting",
        "countries.view_countrychange",
        "countries.propose_countrychange",
        "countries.decide_countrychange",
        "staff.view_person",
        "staff.reset_factor",
        "staff.end_signin",
        "staff.view_peopleevent",
    ),
    # registrations come with the registry; until then a registrar has nothing to see
    "Registrar": (),
    "Examiner": ("review.view_case", *LEDGERS),
    "Operator": (
        "watchlists.view_source",
        "watchlists.change_source",
        "watchlists.refresh_source",
        "watchlists.view_sourcechange",
        "watchlists.propose_sourcechange",
        "watchlists.decide_sourcechange",
        "watchlists.view_listversion",
        "lei.view_gleiffile",
        "access.view_account",
        "access.add_account",
        "access.view_apikey",
        "access.issue_apikey",
        "access.revoke_apikey",
        "access.view_usage_page",
        "core.view_job",
        "core.change_job",
        "core.view_jobattempt",
        "core.view_periodic",
        "core.change_periodic",
        "upstreams.view_upstreamstate",
        "oversight.view_health",
    ),
}
