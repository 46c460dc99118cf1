"""Figures in docs/operations.md and docs/security.md are those of the code."""

import re
from pathlib import Path

import pytest
from django.conf import settings

from apps.access.keys import middleware, rate_limits, rate_windows
from apps.access.keys import rules as access
from apps.backoffice.review.rules import hours
from apps.backoffice.sar import rules as sar
from apps.compliance.screening.models import Screen
from apps.platform.common import strict_json
from apps.platform.jobs.registry import JOBS
from apps.platform.management.commands.print_settings import format_settings_table
from apps.reference.lei.clients import gleif
from apps.reference.lei.services import lookups
from apps.reference.signals.clients import publishers
from config import gunicorn

DOCS = Path(__file__).resolve().parents[2] / "docs"
WORDS = {5: "five", 10: "ten", 12: "twelve"}
MINIMUM = next(
    v["OPTIONS"]["min_length"] for v in settings.AUTH_PASSWORD_VALIDATORS if v["OPTIONS"]
)
EVERY = {name: work.every for name, work in JOBS.items() if work.every}


def hour(name: str) -> int:
    return int(EVERY[name].total_seconds()) // 3600


OPERATIONS = [
    f"GLEIF {gleif.GleifClient.patience:.0f} s, rates {publishers.Publisher.patience:.0f} s",
    f"one GLEIF call of at most {lookups.IN_REQUEST_SECONDS} s",
    f"every {WORDS[int(EVERY['review.escalate_overdue'].total_seconds()) // 60]} minutes",
    f"asks it again every {WORDS[int(rate_limits.REDIS_PAUSE)]} seconds",
    f"{hours.WorkingHours.__dataclass_fields__['opens'].default:%H:%M} to 18:00",
    f"{sar.DAYS_TO_FILE} days to file ({sar.DAYS_WITHOUT_SUSPECT} where no suspect is known)",
    f"{sar.DAYS_TO_CONTINUE} days after a filing to review {sar.DAYS_TO_REVIEW} days of activity",
    f"within {sar.REPORT_BUSINESS_DAYS} US business days",
    f"{WORDS[Screen.YEARS]} years for screens, decisions and the SAR log",
    f"{settings.Q_CLUSTER['retry']:,} s",
    f"{access.MOST_OF_ACCOUNT} per account in {access.WITHIN.seconds // 60} min, "
    f"{middleware.ATTEMPTS_PER_MINUTE} attempts per address and minute",
    f"| connections | {gunicorn.worker_connections:,}",
    f"the API takes {settings.API_MAX_BODY // 1024} KiB",
    "`rates.sqlite3`",
]
SECURITY = [
    f"nesting beyond {strict_json.MAX_DEPTH} levels",
    f"numbers beyond {strict_json.LONGEST_NUMBER} characters",
    f"bodies beyond {settings.API_MAX_BODY // 1024} KiB",
    f"Passwords have {WORDS[MINIMUM]} characters or more",
    f"{WORDS[middleware.ATTEMPTS_PER_MINUTE].capitalize()} attempts from one address in a minute",
    f"{WORDS[access.MOST_OF_ACCOUNT]} wrong passwords for one account in a quarter of an hour",
]


@pytest.mark.parametrize(
    ("page", "said"),
    [("operations.md", operation) for operation in OPERATIONS]
    + [("security.md", one) for one in SECURITY],
)
def test_what_the_page_says_is_what_the_code_does(page: str, said: str) -> None:
    assert said in " ".join((DOCS / page).read_text(encoding="utf-8").split())


def test_rhythms_are_as_told() -> None:
    told = " ".join((DOCS / "operations.md").read_text(encoding="utf-8").split())
    assert hour("core.export_heads") == 1 and "Every hour the signed heads" in told
    assert hour("core.verify") == 24 and "every day all ledgers are verified" in told
    assert hour("watchlists.refresh") == 6 and "the schedule does so each six hours" in told
    assert access.WITHIN.seconds == 15 * 60 and rate_windows.WINDOW == 60


def test_every_setting_of_the_desk_the_jobs_and_the_ledgers_is_explained() -> None:
    told = "".join((DOCS / name).read_text() for name in ("operations.md", "security.md"))
    named = re.findall(r"^\| `(\w+)` \|", format_settings_table(), flags=re.M)
    kept = [n for n in named if n.startswith(("DESK_", "LEDGER_", "HEADS_", "MAIL_", "RETENTION_"))]
    kept += ["JOB_WORKERS", "OUTBOUND_WORKERS", "TRUSTED_PROXIES", "UPSTREAM_PRIVATE_RANGES"]
    kept += ["KEY_RATES_PER_MINUTE", "FREE_RATE_PER_MINUTE", "SCREEN_RATE_PER_MINUTE"]
    assert [name for name in kept if f"`{name}`" not in told] == []
