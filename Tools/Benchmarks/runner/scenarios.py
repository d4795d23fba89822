"""The measured scenarios: the work, the number of requests, and the concurrency."""

from dataclasses import dataclass


@dataclass
class Scenario:
    name: str
    title: str
    work: str
    path: str
    requests: int
    concurrency: int
    # The key of the port in peers.json.
    server: str = "http"
    http: int = 1
    # The number of warm-up requests; None: a tenth of the requests.
    warmup: int | None = None
    # The columns of the table: see tables.py.
    columns: str = "requests"
    # The maximum number of rounds. Memory hardly differs between rounds, and held requests take their time.
    rounds: int | None = None
    # Whether the client also runs on the server's core.
    unpinned: bool = False

    @property
    def is_tls(self):
        return self.server in ("https", "holderHTTP2")

    def count(self, scale):
        """The number of requests. The scale changes it, but not the concurrency."""
        return max(1, round(self.requests * scale)) if self.columns == "requests" else self.requests


SCENARIOS = {scenario.name: scenario for scenario in (
    Scenario("json-1", "1 KiB of JSON, decoded, one after another", "json", "/static/1k.json", 5000, 1),
    Scenario("json-64", "1 KiB of JSON, decoded, 64 at once", "json", "/static/1k.json", 10000, 64),
    Scenario("get-1", "64 bytes, one after another", "get", "/static/64.bin", 5000, 1),
    Scenario("get-numbered", "64 bytes, one field of the head always another", "get", "/numbered/64.bin", 5000, 1),
    Scenario("get-2", "64 bytes, 2 at once", "get", "/static/64.bin", 5000, 2),
    Scenario("get-8", "64 bytes, 8 at once", "get", "/static/64.bin", 10000, 8),
    Scenario("get-16", "64 bytes, 16 at once", "get", "/static/64.bin", 10000, 16),
    Scenario("get-64", "64 bytes, 64 at once", "get", "/static/64.bin", 10000, 64),
    Scenario("get-256", "64 bytes, 256 at once", "get", "/static/64.bin", 20000, 256),
    Scenario("get-unpinned", "64 bytes, 64 at once, on both cores", "get", "/static/64.bin", 20000, 64, unpinned=True),
    Scenario("json-unpinned", "1 KiB of JSON, decoded, 64 at once, on both cores", "json", "/static/1k.json", 20000, 64,
             unpinned=True),
    Scenario("tls-1", "64 bytes over TLS 1.3, one after another", "get", "/static/64.bin", 5000, 1, "https"),
    Scenario("tls-64", "64 bytes over TLS 1.3, 64 at once", "get", "/static/64.bin", 10000, 64, "https"),
    Scenario("h2-1", "64 bytes over HTTP/2 and TLS 1.3, one after another", "get", "/static/64.bin", 5000, 1, "https",
             2),
    Scenario("h2-64", "64 bytes over HTTP/2 and TLS 1.3, 64 at once", "get", "/static/64.bin", 10000, 64, "https", 2),
    Scenario("new", "a new connection each", "new-connection", "/static/64.bin", 2000, 1),
    Scenario("new-tls", "a new TLS 1.3 connection each", "new-connection", "/static/64.bin", 300, 1, "https"),
    Scenario("download", "256 MiB", "download", "/static/256m.bin", 4, 1),
    Scenario("download-file", "256 MiB to a file", "download-file", "/static/256m.bin", 4, 1),
    Scenario("download-h2", "256 MiB over HTTP/2 and TLS 1.3", "download", "/static/256m.bin", 2, 1, "https", 2),
    Scenario("upload", "a file of 256 MiB, through nginx to Hangar", "upload", "/upload?hash=none", 2, 1),
    Scenario("held-1000", "1,000 requests held for 8 s", "get", "/", 1000, 1000, "holder", 1, 1, "memory", 2),
    Scenario("held-5000", "5,000 requests held for 8 s", "get", "/", 5000, 5000, "holder", 1, 1, "memory", 2),
    Scenario("held-h2", "1,000 requests held for 8 s on one HTTP/2 connection", "get", "/", 1000, 1000, "holderHTTP2", 2,
             1, "memory", 2),
    Scenario("start", "a cold process and its first request", "get", "/static/64.bin", 1, 1, "http", 1, 0, "start"),
)}

# The scenarios of a quick run, which takes a few minutes.
QUICK = ["json-1", "json-64", "get-1", "get-64"]
