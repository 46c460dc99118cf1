from django.apps import AppConfig


class IntelligenceConfig(AppConfig):
    name = "apps.insight.intelligence"
    verbose_name = "Intelligence"

    def ready(self) -> None:
        from apps.insight.intelligence.api import viewsets
        from apps.insight.intelligence.desk import DESK
        from apps.insight.intelligence.feeds.api import viewsets as feeds_viewsets
        from apps.insight.intelligence.jobs import JOBS
        from apps.platform.api.routers import ROUTERS
        from apps.platform.desk.entries import register_desk
        from apps.platform.jobs.registry import register_jobs

        router = ROUTERS["intelligence"]
        router.register("v1/oracle-feed", feeds_viewsets.OracleFeedViewSet)
        for prefix, viewset in viewsets.VIEWSETS.items():
            router.register(prefix, viewset)

        register_jobs(JOBS)
        register_desk(DESK)
