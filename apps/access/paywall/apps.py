from django.apps import AppConfig


class PaywallConfig(AppConfig):
    name = "apps.access.paywall"
    verbose_name = "Payments"

    def ready(self) -> None:
        from apps.access.paywall import health
        from apps.access.paywall.api import viewsets
        from apps.access.paywall.desk import DESK
        from apps.access.paywall.jobs import JOBS
        from apps.access.paywall.table_proofs import PROOFS
        from apps.platform.api.routers import ROUTERS
        from apps.platform.desk.entries import register_desk
        from apps.platform.desk.health import register_health_check
        from apps.platform.jobs.registry import register_jobs
        from apps.platform.ledger.table_proofs import register_table_proofs

        router = ROUTERS["compliance"]
        router.register("stream", viewsets.StreamSessionViewSet)

        register_jobs(JOBS)
        register_health_check("payments", health.check_payments, health.WORDS)
        register_table_proofs(PROOFS)
        register_desk(DESK)
