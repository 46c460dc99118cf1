from django.apps import AppConfig


class Pain001Config(AppConfig):
    name = "apps.payments.payments.pain001"
    label = "pain001"
    verbose_name = "Payment files"

    def ready(self) -> None:
        from apps.payments.payments.pain001.api import viewsets
        from apps.payments.payments.pain001.desk import DESK
        from apps.payments.payments.pain001.jobs import JOBS
        from apps.payments.payments.pain001.rules import build_rule_tables
        from apps.payments.payments.pain001.table_proofs import PROOFS
        from apps.platform.api.routers import ROUTERS
        from apps.platform.common.rule_docs import RULE_TABLES
        from apps.platform.desk.entries import register_desk
        from apps.platform.jobs.registry import register_jobs
        from apps.platform.ledger.table_proofs import register_table_proofs

        router = ROUTERS["integration"]
        router.register("payments/files", viewsets.PaymentFileViewSet)
        router.register(
            "payments/files/<str:file_id>/transactions", viewsets.FileTransactionViewSet
        )

        register_jobs(JOBS)
        register_table_proofs(PROOFS)
        register_desk(DESK)
        RULE_TABLES.register("pain001", build_rule_tables, position=70)
