from django.apps import AppConfig


class ForecastConfig(AppConfig):
    name = "apps.insight.forecast"
    verbose_name = "Forecasts"

    def ready(self) -> None:
        from apps.insight.forecast import health
        from apps.insight.forecast.api import viewsets
        from apps.insight.forecast.jobs import JOBS
        from apps.insight.forecast.rules.docs import build_rule_tables
        from apps.platform.api.routers import ROUTERS
        from apps.platform.common.rule_docs import RULE_TABLES
        from apps.platform.desk.health import register_health_check
        from apps.platform.jobs.registry import register_jobs

        router = ROUTERS["forecast"]
        router.register("forecast/heat-check", viewsets.HeatCheckViewSet)
        router.register("forecast/commodity", viewsets.CommodityViewSet)
        router.register("forecast/regions", viewsets.RegionViewSet)
        router.register("forecast/calendar", viewsets.CalendarViewSet)
        router.register("forecast/portfolio", viewsets.PortfolioViewSet)
        router.register("forecast/scenario", viewsets.ScenarioViewSet)
        router.register("forecast/tcfd-report", viewsets.TcfdReportViewSet)

        register_jobs(JOBS)
        register_health_check("forecasts", health.check_forecasts, health.WORDS)
        RULE_TABLES.register("forecast", build_rule_tables, position=170)
