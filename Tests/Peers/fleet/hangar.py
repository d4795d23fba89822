"""Hangar, the project's own server for what no common server does (Tests/Hangar)."""

import os
import subprocess
from pathlib import Path

from fleet.peer import AnnouncingPeer, Failure
from fleet.site import REPOSITORY


class Hangar(AnnouncingPeer):
    def command(self):
        built = REPOSITORY / "Tests/Hangar/.build/release/hangar"
        program = Path(os.environ.get("HANGAR", built))
        if not program.exists():
            raise Failure(f"{program} is missing; swift build -c release --package-path Tests/Hangar makes it")
        return [program, "--port", "0", "--exit-on-eof"]

    def popen_options(self):
        # Held open by the keeper and never written to: it closes when the keeper ends.
        return {"stdin": subprocess.PIPE}

    def announced(self, words):
        return {"hangar": words["port"]}
