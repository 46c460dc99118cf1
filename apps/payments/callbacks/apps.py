from django.apps import AppConfig


class CallbacksConfig(AppConfig):
    name = "apps.payments.callbacks"
    verbose_name = "Callbacks"

    def ready(self) -> None:
        from apps.payments.callbacks import health
        from apps.payments.callbacks.api import viewsets
        from apps.payments.callbacks.desk import DESK
        from apps.payments.callbacks.jobs import JOBS
        from apps.payments.callbacks.table_proofs import PROOFS
        from apps.platform.api.routers import ROUTERS
        from apps.platform.desk.entries import register_desk
        from apps.platform.desk.health import register_health_check
        from apps.platform.jobs.registry import register_jobs
        from apps.platform.ledger.table_proofs import register_table_proofs

        router = ROUTERS["integration"]
        router.register("callbacks/endpoints", viewsets.CallbackEndpointViewSet)
        router.register("callbacks", viewsets.CallbackViewSet)

        register_jobs(JOBS)
        register_health_check("callbacks", health.check_callback_health, health.WORDS)
        register_table_proofs(PROOFS)
        register_desk(DESK)
