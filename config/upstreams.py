"""The upstreams that the product queries or pays by: registers, rates, opinions, the chain."""

from django.core.exceptions import ImproperlyConfigured

from config import env
from config.deployment_mode import PRODUCTION

# --- reference data -----------------------------------------------------------------

GLEIF_URL = env.read_text(
    "GLEIF_URL",
    "https://api.gleif.org/api/v1" if PRODUCTION else "",
    about="GLEIF API for LEIs that are not stored; empty: not called",
    shown="https://api.gleif.org/api/v1; empty in the sandbox",
)
ADVISORY_URL = env.read_text(
    "ADVISORY_URL", about="Base URL of an OpenAI-compatible chat API (`…/v1`); empty: no opinions"
)
ADVISORY_MODEL = env.read_text("ADVISORY_MODEL", about="The model that writes opinions")
ADVISORY_KEY = env.read_text("ADVISORY_KEY", about="Its key, sent as a bearer token; never shown")
ECB_RATES_URL = env.read_text(
    "ECB_RATES_URL",
    "https://data-api.ecb.europa.eu/service/data/EXR/D..EUR.SP00.A",
    about="Euro reference rates, SDMX-CSV",
)
SIGNALS_FEEDS = env.read_list(
    "SIGNALS_FEEDS",
    "all",
    about="Data files to download (apps/reference/signals/series/feeds): `all`, plus by name "
    "those whose licence requires the operator's own rights, each with its own address "
    "if needed: `all,cboe-vix,fed-h15=https://mirror.example/h15.csv`; empty: none",
)
EIA_API_KEY = env.read_text(
    "EIA_API_KEY", about="Free key of the US energy agency (EIA): daily oil and gas prices"
)
BLS_API_KEY = env.read_text(
    "BLS_API_KEY", about="Free key of the US labour statistics (BLS): allows more calls"
)
FRED_API_KEY = env.read_text(
    "FRED_API_KEY",
    about="Your own FRED key; its terms forbid storage without consent, and nothing requires it",
)
ESG_SOURCES = env.read_list(
    "ESG_SOURCES",
    "all" if PRODUCTION else "",
    about="ESG sources to query (apps/insight/esg/sources): `all`, or names, each with its own "
    "address if needed: `sec,world-bank=https://mirror.example`; empty: none",
    shown="all; none in the sandbox",
)
ESG_CONTACT = env.read_text(
    "ESG_CONTACT", about="Contact e-mail address sent to ESG sources; the SEC requires one"
)
TSA_URL = env.read_text(
    "TSA_URL",
    about="A time-stamping authority (RFC 3161) that time-stamps each signed root of the "
    "travel-rule ledger; empty: no time-stamps",
)
TSA_CERTIFICATES = env.read_text(
    "TSA_CERTIFICATES",
    about="PEM file with the certificates that verify its tokens; empty: tokens are stored "
    "without verifying their certificate chain",
)
TSA_POLICY = env.read_text(
    "TSA_POLICY",
    about="Policy that its tokens must name, like `1.3.6.1.4.1.13762.3`; empty: any",
)
UPSTREAM_PRIVATE_RANGES = env.read_networks(
    "UPSTREAM_PRIVATE_RANGES",
    "" if PRODUCTION else "127.0.0.0/8,::1/128",
    about="Non-public address ranges that outbound calls may reach, also over plain HTTP and "
    "on any port: `10.1.0.0/16,…`",
    shown="none; loopback in the sandbox",
)

# --- payments -----------------------------------------------------------------------

FACILITATOR_URL = env.read_text(
    "FACILITATOR_URL",
    about="The x402 facilitator that verifies and settles payments. Empty: the sandbox accepts "
    "payments without money, production refuses them",
)
FACILITATOR_TOKEN = env.read_text(
    "FACILITATOR_TOKEN", about="Our API token at the facilitator, if any"
)
FACILITATOR_KEY = env.read_text(
    "FACILITATOR_KEY",
    about="Private key (64 hex) of a wallet that pays for gas: the platform settles by "
    "EVM_RPC_URL itself, without a facilitator (small installations, local chains)",
)
EVM_RPC_URLS = env.read_list(
    "EVM_RPC_URL",
    about="JSON-RPC of a node of the chain of X402_NETWORK, queried for payments whose outcome "
    "is unknown, the fee contract and expected transfers. If a second node is named, a "
    "transfer counts only if both report it alike. Nodes of other chains are named with "
    "their chain: `https://a.example,https://b.example,eip155:1=https://c.example`",
)
EVM_RPC_URL = next(
    (evm_rpc_url for evm_rpc_url in EVM_RPC_URLS if not evm_rpc_url.startswith("eip155:")), ""
)
FEE_ROUTER = env.read_chain_address(
    "FEE_ROUTER",
    about="The fee contract on the chain of EVM_RPC_URL that verifies fees. Empty: a sandbox "
    "verifies fees without a chain, production does not verify them",
)
if FEE_ROUTER and not EVM_RPC_URL:
    raise ImproperlyConfigured("FEE_ROUTER needs EVM_RPC_URL, a node to query it.")
PAY_TO = env.read_text(
    "PAY_TO",
    "" if PRODUCTION else "0x209693Bc6afc0C5328bA36FaF03C514EF312287C",
    about="The wallet that receives payments; required to accept payments",
    shown="none; an example in the sandbox",
)
X402_NETWORK = env.read_choice(
    "X402_NETWORK", ("base", "base-sepolia"), about="The chain on which USDC payments are accepted"
)
X402_V1_NAME = env.read_text(
    "X402_V1_NAME",
    "base-mainnet" if X402_NETWORK == "base" else X402_NETWORK,
    about="Name of the chain in x402 version 1; client libraries of version 1 know Base only "
    "as `base`",
    shown="base-mainnet",
)
