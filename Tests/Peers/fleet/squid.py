"""Squid as a forward proxy: plain, with Basic authentication, and reached over TLS."""

import shutil

from fleet.peer import Peer
from fleet.site import PEERS

USER, PASSWORD_HASH = "airframe", "$5$airframe$YGe6DTenId9A.N.WKNZHKuNKnryA3lFEFfLZdEYAEo0"


class Squid(Peer):
    keys = ("squidHTTP", "squidAuth", "squidHTTPS")
    unprivileged = True

    def command(self):
        folder = self.site.private_folder("squid")
        for name in ("localhost.pem", "localhost.key"):
            shutil.copy(self.site.pki / name, folder)
        (folder / "passwords").write_text(f"{USER}:{PASSWORD_HASH}\n")
        (folder / "hosts").write_text("127.0.0.1 localhost api.test\n")
        text = (PEERS / "squid.conf").read_text()
        for key, port in self.ports.items():
            text = text.replace(f"@{key}@", str(port))
        (folder / "squid.conf").write_text(text.replace("@folder@", str(folder)))
        for path in folder.iterdir():
            self.site.give_away(path)
        return ["squid", "-N", "-d", "1", "-f", folder / "squid.conf"]
