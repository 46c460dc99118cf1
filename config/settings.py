"""Settings: read from the environment (config/env.py), with failures that help."""

from pathlib import Path

from config import deployment_mode, env
from config.cluster import *  # noqa: F403 - parts of the settings
from config.framework import *  # noqa: F403
from config.rate_limits import build_key_rates
from config.sign_on import *  # noqa: F403
from config.upstreams import *  # noqa: F403

BASE_DIR = Path(__file__).resolve().parent.parent
VAR_DIR = env.make_private_folder(
    Path(
        env.read_text(
            "VAR_DIR",
            str(BASE_DIR / "var"),
            about="Writable folder: database, index, downloads",
            shown="var, next to the code",
        )
    )
)

# --- how this process runs ----------------------------------------------------------

DJANGO_ENV, PRODUCTION = deployment_mode.DJANGO_ENV, deployment_mode.PRODUCTION
MCP_ALONE = deployment_mode.MCP_ALONE
DEBUG = False
CLOCK_AHEAD = env.read_integer(
    "CLOCK_AHEAD",
    0,
    most=0 if PRODUCTION else 250_000,
    about="Hours by which a sandbox's clock is ahead, to try out retention and waiting "
    "periods; production refuses it",
)
SECRET_KEY = env.read_secret(
    "SECRET_KEY",
    production=PRODUCTION and not MCP_ALONE,
    folder=VAR_DIR,
    about="Sessions and sign-in cookies",
)
_own_relay_key = env.read_derived_secret(
    "RELAY_KEY",
    "",
    needed=MCP_ALONE,
    about=(
        "Authenticates the MCP server's calls to the web workers on behalf of callers: the "
        "same key for both"
    ),
    shown="SECRET_KEY",
)
RELAY_KEY = _own_relay_key or SECRET_KEY
WEBHOOK_SIGNING_KEY = env.read_secret(
    "WEBHOOK_SIGNING_KEY",
    production=PRODUCTION and not MCP_ALONE,
    folder=VAR_DIR,
    about="Signs callbacks; never shown",
)
TRAVEL_RULE_SIGNING_KEY = env.read_given_secret(
    "TRAVEL_RULE_SIGNING_KEY",
    production=PRODUCTION,
    folder=VAR_DIR,
    about="Verifies travel-rule messages of counterparties without a key of their own: `new`, "
    "or `new,old` during a change, each of 32 characters or more. Empty: messages are "
    "accepted only from counterparties with a key of their own",
)
TRAVEL_RULE_KEYS = env.read_text(
    "TRAVEL_RULE_KEYS",
    about="Keys that wrap the keys of travel-rule records: `id:64 hex,…`, the first wraps; "
    "keep old ones. Empty: derived from SECRET_KEY (sandbox only)",
)
OPERATOR_NAME = env.read_text(
    "OPERATOR_NAME",
    "" if PRODUCTION else "Sandbox operator",
    about="The operator's legal name, as a VASP in travel-rule messages",
    shown="Sandbox operator; required in production",
)
OPERATOR_LEI = env.read_text(
    "OPERATOR_LEI", about="The operator's LEI, as a VASP in travel-rule messages"
)
BANK_WEBHOOK_SECRET = env.read_given_secret(
    "BANK_WEBHOOK_SECRET",
    production=PRODUCTION,
    folder=VAR_DIR,
    about="The bank's secret, which verifies its webhook deliveries: `new`, or `new,old` "
    "during a change. Empty: deliveries are refused",
)
BANK_KEYS = env.read_text(
    "BANK_KEYS",
    about="Keys that encrypt the bank's data and account numbers: `id:64 hex,…`, the first "
    "encrypts; keep old ones. Empty: derived from SECRET_KEY",
)
BANK_API_URL = env.read_bank_url(
    "BANK_API_URL",
    production=PRODUCTION,
    about="The bank's API (`https://…/api/v1`); empty: a sandbox runs a simulated bank, production "
    "sends nothing",
)
BANK_API_TOKEN = env.read_given_secret(
    "BANK_API_TOKEN", production=PRODUCTION, folder=VAR_DIR, about="Our API token at the bank"
)
BANK_ACCOUNTS = env.read_pairs(
    "BANK_ACCOUNTS",
    about="The institution that pays from each account at the bank: `<account id>=account:7,…`",
)
BANK_DEFAULT_RECIPIENT = env.read_chain_address(
    "BANK_DEFAULT_RECIPIENT",
    "" if PRODUCTION else "0x209693Bc6afc0C5328bA36FaF03C514EF312287C",
    about="The wallet for bank payments tagged `svc_route=true` that name none; empty: they "
    "wait for an officer",
    shown="none; an example in the sandbox",
)
ATTESTATION_KEYS = env.read_text(
    "ATTESTATION_KEYS",
    about="Ed25519 seeds that sign attestations: `id:64 hex,…`, the first signs. "
    "Empty: derived from SECRET_KEY (sandbox only)",
)
LEDGER_KEYS = env.read_text(
    "LEDGER_KEYS",
    about="Keys that authenticate ledger records: `id:64 hex,…`, the first signs; keep old "
    "ones. Empty: derived from SECRET_KEY (sandbox only)",
)
MFA_KEYS = env.read_text(
    "MFA_KEYS",
    about="Keys that encrypt second factors: `id:64 hex,…`, the first encrypts; keep old ones. "
    "Empty: derived from SECRET_KEY",
)
ALLOWED_HOSTS = env.read_list(
    "ALLOWED_HOSTS",
    "" if PRODUCTION else "127.0.0.1,localhost,[::1],testserver",
    about="Host names to answer, comma-separated",
    shown="this machine; required in production",
)
SERVICE_HOSTS = env.read_pairs(
    "SERVICE_HOSTS", about="Separate hosts for services: `compliance=compliance.example.com,…`"
)
ALLOWED_HOSTS += list(SERVICE_HOSTS.values())
TRUSTED_PROXIES = env.read_integer(
    "TRUSTED_PROXIES", 0, about="Number of proxies in front that set X-Forwarded-For"
)
HOST = env.read_text("HOST", "127.0.0.1", about="Address that web workers listen on")
PORT = env.read_integer("PORT", 8000, about="Port that `./run` listens on", least=1)
WEB_WORKERS = env.read_integer("WEB_WORKERS", 2, about="Web worker processes", least=1)

