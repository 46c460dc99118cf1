from django.apps import AppConfig


class StaffConfig(AppConfig):
    name = "apps.backoffice.staff"
    verbose_name = "People"

    def ready(self) -> None:
        from apps.backoffice.staff import checks, signals
        from apps.backoffice.staff.desk import DESK
        from apps.backoffice.staff.table_proofs import PROOFS
        from apps.platform.desk.entries import register_desk
        from apps.platform.ledger.table_proofs import register_table_proofs

        checks.register_checks()
        signals.connect_signals()
        register_table_proofs(PROOFS)
        register_desk(DESK)
