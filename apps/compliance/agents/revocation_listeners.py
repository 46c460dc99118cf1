"""Listeners that end an agent's pending work when it is revoked."""

from collections.abc import Callable
from datetime import datetime

from apps.platform.common.registry import Registry

# Functions `(agent_id, now)`, called in the transaction that revokes. None may hinder that: whoever
# cannot end something says so in the log.
REVOCATION_LISTENERS: Registry[Callable[[str, datetime], None]] = Registry("revocation listener")
