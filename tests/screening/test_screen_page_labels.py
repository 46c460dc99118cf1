"""What officers read of a screen: countries and lists by name, whatever the answer said."""

import pytest

from apps.compliance.screening.combined.officer_wording import format_for_officers
from tests.review.people import OFFICER, at_desk, case, check_page, person


@pytest.mark.parametrize(
    ("recorded", "read"),
    [
        ("FATF increased monitoring: destination country SY; enhanced due diligence applies.",
         "FATF increased monitoring: destination country Syria; enhanced due diligence applies."),
        ("FATF increased monitoring: source country VN, destination country SY; more.",
         "FATF increased monitoring: source country Vietnam, destination country Syria; more."),
        ("Embargo: address region Crimea; a comprehensive programme is in force.",
         "Embargo: address region Crimea; a comprehensive programme is in force."),
        ("Listed country of the party: address country IR: CALL_FOR_ACTION; more.",
         "Listed country of the party: address country Iran: FATF call for action; "
         "more."),
        ("Listed country in the ownership chain: DIRECT_PARENT Acme AG (5493001KJTIIGC8Y1R12), "
         "jurisdiction IR, legal address in IR: CALL_FOR_ACTION; enhanced due diligence applies.",
         "Listed country in the ownership chain: its direct parent Acme AG (5493001KJTIIGC8Y1R12), "
         "jurisdiction Iran, legal address in Iran: FATF call for action; "
         "enhanced due diligence applies."),
        ("Partial sanctions match at 61%: HADAD, Chen (us-ofac-sdn).",
         "Possible sanctions match, 61 %: HADAD, Chen (US OFAC Specially Designated Nationals)."),
        ("Sanctions match at 100%: HADAD, Chen (us-ofac-sdn).",
         "Sanctions match, 100 %: HADAD, Chen (US OFAC Specially Designated Nationals)."),
        ("Lists not checked: The list eu-fsf is enabled and not loaded.",
         "Lists not checked: The EU consolidated list of financial sanctions is enabled and not "
         "loaded."),
        ("Partial sanctions match at an owner: SUBJECT Country AG (LEI), matched at 52 %.",
         "Partial sanctions match at an owner: the party Country AG (LEI), matched at 52 %."),
    ],
)  # fmt: skip
def test_a_sentence_names_countries_and_lists(recorded: str, read: str) -> None:
    assert format_for_officers(recorded) == read


def test_case_queue_sheet_and_preview_read_so_and_the_record_stays(db: None) -> None:
    said = "Partial sanctions match at 61%: HADAD, Chen (us-ofac-sdn)."
    new_case = case(reasons=[{"ref": "1 §2.7 rule 3 partial", "sentence": said}], evidence={})
    desk, page = at_desk(person("olivia", OFFICER)), f"/admin/review/case/{new_case.pk}/"
    for address in ("/admin/", "/admin/review/case/", page, f"{page}evidence/", f"{page}preview/"):
        html = check_page(desk.get(address, headers={"X-Preview": "1"}))
        assert "us-ofac-sdn" not in html and "HADAD, Chen (US OFAC Special" in html, address
    assert new_case.rules[0]["sentence"] == said
    assert "United Arab Emirates" in check_page(desk.get("/admin/review/case/"))
