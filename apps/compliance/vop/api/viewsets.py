"""Viewsets of payee checks (document 1 sections 2.1, 2.2, 4 and 5)."""

from django.http.response import HttpResponseBase
from rest_framework.request import Request

from apps.compliance.registry.selectors.registrations import RegistrationIntegrityError
from apps.compliance.registry.serializers import WalletAddress
from apps.compliance.vop.history import list_past_checks
from apps.compliance.vop.selectors import build_payee_check_request, gather_payee_check
from apps.compliance.vop.serializers import HistoryOut, VopIn, VopOut
from apps.compliance.vop.services import conclude_payee_check
from apps.platform.api.operations import Access, PathParameter, operation
from apps.platform.api.viewsets import OperationViewSet
from apps.platform.common.problems import NotFound
from config import prices

WALLET = "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed"


class PayeeCheckViewSet(OperationViewSet):
    """Verification of payees (document 1 section 2.2)."""

    @operation(
        "vop-verify",
        spec="1 §2.2",
        access=Access(price=prices.VOP, pays=True),
        request=VopIn,
        response=VopOut,
        example={"walletAddress": WALLET, "submittedName": "Blue Heron Stationery Limited"},
        problems=(RegistrationIntegrityError,),
    )
    def create(self, request: Request) -> HttpResponseBase:
        """Verifies a payee: does this wallet really belong to that company?

        Compares the name, or the LEI, with the registration of the wallet. BLOCKED (names too
        dissimilar) is the only result that should stop a payment; every other proceeds with its
        confidence on record. The attestation is signed and can be verified offline.
        """
        return self.run(gather_payee_check, conclude_payee_check, build_payee_check_request)


class PayeeCheckHistoryViewSet(OperationViewSet):
    """Earlier checks of a wallet (document 1 section 4)."""

    path_parameters = {
        "wallet": PathParameter(WalletAddress(), "A wallet address.", example=WALLET)
    }

    @operation(
        "vop-history",
        spec="1 §4",
        access=Access(open=True),
        response=HistoryOut,
        problems=(NotFound,),
    )
    def retrieve(self, request: Request, wallet: str) -> HttpResponseBase:
        """Lists the last 50 checks of a wallet, newest first: results, never submitted names."""
        return self.run(None, list_past_checks)
