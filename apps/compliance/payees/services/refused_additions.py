"""Remove additions from a registration that an officer otherwise keeps: names, LEI, country."""

from apps.backoffice.review.models import Case
from apps.compliance.payees.models import Registration, RegistrationEvent, RegistrationType
from apps.compliance.payees.models.registrations import name_key
from apps.compliance.payees.rules.lei_states import NONE
from apps.platform.common.problems import Conflict
from apps.platform.ledger.verification.verified_reads import filter_verified_records

HIGH_RISK = "D §4 2.3 high-risk country"
PLACES = ("D §4 2.3 GLEIF's country", "D §4 2.3 another country")
REFUSED = "ADDITION_REFUSED"  # the reason of a rejection that ends no registration


class RegistrationInDoubt(Conflict):
    """More than an addition is in doubt: removing it is not enough."""

    code, title = "more_in_doubt", "More than an addition is in doubt"


def remove_additions(row: Registration, case: Case) -> None:
    """Remove the names, LEI and country that a case is about; the caller saves the row.

    Earlier values stay. Raises RegistrationInDoubt if there were none and the country of the entity
    is in doubt as well.
    """
    # the state before the submission that opened the case
    events = RegistrationEvent.objects.filter(registration=row, recorded_at__lt=case.opened_at)
    last = filter_verified_records(events.order_by("-pk")[:1])
    before = dict(last[0].data.get("stands") or {}) if last else {}
    if not before and any(f"|{ref}|" in case.rule_refs for ref in (HIGH_RISK, *PLACES)):
        raise RegistrationInDoubt(
            "Its country is in doubt as well: keep the registration or deactivate it."
        )
    aliases = {name_key(alias) for alias in case.evidence.get("submitted", {}).get("aliases") or ()}
    waiting = row.pending.get("names", ())
    # only what still waits: a name that another case has confirmed stays
    off = {name for name in waiting if name_key(name) in aliases}
    row.aliases = [alias for alias in row.aliases if alias not in off]
    left = {**row.pending, "names": [name for name in waiting if name not in off], "lei": False}
    # an LEI that it had before stays; GLEIF's name for it is another question
    if row.lei_waits and not before.get("lei"):
        row.lei, row.lei_status, row.kind = "", NONE, RegistrationType.SELF_DECLARED
        row.gleif_name, row.lei_seen_at, row.lei_since = "", None, None
    if row.country_waits and any(f"|{ref}|" in case.rule_refs for ref in PLACES):
        row.country, left["country"] = before["country"], False
    row.pending = {name: value for name, value in left.items() if value}
