"""Fixtures of what machines read: the bundled sample, a run of each oracle, the MCP server."""

from collections.abc import Iterator
from typing import Any

import pytest

from tests.api.conftest import _loaded, loaded  # noqa: F401
from tests.banking.conftest import bank  # noqa: F401
from tests.discovery.mcp_agent import Running, running
from tests.screening.conftest import sample  # noqa: F401


@pytest.fixture(scope="session")
def tools(live_server: Any, tmp_path_factory: Any) -> Iterator[Running]:
    """An MCP server before the running web server of the tests."""
    with running(tmp_path_factory.mktemp("mcp"), live_server.url) as found:
        yield found
