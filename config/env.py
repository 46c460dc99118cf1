"""Read the environment: every variable is typed, documented once, and fails with advice.

`VARIABLES` collects the variables that were read, so that docs/settings.md can be checked against
the code.
"""

import fcntl
import gzip
import json
import os
import re
import secrets
from collections.abc import Container, Mapping
from dataclasses import dataclass
from functools import cache
from ipaddress import IPv4Network, IPv6Network, ip_network
from pathlib import Path
from urllib.parse import SplitResult, parse_qsl, quote, unquote, urlsplit

import django
from django.core.exceptions import ImproperlyConfigured

SHORTEST_SECRET = 32
_SECRETS = ("_KEY", "_KEYS", "_SECRET", "_TOKEN", "_PASSWORD")  # what names of secrets end in
# different characters: of a secret in hex, which has 16 at most, and of any other
FEWEST_CHARACTERS = 10
FEWEST_OF_OTHERS = 16
_HEX = re.compile(r"[0-9a-f]+|[0-9A-F]+")
_PASSPHRASE = re.compile(r"[A-Za-z]{2,12}(?:[-_ .][A-Za-z]{2,12}){2,}[-_ .]?[0-9]*")
MOST_IN_WORDS = 0.4  # share of a secret that may consist of words
# texts in secrets of copied settings, in addition to those that people choose
OWN_WORDS = frozenset({
    "before", "change", "compliance", "default", "django", "example", "insecure", "oracle",
    "production", "secret", "token",
})  # fmt: skip
LEAST_OWN_THREES = 0.75  # share of three characters in a row that come once
MOST_IN_STEPS = 0.6  # share of characters that follow from an earlier one (_is_stepwise)
LONGEST_STEP = 4  # places between the two
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


def _read_variable(name: str, default: str, about: str, shown: str | None = None) -> str:
    VARIABLES[name] = Variable(name, about, default if shown is None else shown)
    return os.environ.get(name, "").strip() or default


def read_text(name: str, default: str = "", *, about: str, shown: str | None = None) -> str:
    """Return a variable as text; `shown` is the default as documentation prints it."""
    return _read_variable(name, default, about, shown)


def read_choice(name: str, options: tuple[str, ...], *, about: str) -> str:
    """Return one of `options`, the first by default."""
    value = _read_variable(name, options[0], about)
    if value not in options:
        raise ImproperlyConfigured(f"{name} is {value!r}; set it to one of {', '.join(options)}.")
    return value


def read_rail(
    name: str, default: str, *, known: Container[str], production: bool, about: str, shown: str
) -> str:
    """Return the name of a settlement rail, or an empty text; production refuses the sandbox's."""
    value = _read_variable(name, default, about, shown)
    if value and value not in known:
        raise ImproperlyConfigured(f"{name} is {value!r}, which is not a known rail.")
    if value == "sandbox" and production:
        raise ImproperlyConfigured(f"{name} is sandbox, which transfers nothing: leave it empty.")
    return value


def read_chain_address(
    name: str, default: str = "", *, about: str, shown: str | None = None
) -> str:
    """Return an address of an EVM chain, or an empty text."""
    value = _read_variable(name, default, about, shown)
    if value and not re.fullmatch("0x[0-9a-fA-F]{40}", value):
        raise ImproperlyConfigured(f"{name} is {value!r}; set it to 0x and 40 hex characters.")
    return value


def read_integer(
    name: str,
    default: int,
    *,
    about: str,
    least: int = 0,
    most: int | None = None,
    shown: str | None = None,
) -> int:
    """Return a whole number that is at least `least`, and at most `most`."""
    value = _read_variable(name, str(default), about, shown)
    number = int(value) if value.isascii() and value.isdigit() else -1
    if number < least or (most is not None and number > most):
        to = "" if most is None else f" to {most}"
        raise ImproperlyConfigured(
            f"{name} is {value!r}; set it to a whole number from {least}{to}."
        )
    return number


def read_flag(name: str, default: bool, *, about: str, shown: str | None = None) -> bool:
    """Return a yes-or-no variable; anything but the usual words is refused."""
    words = {"1": True, "true": True, "yes": True, "0": False, "false": False, "no": False}
    value = _read_variable(name, "yes" if default else "no", about, shown).lower()
    if value not in words:
        raise ImproperlyConfigured(f"{name} is {value!r}; set it to yes or no.")
    return words[value]


