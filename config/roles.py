"""Who may do what: the groups of the desk, each with exactly these permissions.

The table is brought into the database after every `migrate`, exactly: what is not in it is
taken away. Nobody's daily work needs a superuser.
"""

import logging
from collections.abc import Iterable
from datetime import datetime

from django.contrib.auth.models import Group, Permission

logger = logging.getLogger(__name__)

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
    "oversight.view_readevent",
    "oversight.view_exportevent",
    "oversight.export_records",
    "oversight.view_sample",
    "oversight.view_secondlook",
)

ROLES: dict[str, tuple[str, ...]] = {
    "Compliance officer": OFFICER,
    "Senior officer": (
        *OFFICER,
        "review.approve_second",
        "review.assign_case",
        # that a SAR entry exists is confidential: nobody else has these
        "sar.view_sarentry",
        "sar.file_sarentry",
        "sar.view_sarread",
        "sar.view_filingevent",
        "screening.view_screen",
        "core.view_legalhold",
        "core.place_legalhold",
        "core.lift_legalhold",
        "screening.view_countrylisting",
        "screening.view_countrychange",
        "screening.propose_countrychange",
        "screening.decide_countrychange",
    ),
    # registrations come with the registry; until then a registrar has nothing to see
    "Registrar": (),
    "Examiner": ("review.view_case", *LEDGERS),
    "Operator": (
        "watchlists.view_source",
        "watchlists.change_source",
        "watchlists.refresh_source",
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


class UnknownPermission(RuntimeError):
    """The table names a permission that no app defines: a spelling, or an app that left."""


def sync_roles(now: datetime) -> None:
    """Make the groups exactly what the table says; UnknownPermission when it names a stranger.

    `now` is when it happens; groups keep no times, the log does.
    """
    for name, wanted in ROLES.items():
        group, _ = Group.objects.get_or_create(name=name)
        permissions = _permissions(wanted)
        held = set(group.permissions.values_list("pk", flat=True))
        if held != set(permissions):
            group.permissions.set(permissions)
            logger.info("%s: %s now has its permissions", now, name)


def _permissions(wanted: Iterable[str]) -> list[int]:
    known = {
        f"{app}.{codename}": pk
        for pk, app, codename in Permission.objects.values_list(
            "pk", "content_type__app_label", "codename"
        )
    }
    unknown = sorted(set(wanted) - set(known))
    if unknown:
        raise UnknownPermission(f"config/roles.py names unknown permissions: {', '.join(unknown)}")
    return [known[name] for name in wanted]
