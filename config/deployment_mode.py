"""Which of the two deployments this is: what other settings are by default depends on it."""

from config import env

DJANGO_ENV = env.read_choice(
    "DJANGO_ENV", ("sandbox", "production"), about="`production` refuses missing or weak settings"
)
PRODUCTION = DJANGO_ENV == "production"
MCP_ALONE = env.read_flag(
    "MCP_ALONE",
    False,
    about="Run this process as the MCP server only: it has no database, and needs no secret "
    "except RELAY_KEY",
)
