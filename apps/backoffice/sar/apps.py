from django.apps import AppConfig


class SarConfig(AppConfig):
    name = "apps.backoffice.sar"
    verbose_name = "Suspicious activity"

    def ready(self) -> None:
        from apps.backoffice.sar.desk import DESK
        from apps.backoffice.sar.table_proofs import PROOFS
        from apps.platform.desk.entries import register_desk
        from apps.platform.ledger.table_proofs import register_table_proofs

        register_table_proofs(PROOFS)
        register_desk(DESK)
