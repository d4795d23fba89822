"""httpbin under gunicorn, in the virtual environment that Tools/scripts/setup-peers makes."""

import socket

from fleet.peer import Failure, Peer
from fleet.site import REPOSITORY

ENVIRONMENT = REPOSITORY / ".build/peers/venv"


class Httpbin(Peer):
    attempts = 1

    def command(self):
        gunicorn = ENVIRONMENT / "bin/gunicorn"
        if not gunicorn.exists():
            raise Failure(f"{gunicorn} is missing; Tools/scripts/setup-peers installs it")
        self.listener = socket.create_server(("127.0.0.1", 0), backlog=512)
        self.ports = {"httpbin": self.listener.getsockname()[1]}
        return [
            gunicorn, "--bind", f"fd://{self.listener.fileno()}", "--worker-class", "gthread", "--threads", "16",
            "--keep-alive", "75", "--timeout", "120", "--preload", "--chdir", self.site.directory, "httpbin:app",
        ]

    def popen_options(self):
        return super().popen_options() | {"pass_fds": [self.listener.fileno()]}

    def launch(self):
        super().launch()
        self.listener.close()

    def is_ready(self):
        # The socket takes connections from the start; with --preload a worker means that httpbin is loaded.
        return "Booting worker" in self.log.read_text(errors="replace")
