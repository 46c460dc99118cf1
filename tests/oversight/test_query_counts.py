"""How many queries each page of the desk takes, pinned; home, queue and case: tests/review."""

from collections.abc import Iterator
from typing import Any

import pytest

from tests import desk_table
from tests.module_data import held
from tests.review.people import at_desk, person

# session, account and its record take three; personal pages one more for the record of the read
PINNED = {
    "/admin/sar/sarentry/{sar/sarentry}/": (
        "Senior officer",
        10,
    ),  # its case and answer, its party's others
    "/admin/sar/sarread/": ("Senior officer", 7),  # one for who is in the filter
    "/admin/oversight/exportevent/": ("Examiner", 5),
    "/admin/oversight/sample/{oversight/sample}/": ("Compliance officer", 8),
    "/admin/oversight/health/": ("Operator", 59),  # jobs once for each service
    "/admin/core/legalhold/": ("Senior officer", 6),
    "/admin/core/purgeevent/": ("Examiner", 7),
    "/admin/paywall/paymentclaim/": ("Operator", 8),
    "/admin/paywall/paymentclaim/takings/": ("Operator", 9),
    "/admin/paywall/receipt/": ("Operator", 8),
    "/admin/paywall/streamsession/": ("Operator", 7),
    "/admin/paywall/streamsession/{paywall/streamsession}/change/": ("Operator", 7),
    "/admin/agents/agent/": ("Senior officer", 6),
    "/admin/agents/agent/{agents/agent}/change/": ("Senior officer", 13),
    "/admin/agents/agent/{agents/agent}/revoke/": ("Senior officer", 7),
    "/admin/agents/mandate/": ("Senior officer", 6),
    "/admin/agents/credential/": ("Senior officer", 6),
    "/admin/agents/agentevent/": ("Senior officer", 7),
    "/admin/callbacks/delivery/": ("Operator", 8),
    "/admin/callbacks/delivery/{callbacks/delivery}/": ("Operator", 8),
    "/admin/callbacks/endpoint/": ("Operator", 7),
    "/admin/callbacks/endpoint/{callbacks/endpoint}/": ("Operator", 7),
    "/admin/callbacks/secret/": ("Operator", 5),
    "/admin/callbacks/secret/{callbacks/secret}/": ("Operator", 6),
    "/admin/core/ledgerhead/": ("Examiner", 111),  # two a ledger, two more where records wait
    "/admin/travelrule/vasp/": ("Senior officer", 8),
    "/admin/travelrule/vasp/{travelrule/vasp}/change/": ("Senior officer", 8),
    "/admin/travelrule/vaspchange/": ("Senior officer", 8),
    "/admin/travelrule/vaspchange/{travelrule/vaspchange}/change/": ("Senior officer", 8),
    "/admin/stability/quote/": ("Operator", 5),
    "/admin/stability/quote/{stability/quote}/change/": ("Operator", 5),
    "/admin/watchlists/source/": ("Operator", 8),
    "/admin/esg/esgscore/": ("Examiner", 7),
    "/admin/esg/esgscore/{esg/esgscore}/change/": ("Examiner", 7),
    "/admin/esg/evidence/": ("Operator", 8),
    "/admin/reports/paidreport/": ("Examiner", 7),
    "/admin/reports/paidreport/{reports/paidreport}/change/": ("Examiner", 7),
    "/admin/esg/paireport/": ("Examiner", 7),
    "/admin/esg/paireport/{esg/paireport}/change/": ("Examiner", 7),
    "/admin/watchlists/listversion/{watchlists/listversion}/change/": ("Operator", 7),
    "/admin/access/account/{access/account}/usage/": ("Operator", 7),
    "/admin/access/account/": ("Operator", 6),
    "/admin/access/account/usage/": ("Operator", 5),
    "/admin/access/apikey/": ("Operator", 5),
    "/admin/access/apikey/{access/apikey}/change/": ("Operator", 11),  # one for its ledger
    # and what failed, is overdue, and went well of late
    "/admin/core/job/": ("Operator", 8),
    "/admin/core/job/{core/job}/change/": ("Operator", 6),
    "/admin/core/periodic/": ("Operator", 6),
    "/admin/upstreams/upstreamstate/": ("Operator", 6),
    "/admin/lei/gleiffile/": ("Operator", 6),
    "/admin/watchlists/listversion/": ("Operator", 9),
    "/admin/screening/screen/": ("Examiner", 8),
    "/admin/screening/screen/thresholds/": ("Examiner", 3),
    "/admin/screening/screen/thresholds/?look=69": ("Examiner", 7),
    "/admin/screening/reportrecord/": ("Examiner", 8),
    "/admin/screening/reportrecord/{screening/reportrecord}/change/": ("Examiner", 7),
    "/admin/screening/screen/{screening/screen}/": ("Examiner", 8),  # its client, seal and case
    "/admin/registry/registration/": ("Registrar", 6),
    "/admin/registry/registration/{registry/registration}/": ("Registrar", 11),
    "/admin/registry/entitychange/": ("Registrar", 7),
    "/admin/registry/walletimport/": ("Registrar", 5),
    "/admin/registry/walletimport/upload/": ("Registrar", 4),
    # how many lines come to what, and the lines
    "/admin/registry/walletimport/{registry/walletimport}/": ("Registrar", 7),
    # the file, and who sent it; its transactions, and their payments
    # what of their payments is blocked or failed: the status of a message goes by it
    "/admin/pain001/paymentfile/": ("Operator", 7),
    "/admin/pain001/paymentfile/{pain001/paymentfile}/": ("Operator", 9),
    "/admin/registry/vopcheck/": ("Registrar", 5),
    # its wallet's registration and its seal; for others, who asked
    "/admin/registry/vopcheck/{registry/vopcheck}/": ("Compliance officer", 8),
    "/admin/countries/countrylisting/": ("Senior officer", 6),
    "/admin/countries/countrychange/": ("Senior officer", 6),
    # and what the change would mean
    "/admin/countries/countrychange/{countries/countrychange}/change/": ("Senior officer", 8),
    "/admin/review/decisionevent/": ("Examiner", 7),
    "/admin/review/case/{review/case}/evidence/": ("Compliance officer", 11),
    "/admin/oversight/readevent/": ("Examiner", 9),
    "/admin/oversight/sample/": ("Compliance officer", 10),
    "/admin/sar/sarentry/": ("Senior officer", 10),
}


@pytest.fixture(scope="module")
def things(request: pytest.FixtureRequest, django_db_blocker: Any) -> Iterator[dict[str, Any]]:
    """One of everything that the table's addresses need."""
    with held(request):
        with django_db_blocker.unblock():
            made = desk_table.make_things()
        yield made


@pytest.mark.parametrize("address", PINNED)
def test_a_page_takes_no_more_queries_than_it_did(
    things: dict[str, Any], db: Any, django_assert_max_num_queries: Any, address: str
) -> None:
    group, most = PINNED[address]
    for name, value in things.items():
        address = address.replace(f"{{{name}}}", str(value))
    desk = at_desk(person("somebody", group))
    with django_assert_max_num_queries(most):
        assert desk.get(address).status_code == 200
