"""Proposals held against their records: none comes, goes, or is decided unrecorded."""

from collections.abc import Callable, Iterator

from django.apps import apps

from apps.platform.desk.models import Proposal
from apps.platform.desk.proposal_records import ProposalRecord, find_step_faults
from apps.platform.ledger.verification.projections import Projection


def verify_proposals(progress: Callable[[int], None]) -> Iterator[str]:
    """Yield where a proposal is not as its last record says."""
    done = 0
    for model in apps.get_models():
        if issubclass(model, Proposal):
            yield from _proposal_projection(model).compare(lambda _: None)
            done += model._default_manager.count()
            progress(done)


def _proposal_projection(model: type[Proposal]) -> Projection[Proposal, ProposalRecord]:
    return Projection(
        name=str(model._meta.verbose_name),
        rows=model._default_manager.all(),
        records=ProposalRecord.objects.filter(about=model._meta.label_lower),
        of="proposal",
        faults=find_step_faults,
    )
