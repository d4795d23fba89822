"""Caddy, the HTTP/2 of Go's standard library: files over TLS, and in the clear with prior knowledge."""

import os

from fleet.peer import Peer

CADDYFILE = """\
{{
    admin off
    auto_https off
    servers {{
        protocols h1 h2 h2c
    }}
}}
https://localhost:{caddy}, https://127.0.0.1:{caddy} {{
    bind 127.0.0.1
    tls {pki}/localhost.pem {pki}/localhost.key
    root * {static}
    file_server
}}
http://localhost:{caddyPlain}, http://127.0.0.1:{caddyPlain} {{
    bind 127.0.0.1
    root * {static}
    file_server
}}
"""


class Caddy(Peer):
    keys = ("caddy", "caddyPlain")

    def command(self):
        self.folder = self.site.directory / "caddy"
        self.folder.mkdir(exist_ok=True)
        configuration = self.folder / "Caddyfile"
        configuration.write_text(CADDYFILE.format(**self.ports, pki=self.site.pki, static=self.site.static))
        return ["caddy", "run", "--config", configuration, "--adapter", "caddyfile"]

    def popen_options(self):
        # Caddy keeps its storage beneath the home directory otherwise.
        homes = dict.fromkeys(("HOME", "XDG_DATA_HOME", "XDG_CONFIG_HOME"), str(self.folder))
        return super().popen_options() | {"env": os.environ | homes}
