"""Data that a process loads before its first work, so that no request waits for it.

Web workers do so by config/gunicorn.py, background workers by WARMED of config/cluster.py, before
they are forked, so that all of them share the memory. What is loaded is not listed by hand. Modules
are those that URLs and jobs name; tables that are built at first use are found by how they are
built (apps/reference/names/table_warm_up.py); libraries load theirs while a few names of many kinds
are screened and compared. tests/config/test_warm_up.py checks that nothing is loaded after that.
"""

import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from apps.reference.watchlists.matching.index import IndexEntry

# each in a script, a form or a disguise that is read by code or tables of its own
NAMES = (
    "Warm Up Trading Company Ltd, 12 High Street, London (formerly Cold Start)",
    "Freight MT WARM ONE I IMO 9569671 voy 3",
    "Mr John Smith and Mrs María José de la Cruz",
    "J o h n  S m i t h",
    "Abdul Rahman bin Warm al-Up",
    "M1khail W4rm",
    "JohnWarmSmith@warm-smith.example.com",
    "Kim Jong Warm",
    "ООО Ромашка",
    "Михаил Тёплый",
    "Bаnk Wаrm",  # Cyrillic letters among Latin ones
    "华为技术有限公司",
    "陳大文",
    "株式会社ウォーム",
    "サミュエル・ウォーム",
    "田中太郎",
    "김정은",
    "한국개발은행",
    "金正恩",
    "شركة الدفء للتجارة",
    "عبد الرحمن الدافئ",
    "یوسف گرم",
    "יוסף כהן",
    "Θερμός Γεώργιος ΑΕ",
    "สมชาย อบอุ่น",
    "राजेश गर्म",
    "উষ্ণ লিমিটেড",
    "ვარმ ლევან",
    "Վարմ Արամ",
    "ﬁrst wärm 🔥 ①②③ ＷＡＲＭ",
    "WARMBICXXX 4 GmbH & Co. KG",
)
ADDRESSES = ("1 Warm Road, Springfield, IL 62701, USA", "Valiasr St 12, Tehran", "Via Calda 3 (MI)")


def import_url_modules() -> None:
    """Import what any URL may reach: its first caller would wait for it."""
    from django.urls import get_resolver

    get_resolver().reverse_dict  # noqa: B018  (reading it imports the URLs of all services)


def load_name_tables() -> None:
    """Read the tables of names; the processes that are forked then share them.

    They take a second or two to read, and the first screen would wait for them.
    """
    from apps.compliance.screening.rules.party_location import parse_place
    from apps.reference.names.payee import compare_payee_names
    from apps.reference.names.table_warm_up import build_cached_tables
    from apps.reference.watchlists import lookup
    from apps.reference.watchlists.matching.index import MatchIndex
    from apps.reference.watchlists.matching.index_builder import build_index
    from apps.reference.watchlists.subjects import Subject

    build_cached_tables(
        "apps.reference.names",
        "apps.reference.watchlists",
        "apps.compliance.screening",
        "apps.reference.countries",
    )
    with tempfile.TemporaryDirectory(prefix="warming-") as folder:
        build_index(entries=_iter_warm_up_entries(), directory=Path(folder) / "list")
        index = MatchIndex.open(Path(folder) / "list")
        for name in NAMES:
            lookup.match_sanctions_in_index(
                index=index, subject=Subject(name=name), most=lookup.SHOWN
            )
            lookup.match_peps_in_index(index=index, subject=Subject(name=name), most=lookup.SHOWN)
    # each with the next, so that every name is read on both sides of a comparison
    for submitted, registered in zip(NAMES, (*NAMES[1:], NAMES[0]), strict=True):
        compare_payee_names(submitted=submitted, registered=registered)
    for address in ADDRESSES:
        parse_place(address, regions=())


def _iter_warm_up_entries() -> "Iterator[IndexEntry]":
    """Yield the names as listed parties, so that they match themselves and each other."""
    from apps.reference.watchlists.listed_entity import ListedEntity, ListedName
    from apps.reference.watchlists.matching.index import IndexEntry

    for number, name in enumerate(NAMES):
        for schema in ("Person", "Organization"):
            ref = f"warming:{schema}-{number}"
            entity = ListedEntity(entity_id=ref, schema=schema, names=(ListedName(name),))
            yield IndexEntry(ref, "warming", entity)


def open_match_index() -> None:
    """Open the match index and run a search; does nothing if there is no list yet.

    Nor while the database is away: a worker that could not start without it would stop the host.
    """
    import contextlib

    from django.db import DatabaseError

    from apps.platform.common.clock import now
    from apps.platform.common.problems import DomainError
    from apps.reference.watchlists import engine, lookup
    from apps.reference.watchlists.subjects import Subject

    # without lists, and without a database, what is screened is answered 503
    with contextlib.suppress(DomainError, DatabaseError):
        current_engine = engine.load_current_engine(now())
        lookup.match_sanctions(
            engine=current_engine, subject=Subject(name="Warm Up Trading Company Ltd")
        )


def freeze_garbage_collector() -> None:
    """Exempt everything read so far from garbage collection, and collect less often from now on."""
    import gc

    gc.collect()
    # A process holds hundreds of megabytes of tables and code. Looking through them again and again
    # took a third of the time of work with many short-lived objects, such as an export.
    gc.freeze()
    # Python 3.11 starts with 700, 10, 10
    gc.set_threshold(5_000, 4, 2_000)
