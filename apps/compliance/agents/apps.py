from django.apps import AppConfig


class AgentsConfig(AppConfig):
    name = "apps.compliance.agents"
    verbose_name = "Agents"

    def ready(self) -> None:
        from apps.compliance.agents.api import viewsets
        from apps.platform.api.routers import ROUTERS

        router = ROUTERS["compliance"]
        router.register("agent", viewsets.AgentViewSet)
