"""Proposals held against their records: none comes, goes, or is decided unrecorded."""

from collections.abc import Callable, Iterator

from django.apps import apps

from apps.core.projecting import Projection
from apps.desk.models import Proposal
from apps.desk.records import ProposalRecord, faults


def compare(progress: Callable[[int], None]) -> Iterator[str]:
    """Yield where a proposal is not as its last record says; named in config/ledgers.py."""
    done = 0
    for model in apps.get_models():
        if issubclass(model, Proposal):
            yield from _of(model).compare(lambda _: None)
            done += model._default_manager.count()
            progress(done)


def _of(model: type[Proposal]) -> Projection[Proposal, ProposalRecord]:
    return Projection(
        name=str(model._meta.verbose_name),
        rows=model._default_manager.all(),
        records=ProposalRecord.objects.filter(about=model._meta.label_lower),
        of="proposal",
        faults=faults,
    )
