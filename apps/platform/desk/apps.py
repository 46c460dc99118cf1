from typing import Any

from django.apps import AppConfig, apps
from django.db.models.signals import post_migrate


class DeskConfig(AppConfig):
    name = "apps.platform.desk"
    verbose_name = "Desk"

    def ready(self) -> None:
        from django.contrib.admin.templatetags import admin_list

        from apps.platform.desk import health
        from apps.platform.desk.entries import register_desk
        from apps.platform.desk.own_entries import DESK
        from apps.platform.desk.table_proofs import PROOFS
        from apps.platform.ledger.table_proofs import register_table_proofs

        post_migrate.connect(_sync_roles)
        # Django draws a red cross for every plain "no", as if it were an error
        admin_list._boolean_icon = _format_boolean  # type: ignore[attr-defined]
        health.register_own_checks()
        register_table_proofs(PROOFS)
        register_desk(DESK)


def _format_boolean(value: bool | None) -> str:
    """Return the text of a yes-or-no field on the desk's pages."""
    return {True: "yes", False: "no"}.get(value, "not known")  # type: ignore[arg-type]


def _sync_roles(sender: AppConfig, **_: Any) -> None:
    """Write config/desk_roles.py into the database once the last app has its permissions."""
    from django.db import connection
    from django.db.migrations.executor import MigrationExecutor

    from apps.platform.common.clock import now
    from apps.platform.desk.role_sync import sync_roles

    # post_migrate comes for each app in turn; permissions are made by earlier ones
    if sender.label != [app for app in apps.get_app_configs() if app.models_module][-1].label:
        return
    executor = MigrationExecutor(connection)
    if executor.migration_plan(executor.loader.graph.leaf_nodes()):
        return  # only some of the tables exist
    sync_roles(now())
