from django.apps import AppConfig
from django.conf import settings


class TravelRuleConfig(AppConfig):
    name = "apps.payments.travelrule"
    verbose_name = "Travel rule"

    def ready(self) -> None:
        from apps.payments.travelrule.api import viewsets
        from apps.platform.api.routers import ROUTERS

        router = ROUTERS["integration"]
        router.register("travel-rule", viewsets.TravelRuleViewSet)

        from apps.payments.travelrule import encryption
        from apps.payments.travelrule.proofs.stamping import authority

        if not settings.MCP_ALONE:  # it opens no record, and is given no keys
            encryption.check_encryption_settings()
        authority.check_timestamp_settings()
