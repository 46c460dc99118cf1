"""The endpoints of AML screening (document 1 sections 2.4, 4 and 5): internal keys only."""

from apps.access.models import Kind
from apps.aml import reads
from apps.aml.screening.asked import Asked
from apps.aml.screening.conclude import conclude
from apps.aml.screening.gather import AmountTooLarge, AmountUnvalued, gather
from apps.aml.screening.parties import RegistrationUnproved
from apps.aml.screening.stood import PaymentDiffers, ScreenUnproved
from apps.aml.serializers import Account, AmlEventsOut, AmlScreenIn, AmlScreenOut, ProfileOut
from apps.aml.weighing import WeightsUnproved
from apps.core.endpoints import Access, Endpoint, Id
from apps.core.problems import NotFound
from apps.watchlists.engine import ListsStale, ListsUnavailable

SERVICE = "compliance"
INTERNAL = Access(keys=(Kind.INTERNAL,))
SENDER = "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed"
RECEIVER = "0xfB6916095ca1df60bB79Ce92cE3Ea74c37c5d359"
WALLET = Id(Account(), "A wallet address.", example=SENDER, owned=False)

ENDPOINTS = (
    Endpoint(
        name="aml-screen",
        method="POST",
        path="aml/screen",
        service=SERVICE,
        spec="1 §2.4",
        about="Screens a payment for money laundering: sanctions, behaviour, network, weights.\n\n"
        "Each signal that held says what it measured and what it brought to the score. A score of "
        "50 or more is FLAG (a case opens), of 75 or more BLOCK; a sanctions hit is BLOCK whatever "
        "the score. The same `paymentId` between the same wallets is counted once: sent again it "
        "is judged as it stood before, with the lists as they are now. With another amount or "
        "currency it is another payment: 409, and nothing is judged.",
        access=INTERNAL,
        asks=AmlScreenIn,
        make=Asked,
        answers=AmlScreenOut,
        example={
            "wallet": SENDER,
            "counterparty": RECEIVER,
            "amount": 1500,
            "currency": "USDC",
            "paymentId": "3f2b8c1e-6d0a-4b6e-9a57-0c1d2e3f4a5b",
            "direction": "SEND",
        },
        gather=gather,
        conclude=conclude,
        problems=(
            ListsUnavailable,
            ListsStale,
            AmountUnvalued,
            AmountTooLarge,
            PaymentDiffers,
            ScreenUnproved,
            RegistrationUnproved,
            WeightsUnproved,
        ),
    ),
    Endpoint(
        name="aml-profile",
        method="GET",
        path="aml/profile/<str:wallet>",
        service=SERVICE,
        spec="1 §4",
        about="Gives the behavioural profile of a wallet; of one that nobody saw, zeros.",
        access=INTERNAL,
        ids={"wallet": WALLET},
        answers=ProfileOut,
        conclude=reads.profile,
        problems=(NotFound,),
    ),
    Endpoint(
        name="aml-events",
        method="GET",
        path="aml/events/<str:wallet>",
        service=SERVICE,
        spec="1 §4",
        about="Lists the last 50 AML events of a wallet: screens flagged or blocked, newest first.",
        access=INTERNAL,
        ids={"wallet": WALLET},
        answers=AmlEventsOut,
        conclude=reads.events,
        problems=(NotFound, ScreenUnproved),
    ),
)
