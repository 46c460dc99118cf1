"""What a submission leaves for people: a case for officers, an entry in the SAR log."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime
from typing import Any

from django.db import IntegrityError, transaction

from apps.core.canonical import digest
from apps.registry.models import Registration, RegistrationEvent
from apps.registry.picture import listed_parties, picture
from apps.registry.register.asked import Asked, Who
from apps.registry.register.gather import Checks
from apps.registry.rules.findings import VERSION, Facts, Judgement, judge
from apps.registry.rules.steps import Standing, Submitted, another_entity
from apps.review.actions import Opening, open_case, retire
from apps.review.models import UNDECIDED, Case
from apps.review.rules.keys import entity_key, frozen
from apps.sar.actions import Blocked, open_entry
from apps.sar.authorities import owes_ofac
from apps.sar.facts import Facts as SarFacts
from apps.sar.models import SarEntry
from apps.watchlists.rules import PARTIAL_SCORE

KIND = "registration"
CONTEST = "contest"  # begins the reference of a case that another submission brought
MOST_OPEN = 3  # cases of one registration, and as many of what contests it


def review(
    *, row: Registration, event: RegistrationEvent, ref: str, judgement: Judgement, now: datetime
) -> None:
    """Open the case of a registration that stands under review."""
    kept = event.data
    evidence = {name: kept[name] for name in ("submitted", "rules")} | kept["evidence"]
    opening = _opening(row, ref, judgement, evidence)
    open_case(opening=opening, now=now)


def contest(
    *, held: Registration, asked: Asked, checks: Checks, facts: Facts, who: Who, now: datetime
) -> None:
    """Open the case of a wallet for which another entity was submitted; the same again, none.

    Of one wallet a few stand open at a time, so that nobody fills the queue with made-up names:
    they are enough for an officer to look. One that a list may have is always looked at. `facts`
    are what the checks found of the entity that was submitted.
    """
    given = asked.submitted
    named = f"{given.legal_name} (LEI {given.lei})" if given.lei else given.legal_name
    judgement = judge(replace(facts, legal_name=held.legal_name, contested=named))
    if facts.score < PARTIAL_SCORE and _open(f"{CONTEST}.{held.pk}.") >= MOST_OPEN:
        return
    submitted = asked.recorded()
    ref = f"{CONTEST}.{held.pk}.{digest(submitted)[:16]}"
    evidence = {"submitted": submitted, "rules": VERSION, "by": who.caller} | checks.evidence()
    open_case(opening=_opening(held, ref, judgement, evidence), now=now)


def contests(*, registration: int, entity: Submitted) -> list[Case]:
    """Return the open cases in which this very entity was submitted for a wallet, and keep them.

    Nobody decides them while the transaction lasts; they are locked before the registration, as by
    a decision (review.actions.locked_undecided).
    """
    waits = Case.objects.filter(kind=KIND, ref__startswith=f"{CONTEST}.{registration}.")
    found = waits.filter(status__in=UNDECIDED).order_by("pk").select_for_update()
    stands = Standing(entity.legal_name, entity.lei)
    return [one for one in found if not another_entity(stands, _submitted(one))]


def _submitted(case: Case) -> Submitted:
    given = case.evidence["submitted"]
    return Submitted(given["legalName"], given["country"], given.get("lei", ""))


def answered(cases: Sequence[Case], *, change: int, now: datetime) -> None:
    """Retire cases of `contests`: two people have put that entity behind the wallet."""
    for case in cases:
        retire(case=case, why=f"The wallet is that entity's since: change {change}.", now=now)


def many_open(held: Registration, facts: Facts) -> bool:
    """Tell whether a registration has so many cases open that what is found next waits.

    A party that a list may have is always looked at.
    """
    return facts.score < PARTIAL_SCORE and _open(f"{held.pk}.") >= MOST_OPEN


def _open(start: str) -> int:
    """Return how many cases stand open whose reference begins so."""
    cases = Case.objects.filter(kind=KIND, ref__startswith=start)
    return cases.filter(status__in=UNDECIDED).count()


def _opening(
    row: Registration, ref: str, judgement: Judgement, evidence: dict[str, Any]
) -> Opening:
    stands = {
        "legalName": row.legal_name,
        "lei": row.lei,
        "country": row.country,
        "aliases": list(row.aliases),
        "registeredAt": row.registered_at.isoformat(),
    }
    return Opening(
        kind=KIND,
        ref=ref,
        owner=row.owner,
        title=f"Registration of {row.legal_name}",
        party=row.legal_name,
        country=row.country,
        lei=row.lei,
        wallet=row.wallet,
        risk=judgement.risk,
        risk_score=max((one["score"] for one in evidence.get("sanctions", ())), default=0),
        reasons=[
            {"code": one.code, "ref": one.ref, "sentence": one.reason} for one in judgement.findings
        ],
        evidence=evidence | {"stands": stands, "registration": row.pk},
        entity_key=entity_key(listed_parties(evidence)),
    )


def log_refused(
    *, asked: Asked, checks: Checks, judgement: Judgement, who: Who, now: datetime
) -> None:
    """Enter a refused registration into the SAR log; the same submission again is entered once."""
    given, found = asked.submitted, judgement.findings
    ref = digest({"owner": who.caller, "submitted": asked.recorded()})
    if SarEntry.objects.filter(kind=KIND, ref=ref).exists():
        return
    evidence = checks.evidence() | {"submitted": asked.recorded(), "rules": VERSION}
    blocked = Blocked(
        kind=KIND,
        ref=ref,
        owner=who.caller,
        party=given.legal_name,
        lei=given.lei,
        reasons=[one.reason for one in found],
        rules=[one.ref for one in found],
        sanctions=judgement.owes_ofac(listed=owes_ofac(checks.hit_lists)),
        lists=checks.hit_lists,
        risk_score=checks.sanctions.score,
        screened_at=now,
        facts=SarFacts(
            country=given.country,
            wallet=asked.wallet.address,
            picture=frozen(picture(evidence)),
        ),
    )
    try:
        with transaction.atomic():
            open_entry(blocked=blocked, now=now)
    except IntegrityError:  # the same submission came twice at once
        if not SarEntry.objects.filter(kind=KIND, ref=ref).exists():
            raise
