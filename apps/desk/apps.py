from typing import Any

from django.apps import AppConfig, apps
from django.db.models.signals import post_migrate


class DeskConfig(AppConfig):
    name = "apps.desk"
    verbose_name = "Desk"

    def ready(self) -> None:
        post_migrate.connect(_sync_roles)


def _sync_roles(sender: AppConfig, **_: Any) -> None:
    """Bring config/roles.py into the database once the last app has its permissions."""
    from django.db import connection
    from django.db.migrations.executor import MigrationExecutor

    from apps.core.clock import now
    from apps.desk.roles import sync_roles

    if sender.label != [app for app in apps.get_app_configs() if app.models_module][-1].label:
        return
    executor = MigrationExecutor(connection)
    if executor.migration_plan(executor.loader.graph.leaf_nodes()):
        return  # only part of the tables exist
    sync_roles(now())
