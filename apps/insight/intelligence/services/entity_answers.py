"""Answers about an entity, by its LEI or by a wallet that is registered to it (3 §2.7).

They use the ESG score, which is stored and looked up as for a direct request. A wallet's
registration is read at each call; only the answer about the LEI is reused.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from rest_framework.exceptions import ValidationError

from apps.compliance.payees import wallets
from apps.compliance.payees.models import Registration
from apps.compliance.payees.selectors.public_lookups import NotRegistered
from apps.compliance.payees.selectors.registrations import (
    RegistrationIntegrityError,
    verify_registrations,
)
from apps.insight.esg import computation
from apps.insight.esg.evidence_figures import EvidenceIntegrityError
from apps.insight.esg.selectors import (
    EsgDataUnavailable,
    GatheredScore,
    WalletWithoutLei,
    gather_entity_score,
)
from apps.insight.esg.services.conclude_score import conclude_entity_score
from apps.insight.intelligence.catalogue.product import Product
from apps.insight.intelligence.services import paid_answers
from apps.insight.intelligence.services.paid_answers import KeptAnswer
from apps.platform.api.answers import Answer
from apps.platform.api.callers import Caller
from apps.platform.api.operations import PathParameter
from apps.platform.api.shapes import Lei, Text
from apps.platform.common.problems import NotFound
from apps.reference.lei.services import lookups

MICROSOFT = "INR2EJN1ERAN0W5ZP974"
_EVM = re.compile("0[xX][0-9a-fA-F]{40}")


class EntityUnknown(NotFound):
    """Neither a GLEIF record nor a registration is known for this LEI."""

    code, title = "entity_unknown", "Unknown entity"


class EntityAddress(Text):
    """An Ethereum address, which becomes its checksum form, or an LEI."""

    format, pattern = "entity-address", "^(0[xX][0-9a-fA-F]{40}|[A-Za-z0-9]{18}[0-9]{2})$"

    def to_internal_value(self, data: Any) -> str:
        text = super().to_internal_value(data)
        if not _EVM.fullmatch(text):
            return Lei().to_internal_value(text)
        try:
            return wallets.parse_wallet(text).address
        except wallets.BadWallet as error:
            raise ValidationError(str(error)) from None


IDS: Mapping[str, PathParameter] = {
    "address": PathParameter(
        EntityAddress(max_length=42),
        "An Ethereum address registered to an entity, or an LEI.",
        example=MICROSOFT,
    )
}
PROBLEMS = (
    EntityUnknown,
    NotRegistered,
    WalletWithoutLei,
    EsgDataUnavailable,
    EvidenceIntegrityError,
    RegistrationIntegrityError,
)


@dataclass(frozen=True, slots=True)
class EntityAnswer:
    """An answer, and the score that a fresh one is based on."""

    kept: KeptAnswer
    asked: Mapping[str, Any] | None = None
    score: GatheredScore | None = None


def gather_answer(product: Product, *, asked: Mapping[str, Any], now: datetime) -> EntityAnswer:
    """Return a cached answer, or one computed now; see PROBLEMS."""
    # the registration is read on each call: a wallet may change hands within the life of an answer
    lei = _resolve_lei(asked["address"])
    answer = paid_answers.find_kept_answer(product, now=now, subject=lei)
    if answer is not None:
        return EntityAnswer(answer)
    record = lookups.look_up_lei(lei=lei, now=now, ask=False, used=False).record
    score_request = {
        "lei": lei,
        "name": record.entity.legal_name if record and record.entity else "",
        # selects the registers to query where GLEIF gives no country; it is no evidence
        "country": "US",
        "lei_status": "ISSUED",
        **dict.fromkeys(("refresh", "narrate", "explain"), False),
    }
    try:
        score = gather_entity_score(asked=score_request, now=now)
    # the score asks its caller for a name; here there is no parameter for it
    except ValidationError:
        raise EntityUnknown("There is no evidence on this LEI, so it cannot be scored.") from None
    if score.problem is not None:
        raise score.problem
    # without a problem there are inputs
    assert score.inputs is not None
    entity_request = {
        "lei": lei,
        "name": score.subject.name,
        "result": score.result,
        "explanation": computation.build_explanation(score.inputs, now.date()),
    }
    fresh = paid_answers.compute_answer(product, asked=entity_request, now=now, subject=lei)
    return EntityAnswer(fresh, score_request, score)


def conclude_answer(
    product: Product, *, gathered: EntityAnswer, caller: Caller, now: datetime
) -> Answer:
    """Return the answer; store a fresh one, with its score."""
    if gathered.score is not None:
        conclude_entity_score(
            asked=dict(gathered.asked or {}), gathered=gathered.score, caller=caller, now=now
        )
    return paid_answers.conclude_answer(product, gathered=gathered.kept, caller=caller, now=now)


def _resolve_lei(address: str) -> str:
    """Return the requested LEI; for a wallet, the LEI of its registration."""
    if not _EVM.fullmatch(address):
        return address
    row = Registration.objects.of(address)
    if row is None:
        raise NotRegistered("This wallet has no active registration.")
    verify_registrations([row])
    if not row.counted_lei:
        raise WalletWithoutLei("This wallet has no LEI on record, or its LEI is under review.")
    return row.counted_lei
