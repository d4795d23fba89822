"""Apache httpd: Basic and Digest authentication by its own modules, HTTP/2 by mod_http2."""

import base64
import hashlib
import shutil

from fleet.peer import Peer
from fleet.site import PEERS

USER, PASSWORD, REALM = "airframe", "open: sesame", "Digest, at Apache"


class Apache(Peer):
    keys = ("apache", "apacheTLS", "apacheH2C")
    unprivileged = True

    def command(self):
        folder = self.site.private_folder("apache")
        for place in ("open", "basic", "digest", "stale"):
            file = folder / "documents" / place / "file.txt"
            file.parent.mkdir(parents=True)
            file.write_text(f"from {place}\n")
        # Large enough for segments of a download.
        (folder / "documents" / "open" / "4m").write_bytes(bytes(range(256)) * (4 << 12))
        hashed = base64.b64encode(hashlib.sha1(PASSWORD.encode()).digest()).decode()
        (folder / "basic.users").write_text(f"{USER}:{{SHA}}{hashed}\n")
        secret = hashlib.md5(f"{USER}:{REALM}:{PASSWORD}".encode()).hexdigest()
        (folder / "digest.users").write_text(f"{USER}:{REALM}:{secret}\n")
        for kind in ("pem", "key"):
            shutil.copy(self.site.pki / f"localhost.{kind}", folder)
        text = (PEERS / "apache.conf").read_text()
        values = {"folder": folder, "modules": "/usr/lib/apache2/modules"} | self.ports
        for key, value in values.items():
            text = text.replace(f"@{key}@", str(value))
        (folder / "apache.conf").write_text(text)
        for path in folder.rglob("*"):
            self.site.give_away(path)
        return ["apache2", "-D", "FOREGROUND", "-f", folder / "apache.conf"]
