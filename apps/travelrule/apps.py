from django.apps import AppConfig


class TravelRuleConfig(AppConfig):
    name = "apps.travelrule"
    verbose_name = "Travel rule"

    def ready(self) -> None:
        from apps.travelrule import sealing
        from apps.travelrule.proofs.stamping import authority

        sealing.check_settings()
        authority.check_settings()
