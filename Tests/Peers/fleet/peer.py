"""A server that runs beside the tests: how it is started, when it is ready, how it ends."""

import json
import os
import signal
import socket
import subprocess
import time


class Failure(Exception):
    """Why the peers cannot be had, in a sentence."""


class Peer:
    """A subclass says in `command` how the server is started on `self.ports`."""

    #: Keys of peers.json whose ports this server listens on.
    keys = ()
    #: The name of a peer that has to be ready first.
    needs = None
    #: True for servers that refuse to run as root or lose their parent-death signal when they give it up.
    unprivileged = False
    #: Ports are picked before they are bound, so that another program may be faster.
    attempts = 5

    def __init__(self, name, site):
        self.name = name
        self.site = site
        self.log = site.directory / f"{name}.log"
        self.ports = {}
        self.process = None
        self.attempt = 0

    def command(self):
        """Writes what configuration the server needs; returns its command line."""
        raise NotImplementedError

    def facts(self):
        """What peers.json says of this peer."""
        return self.ports

    def is_ready(self):
        return all(accepts(port) for port in self.ports.values())

    def popen_options(self):
        return {"stdin": subprocess.DEVNULL}

    def launch(self):
        self.attempt += 1
        self.ports = {key: self.site.free_port() for key in self.keys}
        # The kernel ends the server when its keeper dies, however that happens.
        wrapper = ["setpriv", "--pdeathsig", "TERM"]
        if self.unprivileged and self.site.is_root:
            wrapper += ["--reuid", "nobody", "--regid", "nogroup", "--clear-groups"]
        command = [str(part) for part in self.command()]
        with open(self.log, "w") as log:
            self.site.give_away(self.log)
            self.process = subprocess.Popen(
                wrapper + ["--"] + command,
                stdout=log, stderr=subprocess.STDOUT, start_new_session=True, **self.popen_options(),
            )

    def settle(self):
        """True once the server answers; starts it again when it died, presumably of a port that was taken."""
        if self.process.poll() is None:
            return self.is_ready()
        if self.attempt == self.attempts:
            words = self.log.read_text(errors="replace").strip().splitlines()[-3:]
            raise Failure(f"{self.name} ended with status {self.process.returncode}: {' / '.join(words)}")
        self.launch()
        return False

    def end(self, deadline):
        """Waits for the server after a signal; then kills it and its children."""
        try:
            self.process.wait(max(0, deadline - time.monotonic()))
        except subprocess.TimeoutExpired:
            pass
        try:
            os.killpg(self.process.pid, signal.SIGKILL)
        except ProcessLookupError:
            pass
        self.process.wait()


class AnnouncingPeer(Peer):
    """A server that picks its own ports and prints them as one line of JSON before anything else."""

    attempts = 1

    def is_ready(self):
        line, end, _ = self.log.read_text(errors="replace").partition("\n")
        if not end:
            return False
        try:
            self.ports = self.announced(json.loads(line))
        except (ValueError, KeyError, AttributeError):
            raise Failure(f"{self.name} should print its port first, not {line!r}") from None
        return True

    def announced(self, words):
        return words


def accepts(port):
    with socket.socket() as probe:
        return probe.connect_ex(("127.0.0.1", port)) == 0


def wait_until_ready(peers, patience=30):
    deadline = time.monotonic() + patience
    waiting = list(peers)
    while waiting := [peer for peer in waiting if not peer.settle()]:
        if time.monotonic() > deadline:
            raise Failure(f"{waiting[0].name} does not answer after {patience} s; see {waiting[0].log}")
        time.sleep(0.01)
