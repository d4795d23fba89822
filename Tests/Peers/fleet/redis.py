"""Redis in memory: by TCP and by a Unix socket, with a password and its own user."""

from fleet.peer import Peer


class Redis(Peer):
    keys = ("redis",)
    unprivileged = True

    def command(self):
        self.folder = self.site.private_folder("redis")
        # The tests, which may run as another user, reach the socket in it.
        self.folder.chmod(0o711)
        return [
            "redis-server", "--bind", "127.0.0.1", "--port", self.ports["redis"], "--save", "", "--appendonly", "no",
            "--dir", self.folder, "--unixsocket", self.folder / "socket", "--unixsocketperm", "777",
            "--requirepass", "secret", "--user", "airframe", "on", ">open: sesame", "~*", "+@all",
        ]

    def facts(self):
        return self.ports | {"redisSocket": str(self.folder / "socket")}