def read_list(
    name: str, default: str = "", *, about: str, least: int = 0, shown: str | None = None
) -> list[str]:
    """Return a comma-separated list without empty parts, of at least `least`."""
    value = _read_variable(name, default, about, shown)
    parts = [part.strip() for part in value.split(",") if part.strip()]
    if len(parts) < least:
        raise ImproperlyConfigured(f"{name} is {value!r}; name at least {least}.")
    return parts


def read_pairs(name: str, *, about: str) -> dict[str, str]:
    """Return `a=x,b=y` as a mapping."""
    pairs = {}
    for part in read_list(name, about=about):
        key, separator, value = part.partition("=")
        if not separator or not key.strip() or not value.strip():
            raise ImproperlyConfigured(f"{name} has the part {part!r}; write it as key=value.")
        pairs[key.strip()] = value.strip()
    return pairs


def read_networks(
    name: str, default: str = "", *, about: str, shown: str | None = None
) -> tuple[IPv4Network | IPv6Network, ...]:
    """Return a comma-separated list of address ranges (CIDR), such as `10.0.0.0/8,fd00::/8`."""
    networks = []
    for part in read_list(name, default, about=about, shown=shown):
        try:
            networks.append(ip_network(part))
        except ValueError as error:
            raise ImproperlyConfigured(
                f"{name} has the part {part!r}, which is not an address range ({error}); write "
                "it as 10.1.0.0/16."
            ) from None
    return tuple(networks)


def read_secret(name: str, *, production: bool, folder: Path, about: str) -> str:
    """Return a secret of at least 32 characters.

    Production refuses a missing or short one; a sandbox makes its own and keeps it in an
    ignored file, so that it survives a restart.
    """
    value = _read_variable(
        name, "", about, shown="generated in the sandbox; required in production"
    )
    if not value and not production:
        return _load_sandbox_secret(folder / "secrets.json", name)
    return _require_strong_secret(name, value)


def read_derived_secret(name: str, default: str, *, needed: bool, about: str, shown: str) -> str:
    """Return a secret of at least 32 characters, `default` where none is given and none needed."""
    value = _read_variable(name, "", about, shown)
    return _require_strong_secret(name, value) if value or needed else default


def _require_strong_secret(name: str, value: str) -> str:
    if weakness := find_secret_weakness(value):
        raise ImproperlyConfigured(
            f"{name} is {weakness}: set it to at least "
            f"{SHORTEST_SECRET} random characters, for example from `openssl rand -hex 32`."
        )
    return value


def find_secret_weakness(secret: str) -> str:
    """Return what is wrong with a secret that should be random, or an empty text.

    Of random ones of 32 hex digits one in seven thousand is refused, of 64 none in practice.
    """
    if not secret:
        return "missing"
    if len(secret) < SHORTEST_SECRET:
        return "too short"
    # as UUIDs and private keys are written
    in_hex = _HEX.fullmatch(secret.removeprefix("0x").replace("-", "")) is not None
    if len(set(secret)) < (FEWEST_CHARACTERS if in_hex else FEWEST_OF_OTHERS):
        return "too uniform to be random"
    if _PASSPHRASE.fullmatch(secret) or _count_word_characters(secret) > MOST_IN_WORDS * len(
        secret
    ):
        return "made of words, so it can be guessed"
    if secret.lower() in _read_published_text():
        return "published in the documentation"
    # a short text that is repeated, and one that counts up: abcabc…, a1b2c3…
    threes = {secret[at : at + 3] for at in range(len(secret) - 2)}
    repeats = len(threes) < LEAST_OWN_THREES * (len(secret) - 2)
    if repeats or any(_is_stepwise(secret, apart) for apart in range(1, LONGEST_STEP + 1)):
        return "a pattern, so it can be guessed"
    return ""


def _count_word_characters(secret: str) -> int:
    """Return how many characters of a secret belong to words that people choose."""
    words, text, at, covered = _common_password_words(), secret.lower(), 0, 0
    while at < len(text):
        # the longest word that begins here
        length = next((n for n in range(12, 3, -1) if text[at : at + n] in words), 0)
        covered += length
        at += length or 1
    return covered


@cache
def _common_password_words() -> frozenset[str]:
    """Return words of passwords that people choose, of four letters or more, as Django has them."""
    packed = Path(django.__file__).parent / "contrib" / "auth" / "common-passwords.txt.gz"
    with gzip.open(packed, "rt", encoding="utf-8") as listed:
        parts = {part for line in listed for part in re.findall(r"[a-z]{4,12}", line)}
    # words spelt only in hexadecimal digits also occur in random secrets
    return frozenset(part for part in parts if not _HEX.fullmatch(part)) | OWN_WORDS


