"""Verify proposals against their records: none may appear, vanish or be decided unrecorded."""

from collections.abc import Callable, Iterator

from django.apps import apps

from apps.platform.desk.models import Proposal
from apps.platform.desk.proposal_records import ProposalRecord, find_step_faults
from apps.platform.ledger.verification.projection_checks import Projection


def verify_proposals(progress: Callable[[int], None]) -> Iterator[str]:
    """Yield the proposals that differ from their last record."""
    done = 0
    for model in apps.get_models():
        if issubclass(model, Proposal):
            proposal_projection = Projection(
                name=str(model._meta.verbose_name),
                rows=model._default_manager.all(),
                records=ProposalRecord.objects.filter(about=model._meta.label_lower),
                of="proposal",
                faults=find_step_faults,
            )
            yield from proposal_projection.compare(lambda _: None)
            done += model._default_manager.count()
            progress(done)
