"""Pages name their stylesheets by what is in them, so that a browser keeps them."""

import re
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings
from django.test import Client

from apps.platform.common.staticfiles import VersionedStaticFilesStorage


def test_the_sign_in_page_names_its_files_by_their_content_and_they_may_be_kept(
    client: Client, db: Any
) -> None:
    html = client.get("/admin/login/").content.decode()
    named = re.findall(r'"(/static/[^"]+\.(?:css|js)[^"]*)"', html)
    assert named and all(re.search(r"\?v=[0-9a-f]{12}$", address) for address in named)
    assert settings.WHITENOISE_MAX_AGE >= 3600


def test_another_content_is_another_address(tmp_path: Path) -> None:
    addresses = set()
    for number, text in enumerate(("a { color: red }", "a { color: blue }", "a { color: red }")):
        folder = tmp_path / str(number)
        folder.mkdir()
        (folder / "one.css").write_text(text)
        storage = VersionedStaticFilesStorage(location=str(folder), base_url="/static/")
        addresses.add(storage.url("one.css"))
    assert len(addresses) == 2 and all("/static/one.css?v=" in address for address in addresses)


@pytest.mark.parametrize("name", ["", "nothing/there.css"])
def test_what_is_no_file_has_its_plain_address(tmp_path: Path, name: str) -> None:
    storage = VersionedStaticFilesStorage(location=str(tmp_path), base_url="/static/")
    assert storage.url(name) == f"/static/{name}"