@cache
def _read_published_text() -> str:
    """Return what everybody can read of this product: its documentation and its configuration."""
    root = Path(__file__).resolve().parent.parent
    pages = (*root.glob("*.md"), *root.glob("docs/**/*.md"), root / "compose.yaml")
    return "\n".join(page.read_text(encoding="utf-8") for page in pages if page.is_file()).lower()


def _is_stepwise(secret: str, apart: int) -> bool:
    """Tell whether most characters follow from the one so many places before: `abc`, `a1b2c3`."""
    pairs = zip(secret, secret[apart:], strict=False)
    near = sum(abs(ord(character) - ord(other)) <= 1 for character, other in pairs)
    return near > MOST_IN_STEPS * (len(secret) - apart)


def list_secret_settings(settings: Mapping[str, object]) -> dict[str, str]:
    """Return the settings that are secrets, by what their names end in."""
    return {
        name: value
        for name, value in settings.items()
        if name.endswith(_SECRETS) and name.isupper() and isinstance(value, str)
    }


def require_own_secrets(secrets_by_name: Mapping[str, str], *, made_here: Container[str]) -> None:
    """Raise ImproperlyConfigured if a secret is weak, or used in two places.

    A value may be `new,old`, or `id:key,…` as in keyrings. Only the strength of secrets `made_here`
    is judged: the others come from other parties.
    """
    # Secrets in use, in small letters: hex is the same key in either case. Whoever learns one, as
    # the counterparty that shares it or from a backup, must not know another with it.
    owner: dict[str, str] = {}
    for name, value in secrets_by_name.items():
        for part in filter(None, (listed.strip() for listed in value.split(","))):
            secret = part.rpartition(":")[2]
            weakness = find_secret_weakness(secret) if name in made_here else ""
            if weakness:
                raise ImproperlyConfigured(
                    f"{name} holds a secret that is {weakness}: generate one with `openssl rand "
                    "-hex 32`."
                )
            if other := owner.get(secret.lower()):
                raise ImproperlyConfigured(
                    f"{name} holds the same secret "
                    f"{'twice' if other == name else f'as {other}'}: generate a separate one "
                    "with `openssl rand -hex 32`."
                )
            owner[secret.lower()] = name


def make_private_folder(path: Path) -> Path:
    """Return a folder that only this user may enter, made if it is not there.

    From now on, every file that this process creates is accessible only to its user.
    """
    # the database, keys, sessions and personal data of payments are in the folder
    os.umask(0o077)
    path.mkdir(parents=True, exist_ok=True)
    status = path.stat()
    # only its owner may change a folder's mode: a mounted volume may belong to another user
    if status.st_mode & 0o077 and status.st_uid == os.getuid():
        path.chmod(status.st_mode & ~0o077)
    return path


def read_bank_url(name: str, *, production: bool, about: str) -> str:
    """Return the address of a bank's API, or an empty text; production refuses plain HTTP."""
    value = _read_variable(name, "", about)
    if value and production and not value.startswith("https://"):
        raise ImproperlyConfigured(f"{name} is {value!r}: a bank is called only over https.")
    return value


def read_given_secret(name: str, *, production: bool, folder: Path, about: str) -> str:
    """Return a secret received from another party, or an empty text; a sandbox makes its own."""
    value = _read_variable(name, "", about, shown="generated in the sandbox; empty in production")
    return value or ("" if production else _load_sandbox_secret(folder / "secrets.json", name))


def _load_sandbox_secret(path: Path, name: str) -> str:
    """Read a sandbox secret from its file, or make it."""
    path.parent.mkdir(parents=True, exist_ok=True)
    handle = os.fdopen(os.open(path, os.O_RDWR | os.O_CREAT, 0o600), "r+")
    with handle:
        # processes that start at the same moment must not each make a secret of their own
        fcntl.flock(handle, fcntl.LOCK_EX)
        try:
            known: dict[str, str] = json.loads(handle.read() or "{}")
        except ValueError:
            raise ImproperlyConfigured(
                f"{path} is damaged: restore it, or remove it to generate new sandbox secrets."
            ) from None
        if name not in known:
            known[name] = secrets.token_hex(32)
            handle.seek(0)
            handle.write(json.dumps(known, indent=1))
            handle.truncate()
        return known[name]


