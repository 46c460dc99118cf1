"""Kinds of records whose outcomes enter the SAR log, as apps register them.

A domain supplies what an entry needs: its pages, the answer, the outcome of its case, and the time
of its screen.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING

from apps.platform.common.registry import Registry

if TYPE_CHECKING:
    from django.contrib.auth.models import User

# `(ref, user) -> [(text, text), …]`, of what that reader may open
RecordReader = Callable[[str, "User"], list[tuple[str, str]]]


@dataclass(frozen=True, kw_only=True)
class RecordType:
    """One kind of record, by the name that entries give it.

    `title` is what officers call it. `pages` returns title and address of each page of a record,
    as its screen and its case; `outcome` label and words of what was answered and what became of
    the case. `screened_at` says when the outcome was screened, None where no record tells;
    `sentence` turns a recorded reason into words for officers.
    """

    title: str
    pages: RecordReader
    outcome: RecordReader
    screened_at: Callable[[str], datetime | None]
    sentence: Callable[[str], str] = str


RECORD_TYPES: Registry[RecordType] = Registry("kind of record in the SAR log")

# Titles of lists, by their short names in entries
LIST_TITLES: Registry[str] = Registry("title of a list")


def register_record_types(kinds: Mapping[str, RecordType]) -> None:
    """Add the kinds of an app, by their names in entries."""
    for name, kind in kinds.items():
        RECORD_TYPES.register(name, kind)


def register_list_titles(titles: Mapping[str, str]) -> None:
    """Add what officers call lists, by their short names."""
    for name, title in titles.items():
        LIST_TITLES.register(name, title)
