"""The WebSocket servers of websocket_servers.py: the libraries websockets and aiohttp, and Hypercorn."""

from fleet.httpbin import ENVIRONMENT
from fleet.peer import AnnouncingPeer, Failure
from fleet.site import PEERS


class WebSockets(AnnouncingPeer):
    def command(self):
        python = ENVIRONMENT / "bin/python"
        if not python.exists():
            raise Failure(f"{python} is missing; Tools/scripts/setup-peers installs it")
        pki = self.site.pki
        return [python, PEERS / "websocket_servers.py", pki / "localhost.pem", pki / "localhost.key"]
