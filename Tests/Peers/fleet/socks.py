"""The SOCKS server of socks_server.py: versions 4, 4a and 5, on one port without, on one with a password."""

import sys

from fleet.peer import AnnouncingPeer
from fleet.site import PEERS


class Socks(AnnouncingPeer):
    def command(self):
        return [sys.executable, PEERS / "socks_server.py"]
