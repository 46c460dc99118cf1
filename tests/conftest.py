"""Fixtures that every test may use."""

import gc
import os
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from django.test import TransactionTestCase
from hypothesis import settings as hypothesis_settings
from rest_framework.test import APIClient

from apps.access.keys.models import Account, KeyKind, issue_api_key
from apps.compliance.aml.rules import payment_judgement
from apps.compliance.aml.screening import services
from tests import template_databases
from tests.chromium import chromium  # noqa: F401 - a fixture of all tests
from tests.counted_calls import forget_counted_calls
from tests.process_caches import clear_process_caches, stop_expiry

# no test may depend on how fast a machine is; a change is tried by the same examples each time, so
# that what fails is its own, and the nightly run looks for new ones
hypothesis_settings.register_profile("change", deadline=None, max_examples=25, derandomize=True)
hypothesis_settings.register_profile("nightly", deadline=None, max_examples=200)
hypothesis_settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "change"))

# what a test asks for when it reads or writes a database
DATABASES = {"db", "transactional_db", "live_server"}

# modules that rest on locks, triggers, partitions, collation, types or plans of a database, and
# walks over every query there is; tests that commit are added by themselves
POSTGRESQL = (
    "api/*.py",
    "platform/test_append_only.py",
    "platform/test_chain_segments.py",
    "platform/test_compiled_statements.py",
    "platform/test_concurrent_jobs.py",
    "platform/test_fast_queries.py",
    "platform/test_hold_records.py",
    "platform/test_idempotency.py",
    "platform/test_job*.py",
    "platform/test_ledger*.py",
    "platform/test_macs.py",
    "platform/test_minute_jobs.py",
    "platform/test_money.py",
    "platform/test_pagination.py",
    "platform/test_parallel_verification.py",
    "platform/test_partitions.py",
    "platform/test_retention*.py",
    "desk/test_strange_values.py",
    "sar/test_matter_list.py",
    "sar/test_matter_origin.py",
    "*/test_altered_*.py",
    "*/test_bulk_reads.py",
    "*/test_constraints.py",
    "*/test_feed.py",
    "*/test_files.py",
    "*/test_find*.py",
    "*/test_foreign_rows.py",
    "*/test_found*.py",
    "*/test_list*.py",
    "*/test_*_integrity.py",
    "*/test_oracle_runs.py",
    "*/test_publisher_files.py",
    "*/test_queue.py",
    "*/test_races.py",
    "*/test_search*.py",
    "*/test_sender_order.py",
)

NOON = datetime(2026, 11, 20, 12, 0, tzinfo=UTC)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark what touches a database, and of that what may go otherwise on PostgreSQL."""
    for item in items:
        names = set(getattr(item, "fixturenames", ()))
        marker = item.get_closest_marker("django_db")
        if not (DATABASES & names or marker or item.get_closest_marker("processes")):
            continue
        item.add_marker(pytest.mark.database)
        marked_so = marker is not None and marker.kwargs.get("transaction")
        commits = marked_so or {"transactional_db", "live_server"} & names
        if commits or _differs_on_postgresql(item.path):
            item.add_marker(pytest.mark.postgresql)


@cache
def _differs_on_postgresql(file: Path) -> bool:
    path = file.relative_to(Path(__file__).parent)
    return any(path.match(pattern) for pattern in POSTGRESQL)


def pytest_collection_finish() -> None:
    """Spare the garbage collector what stays until the end: all modules and collected tests."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(50_000, 20, 100)


@pytest.fixture(scope="session")
def django_db_setup(django_test_environment: None, django_db_blocker: Any) -> Iterator[None]:
    """Clone the template database; a test that commits gets a fresh clone after it."""
    with pytest.MonkeyPatch.context() as patch, django_db_blocker.unblock():
        patch.setattr(
            TransactionTestCase,
            "_fixture_teardown",
            lambda case: template_databases.reset_test_database(),
        )
        with template_databases.cloned_test_database(), django_db_blocker.block():
            yield


@pytest.fixture(scope="session", autouse=True)
def _nothing_is_drawn_by_chance() -> Iterator[None]:
    """One low AML score of 500 opens a case; in tests none, or every one where SLICE is 1."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(
            services,
            "is_sampled",
            lambda mark: payment_judgement.SLICE == 1 and payment_judgement.is_sampled(mark),
        )
        yield


@pytest.fixture(scope="session", autouse=True)
def _no_cached_value_expires() -> Iterator[None]:
    """What a process keeps for a second is kept for the whole of a test, however long it takes."""
    with pytest.MonkeyPatch.context() as patch:
        stop_expiry(patch)
        yield


@pytest.fixture(autouse=True)
def _nothing_kept_from_before() -> None:
    """Rate windows, notes of records and a process's caches stand beside the database."""
    forget_counted_calls()
    clear_process_caches()


@pytest.fixture
def noon() -> datetime:
    """A fixed moment that tests agree on."""
    return NOON


@pytest.fixture
def api() -> APIClient:
    """A caller without a key."""
    return APIClient()


@pytest.fixture
def caller(db: Any) -> Callable[..., APIClient]:
    """Make a caller: `caller("Alice Ltd")` is a tenant with a subscription key."""

    def make(
        name: str = "Alice Ltd", kind: KeyKind = KeyKind.SUBSCRIPTION, **options: Any
    ) -> APIClient:
        account, _ = Account.objects.get_or_create(name=name, defaults={"created_at": NOON})
        issued = issue_api_key(account=account, kind=kind, now=NOON, **options)
        client = APIClient()
        client.credentials(HTTP_X_API_KEY=issued.secret)
        client.key, client.account = issued.key, account  # type: ignore[attr-defined]
        return client

    return make
