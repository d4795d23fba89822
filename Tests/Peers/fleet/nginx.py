"""nginx in front of Hangar: one server a row, each with its own port and its own fault."""

import shutil
from dataclasses import dataclass

from fleet.peer import Peer
from fleet.site import PEERS


@dataclass
class Server:
    key: str
    options: str = ""
    certificate: str | None = None
    lines: tuple[str, ...] = ()


SERVERS = (
    Server("http"),
    Server("h2c", "http2"),
    Server("https", "ssl http2", "localhost"),
    Server("httpsTLS12", "ssl http2", "localhost", ("ssl_protocols TLSv1.2;",)),
    Server("httpsExpired", "ssl http2", "expired"),
    Server("httpsNotYetValid", "ssl http2", "not-yet-valid"),
    Server("httpsWrongHost", "ssl http2", "wrong-host"),
    Server("httpsSelfSigned", "ssl http2", "self-signed"),
    Server("httpsUntrusted", "ssl http2", "untrusted"),
    Server("httpsClientCert", "ssl http2", "localhost", (
        "ssl_verify_client on;",
        "ssl_client_certificate ../pki/client-ca.pem;",
        "add_header X-Client-DN $ssl_client_s_dn always;",
    )),
)

UNIX_SERVERS = (
    Server("unixSocket"),
    Server("unixSocketH2C", "http2"),
    Server("unixSocketTLS", "ssl http2", "localhost"),
)


class Nginx(Peer):
    keys = tuple(server.key for server in SERVERS)
    needs = "hangar"

    def command(self):
        folder = self.site.directory / "nginx"
        shutil.rmtree(folder, ignore_errors=True)
        (folder / "temporary").mkdir(parents=True)
        shutil.copy(PEERS / "nginx/locations.conf", folder)
        (folder / "passwords").write_text("airframe:{PLAIN}secret\n")
        values = {
            # Its workers must be able to read the folder, wherever that is.
            "user": "user root;" if self.site.is_root else "",
            "hangar": str(self.site.facts["hangar"]),
            "servers": "\n".join([*map(self.block, SERVERS), *map(self.unix_block, UNIX_SERVERS)]),
        }
        text = (PEERS / "nginx/nginx.conf").read_text()
        for key, value in values.items():
            text = text.replace(f"@{key}@", value)
        (folder / "nginx.conf").write_text(text)
        return ["nginx", "-p", f"{folder}/", "-c", folder / "nginx.conf", "-e", folder / "error.log"]

    def facts(self):
        return self.ports | {server.key: str(self.unix_path(server)) for server in UNIX_SERVERS}

    def unix_path(self, server):
        return self.site.runtime / f"{server.key}.sock"

    def block(self, server):
        port = self.ports[server.key]
        return self.listening(server, [f"127.0.0.1:{port}"] + ([f"[::1]:{port}"] if self.site.ipv6 else []))

    def listening(self, server, addresses):
        lines = [f"listen {address} {server.options};" for address in addresses]
        if server.certificate:
            lines.append(f"ssl_certificate ../pki/{server.certificate}.pem;")
            lines.append(f"ssl_certificate_key ../pki/{server.certificate}.key;")
        return block(server.key, [*lines, *server.lines])

    def unix_block(self, server):
        path = self.unix_path(server)
        path.unlink(missing_ok=True)
        return self.listening(server, [f"unix:{path}"])


def block(name, lines):
    inner = "\n".join(f"        {line}" for line in [*lines, f"access_log {name}.log;", "include locations.conf;"])
    return f"    server {{\n{inner}\n    }}"
