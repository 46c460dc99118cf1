"""Which of the two deployments this is: what other settings are by default depends on it."""

from config import env

DJANGO_ENV = env.choice(
    "DJANGO_ENV", ("sandbox", "production"), about="`production` refuses weak settings"
)
PRODUCTION = DJANGO_ENV == "production"
