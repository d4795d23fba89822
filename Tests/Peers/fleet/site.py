"""What all peers of one start share: their folder, the PKI, free ports, the user that servers run as."""

import os
import pwd
import shutil
import socket
import subprocess
import tempfile
from pathlib import Path

PEERS = Path(__file__).resolve().parent.parent
REPOSITORY = PEERS.parent.parent


class Site:
    def __init__(self, directory):
        self.directory = directory
        self.pki = directory / "pki"
        self.static = directory / "static"
        self.facts = {}
        self.ipv6 = has_ipv6()
        self.is_root = os.geteuid() == 0
        self._ports = set()

        subprocess.run([PEERS / "pki", self.pki], check=True)
        write_static_files(self.static)
        # A Unix socket's path has 108 bytes at most, and servers that give up root must be able to get here.
        self.runtime = Path(tempfile.mkdtemp(prefix="airframe-peers.", dir="/tmp"))
        self.runtime.chmod(0o755)

    def free_port(self):
        """A port that nobody listens on now, on either loopback address; the caller retries when it is lost."""
        while True:
            with socket.socket(socket.AF_INET) as four, socket.socket(socket.AF_INET6) as six:
                four.bind(("127.0.0.1", 0))
                port = four.getsockname()[1]
                try:
                    if self.ipv6:
                        six.bind(("::1", port))
                except OSError:
                    continue
            if port not in self._ports:
                self._ports.add(port)
                return port

    def private_folder(self, name):
        """An empty folder for a server that must not run as root, owned by the user that it runs as."""
        folder = self.runtime / name
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir(mode=0o700)
        self.give_away(folder)
        return folder

    def give_away(self, path):
        if self.is_root:
            nobody = pwd.getpwnam("nobody")
            os.chown(path, nobody.pw_uid, nobody.pw_gid)

    def remove(self):
        shutil.rmtree(self.runtime, ignore_errors=True)
        (self.directory / "peers.json").unlink(missing_ok=True)


def has_ipv6():
    try:
        with socket.socket(socket.AF_INET6) as probe:
            probe.bind(("::1", 0))
        return True
    except OSError:
        return False


def write_static_files(folder):
    folder.mkdir(exist_ok=True)
    pattern = bytes(range(251))
    (folder / "64.bin").write_bytes(pattern[:64])
    (folder / "1m.bin").write_bytes((pattern * 4178)[: 1 << 20])
    (folder / "trailer.txt").write_text("A trailer follows.\n")
    head = '{"id": 1, "name": "Airframe", "tags": ["http", "swift"], "text": "'
    (folder / "1k.json").write_text(head + "x" * (1024 - len(head) - 2) + '"}')
    with open(folder / "256m.bin", "wb") as hole:
        hole.truncate(256 << 20)
