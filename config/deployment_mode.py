"""Which of the two deployments this is: what other settings are by default depends on it."""

from config import env

DJANGO_ENV = env.read_choice(
    "DJANGO_ENV", ("sandbox", "production"), about="`production` refuses weak settings"
)
PRODUCTION = DJANGO_ENV == "production"
MCP_ALONE = env.read_flag(
    "MCP_ALONE",
    False,
    about="This process is the MCP server and nothing else: it has no database, and of all secrets "
    "needs RELAY_KEY alone",
)
