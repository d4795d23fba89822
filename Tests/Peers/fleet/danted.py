"""Dante's SOCKS server: versions 4 and 5 without authentication."""

from fleet.peer import Peer


class Danted(Peer):
    keys = ("danted",)
    unprivileged = True

    def command(self):
        folder = self.site.private_folder("danted")
        configuration = folder / "danted.conf"
        configuration.write_text(
            f"""\
logoutput: stderr
internal: 127.0.0.1 port = {self.ports["danted"]}
external: 127.0.0.1
clientmethod: none
socksmethod: none
client pass {{ from: 127.0.0.0/8 to: 0.0.0.0/0 }}
socks pass {{ from: 127.0.0.0/8 to: 0.0.0.0/0 }}
"""
        )
        self.site.give_away(configuration)
        return ["danted", "-f", configuration, "-p", folder / "danted.pid"]
