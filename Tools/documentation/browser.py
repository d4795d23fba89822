"""Opens the documentation site in headless Chromium and checks what a reader sees.

usage: browser.py [--pictures]. With --pictures it writes the screenshots in Docs/Images. It fails if a page shows no
content.
"""

import functools
import http.server
import json
import os
import shutil
import subprocess
import sys
import tempfile
import threading

SITE = ".build/docs/site"
#: Pages, what they must show, and the names of their screenshots.
PAGES = [
    ("documentation/", ["Airframe", "AirframeCore", "AirframeCurl"], "site"),
    ("documentation/airframe/", ["Overview", "Making requests", "Connecting", "AF"], None),
    ("documentation/airframe/tutorial/", ["Step 1", "UsersClient", "MockTransport"], None),
    ("documentation/airframe/connections/", ["Proxies and NO_PROXY", "excludedHosts"], None),
    ("documentation/airframecore/session/", ["Session", "Overview", "request"], "site-symbol"),
    ("documentation/airframemock/mocktransport/", ["MockTransport", "VirtualClock"], None),
]
#: What the navigator's filter must find: titles in its index.
ENTRIES = ["AirframeTransport", "Connections", "Session", "MockTransport", "RetryPolicy", "Tutorial: from an empty folder"]


class Handler(http.server.SimpleHTTPRequestHandler):
    def log_message(self, *arguments):
        pass


def chromium(*arguments):
    program = shutil.which("chromium") or shutil.which("chromium-browser")
    if not program:
        raise SystemExit("Chromium is needed: Tools/scripts/setup-peers installs it")
    with tempfile.TemporaryDirectory() as profile:
        command = [
            program, "--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--hide-scrollbars",
            f"--user-data-dir={profile}", "--window-size=1280,900", "--virtual-time-budget=10000", *arguments,
        ]
        result = subprocess.run(command, capture_output=True, text=True, timeout=60)
    if result.returncode != 0:
        raise SystemExit(f"Chromium failed: {result.stderr[-2000:]}")
    return result.stdout


def titles(node):
    """The titles of all entries of the navigator."""
    if isinstance(node, dict):
        if "title" in node:
            yield node["title"]
        for value in node.values():
            yield from titles(value)
    elif isinstance(node, list):
        for value in node:
            yield from titles(value)


def main():
    handler = functools.partial(Handler, directory=SITE)
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    base = f"http://127.0.0.1:{server.server_address[1]}"
    problems = []
    for page, texts, picture in PAGES:
        shown = chromium("--dump-dom", f"{base}/{page}")
        problems += [f"{page} does not show {text!r}" for text in texts if text not in shown]
        if picture and "--pictures" in sys.argv:
            os.makedirs("Docs/Images", exist_ok=True)
            file = os.path.abspath(f"Docs/Images/{picture}.png")
            chromium(f"--screenshot={file}", f"{base}/{page}")
            if os.path.getsize(file) > 200 << 10:
                problems.append(f"{file} has more than 200 KiB")
    with open(f"{SITE}/index/index.json", encoding="utf-8") as file:
        known = set(titles(json.load(file)))
    problems += [f"the navigator does not list {entry!r}" for entry in ENTRIES if not any(entry in title for title in known)]
    server.shutdown()
    if problems:
        raise SystemExit("\n".join(problems))
    print(f"{len(PAGES)} pages show their content, and the navigator lists {len(known)} titles")


main()
