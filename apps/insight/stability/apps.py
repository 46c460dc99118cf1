from django.apps import AppConfig


class StabilityConfig(AppConfig):
    name = "apps.insight.stability"
    verbose_name = "Stability"

    def ready(self) -> None:
        from apps.insight.stability import health
        from apps.insight.stability.desk import DESK
        from apps.insight.stability.fees.api import viewsets as fees_viewsets
        from apps.insight.stability.fees.rules.docs import build_rule_tables
        from apps.insight.stability.jobs import JOBS
        from apps.insight.stability.oracle import health as oracle_health
        from apps.insight.stability.oracle.api import viewsets as oracle_viewsets
        from apps.insight.stability.oracle.rules.docs import (
            build_rule_tables as build_oracle_rule_tables,
        )
        from apps.insight.stability.table_proofs import PROOFS
        from apps.platform.api.routers import ROUTERS
        from apps.platform.common.rule_docs import RULE_TABLES
        from apps.platform.desk.entries import register_desk
        from apps.platform.desk.health import register_health_check
        from apps.platform.jobs.registry import register_jobs
        from apps.platform.ledger.table_proofs import register_table_proofs

        router = ROUTERS["stability"]
        router.register("manifest", fees_viewsets.ManifestViewSet)
        router.register("fee-schedule", fees_viewsets.FeeScheduleViewSet)
        router.register("quote", fees_viewsets.QuoteViewSet)
        router.register("verify-fees", fees_viewsets.FeeVerificationViewSet)
        router.register("reliability", oracle_viewsets.ReliabilityViewSet)
        router.register("api", oracle_viewsets.OracleRunViewSet)

        register_jobs(JOBS)
        register_health_check("fees", health.check_fees, health.WORDS)
        register_health_check("oracle", oracle_health.check_oracle, oracle_health.WORDS)
        register_table_proofs(PROOFS)
        register_desk(DESK)
        RULE_TABLES.register("stability", build_rule_tables, position=130)
        RULE_TABLES.register("stability_oracle", build_oracle_rule_tables, position=160)
