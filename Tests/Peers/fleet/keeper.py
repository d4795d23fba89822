"""The process that the peers are children of. It ends on request, or when its owner ends."""

import ctypes
import json
import os
import resource
import select
import signal
import sys
import time
from pathlib import Path

from fleet.lock import Lock
from fleet.peer import Failure, wait_until_ready
from fleet.roster import ROSTER
from fleet.site import Site

PR_SET_CHILD_SUBREAPER = 36
#: Seconds that the peers have, together, to end in their own way.
PATIENCE = 0.5


def keep(directory, names, owner, word):
    """Runs the peers `names`; writes "ready", or why not, to the descriptor `word`; waits for the end."""
    lock = Lock(directory / "keeper.pid")
    if not lock.take():
        say(word, f"peers of {directory} are running already")
        sys.exit(1)
    for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
        signal.signal(number, leave)
    # Debian keeps servers where an ordinary user's PATH does not look.
    os.environ["PATH"] += ":/usr/sbin:/sbin"
    adopt_orphans()
    raise_file_limit()

    site, peers = None, {}
    try:
        site = Site(directory)
        start(site, names, peers)
        publish(site, peers)
        say(word, "ready")
        wait_for(owner)
    except Failure as failure:
        say(word, str(failure))
        sys.exit(1)
    finally:
        signal.pthread_sigmask(signal.SIG_BLOCK, (signal.SIGTERM, signal.SIGINT, signal.SIGHUP))
        stop(peers.values())
        if site:
            site.remove()


def start(site, names, peers):
    """Launches all peers in parallel, after those that others need."""
    needed = [ROSTER[name].needs for name in names if ROSTER[name].needs]
    ahead = [name for name in ROSTER if name in needed]
    rest = [name for name in ROSTER if name in names and name not in ahead]
    for group in (ahead, [name for name in rest if ROSTER[name].needs]):
        launch(site, group, peers)
        # What needs nothing starts while the first group gets ready.
        if group is ahead:
            launch(site, [name for name in rest if not ROSTER[name].needs], peers)
        wait_until_ready(peers[name] for name in group)
        for name in group:
            site.facts.update(peers[name].facts())
    wait_until_ready(peers.values())


def launch(site, names, peers):
    for name in names:
        peer = ROSTER[name](name, site)
        peer.launch()
        peers[name] = peer


def publish(site, peers):
    paths = {"dir": site.directory, "static": site.static, "pki": site.pki, "root": site.pki / "root.pem"}
    facts = {key: str(path) for key, path in paths.items()}
    for peer in peers.values():
        facts |= peer.facts()
    draft = site.directory / "peers.json.draft"
    draft.write_text(json.dumps(facts, indent=2) + "\n")
    draft.rename(site.directory / "peers.json")


def wait_for(owner):
    """Returns when the process `owner` ends; never for 0."""
    if not owner:
        signal.pause()
        return
    try:
        descriptor = os.pidfd_open(owner)
    except ProcessLookupError:
        return
    select.select([descriptor], [], [])


def stop(peers):
    started = [peer for peer in peers if peer.process]
    for peer in started:
        peer.process.terminate()
    deadline = time.monotonic() + PATIENCE
    for peer in started:
        peer.end(deadline)
    for process in children():
        os.kill(process, signal.SIGKILL)
        os.waitpid(process, 0)


def leave(number, frame):
    sys.exit(0)


def say(word, text):
    os.write(word, text.encode())
    os.close(word)


def adopt_orphans():
    """Makes this process the parent of what its children leave behind, so that it can end that too."""
    ctypes.CDLL(None).prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)


def children():
    me = os.getpid()
    return [int(pid) for pid in Path(f"/proc/{me}/task/{me}/children").read_text().split()]


def raise_file_limit():
    _, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    most = 65536 if hard == resource.RLIM_INFINITY else min(hard, 65536)
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, hard))
