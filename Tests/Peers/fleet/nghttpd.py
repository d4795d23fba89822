"""nghttpd, nghttp2's own server: HTTP/2 only, with a trailer on every response that has a body."""

from fleet.peer import Peer


class Nghttpd(Peer):
    keys = ("nghttpd",)
    options = ()

    def command(self):
        port, = self.ports.values()
        return [
            "nghttpd", "--address", "127.0.0.1", "--htdocs", self.site.static, "--trailer", "x-trailer: value",
            "--echo-upload", *self.options, port, *self.credentials(),
        ]

    def credentials(self):
        return [self.site.pki / "localhost.key", self.site.pki / "localhost.pem"]


class NghttpdPlain(Nghttpd):
    keys = ("nghttpdPlain",)
    options = ("--no-tls",)

    def credentials(self):
        return []
