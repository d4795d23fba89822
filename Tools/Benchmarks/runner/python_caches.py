"""Sends requests with one of Python's HTTP caches: python_caches.py NAME URL REQUESTS. Prints CPU µs a request."""

import json
import resource
import sys
import tempfile


def client(name, folder):
    """Returns a function that fetches a URL."""
    if name == "requests" or name.startswith("cachecontrol"):
        import requests
        session = requests.Session()
        if name.startswith("cachecontrol"):
            from cachecontrol import CacheControl
            from cachecontrol.caches.file_cache import FileCache
            from cachecontrol.heuristics import ExpiresAfter
            cache = FileCache(folder) if name.endswith("disk") else None
            session = CacheControl(session, cache=cache, heuristic=ExpiresAfter(days=1))
        return lambda url: session.get(url).content
    import httpx
    if name == "httpx":
        session = httpx.Client()
        return lambda url: session.get(url).content
    return hishel_client(name, folder)


def hishel_client(name, folder):
    import sqlite3

    import httpx
    from hishel import CacheOptions, SqliteStorage
    from hishel.httpx import CacheTransport

    class Fresh(httpx.HTTPTransport):
        """Declares how long responses are fresh, instead of the server."""

        def handle_request(self, request):
            response = super().handle_request(request)
            response.headers["cache-control"] = "max-age=86400"
            return response

    database = f"{folder}/cache.db" if name.endswith("disk") else ":memory:"
    storage = SqliteStorage(connection=sqlite3.connect(database, check_same_thread=False))
    transport = CacheTransport(next_transport=Fresh(), storage=storage, rfc=CacheOptions(shared=False))
    session = httpx.Client(transport=transport)
    return lambda url: session.get(url).content


def processor_time():
    usage = resource.getrusage(resource.RUSAGE_SELF)
    return usage.ru_utime + usage.ru_stime


def main():
    name, url, requests = sys.argv[1], sys.argv[2], int(sys.argv[3])
    with tempfile.TemporaryDirectory(prefix="airframe-caches.") as folder:
        fetch = client(name, folder)
        for _ in range(20):
            fetch(url)
        before, failures = processor_time(), 0
        for _ in range(requests):
            failures += len(fetch(url)) != 1024
        taken = processor_time() - before
    print(json.dumps({"failures": failures, "cpuMicrosPerRequest": taken / requests * 1e6}))


main()
