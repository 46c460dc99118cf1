"""Officers whose decisions are sampled."""

from tests.review.conftest import ben, olivia  # noqa: F401
