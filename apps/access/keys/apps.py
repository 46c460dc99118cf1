from django.apps import AppConfig


class AccessConfig(AppConfig):
    name = "apps.access.keys"
    label = "access"  # of its tables, permissions and migrations
    verbose_name = "Keys and accounts"

    def ready(self) -> None:
        from apps.access.keys.api import viewsets
        from apps.platform.api.routers import ROUTERS

        router = ROUTERS["compliance"]
        router.register("compliance/usage", viewsets.UsageViewSet)
