"""A publisher serves a maintenance page once, as if it were the list: the refresh is not wedged.

Needs nothing: it makes an installation of its own, and a publisher on loopback that answers 304 to
whoever has its file already.

    ./run attack refresh-wedge

The page must be refused and the live version stay; the unchanged list must count as checked again,
and the next one go live.
"""

import sys

from tests.attacks.installation import Installation, installed
from tests.watchlists.publisher import Publisher, publishing

SLUG, PATH = "attacked", "/list.csv"
LIST = b"entity_id,name\n1,A\n2,B\n"
LONGER = LIST + b"3,C\n"
PAGE = b"<html>down for maintenance</html>"
MAKE = """
from apps.reference.watchlists.models import Source, SourceKind, SourceTopic
Source.objects.create(slug={slug!r}, title="Attacked", topic=SourceTopic.SANCTION,
    kind=SourceKind.OFFICIAL, format="csv", urls=[{url!r}])
"""
LIVE = """
from apps.reference.watchlists.models import Source
source = Source.objects.get(slug={slug!r})
print(source.live.total if source.live else 0, bool(source.last_error))
"""
# what is published, whether the refresh must succeed, and then: live parties, and whether an error
# is told
STEPS = (
    (LIST, True, "2 False"),
    (PAGE, False, "2 True"),
    (LIST, True, "2 False"),
    (LIST, True, "2 False"),
    (LONGER, True, "3 False"),
)


def look(here: Installation, publisher: Publisher) -> list[str]:
    """Publish one thing after the other; return what went otherwise than it must."""
    here.shell(MAKE.format(slug=SLUG, url=publisher.address + PATH))
    faults = []
    for number, (body, succeeds, expected) in enumerate(STEPS, 1):
        publisher.files[PATH] = body
        done = here.run("manage.py", "refresh_lists", "--source", SLUG)
        live = here.shell(LIVE.format(slug=SLUG))
        print(f"{number}. {body[:20]!r}: exit {done.returncode}, live {live}", flush=True)
        if (done.returncode == 0) != succeeds or live != expected:
            faults.append(f"step {number}: exit {done.returncode}, live {live}, not {expected}")
    return faults


def main(arguments: list[str]) -> int:
    """Return 0 where the list is refreshed again after the page."""
    with installed() as here, publishing() as publisher:
        faults = look(here, publisher)
    for fault in faults:
        print(fault, file=sys.stderr)
    return 1 if faults else 0
