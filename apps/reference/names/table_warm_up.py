"""Tables that are made at first use: functions without parameters whose answer is cached."""

import inspect
import sys
from collections.abc import Callable, Iterator
from typing import Any


def build_cached_tables(*packages: str) -> None:
    """Make every table of the imported modules of these packages."""
    for _name, table in list(iter_cached_tables(*packages)):
        table()


def list_built_tables(*packages: str) -> set[str]:
    """Return which tables of the imported modules of packages are made already."""
    return {
        name
        for name, table in iter_cached_tables(*packages)
        if table.cache_info().currsize  # type: ignore[attr-defined]
    }


def iter_cached_tables(*packages: str) -> "Iterator[tuple[str, Callable[[], Any]]]":
    """Yield the name of each table of the imported modules of packages, and its function."""
    for name, module in sorted(sys.modules.items()):
        if not any(name == package or name.startswith(f"{package}.") for package in packages):
            continue
        for value in vars(module).values():
            # only where it is defined: an imported function would be counted twice
            is_cached = hasattr(value, "cache_info") and value.__module__ == name
            if is_cached and not inspect.signature(value).parameters:
                yield f"{name}.{value.__qualname__}", value
