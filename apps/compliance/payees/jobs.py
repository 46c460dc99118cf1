"""Background jobs of the app: what runs, how long, how often (apps/platform/jobs/registry.py)."""

from apps.compliance.payees.imports.retention import delete_old_import_lines
from apps.compliance.payees.imports.tasks import check_import, run_import
from apps.compliance.payees.services.entity_changes import apply_entity_change
from apps.compliance.payees.tasks import refresh_lei_statuses
from apps.platform.jobs.registry import DAY, JobSpec

JOBS = {
    "registry.look_again": JobSpec(
        handler=refresh_lei_statuses,
        title="Recheck the LEIs of registered wallets",
        every=DAY,
        stops="Lapsed LEIs are not marked in the registrar's list, and LEIs are not refreshed.",
    ),
    "registry.change_entity": JobSpec(
        handler=apply_entity_change,
        title="Apply a wallet's entity change after its cooling-off period",
        upstream=True,
    ),
    "registry.check_import": JobSpec(
        handler=check_import,
        title="Check the lines of a wallet import",
        upstream=True,
    ),
    "registry.tidy_imports": JobSpec(
        handler=delete_old_import_lines,
        title="Remove the lines of wallet imports after 90 days",
        every=DAY,
        stops="Lines of old imports, with the names and wallets in them, are kept for good.",
    ),
    "registry.run_import": JobSpec(
        handler=run_import,
        title="Register the wallets of an import file",
        upstream=True,
    ),
}