# a wildcard address is for listening: processes of this host call the loopback address
_here = {"0.0.0.0": "127.0.0.1", "::": "[::1]"}.get(HOST, f"[{HOST}]" if ":" in HOST else HOST)  # noqa: S104
MCP_PORT = env.read_integer(
    "MCP_PORT",
    PORT + 1 if PORT < 65535 else PORT - 1,
    most=65535,
    about="Port of the MCP server, which offers tools to agents; 0: it does not run",
    shown="PORT + 1",
)
MCP_API_URL = env.read_text(
    "MCP_API_URL",
    f"http://{_here}:{PORT}",
    about="Address at which the MCP server calls the web workers",
    shown="PORT on this machine",
)
MCP_URL = env.read_text(
    "MCP_URL",
    f"http://{_here}:{MCP_PORT}" if MCP_PORT else "",
    about="Address at which `health` checks the MCP server",
    shown="MCP_PORT on this machine",
)
MCP_PUBLIC_URL = env.read_text(
    "MCP_PUBLIC_URL",
    about="Public address of the MCP server, for agents",
    shown="/mcp of the site; MCP_PORT in the sandbox",
)

# --- data ---------------------------------------------------------------------------

_database_password = env.read_text(
    "DATABASE_PASSWORD",
    about="The password of DATABASE_URL, not percent-encoded",
)
DATABASES = {
    "default": env.read_database(
        "DATABASE_URL",
        VAR_DIR,
        about="`postgres://user:password@host/name`",
        password=_database_password,
    )
}
# any query then raises at once, and no database file appears beside the process
if MCP_ALONE:
    DATABASES["default"] = {"ENGINE": "django.db.backends.dummy"}
REDIS_URL = env.read_text(
    "REDIS_URL", about="Shared cache and rate limits; needed with several hosts"
)
CACHES = {
    "default": {
        "BACKEND": "django.core.cache.backends.redis.RedisCache",
        "LOCATION": REDIS_URL,
        # seconds; a server that accepts and then stays silent must not block its callers
        "OPTIONS": {"socket_connect_timeout": 1, "socket_timeout": 1},
    }
    if REDIS_URL
    else {
        "BACKEND": "django.core.cache.backends.filebased.FileBasedCache",
        "LOCATION": VAR_DIR / "cache",
    }
}

SETTLEMENT_RAIL = env.read_rail(
    "SETTLEMENT_RAIL",
    "" if PRODUCTION else "sandbox",
    known=("evm", "sandbox"),  # as apps/payments/payments registers them
    production=PRODUCTION,
    about="Where payments settle: `evm`: on chains, by transfers that institutions execute and "
    "the nodes of EVM_RPC_URL confirm; `sandbox`: transfers nothing, refused in "
    "production; empty: payments are refused",
    shown="sandbox; empty in production",
)

FLOW_CHECK_THREADS = env.read_integer(
    "FLOW_CHECK_THREADS",
    4,
    most=32,
    about="Threads of a web worker that run the checks of a flow in parallel, each with its "
    "own database connection (0: one check after the other)",
)

