import sys
from typing import Any

from django.apps import AppConfig
from django.core.checks import Tags, register
from django.core.exceptions import ImproperlyConfigured
from django.db.backends.signals import connection_created
from django.db.models.signals import post_migrate

from apps.core import checks
from apps.core.moments import read_quickly


class CoreConfig(AppConfig):
    name = "apps.core"
    verbose_name = "Platform"

    def ready(self) -> None:
        insist_on_settings()
        _keep_the_stack_bounded()
        _run_nothing_else()
        post_migrate.connect(_after_migrate, sender=self)
        connection_created.connect(read_quickly)
        register(Tags.database)(checks.triggers_stand)
        register(deploy=True)(checks.documents_are_sound)


def insist_on_settings() -> None:
    """Refuse to start on settings that would only fail later, in a request."""
    from django.conf import settings

    from apps.core import heads, macs, retention, signing
    from config.services import SERVICES

    signing.keys()
    macs.keys()
    heads.check_settings()
    retention.check_settings()
    unknown = sorted(set(settings.SERVICE_HOSTS) - set(SERVICES))
    if unknown:
        raise ImproperlyConfigured(
            f"SERVICE_HOSTS names {', '.join(unknown)}; the services are {', '.join(SERVICES)}."
        )
    named = [host for host in settings.ALLOWED_HOSTS if host != "*"]
    if settings.PRODUCTION and (not named or named != settings.ALLOWED_HOSTS):
        raise ImproperlyConfigured(
            "ALLOWED_HOSTS is missing or `*`: set it to the host names that are answered, "
            "for example `oracle.example.com`."
        )


def _keep_the_stack_bounded() -> None:
    """Keep Python's bound on recursion, which py_ecc (below eth_account) lifts when it is read.

    With that bound away JSON that is nested deep ends the process instead of the parsing of it.
    The library does so once: whoever needs it later finds it read.
    """
    bound = sys.getrecursionlimit()
    import py_ecc  # noqa: F401

    sys.setrecursionlimit(bound)


def _run_nothing_else() -> None:
    """Let workers run our two functions alone, whatever schedules stand in the database.

    django-q2 runs any function that a row of its schedules names: who can write the database
    could have a command run, and read the keys that the database does not hold.
    """
    from django_q.signals import pre_enqueue, pre_execute

    from apps.core import jobs

    pre_enqueue.connect(jobs.refuse_foreign_schedules)
    pre_execute.connect(jobs.refuse_foreign_functions)


def _after_migrate(**_: Any) -> None:
    """Insist that every append-only table has its triggers, and plan the schedules."""
    from django.db import connection
    from django.db.migrations.executor import MigrationExecutor

    from apps.core import appendonly, clock, jobs

    executor = MigrationExecutor(connection)
    if executor.migration_plan(executor.loader.graph.leaf_nodes()):
        return  # not there yet: only part of the tables exist
    lost = appendonly.missing()
    if lost:
        raise RuntimeError(
            "append-only triggers are missing (SQLite drops them when a migration remakes a "
            f"table): end that migration with AppendOnly(…). Missing: {', '.join(lost)}"
        )
    jobs.sync_schedules(now=clock.now())
