"""Words of the lists: what they are about, where they come from, how far a version came."""

from django.db import models

RESCREEN = "ongoing.rescreen"  # the job that holds known parties against what changed
REFRESH = "watchlists.refresh"  # the job that does it, by its name in jobs.py


class SourceTopic(models.TextChoices):
    """What a source lists; MIXED sources say so party by party."""

    SANCTION = "sanction", "Sanctions"
    PEP = "pep", "Politically exposed persons"
    MIXED = "mixed", "Sanctions and politically exposed persons"
    OTHER = "other", "Other (stored, not screened)"


class SourceKind(models.TextChoices):
    """Where a source's files come from; production never screens against SAMPLE."""

    OFFICIAL = "official", "Published list"
    IN_HOUSE = "in_house", "In-house list"
    SAMPLE = "sample", "Bundled sample"


class VersionStatus(models.TextChoices):
    """How far a version came; only one is LIVE, and only while a source points at it."""

    STAGING = "staging", "Being staged"
    LIVE = "live", "Live"
    SUPERSEDED = "superseded", "Superseded"
    REJECTED = "rejected", "Refused"
    FAILED = "failed", "Failed"