FLOW_CHECK_KEEPS = env.read_integer(
    "FLOW_CHECK_KEEPS",
    5,
    most=60,
    about="Seconds for which a flow check reuses earlier lookups of a wallet (0: never); a "
    "settlement never reuses them",
)

# --- lists, limits and what is kept -------------------------------------------------

REQUIRED_SOURCES = env.read_list(
    "REQUIRED_SOURCES",
    "us-ofac-sdn,un-sc,eu-fsf,uk-sl" if PRODUCTION else "sample-sanctions",
    least=1 if PRODUCTION else 0,
    about="Lists that every screen requires, each current (short names, or OFAC, UN, EU, UK); "
    "other enabled lists that are not current flag every screen",
    shown="us-ofac-sdn,un-sc,eu-fsf,uk-sl; the sample in the sandbox",
)
LISTS_MAX_AGE_HOURS = env.read_integer(
    "LISTS_MAX_AGE_HOURS",
    48 if PRODUCTION else 0,
    least=1 if PRODUCTION else 0,
    most=31 * 24 if PRODUCTION else None,  # more is as good as no limit
    about="Hours after its publication for which an official sanctions list counts as current "
    "(0: no limit, only in a sandbox)",
    shown="48; 0 in the sandbox",
)
SCREEN_CPU_MILLISECONDS = env.read_integer(
    "SCREEN_CPU_MILLISECONDS",
    1000,
    least=100,
    most=20_000,  # a web worker that answers nothing for 30 s is ended
    about="Milliseconds of processor time for comparing the names of one screen or payee "
    "check; beyond it the answer is FLAGGED, not checked",
)
INDEX_MAX_LAG_SECONDS = env.read_integer(
    "INDEX_MAX_LAG_SECONDS",
    900,
    about="Seconds by which a host's match index may lag behind the lists",
)
SCREEN_RATE_PER_MINUTE = env.read_integer(
    "SCREEN_RATE_PER_MINUTE",
    6000,
    about="Most calls per minute of a subscription key that has no rate of its own",
)
KEY_RATES_PER_MINUTE = env.read_pairs(
    "KEY_RATES_PER_MINUTE",
    about="The same for other kinds of keys: `institution=1200,data=600,…` (defaults: "
    "config/rate_limits.py)",
)
RATES = build_key_rates(KEY_RATES_PER_MINUTE, screen=SCREEN_RATE_PER_MINUTE)
FREE_RATE_PER_MINUTE = env.read_integer(
    "FREE_RATE_PER_MINUTE", 120, about="Most calls per minute from an address to free endpoints"
)
FEED_RATE_PER_MINUTE = env.read_integer(
    "FEED_RATE_PER_MINUTE", 60, about="Most calls per minute from an address to the free feeds"
)
PAID_RATE_PER_MINUTE = env.read_integer(
    "PAID_RATE_PER_MINUTE", 600, about="Most paid calls per minute from an address", least=1
)
REFUSED_RATE_PER_MINUTE = env.read_integer(
    "REFUSED_RATE_PER_MINUTE",
    600,
    about="Most calls per minute from an address without payment or with a wrong key",
    least=1,
)
# bytes; an operation that takes files declares a limit of its own (`max_body`)
API_MAX_BODY = 256 * 1024
PAYMENT_FILE_MAX_MIB = env.read_integer(
    "PAYMENT_FILE_MAX_MIB",
    20,
    least=1,
    most=32,
    about="Largest pain.001 message, in MiB: 10,000 transactions take about 15",
)
PAYMENT_FILE_MAX = PAYMENT_FILE_MAX_MIB * 1024 * 1024
RETENTION_YEARS = env.read_pairs(
    "RETENTION_YEARS", about="Years for which payloads are retained, by ledger: `screens=10,sar=10`"
)

CALLBACK_KEEP_DAYS = env.read_integer(
    "CALLBACK_KEEP_DAYS",
    400,
    least=7,
    about="Days for which bodies of callbacks can be read in the feed and sent again",
)
HEADS_TO = env.read_list(
    "HEADS_TO",
    about="Where signed heads of the ledgers are exported each hour, in addition to VAR_DIR: "
    "folders that the database's owner cannot reach, `mailto:auditor@example.com`",
)
MAIL_SERVER = env.read_mail_server(
    "MAIL_SERVER", about="Mail server: `smtp://user:password@host:587` or `smtps://…:465`"
)
# Django reads its mail server from several settings (EMAIL_HOST, EMAIL_PORT, …)
globals().update(MAIL_SERVER)
# seconds; Django's default is to wait for ever
EMAIL_TIMEOUT = 20
MAIL_FROM = env.read_text("MAIL_FROM", "ledgers@localhost", about="Sender address of mail")

