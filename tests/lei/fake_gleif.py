"""A GLEIF that answers on loopback, so that the real client is what is tested."""

import json
import threading
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import parse_qs, urlsplit

PUBLISHED = "2026-11-19T08:00:00Z"


def record(lei, name="Acme Limited", *, direct="none", ultimate="none", **attributes):
    """Return the data of an LEI record; `direct` and `ultimate` say what is linked."""
    keys = {"relationship": "relationship-record", "exception": "reporting-exception"}
    links = {
        f"{kind}-parent": {"links": {keys[kept]: "…"}}
        for kind, kept in (("direct", direct), ("ultimate", ultimate))
        if kept != "none"
    }
    return {
        "type": "lei-records",
        "id": lei,
        "attributes": {
            "lei": lei,
            "entity": {
                "legalName": {"name": name, "language": "en"},
                "otherNames": [],
                "legalAddress": {"country": "DE"},
                "jurisdiction": "DE",
                "status": "ACTIVE",
            },
            "registration": {"status": "ISSUED", "nextRenewalDate": "2027-05-01T00:00:00Z"}
            | attributes,
        },
        "relationships": links,
    }


def relationship(child, parent, kind="IS_DIRECTLY_CONSOLIDATED_BY"):
    """Return the data of a relationship record."""
    said = {
        "startNode": {"id": child, "type": "LEI"},
        "endNode": {"id": parent, "type": "LEI"},
        "type": kind,
        "status": "ACTIVE",
        "periods": [],
    }
    return {"type": "relationship-records", "attributes": {"relationship": said}}


def exception(lei, category, reason):
    """Return the data of a reporting exception."""
    attributes = {"lei": lei, "category": category, "reason": reason}
    return {"type": "reporting-exceptions", "attributes": attributes}


class FakeGleif:
    """Holds answers by path, counts what was asked, and can be slow or broken."""

    def __init__(self):
        self.answers, self.asked = {}, []
        self.status, self.delay, self.raw = 200, 0.0, None
        fake = self

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self):
                fake.serve(self)

            def log_message(self, *args):
                """Stay quiet."""

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.server.daemon_threads = True
        self.url = f"http://127.0.0.1:{self.server.server_port}/api/v1"
        self.thread = threading.Thread(target=self.server.serve_forever, args=(0.01,), daemon=True)
        self.thread.start()

    def add(self, data):
        self.answers[f"lei-records/{data['id']}"] = data

    def serve(self, handler):
        parts = urlsplit(handler.path)
        path = parts.path.removeprefix("/api/v1/")
        self.asked.append(path)
        time.sleep(self.delay)
        data = self.answers.get(path)
        wanted = parse_qs(parts.query).get("filter[lei]")
        if wanted:
            found = (self.answers.get(f"lei-records/{lei}") for lei in wanted[0].split(","))
            data = [one for one in found if one]
        status = self.status if self.status != 200 else 200 if data is not None else 404
        meta = {"goldenCopy": {"publishDate": PUBLISHED}}
        body = self.raw or json.dumps({"meta": meta, "data": data}).encode()
        handler.send_response(status)
        handler.send_header("Content-Length", str(len(body)))
        handler.end_headers()
        try:
            handler.wfile.write(body)
        except BrokenPipeError:
            return

    def close(self):
        self.server.shutdown()
        self.server.server_close()
        self.thread.join()
