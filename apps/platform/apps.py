import sys
from typing import Any

from django.apps import AppConfig
from django.core.checks import Tags, register
from django.core.exceptions import ImproperlyConfigured
from django.db.backends.signals import connection_created
from django.db.models.signals import post_migrate

from apps.platform import checks
from apps.platform.db.timestamp_loader import register_timestamp_loader


class CoreConfig(AppConfig):
    name = "apps.platform"
    label = "core"  # label of its tables, permissions and migrations
    verbose_name = "Platform"

    def ready(self) -> None:
        from apps.platform.jobs.registry import register_jobs
        from apps.platform.ledger.table_proofs import register_table_proofs
        from apps.platform.table_proofs import PROOFS
        from apps.platform.tasks import JOBS

        require_valid_settings()
        _restore_recursion_limit()
        _refuse_foreign_tasks()
        post_migrate.connect(_check_triggers_and_plan_schedules, sender=self)
        connection_created.connect(register_timestamp_loader)
        register(Tags.database)(checks.check_append_only_triggers)
        register(deploy=True)(checks.check_openapi_documents)

        register_jobs(JOBS)
        register_table_proofs(PROOFS)


def require_valid_settings() -> None:
    """Refuse to start on settings that would otherwise fail later, in a request."""
    from django.conf import settings

    from apps.platform.crypto import macs, signatures
    from apps.platform.ledger import retention
    from apps.platform.ledger.verification import signed_heads
    from config.services import SERVICES

    # the MCP server alone signs nothing and has no keys, and other projects do not know them
    if not getattr(settings, "MCP_ALONE", False):
        signatures.signing_keys()
        macs.ledger_keys()
    signed_heads.check_heads_settings()
    retention.check_retention_settings()
    unknown = sorted(set(settings.SERVICE_HOSTS) - set(SERVICES))
    if unknown:
        raise ImproperlyConfigured(
            f"SERVICE_HOSTS names {', '.join(unknown)}; the services are {', '.join(SERVICES)}."
        )
    # a wildcard lets a forged Host header choose the addresses in our answers
    named = [host for host in settings.ALLOWED_HOSTS if host != "*"]
    if settings.PRODUCTION and (not named or named != settings.ALLOWED_HOSTS):
        raise ImproperlyConfigured(
            "ALLOWED_HOSTS is missing or `*`: set it to the host names to answer, for example "
            "`oracle.example.com`."
        )


def _restore_recursion_limit() -> None:
    """Restore Python's recursion limit, which py_ecc (below eth_account) raises on import.

    Without that limit deeply nested JSON crashes the process instead of failing to parse. The
    library raises it once, on its first import, which happens here.
    """
    bound = sys.getrecursionlimit()
    import py_ecc  # noqa: F401

    sys.setrecursionlimit(bound)


def _refuse_foreign_tasks() -> None:
    """Let workers run only our two functions, whatever schedules the database holds.

    django-q2 runs any function that a row of its schedules names: an attacker who can write the
    database could run a command, and so read the keys that are not in the database.
    """
    from django_q.signals import pre_enqueue, pre_execute

    from apps.platform.jobs import job_queue

    pre_enqueue.connect(job_queue.refuse_foreign_schedules)
    pre_execute.connect(job_queue.refuse_foreign_functions)


def _check_triggers_and_plan_schedules(**_: Any) -> None:
    """Require that every append-only table has its triggers, and plan the schedules."""
    from django.db import connection
    from django.db.migrations.executor import MigrationExecutor

    from apps.platform.common import clock
    from apps.platform.db import append_only
    from apps.platform.jobs import job_queue

    executor = MigrationExecutor(connection)
    if executor.migration_plan(executor.loader.graph.leaf_nodes()):
        return  # only some of the tables exist yet
    lost = append_only.find_missing_triggers()
    if lost:
        raise RuntimeError(
            "append-only triggers are missing (SQLite drops them when a migration remakes a "
            f"table): end that migration with AppendOnly(…). Missing: {', '.join(lost)}"
        )
    job_queue.sync_schedules(now=clock.now())
