from django.apps import AppConfig


class IntelligenceConfig(AppConfig):
    name = "apps.insight.intelligence"
    verbose_name = "Intelligence"

    def ready(self) -> None:
        from apps.insight.intelligence.api import viewsets as intelligence
        from apps.insight.intelligence.feeds.api import viewsets as feeds
        from apps.platform.api.routers import ROUTERS

        router = ROUTERS["intelligence"]
        router.register("v1/oracle-feed", feeds.OracleFeedViewSet)
        for prefix, viewset in intelligence.VIEWSETS.items():
            router.register(prefix, viewset)
