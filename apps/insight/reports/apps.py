from django.apps import AppConfig


class ReportsConfig(AppConfig):
    name = "apps.insight.reports"
    verbose_name = "Reports"

    def ready(self) -> None:
        from apps.insight.reports.api import viewsets
        from apps.insight.reports.desk import DESK
        from apps.insight.reports.rules.docs import build_rule_tables
        from apps.platform.api.routers import ROUTERS
        from apps.platform.common.rule_docs import RULE_TABLES
        from apps.platform.desk.entries import register_desk

        router = ROUTERS["reports"]
        for prefix, viewset in viewsets.VIEWSETS.items():
            router.register(prefix, viewset)
        register_desk(DESK)
        RULE_TABLES.register("reports", build_rule_tables, position=110)
