"""The authorization server of oauth_server.py, by Authlib."""

from fleet.httpbin import ENVIRONMENT
from fleet.peer import AnnouncingPeer, Failure
from fleet.site import PEERS


class OAuth(AnnouncingPeer):
    def command(self):
        python = ENVIRONMENT / "bin/python"
        if not python.exists():
            raise Failure(f"{python} is missing; Tools/scripts/setup-peers installs it")
        return [python, PEERS / "oauth_server.py"]
