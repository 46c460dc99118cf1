from django.apps import AppConfig


class AccessConfig(AppConfig):
    name = "apps.access.keys"
    label = "access"  # label of its tables, permissions and migrations
    verbose_name = "Keys and accounts"

    def ready(self) -> None:
        from apps.access.keys.api import viewsets
        from apps.access.keys.desk import DESK
        from apps.access.keys.jobs import JOBS
        from apps.access.keys.table_proofs import PROOFS
        from apps.platform.api.routers import ROUTERS
        from apps.platform.desk.entries import register_desk
        from apps.platform.jobs.registry import register_jobs
        from apps.platform.ledger.table_proofs import register_table_proofs

        router = ROUTERS["compliance"]
        router.register("compliance/usage", viewsets.UsageViewSet)

        register_jobs(JOBS)
        register_table_proofs(PROOFS)
        register_desk(DESK)