def read_mail_server(name: str, *, about: str) -> dict[str, object]:
    """Return Django's mail settings for `smtp://user:password@host:587` or `smtps://…:465`."""
    value = _read_variable(name, "", about)
    if not value:
        return {}
    parts = urlsplit(value)
    if parts.scheme not in ("smtp", "smtps") or not parts.hostname:
        # the value itself may hold a password: it is not shown
        raise ImproperlyConfigured(
            f"{name} is not a mail server: write smtp://user:password@host:587 or smtps://…:465."
        )
    return {
        "EMAIL_HOST": parts.hostname,
        "EMAIL_PORT": int(_parse_port(name, parts) or (465 if parts.scheme == "smtps" else 587)),
        "EMAIL_HOST_USER": unquote(parts.username or ""),
        "EMAIL_HOST_PASSWORD": unquote(parts.password or ""),
        "EMAIL_USE_SSL": parts.scheme == "smtps",
        # STARTTLS where there is a user, so that no password goes out in the clear
        "EMAIL_USE_TLS": parts.scheme == "smtp" and parts.username is not None,
    }


def read_database(name: str, folder: Path, *, about: str, password: str = "") -> dict[str, object]:
    """Return Django's database settings for a URL: `sqlite:///FILE` or `postgres://…`.

    `password` is not encoded; in a URL its special characters would be.
    """
    embedded = f"sqlite:///{quote(str(folder / 'db.sqlite3'))}"
    value = _read_variable(name, embedded, about, shown="SQLite in VAR_DIR")
    try:
        parts = urlsplit(value)
    except ValueError:  # a bracket, which would begin an IPv6 address
        raise ImproperlyConfigured(_BAD_URL.format(name=name)) from None
    if parts.scheme == "sqlite":
        return _sqlite_settings(unquote(parts.path.removeprefix("/")) if parts.path else ":memory:")
    database_name = unquote(parts.path.lstrip("/"))
    if parts.scheme in ("postgres", "postgresql") and database_name:
        # a password that is not percent-encoded: part of it reads as host, path or fragment
        if parts.netloc.count("@") > 1 or set("@/") & set(database_name) or parts.fragment:
            raise ImproperlyConfigured(_BAD_URL.format(name=name))
        return {
            "ENGINE": "django.db.backends.postgresql",
            "NAME": database_name,
            "USER": unquote(parts.username or ""),
            "PASSWORD": password or unquote(parts.password or ""),
            "HOST": parts.hostname or "",
            "PORT": _parse_port(name, parts),
            # Seconds. A new connection for each request took PostgreSQL 5.6 ms of processor time
            # instead of 0.6.
            "CONN_MAX_AGE": 60,
            # else the first request of each worker fails after a restart of the server
            "CONN_HEALTH_CHECKS": True,
            "OPTIONS": POSTGRES_LIMITS | dict(parse_qsl(parts.query)),
        }
    raise ImproperlyConfigured(_BAD_URL.format(name=name))


# the value itself may hold a password: it is not shown
_BAD_URL = (
    "{name} is not a database address: write sqlite:///FILE or postgres://user@host:5432/name, "
    "and put the unencoded password into DATABASE_PASSWORD; in an address, write : @ / # [ % "
    "of a password as %3A %40 %2F %23 %5B %25."
)


def _parse_port(name: str, parts: SplitResult) -> str:
    try:
        return str(parts.port or "")
    except ValueError:
        raise ImproperlyConfigured(
            f"{name} has an invalid port; write : @ / in a password as %3A %40 %2F."
        ) from None


def _sqlite_settings(path: str) -> dict[str, object]:
    pragmas = (
        # FULL: what was committed survives a loss of power, at 1,621 instead of 2,332 transactions
        # a second
        "PRAGMA journal_mode=WAL;PRAGMA synchronous=FULL;PRAGMA foreign_keys=ON;"
        # without it INSERT OR REPLACE walks past the triggers that keep ledgers append-only
        "PRAGMA recursive_triggers=ON;"
        # bytes to which the log is cut back after a burst of writes
        "PRAGMA journal_size_limit=67108864;"
        # a record's key that was destroyed must not be left in a free page of the file
        "PRAGMA secure_delete=ON"
    )
    return {
        "ENGINE": "django.db.backends.sqlite3",
        "NAME": path,
        "CONN_MAX_AGE": None,
        # timeout: seconds that a writer waits for another. IMMEDIATE: with deferred transactions,
        # read-then-write under load fails half the time.
        "OPTIONS": {"timeout": 20, "transaction_mode": "IMMEDIATE", "init_command": pragmas},
    }
