from django.apps import AppConfig


class ForecastConfig(AppConfig):
    name = "apps.insight.forecast"
    verbose_name = "Forecasts"

    def ready(self) -> None:
        from apps.insight.forecast.api import viewsets
        from apps.platform.api.routers import ROUTERS

        router = ROUTERS["forecast"]
        router.register("forecast/heat-check", viewsets.HeatCheckViewSet)
        router.register("forecast/commodity", viewsets.CommodityViewSet)
        router.register("forecast/regions", viewsets.RegionViewSet)
        router.register("forecast/calendar", viewsets.CalendarViewSet)
        router.register("forecast/portfolio", viewsets.PortfolioViewSet)
        router.register("forecast/scenario", viewsets.ScenarioViewSet)
        router.register("forecast/tcfd-report", viewsets.TcfdReportViewSet)
