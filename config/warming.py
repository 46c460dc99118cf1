"""What a process reads before its first work, so that nobody waits for it.

Web workers do so by config/gunicorn.py, background workers by WARMED of config/cluster.py.
"""


def tables() -> None:
    """Read the tables of names; the processes that are forked then share them.

    They take seconds to read, and the first comparison of payees would wait for them.
    """
    from apps.names.payee import compare
    from apps.watchlists.namefield import read

    compare(submitted="Warm Up Trading Co Ltd", registered="Warm Up Trading Company Limited")
    compare(submitted="Mr John Smith", registered="Maria de la Cruz")
    compare(submitted="ООО Ромашка", registered="华为技术有限公司")
    read("Warm Up Trading Company Ltd, 12 High Street, London (formerly Cold Start)")


def index() -> None:
    """Open the match index, and look for somebody; nothing where there is no list yet.

    Nor while the database is away: a worker that could not start without it would stop the host.
    """
    import contextlib

    from django.db import DatabaseError

    from apps.core.clock import now
    from apps.core.problems import DomainError
    from apps.watchlists import engine, lookup
    from apps.watchlists.subjects import Subject

    # without lists, and without a database, what is screened is answered 503
    with contextlib.suppress(DomainError, DatabaseError):
        found = engine.current(now())
        lookup.sanctions(engine=found, subject=Subject(name="Warm Up Trading Company Ltd"))


def payments() -> None:
    """Read the code that carries a payment on."""
    import apps.payments.advancing  # noqa: F401


def settled() -> None:
    """Tell the collector of garbage that what was read so far stays for good.

    A process holds hundreds of megabytes of tables and code; to look through them again and again
    took a third of the time of work that makes many short-lived objects, as exports do.
    """
    import gc

    gc.collect()
    gc.freeze()
    gc.set_threshold(20_000, 20, 100)
