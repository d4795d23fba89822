"""The servers of the benchmarks, pinned to their own core."""

import json
import subprocess
import tempfile
from dataclasses import dataclass
from pathlib import Path

REPOSITORY = Path(__file__).resolve().parents[3]
SCRIPT = REPOSITORY / "Tests/Peers/peers"
# The peers' environment, which Tools/scripts/setup-peers makes.
PYTHON = REPOSITORY / ".build/peers/venv/bin/python"


@dataclass
class Place:
    """The environment in which clients run."""
    programs: Path
    core: int
    scale: float
    facts: dict
    server_core: int

    @property
    def upload(self):
        return Path(self.facts["static"]) / "256m.bin"


class Peers:
    def __init__(self, core):
        self._core = core
        self._holders = []
        self._folder = tempfile.TemporaryDirectory(prefix="airframe-bench-peers.")

    def __enter__(self):
        # Child processes inherit the core. The servers end with this process, even if it is killed.
        command = ["taskset", "-c", str(self._core), SCRIPT, "start", self._folder.name, "--only", "hangar,nginx"]
        try:
            subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
        except subprocess.CalledProcessError as error:
            self._folder.cleanup()
            raise SystemExit(f"bench-run: the servers do not start ({error})") from error
        self._facts = json.loads((Path(self._folder.name) / "peers.json").read_text())
        return self

    def __exit__(self, *_):
        for holder in self._holders:
            holder.communicate()
        subprocess.run([SCRIPT, "stop", self._folder.name], check=False)
        self._folder.cleanup()

    def place(self, programs, core, scale):
        if not self._holders:
            self._hold("holder", programs / "bench-holder", "8")
            pki = Path(self._facts["pki"])
            script = Path(__file__).with_name("http2_holder.py")
            self._hold("holderHTTP2", PYTHON, script, "8", pki / "localhost.pem", pki / "localhost.key")
        return Place(programs, core, scale, self._facts, self._core)

    def _hold(self, name, *command):
        """Starts a server that holds requests, if it is installed."""
        if not command[0].exists():
            return
        holder = subprocess.Popen(["taskset", "-c", str(self._core), *map(str, command)], stdin=subprocess.PIPE,
                                  stdout=subprocess.PIPE, text=True)
        self._facts[name] = int(holder.stdout.readline())
        self._holders.append(holder)
