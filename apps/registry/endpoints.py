"""The endpoints of the registry (document 1 sections 2.3, 3 and 4)."""

from apps.access.models import Kind
from apps.core.endpoints import Access, Endpoint, Id
from apps.core.problems import NotFound
from apps.core.shapes import Lei
from apps.registry import reads
from apps.registry.concluding import conclude, ended
from apps.registry.proof import RegistrationUnproved
from apps.registry.register.asked import asked
from apps.registry.register.gather import LeiUnavailable, LeiUnknown, gather
from apps.registry.register.refusals import (
    CountryRefused,
    RegistrationChanged,
    RegistrationInReview,
    RegistrationRefused,
    WalletRegistered,
)
from apps.registry.serializers import (
    DeactivatedOut,
    LeiOut,
    LeiQuery,
    RegisterIn,
    RegistrationOut,
    WalletAddress,
)
from apps.watchlists.engine import ListsStale, ListsUnavailable

SERVICE = "compliance"
ADMINISTRATORS = (Kind.SIGNING,)
WALLET = Id(
    WalletAddress(),
    "An address; of EVM chains in any case.",
    made_by=("register", "walletAddress"),
    owned=False,
)
SUPPLIER = {
    "walletAddress": "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed",
    "legalName": "Blue Heron Stationery Limited",
    "country": "GB",
    "aliases": ["Blue Heron"],
}

ENDPOINTS = (
    Endpoint(
        name="register",
        method="POST",
        path="register",
        service=SERVICE,
        spec="1 §3",
        about="Registers who is behind a wallet, or adds an LEI to a registration.\n\n"
        "Names and wallet are screened and an LEI is checked with GLEIF before anything is "
        "written. Sent again it answers the same (200); another entity for an active wallet is "
        "409 `wallet_registered`. `underReview`: the registration stands, and an officer looks at "
        "it.",
        access=Access(keys=ADMINISTRATORS),
        asks=RegisterIn,
        make=asked,
        answers=RegistrationOut,
        example=SUPPLIER,
        gather=gather,
        conclude=conclude,
        statuses=(201, 200),
        problems=(
            LeiUnknown,
            WalletRegistered,
            RegistrationChanged,
            RegistrationInReview,
            RegistrationRefused,
            CountryRefused,
            RegistrationUnproved,
            LeiUnavailable,
            ListsUnavailable,
            ListsStale,
        ),
    ),
    Endpoint(
        name="deregister",
        method="DELETE",
        path="register/<str:wallet>",
        service=SERVICE,
        spec="1 §3",
        about="Deactivates the registration of a wallet; its records stay.\n\n"
        "The wallet may be registered anew; for another entity, that counts only once officers "
        "have let it stand and the cooling-off has ended (`inForce`).",
        access=Access(keys=ADMINISTRATORS),
        ids={"wallet": WALLET},
        answers=DeactivatedOut,
        conclude=ended,
        problems=(NotFound, RegistrationUnproved),
    ),
    Endpoint(
        name="vop-lookup",
        method="GET",
        path="vop/lookup/<str:wallet>",
        service=SERVICE,
        spec="1 §2.3",
        about="Tells who is registered for a wallet. Free.",
        access=Access(open=True),
        ids={"wallet": WALLET},
        answers=RegistrationOut,
        conclude=reads.looked_up,
        problems=(reads.NotRegistered, RegistrationUnproved),
    ),
    Endpoint(
        name="lei",
        method="GET",
        path="lei/<str:lei>",
        service=SERVICE,
        spec="1 §4",
        about="Gives what GLEIF has of an LEI, and the wallets that are registered under it. Free.",
        access=Access(open=True),
        ids={"lei": Id(Lei(), "ISO 17442.", example="5493001KJTIIGC8Y1R12")},
        asks=LeiQuery,
        answers=LeiOut,
        gather=reads.gather_lei,
        conclude=reads.lei,
        problems=(reads.NoSuchLei, LeiUnavailable, RegistrationUnproved),
    ),
)
