from django.apps import AppConfig


class SettlementConfig(AppConfig):
    name = "apps.payments.settlement"
    verbose_name = "Settlements"

    def ready(self) -> None:
        from apps.backoffice.review.case_types import register_case_type
        from apps.backoffice.sar.record_types import register_record_types
        from apps.compliance.agents.revocation_listeners import REVOCATION_LISTENERS
        from apps.payments.chain.purposes import PURPOSES, Purpose
        from apps.payments.settlement import case_links
        from apps.payments.settlement.api import viewsets
        from apps.payments.settlement.case_links import SAR_RECORDS
        from apps.payments.settlement.case_types import SETTLEMENT
        from apps.payments.settlement.desk import DESK
        from apps.payments.settlement.institution_access.services.close_disallowed_orders import (
            close_orders_of_agent,
        )
        from apps.payments.settlement.jobs import JOBS
        from apps.payments.settlement.rules.docs import build_rule_tables
        from apps.payments.settlement.services.apply_chain_transfer_status import (
            apply_chain_transfer_status,
        )
        from apps.payments.settlement.table_proofs import PROOFS
        from apps.platform.api.routers import ROUTERS
        from apps.platform.common.rule_docs import RULE_TABLES
        from apps.platform.desk.entries import register_desk
        from apps.platform.jobs.registry import register_jobs
        from apps.platform.ledger.table_proofs import register_table_proofs

        router = ROUTERS["settlement"]
        router.register("flow-check", viewsets.FlowCheckViewSet)
        router.register("settle", viewsets.SettlementViewSet)

        register_jobs(JOBS)
        register_case_type(
            "settlement", SETTLEMENT, position=90, record_page=case_links.case_settlement_link
        )
        register_record_types(SAR_RECORDS)
        register_table_proofs(PROOFS)
        register_desk(DESK)
        RULE_TABLES.register("settlement", build_rule_tables, position=80)
        REVOCATION_LISTENERS.register("settlement", close_orders_of_agent)
        PURPOSES.register(
            "settlement",
            Purpose(notify=apply_chain_transfer_status, page=case_links.order_settlement_link),
        )
