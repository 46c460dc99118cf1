"""What keeps an import from going live: empty, shrunk, cut off, lossy, too small, of no age."""

from collections import Counter
from dataclasses import dataclass
from datetime import datetime, timedelta

from django.conf import settings

from apps.platform.common.problems import DomainError
from apps.reference.watchlists import completeness
from apps.reference.watchlists.catalog import minimum_parties_of
from apps.reference.watchlists.completeness import FileReport
from apps.reference.watchlists.live_list_sets import build_live_source
from apps.reference.watchlists.models import Source, SourceKind, SourceTopic, VersionStatus
from apps.reference.watchlists.source_policy import LEAST_PERCENT
from apps.reference.watchlists.staged_version import StagedVersion

AHEAD = timedelta(days=1)  # clocks and time zones of publishers differ by no more


class ImportRefused(DomainError):
    """A list file was not taken; the live version stays."""

    code, title = "import_refused", "The list was not accepted"


@dataclass(frozen=True, slots=True)
class ImportTerms:
    """The terms on which files are imported.

    `by_hand`: an operator provides them, so that they age from their publication; `published` is
    that time if the files do not state it, and `agreed` that two operators vouch for it.
    `partial`: they are known to be only part of the list.
    """

    by_hand: bool = False
    published: datetime | None = None
    partial: bool = False
    agreed: bool = False


DEFAULT_TERMS = ImportTerms()


def require_whole_list(
    *, source: Source, stage: StagedVersion, read: FileReport, terms: ImportTerms, now: datetime
) -> None:
    """Raise ImportRefused for an incomplete list; note the known facts on the version.

    Losses within the limits are listed in the version's notes.
    """
    if not stage.total:
        raise ImportRefused(f"{source.slug}: the files contain no parties.")
    # "other" and "damaged" serve these checks and are not among the version's stored counts
    if stage.counts.pop("other", 0) == stage.total and source.topic != SourceTopic.OTHER:
        stage.notes.append("None of its parties has a topic that is screened.")
    # refuse a list of which a file is missing or cut off
    if source.kind == SourceKind.OFFICIAL:
        missing = completeness.find_missing_parts(format=source.format, parts=read.parts)
        if missing:
            raise ImportRefused(
                f"{source.slug}: {', '.join(missing)} is missing; the list is all of its files."
            )
    # compare with the last version: a publisher's usual ending tells a whole file from a part
    before = source.live.files if source.live else []
    files = stage.version.files
    if name := completeness.find_truncated_file(before=before, files=files, format=source.format):
        raise ImportRefused(
            f"{source.slug}: {name} lacks its publisher's ending: the file is truncated."
        )
    losses = read.losses + Counter(damaged=stage.counts.pop("damaged", 0))
    for sentence, too_much in completeness.describe_losses(losses=losses, total=stage.total):
        if too_much:
            raise ImportRefused(f"{source.slug}: {sentence}")
        stage.notes.append(sentence)
    if read.terms:
        stage.notes.append(f"Types that are not known: {', '.join(sorted(read.terms))}.")
    stage.version.partial = _is_partial_list(source, stage, terms)
    stage.version.published_at = determine_publication_time(
        source=source, read=read, terms=terms, now=now
    )
    if terms.by_hand and terms.published and not read.published:
        # refuse older files that were live before: a stated date does not make them newer
        same = source.versions.filter(
            checksum=stage.version.checksum,
            status=VersionStatus.SUPERSEDED,
            published_at__lt=terms.published,
        )
        if first := same.order_by("sequence").first():
            raise ImportRefused(
                f"{source.slug}: these files were version {first.sequence}, published on "
                f"{first.published_at:%F}: they are no newer."
            )
        stage.notes.append(f"Published on {terms.published:%F %R}, as stated at the import.")


def require_not_shrunk(*, source: Source, stage: StagedVersion) -> None:
    """Raise ImportRefused for a list much smaller than the live one: a download cut off."""
    live = source.live
    if live is None or not stage.total:
        return
    counts = stage.counts
    # a floor of nothing, set in a sandbox, is none in production
    percent = source.minimum_percent or (LEAST_PERCENT if settings.PRODUCTION else 0)
    fewer = completeness.describe_shrinkage(before=live.counts, counts=counts, percent=percent)
    if stage.total * 100 < live.total * percent:
        fewer = f"{stage.total} parties, the live version has {live.total}"
    if fewer:
        raise ImportRefused(
            f"{source.slug}: {fewer}; under {percent} % is refused. If the list "
            "really shrank, import it again with --accept-shrink."
        )


def _is_partial_list(source: Source, stage: StagedVersion, terms: ImportTerms) -> bool:
    """Return whether the list is incomplete; production requires --partial for it."""
    least = minimum_parties_of(source.slug)
    if stage.total >= least and not terms.partial:
        return False
    if stage.total < least and settings.PRODUCTION and not terms.partial:
        raise ImportRefused(
            f"{source.slug}: {stage.total} parties; the whole list has {least} at least. If a "
            "part of it is all you have, use --partial: screens are then flagged."
        )
    whole = f" of at least {least}" if least else ""
    stage.notes.append(f"It is only part of the list: {stage.total} parties{whole}.")
    return True


def determine_publication_time(
    *, source: Source, read: FileReport, terms: ImportTerms, now: datetime
) -> datetime | None:
    """Return when the list was published: by its files, else as stated by the operator.

    Raises ImportRefused for a time in the future, for none if the list has an age limit, and in
    production for one stated by a single person: it determines the age of the list.
    """
    if settings.PRODUCTION and terms.by_hand and terms.published and not terms.agreed:
        raise ImportRefused(f"{source.slug}: a publication date takes two people.")
    moment = read.published or terms.published
    # a date ahead would keep the list current for as long as it is ahead
    if moment and moment > now + AHEAD:
        raise ImportRefused(f"{source.slug}: its publication date {moment:%F} is in the future.")
    if (
        terms.by_hand
        and source.kind == SourceKind.OFFICIAL
        and not moment
        and build_live_source(source).max_age()
    ):
        raise ImportRefused(
            f"{source.slug}: the files do not say when they were published: give --published."
        )
    return moment
