"""The endpoints of ESG scores (document 1 sections 2.5, 4 and 5)."""

from apps.access.limits import RateLimited
from apps.core.endpoints import Access, Endpoint, Id
from apps.core.problems import NotFound
from apps.core.shapes import Lei
from apps.esg.conclude import conclude
from apps.esg.evidence import EvidenceUnproved
from apps.esg.gather import EsgDataUnavailable, NoLei, gather, gather_wallet
from apps.esg.serializers import EsgScoreOut, EsgScoreQuery, EsgWalletScoreQuery
from apps.registry.proof import RegistrationUnproved
from apps.registry.reads import NotRegistered
from apps.registry.serializers import WalletAddress

SERVICE = "compliance"
MICROSOFT = "INR2EJN1ERAN0W5ZP974"

ENDPOINTS = (
    Endpoint(
        name="esg-score",
        method="GET",
        path="esg/score/<str:lei>",
        service=SERVICE,
        spec="1 §2.5",
        about="Scores an entity's environmental, social and governance record. Free.\n\n"
        "Kept seven days. What is missing earns nothing; `explain=true` shows every figure with "
        "source and age. A first call answers from what is held and queues a lookup (`lookup`).",
        access=Access(open=True),
        ids={"lei": Id(Lei(), "ISO 17442.", example=MICROSOFT)},
        asks=EsgScoreQuery,
        answers=EsgScoreOut,
        example={"name": "Microsoft Corporation", "country": "US"},
        gather=gather,
        conclude=conclude,
        problems=(
            NotFound,
            EsgDataUnavailable,
            EvidenceUnproved,
            RegistrationUnproved,
            RateLimited,
        ),
    ),
    Endpoint(
        name="esg-score-wallet",
        method="GET",
        path="esg/score/wallet/<str:wallet>",
        service=SERVICE,
        spec="1 §2.5",
        about="Scores the entity that a wallet is registered to. Free.",
        access=Access(open=True),
        ids={
            "wallet": Id(
                WalletAddress(),
                "An address; of EVM chains in any case.",
                made_by=("register", "walletAddress"),
                made_with={
                    "legalName": "Microsoft Corporation",
                    "lei": MICROSOFT,
                    "country": "US",
                },
                owned=False,
            )
        },
        asks=EsgWalletScoreQuery,
        answers=EsgScoreOut,
        gather=gather_wallet,
        conclude=conclude,
        problems=(
            NotRegistered,
            NoLei,
            EsgDataUnavailable,
            EvidenceUnproved,
            RegistrationUnproved,
            RateLimited,
        ),
    ),
)
