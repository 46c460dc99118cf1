from django.apps import AppConfig


class EsgConfig(AppConfig):
    name = "apps.insight.esg"
    verbose_name = "ESG"

    def ready(self) -> None:
        from apps.insight.esg.api import viewsets
        from apps.insight.esg.desk import DESK
        from apps.insight.esg.jobs import JOBS
        from apps.insight.esg.oracle import health
        from apps.insight.esg.oracle.api import viewsets as oracle_viewsets
        from apps.insight.esg.oracle.rules import docs as oracle_docs
        from apps.insight.esg.rules import docs
        from apps.insight.esg.sfdr.api import viewsets as sfdr_viewsets
        from apps.insight.esg.sfdr.rules import docs as sfdr_docs
        from apps.insight.esg.table_proofs import PROOFS
        from apps.platform.api.routers import ROUTERS
        from apps.platform.common.rule_docs import RULE_TABLES
        from apps.platform.desk.entries import register_desk
        from apps.platform.desk.health import register_health_check
        from apps.platform.jobs.registry import register_jobs
        from apps.platform.ledger.table_proofs import register_table_proofs

        compliance = ROUTERS["compliance"]
        compliance.register("esg/score", viewsets.EntityScoreViewSet)
        compliance.register("esg/score/wallet", viewsets.WalletScoreViewSet)
        compliance.register("sfdr/pai-report", sfdr_viewsets.PaiReportViewSet)
        compliance.register("sfdr/report", sfdr_viewsets.EntityImpactViewSet)
        compliance.register("sfdr/screen", sfdr_viewsets.SfdrScreenViewSet)
        esg = ROUTERS["esg"]
        esg.register("manifest", oracle_viewsets.ManifestViewSet)
        esg.register("esg-score", oracle_viewsets.ScoreViewSet)
        esg.register("fee-schedule", oracle_viewsets.FeeScheduleViewSet)
        esg.register("quote", oracle_viewsets.QuoteViewSet)
        esg.register("reliability", oracle_viewsets.ReliabilityViewSet)

        register_jobs(JOBS)
        register_health_check("scores", health.check_live_score, health.WORDS)
        register_table_proofs(PROOFS)
        register_desk(DESK)
        RULE_TABLES.register("esg", docs.build_rule_tables, position=20)
        RULE_TABLES.register("sfdr", sfdr_docs.build_rule_tables, position=30)
        RULE_TABLES.register("esgoracle", oracle_docs.build_rule_tables, position=140)
