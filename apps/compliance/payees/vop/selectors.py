"""Gather a payee check: the registration, the LEI's status, and the comparison of names.

Reads only, and outside any transaction: it may have to wait for GLEIF and the model.
"""

from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any, cast

from apps.compliance.payees.models import Registration
from apps.compliance.payees.rules import payee_check
from apps.compliance.payees.rules.lei_states import UNVERIFIED, lei_status
from apps.compliance.payees.rules.payee_check import Judgement, LeiCheck, LeiStatus, PayeeCheckFacts
from apps.compliance.payees.selectors.public_lookups import is_name_at_gleif
from apps.compliance.payees.selectors.registrations import load_active_registration
from apps.compliance.payees.vop.gray_zone import GRAY_ZONE
from apps.platform.advisory.opinions import request_opinion
from apps.reference.lei.services import lookups
from apps.reference.lei.values import HeldEntity
from apps.reference.names.payee import ComparisonOutcome, compare_payee_names
from apps.reference.watchlists.budgeted_name_search import screen_cpu_budget


@dataclass(frozen=True, slots=True)
class PayeeCheckRequest:
    """A requested check; `lei` is empty if none was submitted."""

    wallet: str
    name: str
    lei: str = ""


@dataclass(frozen=True, slots=True)
class PayeeCheckInputs:
    """The inputs of a check; no comparison if the LEI decided or the wallet is not registered."""

    registered: Registration | None
    facts: PayeeCheckFacts
    judgement: Judgement
    compared: ComparisonOutcome | None = None
    opinion: dict[str, Any] | None = None
    record: HeldEntity | None = None  # what GLEIF said of the LEI on record
    waiting: Registration | None = None  # one that does not count yet

    def basis(self, name: str) -> str:
        """Return what a registered name rests on: GLEIF, or what its registrar declared."""
        row = self.registered
        at_gleif = row is not None and is_name_at_gleif(name, row, self.record)
        return "GLEIF" if at_gleif else "SELF_DECLARED"

    @property
    def quality(self) -> str:
        """Return the worst quality of what the check rests on: SAMPLE where GLEIF's record is."""
        return "SAMPLE" if self.record is not None and self.record.source == "SAMPLE" else "LIVE"


def build_payee_check_request(
    *, wallet_address: str, submitted_name: str, submitted_lei: str = ""
) -> PayeeCheckRequest:
    """Return what the validated values of a request ask for."""
    return PayeeCheckRequest(wallet_address, submitted_name, submitted_lei)


def gather_payee_check(*, asked: PayeeCheckRequest, now: datetime) -> PayeeCheckInputs:
    """Hold a submitted name and LEI against the registration of the wallet.

    An opinion on a middling result waits at most `GRAY_ZONE.deadline`; it changes nothing. Raises
    RegistrationIntegrityError (503) if the registration fails the integrity check.
    """
    row = load_active_registration(asked.wallet)
    # an entity that waits for its review is not compared, else it would confirm itself to payers
    if row is None or not row.counts(now):
        facts = PayeeCheckFacts(
            registered=False,
            lei="NONE_ON_RECORD" if asked.lei else "NOT_GIVEN",
            waits=row is not None,
            under_review=row is not None,
        )
        return PayeeCheckInputs(None, facts, payee_check.judge_payee_check(facts), waiting=row)
    # an LEI that matches decides alone; otherwise the names are compared
    record = _look_up_lei_record(row, now)
    facts = PayeeCheckFacts(
        lei=_compare_submitted_lei(asked.lei, row),
        status=_current_lei_status(row, record, now),
        under_review=row.under_review,
        lei_waits=row.lei_waits,
    )
    # document 1 section 2.1: with a matching LEI the name is not compared
    if facts.lei == "MATCHED":
        return PayeeCheckInputs(row, facts, payee_check.judge_payee_check(facts), record=record)
    aliases = row.counted_names
    # "" while officers look at it, or GLEIF has others alone
    countries = record.entity.countries if record else ()
    home = "" if row.country_waits or (countries and row.country not in countries) else row.country
    # names are compared for a bounded time: hostile ones end as `unread`
    with screen_cpu_budget():
        compared = compare_payee_names(
            submitted=asked.name, registered=row.legal_name, aliases=aliases, home=home
        )
    by_alias = compared.relative == "alias"
    unread = compared.decided.code if compared.unread else ""
    facts = replace(facts, score=compared.score, by_alias=by_alias, unread=unread)
    judgement = payee_check.judge_payee_check(facts)
    opinion = _ask_opinion(asked, row, compared, now) if judgement.tier.gray else None
    return PayeeCheckInputs(row, facts, judgement, compared, opinion, record)


def _compare_submitted_lei(submitted: str, row: Registration) -> LeiCheck:
    if not submitted:
        return "NOT_GIVEN"
    if not row.lei:
        return "NONE_ON_RECORD"
    if submitted != row.lei:
        return "ANOTHER_LEI"
    # GLEIF has another name for it: a match would prove the wrong entity
    return "UNDER_REVIEW" if row.lei_waits else "MATCHED"


def _look_up_lei_record(row: Registration, now: datetime) -> HeldEntity | None:
    """Return the record of the LEI on record; None without an LEI or if it cannot be looked up."""
    # may wait for GLEIF; without an answer the status is UNVERIFIED and the check goes on
    return lookups.look_up_lei(lei=row.lei, now=now).record if row.counted_lei else None


def _current_lei_status(row: Registration, record: HeldEntity | None, now: datetime) -> LeiStatus:
    """Return the current status of the LEI on record; UNVERIFIED if that is unknown."""
    if not row.counted_lei:
        return "NONE"
    if record is None:
        return cast(LeiStatus, UNVERIFIED)
    return cast(LeiStatus, lei_status(record.entity, lei=row.lei, now=now))


def _ask_opinion(
    check_request: PayeeCheckRequest, row: Registration, compared: ComparisonOutcome, now: datetime
) -> dict[str, Any] | None:
    facts = {
        "submittedName": check_request.name,
        "registeredName": row.legal_name,
        "aliases": row.counted_names,
        "score": compared.score,
    }
    return request_opinion(question=GRAY_ZONE, facts=facts, now=now)
