"""Answers about an entity, by its LEI or by a wallet that is registered to it (3 §2.7).

They rest on the score of apps/esg, which is kept and looked up as if it were asked for itself. Of a
wallet the registration is read at each call: only what is said of the LEI is served again.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from rest_framework.exceptions import ValidationError

from apps.core.callers import Caller
from apps.core.endpoints import Id
from apps.core.pipeline import Answer
from apps.core.problems import NotFound
from apps.core.shapes import Lei, Text
from apps.esg import computing
from apps.esg import gather as scores
from apps.esg.conclude import conclude as conclude_score
from apps.esg.evidence import EvidenceUnproved
from apps.esg.gather import EsgDataUnavailable, Gathered, NoLei
from apps.intelligence import answering
from apps.intelligence.answering import Kept
from apps.intelligence.catalogue.shape import Product
from apps.lei import lookups
from apps.registry import wallets
from apps.registry.models import Registration
from apps.registry.proof import RegistrationUnproved, proved
from apps.registry.reads import NotRegistered

MICROSOFT = "INR2EJN1ERAN0W5ZP974"
_EVM = re.compile("0[xX][0-9a-fA-F]{40}")


class EntityUnknown(NotFound):
    """Nothing is held of this LEI: neither GLEIF's record nor a registration."""

    code, title = "entity_unknown", "The entity is not known"


class EntityAddress(Text):
    """An Ethereum address, which becomes its checksum form, or an LEI."""

    format, pattern = "entity-address", "^(0[xX][0-9a-fA-F]{40}|[A-Za-z0-9]{18}[0-9]{2})$"

    def to_internal_value(self, data: Any) -> str:
        text = super().to_internal_value(data)
        if not _EVM.fullmatch(text):
            return Lei().to_internal_value(text)
        try:
            return wallets.read(text).address
        except wallets.BadWallet as error:
            raise ValidationError(str(error)) from None


IDS: Mapping[str, Id] = {
    "address": Id(
        EntityAddress(max_length=42),
        "An Ethereum address that is registered to an entity, or an LEI.",
        example=MICROSOFT,
    )
}
PROBLEMS = (
    EntityUnknown,
    NotRegistered,
    NoLei,
    EsgDataUnavailable,
    EvidenceUnproved,
    RegistrationUnproved,
)


@dataclass(frozen=True, slots=True)
class Found:
    """An answer, and where it is a fresh one the score that it rests on."""

    kept: Kept
    asked: Mapping[str, Any] | None = None
    score: Gathered | None = None


def gather(product: Product, *, asked: Mapping[str, Any], now: datetime) -> Found:
    """Return an answer out of the cache, or computed now; see PROBLEMS."""
    lei = _lei(asked["address"])
    held = answering.kept(product, now=now, subject=lei)
    if held is not None:
        return Found(held)
    wanted = _wanted(lei, now)
    try:
        score = scores.gather(asked=wanted, now=now)
    except ValidationError:  # a name is wanted, and nobody has one
        raise EntityUnknown("Nothing is held of this LEI: nobody here can score it.") from None
    if score.problem is not None:
        raise score.problem
    assert score.inputs is not None  # there is no problem
    given = {
        "lei": lei,
        "name": score.subject.name,
        "result": score.result,
        "explanation": computing.explanation(score.inputs, now.date()),
    }
    fresh = answering.compute(product, asked=given, now=now, subject=lei)
    return Found(fresh, wanted, score)


def conclude(product: Product, *, gathered: Found, caller: Caller, now: datetime) -> Answer:
    """Return the answer; keep a fresh one, with its score."""
    if gathered.score is not None:
        conclude_score(
            asked=dict(gathered.asked or {}), gathered=gathered.score, caller=caller, now=now
        )
    return answering.conclude(product, gathered=gathered.kept, caller=caller, now=now)


def _lei(address: str) -> str:
    """Return the LEI that is asked about; of a wallet, that of its registration."""
    if not _EVM.fullmatch(address):
        return address
    row = Registration.objects.of(address)
    if row is None:
        raise NotRegistered("No registration stands for this wallet.")
    proved([row])
    if not row.lei:
        raise NoLei("The wallet is registered without an LEI.")
    return row.lei


def _wanted(lei: str, now: datetime) -> dict[str, Any]:
    """Return how apps/esg is asked for the score of an LEI, under GLEIF's name where it is held."""
    held = lookups.lookup(lei=lei, now=now, ask=False, used=False).record
    return {
        "lei": lei,
        "name": held.entity.legal_name if held and held.entity else "",
        "country": "US",  # where registers are asked of an entity whose country is not held
        "lei_status": "ISSUED",
        **dict.fromkeys(("refresh", "narrate", "explain"), False),
    }
