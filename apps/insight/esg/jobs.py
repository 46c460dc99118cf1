"""Background jobs of the app: what runs, how long, how often (apps/platform/jobs/registry.py)."""

from apps.insight.esg.oracle.services.oracle_runs import run_live_score
from apps.insight.esg.services.entity_lookups import look_up_entity, refresh_country_figures
from apps.platform.jobs.registry import DAY, MINUTE, JobSpec

JOBS = {
    "esg.look_up": JobSpec(
        handler=look_up_entity,
        title="Query the ESG sources about an entity",
        upstream=True,
    ),
    "esg.refresh_countries": JobSpec(
        handler=refresh_country_figures,
        title="Fetch ESG country references",
        upstream=True,
        every=30 * DAY,
        stops="Country references are not fetched: new entities are scored by older ones.",
    ),
    "esgoracle.run": JobSpec(
        handler=run_live_score,
        title="Compute the live ESG score",
        every=10 * MINUTE,
        by_the_clock=True,
        retries=(MINUTE,),
        stops="The live ESG score is not computed: after half an hour there is none.",
        vital=True,
    ),
}
