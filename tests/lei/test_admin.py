"""The admin shows what is held and lets nobody change it."""

import pytest
from django.core.management import call_command

PAGES = ["gleiffile", "leirecord", "relationship", "reportingexception", "leiuse"]


@pytest.fixture
def page(admin_client):
    call_command("load_sample_lei", verbosity=0)
    return admin_client


@pytest.mark.parametrize("model", PAGES)
def test_every_list_opens_and_offers_no_adding(page, model):
    answer = page.get(f"/admin/lei/{model}/")
    assert answer.status_code == 200
    assert page.get(f"/admin/lei/{model}/add/").status_code == 403


def test_a_record_is_found_by_its_whole_lei_only(page):
    text = page.get("/admin/lei/leirecord/?q=INR2EJN1ERAN0W5ZP974").content.decode()
    assert "MICROSOFT CORPORATION" in text
    assert "Apple Inc." not in text
    assert "MICROSOFT" not in page.get("/admin/lei/leirecord/?q=INR2EJN1").content.decode()


@pytest.mark.parametrize("model", ["relationship", "reportingexception", "leirecord"])
def test_lists_cost_a_fixed_number_of_queries(page, django_assert_max_num_queries, model):
    with django_assert_max_num_queries(8):
        page.get(f"/admin/lei/{model}/")


def test_observations_are_shown(admin_client):
    call_command("load_sample_rates", verbosity=0)
    answer = admin_client.get("/admin/signals/observation/?q=fx.eur.USD")
    assert answer.status_code == 200
    assert "1.1515" in answer.content.decode()
