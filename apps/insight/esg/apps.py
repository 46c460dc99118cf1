from django.apps import AppConfig


class EsgConfig(AppConfig):
    name = "apps.insight.esg"
    verbose_name = "ESG"

    def ready(self) -> None:
        from apps.insight.esg.api import viewsets
        from apps.insight.esg.oracle.api import viewsets as oracle_viewsets
        from apps.insight.esg.sfdr.api import viewsets as sfdr_viewsets
        from apps.platform.api.routers import ROUTERS

        compliance = ROUTERS["compliance"]
        compliance.register("esg/score", viewsets.EntityScoreViewSet)
        compliance.register("esg/score/wallet", viewsets.WalletScoreViewSet)
        compliance.register("sfdr/pai-report", sfdr_viewsets.PaiReportViewSet)
        compliance.register("sfdr/report", sfdr_viewsets.EntityImpactViewSet)
        compliance.register("sfdr/screen", sfdr_viewsets.SfdrScreenViewSet)
        esg = ROUTERS["esg"]
        esg.register("manifest", oracle_viewsets.ManifestViewSet)
        esg.register("esg-score", oracle_viewsets.ScoreViewSet)
        esg.register("fee-schedule", oracle_viewsets.FeeScheduleViewSet)
        esg.register("quote", oracle_viewsets.QuoteViewSet)
        esg.register("reliability", oracle_viewsets.ReliabilityViewSet)
