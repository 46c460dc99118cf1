from django.apps import AppConfig


class ChainConfig(AppConfig):
    name = "apps.payments.chain"
    verbose_name = "Transfers on chains"

    def ready(self) -> None:
        from apps.backoffice.review.case_types import register_case_type
        from apps.backoffice.sar.record_types import register_record_types
        from apps.payments.chain import case_links, health
        from apps.payments.chain.case_links import SAR_RECORDS
        from apps.payments.chain.case_types import CHAIN_TRANSFER
        from apps.payments.chain.desk import DESK
        from apps.payments.chain.jobs import JOBS
        from apps.payments.chain.rules.docs import build_rule_tables
        from apps.payments.chain.table_proofs import PROOFS
        from apps.platform.common.rule_docs import RULE_TABLES
        from apps.platform.desk.entries import register_desk
        from apps.platform.desk.health import register_health_check
        from apps.platform.jobs.registry import register_jobs
        from apps.platform.ledger.table_proofs import register_table_proofs

        register_jobs(JOBS)
        register_health_check("transfers", health.check_chain_health, health.WORDS)
        register_case_type(
            "chain_transfer", CHAIN_TRANSFER, position=120, record_page=case_links.case_order_link
        )
        register_record_types(SAR_RECORDS)
        register_table_proofs(PROOFS)
        register_desk(DESK)
        RULE_TABLES.register("chain", build_rule_tables, position=50)
