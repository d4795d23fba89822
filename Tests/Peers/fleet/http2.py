"""The HTTP/2 server of http2_server.py, which breaks the protocol on request."""

from fleet.httpbin import ENVIRONMENT
from fleet.peer import AnnouncingPeer, Failure
from fleet.site import PEERS


class HTTP2Faults(AnnouncingPeer):
    def command(self):
        python = ENVIRONMENT / "bin/python"
        if not python.exists():
            raise Failure(f"{python} is missing; Tools/scripts/setup-peers installs it")
        pki = self.site.pki
        return [python, PEERS / "http2_server.py", pki / "localhost.pem", pki / "localhost.key"]
