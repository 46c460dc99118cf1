"""Reads the environment: every variable is typed, documented once, and fails with advice.

`VARIABLES` collects what was asked for, so that the table in the README can be checked
against the code.
"""

import fcntl
import json
import os
import re
import secrets
from collections.abc import Container
from dataclasses import dataclass
from ipaddress import IPv4Network, IPv6Network, ip_network
from pathlib import Path
from urllib.parse import SplitResult, parse_qsl, quote, unquote, urlsplit

from django.core.exceptions import ImproperlyConfigured

SHORTEST_SECRET = 32
FEWEST_CHARACTERS = 10
# libpq would wait two minutes for a server that is gone, and a quarter of an hour on an open
# connection to it; the query of DATABASE_URL may say otherwise. Seconds, but for milliseconds
# in tcp_user_timeout.
POSTGRES_LIMITS = {
    "connect_timeout": "5",
    "tcp_user_timeout": "10000",
    "keepalives_idle": "30",
    "keepalives_interval": "5",
    "keepalives_count": "3",
}


@dataclass(frozen=True)
class Variable:
    """One documented variable: its name, what it does, and its default as shown to people."""

    name: str
    about: str
    default: str


VARIABLES: dict[str, Variable] = {}


def _raw(name: str, default: str, about: str, shown: str | None = None) -> str:
    VARIABLES[name] = Variable(name, about, default if shown is None else shown)
    return os.environ.get(name, "").strip() or default


def text(name: str, default: str = "", *, about: str, shown: str | None = None) -> str:
    """Return a variable as text; `shown` is the default as documentation prints it."""
    return _raw(name, default, about, shown)


def choice(name: str, options: tuple[str, ...], *, about: str) -> str:
    """Return one of `options`, the first by default."""
    value = _raw(name, options[0], about)
    if value not in options:
        raise ImproperlyConfigured(f"{name} is {value!r}; set it to one of {', '.join(options)}.")
    return value


def rail(
    name: str, default: str, *, known: Container[str], production: bool, about: str, shown: str
) -> str:
    """Return the name of a settlement rail, or an empty text; production refuses the sandbox's."""
    value = _raw(name, default, about, shown)
    if value and value not in known:
        raise ImproperlyConfigured(f"{name} is {value!r}: no rail of that name is known.")
    if value == "sandbox" and production:
        raise ImproperlyConfigured(f"{name} is sandbox, which transfers nothing: leave it empty.")
    return value


def address(name: str, default: str = "", *, about: str, shown: str | None = None) -> str:
    """Return an address of an EVM chain, or an empty text."""
    value = _raw(name, default, about, shown)
    if value and not re.fullmatch("0x[0-9a-fA-F]{40}", value):
        raise ImproperlyConfigured(f"{name} is {value!r}; set it to 0x and 40 hex characters.")
    return value


def whole(
    name: str,
    default: int,
    *,
    about: str,
    least: int = 0,
    most: int | None = None,
    shown: str | None = None,
) -> int:
    """Return a whole number that is at least `least`, and at most `most`."""
    value = _raw(name, str(default), about, shown)
    number = int(value) if value.isascii() and value.isdigit() else -1
    if number < least or (most is not None and number > most):
        to = "" if most is None else f" to {most}"
        raise ImproperlyConfigured(
            f"{name} is {value!r}; set it to a whole number from {least}{to}."
        )
    return number


def flag(name: str, default: bool, *, about: str, shown: str | None = None) -> bool:
    """Return a yes-or-no variable; anything but the usual words is refused."""
    words = {"1": True, "true": True, "yes": True, "0": False, "false": False, "no": False}
    value = _raw(name, "yes" if default else "no", about, shown).lower()
    if value not in words:
        raise ImproperlyConfigured(f"{name} is {value!r}; set it to yes or no.")
    return words[value]


def words(
    name: str, default: str = "", *, about: str, least: int = 0, shown: str | None = None
) -> list[str]:
    """Return a comma-separated list without empty parts, of at least `least`."""
    value = _raw(name, default, about, shown)
    found = [part.strip() for part in value.split(",") if part.strip()]
    if len(found) < least:
        raise ImproperlyConfigured(f"{name} is {value!r}; name at least {least}.")
    return found


def pairs(name: str, *, about: str) -> dict[str, str]:
    """Return `a=x,b=y` as a mapping."""
    found = {}
    for part in words(name, about=about):
        key, separator, value = part.partition("=")
        if not separator or not key.strip() or not value.strip():
            raise ImproperlyConfigured(f"{name} has the part {part!r}; write it as key=value.")
        found[key.strip()] = value.strip()
    return found


def networks(
    name: str, default: str = "", *, about: str, shown: str | None = None
) -> tuple[IPv4Network | IPv6Network, ...]:
    """Return a comma-separated list of address ranges (CIDR), such as `10.0.0.0/8,fd00::/8`."""
    found = []
    for part in words(name, default, about=about, shown=shown):
        try:
            found.append(ip_network(part))
        except ValueError as error:
            raise ImproperlyConfigured(
                f"{name} has the part {part!r}, which is no address range ({error}); "
                "write it as 10.1.0.0/16."
            ) from None
    return tuple(found)


