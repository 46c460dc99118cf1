"""What a screen leaves for people: a case of a flagged one, a SAR entry of a blocked."""

from collections.abc import Iterator
from datetime import datetime
from typing import Any

from apps.aml.models import AmlScreen
from apps.aml.models.screens import KIND
from apps.aml.picture import picture
from apps.aml.rules.cases import HIGH_FROM, SAMPLE_WORDS, SAMPLED, signal_ref
from apps.aml.rules.scoring import Judgement
from apps.aml.screening.answer import listed
from apps.aml.screening.asked import Asked
from apps.aml.screening.gather import Gathered
from apps.review.actions import Opening
from apps.review.actions.opening import Opens
from apps.review.rules.keys import entity_key, frozen
from apps.sar.actions import Blocked, open_entry
from apps.sar.authorities import owes_ofac
from apps.sar.facts import Facts


def review(
    record: AmlScreen,
    asked: Asked,
    gathered: Gathered,
    judgement: Judgement,
    now: datetime,
    opens: Opens,
) -> None:
    """Open the case of a flagged payment, or of a low score that was drawn by chance."""
    kept = record.data
    evidence = kept["evidence"] | {name: kept[name] for name in ("request", "response", "versions")}
    opening = Opening(
        kind=KIND,
        ref=str(record.screen_id),
        owner=record.owner,
        title=f"Payment of {asked.wallet}",
        party=gathered.parties[0].name,
        wallet=asked.wallet,
        reference=asked.payment_id,
        amount=asked.amount,
        currency=asked.money,
        amount_usd=gathered.usd,
        risk=_risk(record, judgement),
        risk_score=judgement.score,
        reasons=list(_reasons(record, judgement)),
        evidence=evidence,
        entity_key=entity_key([]),
    )
    opens(opening=opening, now=now)


def _risk(record: AmlScreen, judgement: Judgement) -> str:
    if record.sampled:
        return "LOW"
    return "HIGH" if judgement.score >= HIGH_FROM else "MEDIUM"


def _reasons(record: AmlScreen, judgement: Judgement) -> Iterator[dict[str, str]]:
    if record.sampled:
        yield {"code": "AML-7", "ref": SAMPLED, "sentence": SAMPLE_WORDS}
    else:
        rule = judgement.rule
        said = f"{rule.words} It is {judgement.score}."
        yield {"code": rule.code, "ref": rule.ref, "sentence": said}
    for one in judgement.signals:
        yield {
            "code": one.fired.id,
            "ref": signal_ref(one.fired.id),
            "sentence": one.fired.sentence,
        }


def _party(asked: Asked, gathered: Gathered, named: str) -> str:
    """Return whom an entry is about: who is listed, else who is dealt with, else who was screened.

    Of a wallet nobody is known by, its address is the name.
    """
    listed_ = next((one for one in gathered.parties if one.listed), None)
    if listed_ is not None:
        return listed_.name or listed_.wallet
    return named or gathered.parties[0].name or asked.wallet


def log_blocked(
    record: AmlScreen,
    asked: Asked,
    gathered: Gathered,
    judgement: Judgement,
    now: datetime,
    *,
    named: str = "",
) -> None:
    """Enter a blocked payment into the SAR log, with the clocks of a sanctions hit if it is one."""
    lists = sorted({one for party in gathered.parties for one in party.lists})
    found = [(judgement.rule.ref, judgement.rule.words)]
    found += [(judgement.rule.ref, f"Listed: {one}.") for one in listed(gathered)]
    found += [(signal_ref(one.fired.id), one.fired.sentence) for one in judgement.signals]
    open_entry(
        blocked=Blocked(
            kind=KIND,
            ref=str(record.screen_id),
            owner=record.owner,
            party=_party(asked, gathered, named),
            reasons=[sentence for _, sentence in found],
            rules=[ref for ref, _ in found],
            sanctions=gathered.listed and owes_ofac(lists),
            lists=lists,
            risk_score=judgement.score,
            screened_at=record.recorded_at,
            facts=Facts(
                amount=asked.amount,
                currency=asked.money,
                usd=gathered.usd,
                reference=asked.payment_id,
                wallet=asked.wallet,
                picture=_picture(record),
            ),
        ),
        now=now,
    )


def _picture(record: AmlScreen) -> dict[str, Any]:
    kept = record.data
    told = {name: kept[name] for name in ("request", "response", "versions")}
    return dict(frozen(picture(kept["evidence"] | told)))