# --- the desk -----------------------------------------------------------------------

DESK_TIME_ZONE = env.read_text(
    "DESK_TIME_ZONE", "UTC", about="Time zone of the desk's working hours, 08:00 to 18:00"
)
DESK_HOLIDAYS_COUNTRY = env.read_text(
    "DESK_HOLIDAYS_COUNTRY",
    about="Country or region whose public holidays close the desk: `CH`, `CH-ZH`",
)
DESK_HOLIDAYS = env.read_list(
    "DESK_HOLIDAYS", about="Other days on which the desk is closed: ISO dates, comma-separated"
)

# --- staff sign-in ------------------------------------------------------------------

MFA_REQUIRED = env.read_flag(
    "MFA_REQUIRED",
    PRODUCTION,
    about="Staff must set up a second factor at their next sign-in, before they see any page",
    shown="yes; no in the sandbox",
)
STEP_UP_MINUTES = env.read_integer(
    "STEP_UP_MINUTES",
    5,
    least=1,
    most=60,
    about="Minutes for which a confirmation of identity counts as recent",
)
SIGN_IN_HOURS = env.read_integer(
    "SIGN_IN_HOURS",
    10,
    least=1,
    most=168,
    about="Longest duration of a staff sign-in, in hours",
)
SIGN_IN_IDLE_MINUTES = env.read_integer(
    "SIGN_IN_IDLE_MINUTES",
    30 if PRODUCTION else 600,
    least=1,
    most=10080,
    about="Minutes of inactivity after which a staff sign-in ends",
    shown="30; 600 in the sandbox",
)

# --- Django -------------------------------------------------------------------------

TEMPLATES = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "DIRS": [BASE_DIR / "templates"],
        "APP_DIRS": True,
        "OPTIONS": {
            "context_processors": [
                "django.template.context_processors.request",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
            ]
        },
    }
]
STATIC_URL = "/static/"
STATIC_ROOT = VAR_DIR / "static"
FILE_UPLOAD_PERMISSIONS = 0o600  # Django would set its own, whatever the umask
FILE_UPLOAD_DIRECTORY_PERMISSIONS = 0o700
STATICFILES_DIRS = [BASE_DIR / "static"]
# a sandbox serves files from the source tree, so that an edit shows without `collectstatic`
WHITENOISE_USE_FINDERS = not PRODUCTION
# addresses change with the content, so that pages need not ask whether what they have is current;
# seconds after which files named without a digest (within another file) are requested again
WHITENOISE_MAX_AGE = 3600

# --- transport ----------------------------------------------------------------------

SESSION_COOKIE_HTTPONLY = True
CSRF_COOKIE_HTTPONLY = True
SECURE_CONTENT_TYPE_NOSNIFF = True
SECURE_REFERRER_POLICY = "same-origin"
X_FRAME_OPTIONS = "DENY"
SESSION_COOKIE_AGE = SIGN_IN_HOURS * 3600
SSL_REDIRECT = env.read_flag(
    "SSL_REDIRECT", True, about="In production, redirect plain HTTP to HTTPS"
)
if PRODUCTION:
    SECURE_SSL_REDIRECT = SSL_REDIRECT
    # the proxy has to set this header itself, as deploy/nginx.conf does: one that forwards the
    # client's own lets the client claim HTTPS
    SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https")
    # one year, the least that browsers' preload lists accept
    SECURE_HSTS_SECONDS = 31_536_000
    SECURE_HSTS_INCLUDE_SUBDOMAINS = True
    SECURE_HSTS_PRELOAD = True
    SESSION_COOKIE_SECURE = True
    CSRF_COOKIE_SECURE = True
    CSRF_TRUSTED_ORIGINS = [f"https://{host}" for host in ALLOWED_HOSTS if host != "*"]

# --- secrets ------------------------------------------------------------------------

# last, because it reads every setting above whose name ends like that of a secret
if PRODUCTION:
    env.require_own_secrets(
        env.list_secret_settings(globals())
        | {
            "RELAY_KEY": _own_relay_key,
            "DATABASE_PASSWORD": _database_password
            or str(DATABASES["default"].get("PASSWORD", "")),
        },
        made_here=(
            "SECRET_KEY",
            "RELAY_KEY",
            "WEBHOOK_SIGNING_KEY",
            "TRAVEL_RULE_SIGNING_KEY",
            "TRAVEL_RULE_KEYS",
            "BANK_KEYS",
            "FACILITATOR_KEY",
            "ATTESTATION_KEYS",
            "LEDGER_KEYS",
            "MFA_KEYS",
        ),
    )
