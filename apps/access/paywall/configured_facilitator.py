"""The configured facilitator of this installation, and its terms."""

from collections.abc import Mapping
from functools import lru_cache
from typing import Any

from django.conf import settings
from django.core.exceptions import ImproperlyConfigured

from apps.access.paywall.x402.facilitators import (
    CallNotSent,
    Facilitator,
    NoUsableAnswer,
    RemoteFacilitator,
    SandboxFacilitator,
)
from apps.access.paywall.x402.networks import NETWORKS, Network
from apps.access.paywall.x402.onchain_facilitator import OnChainFacilitator
from apps.access.paywall.x402.payment_parser import ADDRESS
from apps.access.paywall.x402.terms import Terms
from apps.platform.upstreams.auth import BearerAuth
from apps.platform.upstreams.http import NotCalled, Upstream, UpstreamError

SECONDS = 120  # seconds that a payer has from signing to settling
VERIFIES, SETTLES = 10.0, 30.0  # seconds that a client may wait for verifying and for settling


class FacilitatorHttp(Upstream):
    """The facilitator of FACILITATOR_URL; a redirect, a late answer or none are errors."""

    name = "facilitator"
    # bytes of an answer
    largest = 256 * 1024

    def __init__(self, url: str, token: str) -> None:
        self.base_url = url.rstrip("/")
        self.auth = BearerAuth(token) if token else None

    def post(self, path: str, document: Mapping[str, Any]) -> Any:
        """Send one call; raises CallNotSent where nothing went out, NoUsableAnswer for no good
        answer.
        """
        # together below transitions.LEASE, so that no other call takes the payment over meanwhile
        seconds = VERIFIES if path == "/verify" else SETTLES
        try:
            return self.post_json(path, json=dict(document), deadline=seconds)
        except NotCalled as error:
            raise CallNotSent(str(error)) from None
        except UpstreamError as error:
            raise NoUsableAnswer(str(error)) from None


def get_network() -> Network:
    """Return the chain on which payments are taken."""
    return NETWORKS[settings.X402_NETWORK]


def get_facilitator() -> Facilitator | None:
    """Return the facilitator that verifies and settles; None if payments are not taken.

    Raises ImproperlyConfigured if payments are taken and no receiving wallet is configured.
    """
    # the settings are arguments, so that a change of them gives another facilitator and not the
    # cached one
    return _build_facilitator(
        settings.FACILITATOR_URL,
        settings.FACILITATOR_TOKEN,
        settings.FACILITATOR_KEY,
        settings.EVM_RPC_URL,
        settings.PAY_TO,
        settings.PRODUCTION,
        get_network().caip2,
    )


@lru_cache(maxsize=8)
def _build_facilitator(
    url: str, token: str, key: str, rpc_url: str, pay_to: str, production: bool, caip2: str
) -> Facilitator | None:
    # a sandbox takes no money: production without a facilitator does not sell
    if not (url or key) and production:
        return None
    if not ADDRESS.fullmatch(pay_to):
        raise ImproperlyConfigured("PAY_TO is not a wallet: set it to 0x and 40 hex characters.")
    if url:
        return RemoteFacilitator(FacilitatorHttp(url, token).post)
    if not key:
        return SandboxFacilitator()
    if not rpc_url:
        raise ImproperlyConfigured("FACILITATOR_KEY needs EVM_RPC_URL: the node to settle by.")
    return OnChainFacilitator(rpc_url=rpc_url, key=key, caip2=caip2)


def build_terms(
    *, amount: int, resource: str, about: str, more: Mapping[str, Any] | None = None
) -> Terms:
    """Return the payment terms of a call that costs an amount in micro-units of USDC."""
    return Terms(
        amount=amount,
        network=get_network(),
        network_name=settings.X402_V1_NAME,
        pay_to=settings.PAY_TO,
        resource=resource,
        about=about,
        seconds=SECONDS,
        more=more or {},
    )
