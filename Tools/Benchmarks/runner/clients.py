"""The clients and their features."""

import argparse
from dataclasses import dataclass


@dataclass
class Client:
    name: str
    program: str
    options: tuple[str, ...] = ()
    # None: all.
    works: tuple[str, ...] | None = None
    scenarios: tuple[str, ...] | None = None
    speaks_http2: bool = True
    speaks_tls: bool = True
    decodes: bool = True
    writes_files: bool = False

    def command(self, scenario, place):
        """The command line of one run, or None if the client does not support the work."""
        if scenario.server not in place.facts:
            return None
        work = scenario.work
        # A client without a decoder shows the cost of the transfer alone.
        if work == "json" and not self.decodes:
            work = "get"
        if not (place.programs / self.program).exists():
            return None
        if (self.scenarios and scenario.name not in self.scenarios) or (work == "upload" and scenario.is_tls):
            return None
        if work == "download-file" and not self.writes_files:
            return None
        if (self.works and work not in self.works) or (scenario.is_tls and not self.speaks_tls):
            return None
        if scenario.http == 2 and not self.speaks_http2:
            return None
        scheme = "https" if scenario.is_tls else "http"
        url = f"{scheme}://127.0.0.1:{place.facts[scenario.server]}{scenario.path}"
        cores = f"{place.server_core},{place.core}" if scenario.unpinned else str(place.core)
        command = ["taskset", "-c", cores, str(place.programs / self.program), *self.options]
        command += ["--url", url, "--work", work, "--http", str(scenario.http)]
        command += ["--requests", str(scenario.count(place.scale)), "--concurrency", str(scenario.concurrency)]
        if scenario.warmup is not None:
            command += ["--warmup", str(scenario.warmup)]
        if scenario.is_tls:
            command += ["--root", place.facts["root"]]
        if work == "upload":
            command += ["--file", str(place.upload)]
        return command


SMALL = ("get", "json")
# A chain downloads to files; an engine alone writes none.
CHAIN = ("get", "json", "download-file", "upload", "new-connection")
AIRFRAME = "bench-airframe"
HTTP1 = {"speaks_http2": False}

CLIENTS = {client.name: client for client in (
    Client("sockets", "bench-sockets", decodes=False, writes_files=True, **HTTP1),
    Client("libcurl", "bench-libcurl", decodes=False),
    Client("h2load", "bench-h2load", scenarios=("h2-1", "h2-64", "download-h2"), decodes=False),
    Client("go", "bench-go", writes_files=True),
    Client("reqwest", "bench-reqwest"),
    Client("airframe/socket/transport", AIRFRAME, ("--engine", "socket", "--face", "transport")),
    Client("airframe/reactor/transport", AIRFRAME, ("--engine", "reactor", "--face", "transport")),
    Client("airframe/reactor/await", AIRFRAME, ("--engine", "reactor", "--face", "await"), works=CHAIN,
           writes_files=True),
    Client("airframe/socket/await", AIRFRAME, ("--engine", "socket", "--face", "await"), works=CHAIN,
           writes_files=True),
    Client("airframe/socket/handler", AIRFRAME, ("--engine", "socket", "--face", "handler"), works=SMALL),
    Client("airframe/socket/main", AIRFRAME, ("--engine", "socket", "--face", "main"), works=SMALL),
    Client("airframe/socket/alone", "bench-start", scenarios=("start",), **HTTP1),
    Client("airframe/curl/transport", AIRFRAME, ("--engine", "curl", "--face", "transport")),
    Client("airframe/curl/await", AIRFRAME, ("--engine", "curl", "--face", "await"), works=CHAIN, writes_files=True),
    Client("airframe/curl/handler", AIRFRAME, ("--engine", "curl", "--face", "handler"), works=SMALL),
    Client("ahc/one-loop/future", "bench-ahc", ("--engine", "one-loop", "--face", "future"), works=SMALL),
    Client("ahc/one-loop/await", "bench-ahc", ("--engine", "one-loop", "--face", "await")),
    Client("ahc/default/await", "bench-ahc", ("--engine", "default", "--face", "await")),
    Client("urlsession/await", "bench-urlsession", ("--face", "await"), speaks_tls=False, **HTTP1),
    Client("urlsession/handler", "bench-urlsession", ("--face", "handler"), works=SMALL, speaks_tls=False, **HTTP1),
)}


def named(known):
    """A parser for a comma-separated list of names. A prefix selects all names that start with it."""
    def parse(text):
        names = []
        for part in text.split(","):
            found = [part] if part in known else [name for name in known if name.startswith((part + "/", part + "-"))]
            if not found:
                raise argparse.ArgumentTypeError(f"'{part}' is none of {', '.join(known)}")
            names += found
        return list(dict.fromkeys(names))
    return parse
