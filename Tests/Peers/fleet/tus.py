"""The tus server of tus_server.py, by tuspyserver."""

from fleet.httpbin import ENVIRONMENT
from fleet.peer import AnnouncingPeer, Failure
from fleet.site import PEERS


class Tus(AnnouncingPeer):
    def command(self):
        python = ENVIRONMENT / "bin/python"
        if not python.exists():
            raise Failure(f"{python} is missing; Tools/scripts/setup-peers installs it")
        return [python, PEERS / "tus_server.py", self.site.private_folder("tus")]
