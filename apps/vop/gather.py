"""Gathers a payee check: what is registered, what is known of the LEI, how the names compare.

Reads only, and outside any transaction: GLEIF and the model may have to be waited for.
"""

from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any, cast

from apps.advisory.opinions import opinion
from apps.lei import lookups
from apps.lei.values import Held
from apps.names.payee import Outcome, compare
from apps.registry.models import Registration
from apps.registry.proof import standing
from apps.registry.reads import borne_out
from apps.registry.rules.lei import UNVERIFIED, lei_status
from apps.vop import rules
from apps.vop.gray import GRAY_ZONE
from apps.vop.rules import Facts, Judgement, LeiCheck, LeiStatus


@dataclass(frozen=True, slots=True)
class Asked:
    """A check as asked for; `lei` is empty where none was submitted."""

    wallet: str
    name: str
    lei: str = ""


@dataclass(frozen=True, slots=True)
class Gathered:
    """All that a check rests on; no comparison where the LEI decided or nobody is registered."""

    registered: Registration | None
    facts: Facts
    judgement: Judgement
    compared: Outcome | None = None
    opinion: dict[str, Any] | None = None
    record: Held | None = None  # what GLEIF said of the LEI on record
    waiting: Registration | None = None  # one that does not count yet

    def basis(self, name: str) -> str:
        """Return what a registered name rests on: GLEIF, or what its registrar declared."""
        row = self.registered
        held = row is not None and borne_out(name, row, self.record)
        return "GLEIF" if held else "SELF_DECLARED"

    @property
    def quality(self) -> str:
        """Return the worst quality of what the check rests on: SAMPLE where GLEIF's record is."""
        return "SAMPLE" if self.record is not None and self.record.source == "SAMPLE" else "LIVE"


def asked(*, wallet_address: str, submitted_name: str, submitted_lei: str = "") -> Asked:
    """Return what the validated values of a request ask for."""
    return Asked(wallet_address, submitted_name, submitted_lei)


def gather(*, asked: Asked, now: datetime) -> Gathered:
    """Hold a submitted name and LEI against the registration of the wallet.

    An opinion on a middling result waits at most `GRAY_ZONE.deadline`; it changes nothing. Raises
    RegistrationUnproved (503) when what is registered is not as it was recorded.
    """
    row = standing(asked.wallet)
    if row is None or not row.counts(now):
        facts = Facts(
            registered=False,
            lei="NONE_ON_RECORD" if asked.lei else "NOT_GIVEN",
            waits=row is not None,
            under_review=row is not None,
        )
        return Gathered(None, facts, rules.judge(facts), waiting=row)
    record = _looked_up(row, now)
    facts = Facts(
        lei=_lei_check(asked.lei, row),
        status=_status(row, record, now),
        under_review=row.under_review,
        lei_waits=row.lei_waits,
    )
    if facts.lei == "MATCHED":
        return Gathered(row, facts, rules.judge(facts), record=record)
    aliases = row.counted_names
    compared = compare(
        submitted=asked.name, registered=row.legal_name, aliases=aliases, home=_home(row, record)
    )
    by_alias = compared.relative == "alias"
    facts = replace(facts, score=compared.score, by_alias=by_alias, unread=compared.unread)
    judgement = rules.judge(facts)
    said = _opinion(asked, row, compared, now) if judgement.tier.gray else None
    return Gathered(row, facts, judgement, compared, said, record)


def _lei_check(submitted: str, row: Registration) -> LeiCheck:
    if not submitted:
        return "NOT_GIVEN"
    if not row.lei:
        return "NONE_ON_RECORD"
    if submitted != row.lei:
        return "ANOTHER_LEI"
    return "UNDER_REVIEW" if row.lei_waits else "MATCHED"


def _looked_up(row: Registration, now: datetime) -> Held | None:
    """Return what is known of the LEI on record; None without one, or when nobody can say."""
    return lookups.lookup(lei=row.lei, now=now).record if row.lei else None


def _status(row: Registration, record: Held | None, now: datetime) -> LeiStatus:
    """Return how the LEI on record stands now; UNVERIFIED when nobody can say."""
    if not row.lei:
        return "NONE"
    if record is None:
        return cast(LeiStatus, UNVERIFIED)
    return cast(LeiStatus, lei_status(record.entity, lei=row.lei, now=now))


def _home(row: Registration, record: Held | None) -> str:
    """Return the country of a payee; "" while officers look at it, or GLEIF has others alone."""
    told = record.entity.countries if record else ()
    return "" if row.country_waits or (told and row.country not in told) else row.country


def _opinion(
    asked: Asked, row: Registration, compared: Outcome, now: datetime
) -> dict[str, Any] | None:
    facts = {
        "submittedName": asked.name,
        "registeredName": row.legal_name,
        "aliases": row.counted_names,
        "score": compared.score,
    }
    return opinion(question=GRAY_ZONE, facts=facts, now=now)
