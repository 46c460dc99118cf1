"""Viewsets of ESG scores (document 1 sections 2.5, 4 and 5)."""

from django.http.response import HttpResponseBase
from rest_framework.request import Request

from apps.access.keys.rate_limits import RateLimited
from apps.compliance.payees.selectors.public_lookups import NotRegistered
from apps.compliance.payees.selectors.registrations import RegistrationIntegrityError
from apps.compliance.payees.serializers import WalletAddress
from apps.insight.esg.evidence_figures import EvidenceIntegrityError
from apps.insight.esg.selectors import (
    EsgDataUnavailable,
    WalletWithoutLei,
    gather_entity_score,
    gather_wallet_score,
)
from apps.insight.esg.serializers import EsgScoreOut, EsgScoreQuery, EsgWalletScoreQuery
from apps.insight.esg.services.conclude_score import conclude_entity_score
from apps.platform.api.operations import Access, PathParameter, operation
from apps.platform.api.shapes import Lei
from apps.platform.api.viewsets import OperationViewSet
from apps.platform.common.problems import NotFound

MICROSOFT = "INR2EJN1ERAN0W5ZP974"
NO_SCORE = (EsgDataUnavailable, EvidenceIntegrityError, RegistrationIntegrityError, RateLimited)


class EntityScoreViewSet(OperationViewSet):
    """ESG scores of entities (document 1 section 2.5)."""

    path_parameters = {"lei": PathParameter(Lei(), "ISO 17442.", example=MICROSOFT)}

    @operation(
        "esg-score",
        spec="1 §2.5",
        access=Access(open=True),
        request=EsgScoreQuery,
        response=EsgScoreOut,
        example={"name": "Microsoft Corporation", "country": "US"},
        problems=(NotFound, *NO_SCORE),
    )
    def retrieve(self, request: Request, lei: str) -> HttpResponseBase:
        """Scores an entity's environmental, social and governance record. Free.

        Cached for seven days. Missing data earns nothing; `explain=true` shows every figure with
        source and age. A first call is answered from the stored data and queues a lookup
        (`lookup`).
        """
        return self.run(gather_entity_score, conclude_entity_score)


class WalletScoreViewSet(OperationViewSet):
    """ESG scores of the entities behind wallets (document 1 section 2.5)."""

    path_parameters = {
        "wallet": PathParameter(
            WalletAddress(),
            "A wallet address; for EVM chains in any case.",
            made_by=("register", "walletAddress"),
            made_with={
                "legalName": "Microsoft Corporation",
                "lei": MICROSOFT,
                "country": "US",
            },
            owned=False,
        )
    }

    @operation(
        "esg-score-wallet",
        spec="1 §2.5",
        access=Access(open=True),
        request=EsgWalletScoreQuery,
        response=EsgScoreOut,
        problems=(NotRegistered, WalletWithoutLei, *NO_SCORE),
    )
    def retrieve(self, request: Request, wallet: str) -> HttpResponseBase:
        """Scores the entity that a wallet is registered to. Free."""
        return self.run(gather_wallet_score, conclude_entity_score)
