from django.apps import AppConfig


class TravelRuleConfig(AppConfig):
    name = "apps.travelrule"
    verbose_name = "Travel rule"

    def ready(self) -> None:
        from apps.travelrule import sealing

        sealing.check_settings()
