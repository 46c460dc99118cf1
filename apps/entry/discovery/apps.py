from django.apps import AppConfig


class DiscoveryConfig(AppConfig):
    name = "apps.entry.discovery"

    def ready(self) -> None:
        from apps.entry.discovery.tools import health
        from apps.platform.desk.health import register_health_check

        register_health_check("tools", health.check_mcp_server, health.WORDS)
