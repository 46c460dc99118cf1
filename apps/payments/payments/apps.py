from django.apps import AppConfig


class PaymentsConfig(AppConfig):
    name = "apps.payments.payments"
    verbose_name = "Payments"

    def ready(self) -> None:
        from apps.backoffice.review.case_types import register_case_type
        from apps.backoffice.sar.record_types import register_record_types
        from apps.payments.chain.purposes import PURPOSES, Purpose
        from apps.payments.payments import case_links, health
        from apps.payments.payments.api import viewsets
        from apps.payments.payments.case_links import SAR_RECORDS
        from apps.payments.payments.case_types import PAYMENT
        from apps.payments.payments.desk import DESK
        from apps.payments.payments.jobs import JOBS
        from apps.payments.payments.rails import RAILS
        from apps.payments.payments.rails.evm import EvmRail
        from apps.payments.payments.rails.sandbox import SandboxRail
        from apps.payments.payments.rules.docs import build_rule_tables
        from apps.payments.payments.services.apply_chain_transfer_status import (
            apply_chain_transfer_status,
        )
        from apps.payments.payments.table_proofs import PROOFS
        from apps.platform.api.routers import ROUTERS
        from apps.platform.common.rule_docs import RULE_TABLES
        from apps.platform.desk.entries import register_desk
        from apps.platform.desk.health import register_health_check
        from apps.platform.jobs.registry import register_jobs
        from apps.platform.ledger.table_proofs import register_table_proofs

        router = ROUTERS["integration"]
        router.register("payments", viewsets.PaymentViewSet)
        router.register("rates", viewsets.ReferenceRateViewSet)
        router.register("manifest", viewsets.ManifestViewSet)

        register_jobs(JOBS)
        register_health_check("settlement", health.check_payment_health, health.WORDS)
        register_case_type(
            "payment", PAYMENT, position=60, record_page=case_links.case_payment_link
        )
        register_record_types(SAR_RECORDS)
        register_table_proofs(PROOFS)
        register_desk(DESK)
        RULE_TABLES.register("payments", build_rule_tables, position=60)
        PURPOSES.register(
            "payment",
            Purpose(notify=apply_chain_transfer_status, page=case_links.case_payment_link),
        )
        RAILS.register("evm", EvmRail)
        RAILS.register("sandbox", SandboxRail)
