"""The servers of the benchmarks, pinned to a core of their own."""

import json
import subprocess
import tempfile
from dataclasses import dataclass
from pathlib import Path

SCRIPT = Path(__file__).resolve().parents[3] / "Tests/Peers/peers"


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
        self._holder = None
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
        if self._holder:
            self._holder.communicate()
        subprocess.run([SCRIPT, "stop", self._folder.name], check=False)
        self._folder.cleanup()

    def place(self, programs, core, scale):
        self._hold(programs)
        return Place(programs, core, scale, self._facts, self._core)

    def _hold(self, programs):
        """Starts the server that holds requests."""
        if self._holder or not (programs / "bench-holder").exists():
            return
        command = ["taskset", "-c", str(self._core), str(programs / "bench-holder"), "8"]
        self._holder = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        self._facts["holder"] = int(self._holder.stdout.readline())
