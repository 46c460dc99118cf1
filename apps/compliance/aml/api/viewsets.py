"""Viewsets of AML screening (document 1 sections 2.4, 4 and 5): internal keys only."""

from django.http.response import HttpResponseBase
from rest_framework.request import Request

from apps.access.keys.models import KeyKind
from apps.compliance.aml import selectors
from apps.compliance.aml.active_weights import WeightsIntegrityError
from apps.compliance.aml.models.profiles import AmlScreenIntegrityError
from apps.compliance.aml.screening.payment_snapshot import PaymentDiffers
from apps.compliance.aml.screening.requests import AmlScreenRequest
from apps.compliance.aml.screening.selectors import (
    AmountTooLarge,
    AmountUnvalued,
    gather_aml_screen,
)
from apps.compliance.aml.screening.services import conclude_aml_screen
from apps.compliance.aml.screening.wallet_sanctions import RegistrationIntegrityError
from apps.compliance.aml.serializers import (
    Account,
    AmlEventsOut,
    AmlScreenIn,
    AmlScreenOut,
    ProfileOut,
)
from apps.platform.api.operations import Access, PathParameter, operation
from apps.platform.api.viewsets import OperationViewSet
from apps.platform.common.problems import NotFound
from apps.reference.watchlists.engine import ListsStale, ListsUnavailable

INTERNAL = Access(keys=(KeyKind.INTERNAL,))
SENDER = "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed"
RECEIVER = "0xfB6916095ca1df60bB79Ce92cE3Ea74c37c5d359"
WALLET = PathParameter(Account(), "A wallet address.", example=SENDER, owned=False)


class AmlScreenViewSet(OperationViewSet):
    """AML screens of payments (document 1 section 2.4)."""

    @operation(
        "aml-screen",
        spec="1 §2.4",
        access=INTERNAL,
        request=AmlScreenIn,
        response=AmlScreenOut,
        example={
            "wallet": SENDER,
            "counterparty": RECEIVER,
            "amount": 1500,
            "currency": "USDC",
            "paymentId": "3f2b8c1e-6d0a-4b6e-9a57-0c1d2e3f4a5b",
            "direction": "SEND",
        },
        problems=(
            ListsUnavailable,
            ListsStale,
            AmountUnvalued,
            AmountTooLarge,
            PaymentDiffers,
            AmlScreenIntegrityError,
            RegistrationIntegrityError,
            WeightsIntegrityError,
        ),
    )
    def create(self, request: Request) -> HttpResponseBase:
        """Screens a payment for money laundering: sanctions, behaviour, network, weights.

        Each signal that fired says what it measured and how many points it added to the score. A
        score of 50 or more is FLAG (a case opens), 75 or more BLOCK; a sanctions hit is BLOCK
        whatever the score. The same `paymentId` between the same wallets is counted once: sent
        again, it is judged by the profiles as they were before it, with the current lists. With
        another amount or currency it is another payment: 409, and nothing is judged.
        """
        return self.run(gather_aml_screen, conclude_aml_screen, AmlScreenRequest)


class WalletProfileViewSet(OperationViewSet):
    """Behavioural profiles of wallets (document 1 section 4)."""

    path_parameters = {"wallet": WALLET}

    @operation(
        "aml-profile",
        spec="1 §4",
        access=INTERNAL,
        response=ProfileOut,
        problems=(NotFound, AmlScreenIntegrityError),
    )
    def retrieve(self, request: Request, wallet: str) -> HttpResponseBase:
        """Returns the behavioural profile of a wallet; zeros for one that was never seen."""
        return self.run(None, selectors.read_wallet_profile)


class WalletEventsViewSet(OperationViewSet):
    """AML events of wallets (document 1 section 4)."""

    path_parameters = {"wallet": WALLET}

    @operation(
        "aml-events",
        spec="1 §4",
        access=INTERNAL,
        response=AmlEventsOut,
        problems=(NotFound, AmlScreenIntegrityError),
    )
    def retrieve(self, request: Request, wallet: str) -> HttpResponseBase:
        """Lists the last 50 AML events of a wallet: screens flagged or blocked, newest first."""
        return self.run(None, selectors.read_wallet_events)
