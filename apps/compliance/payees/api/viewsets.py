"""Viewsets of registrations and payee checks (document 1 sections 2.1 to 2.3, 3, 4 and 5)."""

from django.http.response import HttpResponseBase
from rest_framework.request import Request

from apps.access.keys.models import KeyKind
from apps.compliance.payees.problems import (
    CountryRefused,
    RegistrationChanged,
    RegistrationInReview,
    RegistrationRefused,
    WalletRegistered,
)
from apps.compliance.payees.registration_requests import build_registration_request
from apps.compliance.payees.selectors import public_lookups
from apps.compliance.payees.selectors.registration_checks import (
    LeiUnavailable,
    LeiUnknown,
    gather_registration,
)
from apps.compliance.payees.selectors.registrations import RegistrationIntegrityError
from apps.compliance.payees.serializers import (
    DeactivatedOut,
    LeiOut,
    LeiQuery,
    RegisterIn,
    RegistrationOut,
    WalletAddress,
)
from apps.compliance.payees.services.conclude_registration import (
    conclude_deactivation,
    conclude_registration,
)
from apps.compliance.payees.vop.history import list_past_checks
from apps.compliance.payees.vop.selectors import build_payee_check_request, gather_payee_check
from apps.compliance.payees.vop.serializers import HistoryOut, VopIn, VopOut
from apps.compliance.payees.vop.services import conclude_payee_check
from apps.platform.api.operations import Access, PathParameter, operation
from apps.platform.api.shapes import Lei
from apps.platform.api.viewsets import OperationViewSet
from apps.platform.common.problems import NotFound
from apps.reference.watchlists.engine import ListsStale, ListsUnavailable
from config import prices

EXAMPLE_WALLET = "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed"
WALLET = PathParameter(
    WalletAddress(),
    "A wallet address; for EVM chains in any case.",
    made_by=("register", "walletAddress"),
    owned=False,
)
SUPPLIER = {
    "walletAddress": EXAMPLE_WALLET,
    "legalName": "Blue Heron Stationery Limited",
    "country": "GB",
    "aliases": ["Blue Heron"],
}


class RegistrationViewSet(OperationViewSet):
    """Registrations of wallets (document 1 section 3)."""

    shared = {"spec": "1 §3", "access": Access(keys=(KeyKind.SIGNING,))}
    path_parameters = {"wallet": WALLET}

    @operation(
        "register",
        request=RegisterIn,
        response=RegistrationOut,
        example=SUPPLIER,
        statuses=(201, 200),
        problems=(
            LeiUnknown,
            WalletRegistered,
            RegistrationChanged,
            RegistrationInReview,
            RegistrationRefused,
            CountryRefused,
            RegistrationIntegrityError,
            LeiUnavailable,
            ListsUnavailable,
            ListsStale,
        ),
    )
    def create(self, request: Request) -> HttpResponseBase:
        """Registers who is behind a wallet, or adds an LEI to a registration.

        Names and wallet are screened and an LEI is checked with GLEIF before anything is written.
        Sending the same again returns the same (200); another entity for an active wallet is 409
        `wallet_registered`. `underReview`: the registration is active, and an officer is reviewing
        it.
        """
        return self.run(gather_registration, conclude_registration, build_registration_request)

    @operation(
        "deregister", response=DeactivatedOut, problems=(NotFound, RegistrationIntegrityError)
    )
    def destroy(self, request: Request, wallet: str) -> HttpResponseBase:
        """Deactivates the registration of a wallet; its records stay.

        The wallet may be registered again; a registration for another entity counts only after
        officers have approved it and the cooling-off has ended (`inForce`).
        """
        return self.run(None, conclude_deactivation)


class WalletLookupViewSet(OperationViewSet):
    """Who is registered for a wallet (document 1 section 2.3)."""

    path_parameters = {"wallet": WALLET}

    @operation(
        "vop-lookup",
        spec="1 §2.3",
        access=Access(open=True),
        response=RegistrationOut,
        problems=(public_lookups.NotRegistered, RegistrationIntegrityError),
    )
    def retrieve(self, request: Request, wallet: str) -> HttpResponseBase:
        """Returns who is registered for a wallet. Free."""
        return self.run(None, public_lookups.look_up_wallet)


class LeiViewSet(OperationViewSet):
    """What GLEIF says of an LEI (document 1 section 4)."""

    path_parameters = {"lei": PathParameter(Lei(), "ISO 17442.", example="5493001KJTIIGC8Y1R12")}

    @operation(
        "lei",
        spec="1 §4",
        access=Access(open=True),
        request=LeiQuery,
        response=LeiOut,
        problems=(public_lookups.NoSuchLei, LeiUnavailable, RegistrationIntegrityError),
    )
    def retrieve(self, request: Request, lei: str) -> HttpResponseBase:
        """Returns GLEIF's data on an LEI, and the wallets registered under it. Free."""
        return self.run(public_lookups.gather_lei, public_lookups.conclude_lei)


class PayeeCheckViewSet(OperationViewSet):
    """Verification of payees (document 1 section 2.2)."""

    @operation(
        "vop-verify",
        spec="1 §2.2",
        access=Access(price=prices.VOP, pays=True),
        request=VopIn,
        response=VopOut,
        example={"walletAddress": EXAMPLE_WALLET, "submittedName": "Blue Heron Stationery Limited"},
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
        "wallet": PathParameter(WalletAddress(), "A wallet address.", example=EXAMPLE_WALLET)
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
