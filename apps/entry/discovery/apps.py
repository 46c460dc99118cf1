from django.apps import AppConfig


class DiscoveryConfig(AppConfig):
    name = "apps.entry.discovery"

    def ready(self) -> None:
        from apps.entry.discovery.tools import health
        from apps.platform.api.routers import ROUTERS
        from apps.platform.desk.health import register_health_check
        from apps.platform.health.viewsets import health_viewset

        register_health_check("tools", health.check_mcp_server, health.WORDS)
        # the last installed app: health is listed after all other operations of a service
        for service, router in ROUTERS.items():
            router.register("health", health_viewset(service))
