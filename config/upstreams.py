"""The upstreams that the product queries or pays by: registers, rates, opinions, the chain."""

from django.core.exceptions import ImproperlyConfigured

from config import env
from config.deployment_mode import PRODUCTION

# --- reference data -----------------------------------------------------------------

GLEIF_URL = env.read_text(
    "GLEIF_URL",
    "https://api.gleif.org/api/v1" if PRODUCTION else "",
    about="GLEIF API for LEIs that are not held; empty: not asked",
    shown="https://api.gleif.org/api/v1; empty in the sandbox",
)
ADVISORY_URL = env.read_text(
    "ADVISORY_URL", about="Base of an OpenAI-compatible chat API (`…/v1`); empty: no opinions"
)
ADVISORY_MODEL = env.read_text("ADVISORY_MODEL", about="The model that writes opinions")
ADVISORY_KEY = env.read_text(
    "ADVISORY_KEY", about="Its key, sent as a bearer token; never shown again"
)
ECB_RATES_URL = env.read_text(
    "ECB_RATES_URL",
    "https://data-api.ecb.europa.eu/service/data/EXR/D..EUR.SP00.A",
    about="Euro reference rates, SDMX-CSV",
)
SIGNALS_FEEDS = env.read_list(
    "SIGNALS_FEEDS",
    "all",
    about="Files of figures that are fetched (apps/reference/signals/series/feeds): `all`, "
    "and by name those whose licence asks for the operator's own rights, each with an address of "
    "its own if need be: `all,cboe-vix,fed-h15=https://mirror.example/h15.csv`; empty: none",
)
EIA_API_KEY = env.read_text(
    "EIA_API_KEY", about="Free key of the US energy agency: daily oil and gas"
)
BLS_API_KEY = env.read_text("BLS_API_KEY", about="Free key of the US labour statistics: more calls")
FRED_API_KEY = env.read_text(
    "FRED_API_KEY",
    about="Your own key of FRED; its terms forbid storing without consent, and nothing needs it",
)
ESG_SOURCES = env.read_list(
    "ESG_SOURCES",
    "all" if PRODUCTION else "",
    about="ESG sources that are asked (apps/insight/esg/sources): `all`, or names, each with an "
    "address of its own if need be: `sec,world-bank=https://mirror.example`; empty: none",
    shown="all; none in the sandbox",
)
ESG_CONTACT = env.read_text(
    "ESG_CONTACT", about="E-mail address that ESG sources are given; the SEC requires one"
)
TSA_URL = env.read_text(
    "TSA_URL",
    about="A time-stamping authority (RFC 3161): each signed root of the travel-rule ledger gets a "
    "token of its; empty: none is asked",
)
TSA_CERTIFICATES = env.read_text(
    "TSA_CERTIFICATES",
    about="File with the certificates (PEM) that its tokens are verified by; empty: tokens are kept"
    " with their chain not verified",
)
TSA_POLICY = env.read_text(
    "TSA_POLICY",
    about="The policy that its tokens must name, like `1.3.6.1.4.1.13762.3`; empty: any",
)
UPSTREAM_PRIVATE_RANGES = env.read_networks(
    "UPSTREAM_PRIVATE_RANGES",
    "" if PRODUCTION else "127.0.0.0/8,::1/128",
    about="Address ranges besides the public ones that outbound calls may reach, also over "
    "plain HTTP and on any port: `10.1.0.0/16,…`",
    shown="none; loopback in the sandbox",
)

# --- payments -----------------------------------------------------------------------

FACILITATOR_URL = env.read_text(
    "FACILITATOR_URL",
    about="The x402 facilitator that verifies and settles payments. Empty: the sandbox takes "
    "payments without money, production takes none",
)
FACILITATOR_TOKEN = env.read_text("FACILITATOR_TOKEN", about="Our token at the facilitator, if any")
FACILITATOR_KEY = env.read_text(
    "FACILITATOR_KEY",
    about="Private key (64 hex) of a wallet that pays for gas: settle by EVM_RPC_URL ourselves, "
    "without a facilitator (small installations, local chains)",
)
EVM_RPC_URLS = env.read_list(
    "EVM_RPC_URL",
    about="JSON-RPC of a node of the chain of X402_NETWORK: asked what became of payments whose "
    "outcome is unknown, the fee contract, and transfers that are expected. A second one must say "
    "the same of a transfer, else it does not count. Nodes of another chain are named with it: "
    "`https://a.example,https://b.example,eip155:1=https://c.example`",
)
EVM_RPC_URL = next(
    (evm_rpc_url for evm_rpc_url in EVM_RPC_URLS if not evm_rpc_url.startswith("eip155:")), ""
)
FEE_ROUTER = env.read_chain_address(
    "FEE_ROUTER",
    about="The fee contract on the chain of EVM_RPC_URL, against which fees are verified. Empty: a "
    "sandbox verifies them without a chain, production not at all",
)
if FEE_ROUTER and not EVM_RPC_URL:
    raise ImproperlyConfigured("FEE_ROUTER needs EVM_RPC_URL: the node to ask it by.")
PAY_TO = env.read_text(
    "PAY_TO",
    "" if PRODUCTION else "0x209693Bc6afc0C5328bA36FaF03C514EF312287C",
    about="The wallet that payments go to; needed to take any",
    shown="none; an example in the sandbox",
)
X402_NETWORK = env.read_choice(
    "X402_NETWORK", ("base", "base-sepolia"), about="The chain on which USDC is taken"
)
X402_V1_NAME = env.read_text(
    "X402_V1_NAME",
    "base-mainnet" if X402_NETWORK == "base" else X402_NETWORK,
    about="What bodies of x402 version 1 call the chain; client libraries of version 1 alone "
    "know Base as `base`",
    shown="base-mainnet",
)
