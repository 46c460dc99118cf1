"""Data that a module's tests share: loaded once, in a transaction about all of them.

Each test has its own savepoint within, so that what it writes goes with it, triggers and
append-only ledgers included. At the module's end everything is rolled back.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from django.db import transaction


@contextmanager
def held(request: pytest.FixtureRequest) -> Iterator[None]:
    """Enter with the database open, to load what the tests of a module share; then it is kept.

    `request` is that of a fixture of a module or a class. Raises UsageError where a test of the
    module commits: it would see what was loaded, and empty it.
    """
    _none_commits(request)
    request.getfixturevalue("django_db_setup")
    blocker = request.getfixturevalue("django_db_blocker")
    whole: Any = transaction.atomic()
    whole._from_testcase = True  # as of a test's own: what must be outermost may begin within
    with blocker.unblock():
        whole.__enter__()
    try:
        yield
    finally:
        with blocker.unblock():
            transaction.set_rollback(True)
            whole.__exit__(None, None, None)


def _none_commits(request: pytest.FixtureRequest) -> None:
    for item in request.session.items:
        if item.path != request.path:
            continue
        marker = item.get_closest_marker("django_db")
        names = set(getattr(item, "fixturenames", ()))
        commits = marker is not None and marker.kwargs.get("transaction")
        if commits or names & {"transactional_db", "live_server"}:
            raise pytest.UsageError(f"{item.nodeid} commits: its module cannot share what is held")
