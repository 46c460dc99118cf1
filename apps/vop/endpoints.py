"""The endpoints of payee checks (document 1 sections 2.1, 2.2, 4 and 5)."""

from apps.core.endpoints import Access, Endpoint, Id
from apps.core.problems import NotFound
from apps.registry.proof import RegistrationUnproved
from apps.registry.serializers import WalletAddress
from apps.vop.conclude import conclude
from apps.vop.gather import asked, gather
from apps.vop.history import history
from apps.vop.serializers import HistoryOut, VopIn, VopOut
from config import prices

SERVICE = "compliance"
WALLET = "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed"

ENDPOINTS = (
    Endpoint(
        name="vop-verify",
        method="POST",
        path="vop/verify",
        service=SERVICE,
        spec="1 §2.2",
        about="Verifies a payee: is this wallet really that company.\n\n"
        "Compares the name, or the LEI, with the registration of the wallet. BLOCKED (names too "
        "dissimilar) is the only result that should stop a payment; every other proceeds with its "
        "confidence on record. The attestation is signed and can be verified offline.",
        access=Access(price=prices.VOP, pays=True),
        asks=VopIn,
        make=asked,
        answers=VopOut,
        example={"walletAddress": WALLET, "submittedName": "Blue Heron Stationery Limited"},
        gather=gather,
        conclude=conclude,
        problems=(RegistrationUnproved,),
    ),
    Endpoint(
        name="vop-history",
        method="GET",
        path="vop/history/<str:wallet>",
        service=SERVICE,
        spec="1 §4",
        about="Lists the last 50 checks of a wallet, newest first: results, never submitted names.",
        access=Access(open=True),
        ids={"wallet": Id(WalletAddress(), "A wallet address.", example=WALLET)},
        answers=HistoryOut,
        conclude=history,
        problems=(NotFound,),
    ),
)
