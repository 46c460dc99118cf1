"""Runs the MCP server of this host, for `./run` and compose.yaml."""

import logging
import os
import sys
import time

import django
from django.conf import settings

from config.free_port import can_bind_port

LOUD = ("mcp", "httpx2", "uvicorn")  # loggers with a line per request
BURST = 512  # concurrent requests; further ones get 503
AGAIN = 1.0  # seconds between attempts to get the port


def main() -> int:
    """Serve until ended; waits while the port is taken."""
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    django.setup()
    for name in LOUD:
        logging.getLogger(name).setLevel(logging.WARNING)
    import uvicorn

    from apps.entry.discovery.tools.server import build_application

    config = uvicorn.Config(
        build_application(),
        host=settings.HOST,
        port=settings.MCP_PORT,
        log_config=None,
        access_log=False,
        # server.py finds the client behind proxies by the web workers' rules (TRUSTED_PROXIES)
        proxy_headers=False,
        server_header=False,
        ws="none",
        limit_concurrency=BURST,
        timeout_graceful_shutdown=10,
        timeout_keep_alive=30,
        h11_max_incomplete_event_size=64 * 1024,
    )
    # Exiting would stop the whole platform: the supervisor gives up on a part that keeps ending,
    # and this server is the one that can be spared.
    was_reported = False
    while not can_bind_port(settings.HOST, settings.MCP_PORT):
        if not was_reported:
            print(f"MCP_PORT {settings.MCP_PORT} is in use: waiting for it.", file=sys.stderr)
            was_reported = True
        time.sleep(AGAIN)
    uvicorn.Server(config).run()
    return 0


if __name__ == "__main__":
    sys.exit(main())