def secret(name: str, *, production: bool, folder: Path, about: str) -> str:
    """Return a secret of at least 32 characters.

    Production refuses a missing or short one; a sandbox makes its own and keeps it in an
    ignored file, so that it survives a restart.
    """
    value = _raw(name, "", about, shown="made up in the sandbox; required in production")
    if not value and not production:
        return _kept_secret(folder / "secrets.json", name)
    weak = "too short" if len(value) < SHORTEST_SECRET else "too uniform to be random"
    if len(value) < SHORTEST_SECRET or len(set(value)) < FEWEST_CHARACTERS:
        raise ImproperlyConfigured(
            f"{name} is {weak if value else 'missing'}: set it to at least "
            f"{SHORTEST_SECRET} random characters, for example from `openssl rand -hex 32`."
        )
    return value


def bank_url(name: str, *, production: bool, about: str) -> str:
    """Return the address of a bank's API, or an empty text; production refuses plain HTTP."""
    value = _raw(name, "", about)
    if value and production and not value.startswith("https://"):
        raise ImproperlyConfigured(f"{name} is {value!r}: a bank is called over https alone.")
    return value


def own_secret(name: str, *, production: bool, folder: Path, about: str) -> str:
    """Return a secret that somebody else gave us, or an empty text; a sandbox makes its own."""
    value = _raw(name, "", about, shown="made up in the sandbox; empty in production")
    return value or ("" if production else _kept_secret(folder / "secrets.json", name))


def _kept_secret(path: Path, name: str) -> str:
    """Read a sandbox secret from its file, or make it; safe for processes that start at once."""
    path.parent.mkdir(parents=True, exist_ok=True)
    handle = os.fdopen(os.open(path, os.O_RDWR | os.O_CREAT, 0o600), "r+")
    with handle:
        fcntl.flock(handle, fcntl.LOCK_EX)
        try:
            known: dict[str, str] = json.loads(handle.read() or "{}")
        except ValueError:
            raise ImproperlyConfigured(
                f"{path} is damaged: restore it, or remove it to make new sandbox secrets."
            ) from None
        if name not in known:
            known[name] = secrets.token_hex(32)
            handle.seek(0)
            handle.write(json.dumps(known, indent=1))
            handle.truncate()
        return known[name]


def mail_server(name: str, *, about: str) -> dict[str, object]:
    """Return Django's mail settings for `smtp://user:password@host:587` or `smtps://…:465`.

    smtp: STARTTLS where there is a user, so that no password goes out in the clear.
    """
    value = _raw(name, "", about)
    if not value:
        return {}
    parts = urlsplit(value)
    if parts.scheme not in ("smtp", "smtps") or not parts.hostname:
        # the value itself may hold a password: it is not shown
        raise ImproperlyConfigured(
            f"{name} is no mail server: write smtp://user:password@host:587 or smtps://…:465."
        )
    return {
        "EMAIL_HOST": parts.hostname,
        "EMAIL_PORT": int(_port(name, parts) or (465 if parts.scheme == "smtps" else 587)),
        "EMAIL_HOST_USER": unquote(parts.username or ""),
        "EMAIL_HOST_PASSWORD": unquote(parts.password or ""),
        "EMAIL_USE_SSL": parts.scheme == "smtps",
        "EMAIL_USE_TLS": parts.scheme == "smtp" and parts.username is not None,
    }


def database(name: str, folder: Path, *, about: str) -> dict[str, object]:
    """Return Django's database settings for a URL: `sqlite:///FILE` or `postgres://…`."""
    embedded = f"sqlite:///{quote(str(folder / 'db.sqlite3'))}"
    parts = urlsplit(_raw(name, embedded, about, shown="SQLite in VAR_DIR"))
    if parts.scheme == "sqlite":
        return _sqlite(unquote(parts.path.removeprefix("/")) if parts.path else ":memory:")
    database_name = unquote(parts.path.lstrip("/"))
    if parts.scheme in ("postgres", "postgresql") and database_name:
        return {
            "ENGINE": "django.db.backends.postgresql",
            "NAME": database_name,
            "USER": unquote(parts.username or ""),
            "PASSWORD": unquote(parts.password or ""),
            "HOST": parts.hostname or "",
            "PORT": _port(name, parts),
            "CONN_MAX_AGE": 60,
            "CONN_HEALTH_CHECKS": True,
            "OPTIONS": POSTGRES_LIMITS | dict(parse_qsl(parts.query)),
        }
    # the value itself may hold a password: it is not shown
    raise ImproperlyConfigured(
        f"{name} is no database address: write sqlite:///FILE or "
        "postgres://user:password@host:5432/name."
    )


def _port(name: str, parts: SplitResult) -> str:
    try:
        return str(parts.port or "")
    except ValueError:
        raise ImproperlyConfigured(
            f"{name} has a bad port; : @ / in a password are written as %3A %40 %2F."
        ) from None


def _sqlite(path: str) -> dict[str, object]:
    pragmas = (
        "PRAGMA journal_mode=WAL;PRAGMA synchronous=FULL;PRAGMA foreign_keys=ON;"
        # without it INSERT OR REPLACE walks past the triggers that keep ledgers append-only
        "PRAGMA recursive_triggers=ON;PRAGMA journal_size_limit=67108864;"
        # a record's key that was destroyed must not be left in a free page of the file
        "PRAGMA secure_delete=ON"
    )
    return {
        "ENGINE": "django.db.backends.sqlite3",
        "NAME": path,
        "CONN_MAX_AGE": None,
        # IMMEDIATE: with deferred transactions, read-then-write under load fails half the time
        "OPTIONS": {"timeout": 20, "transaction_mode": "IMMEDIATE", "init_command": pragmas},
    }
