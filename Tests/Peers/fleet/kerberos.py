"""A Kerberos realm of its own, by MIT's KDC, and the server of connection_auth_server.py, which accepts its tickets.

Tests find the realm by KRB5_CONFIG, KRB5_CLIENT_KTNAME and KRB5CCNAME, which Tools/scripts/environment.sh sets.
"""

import os
import shutil
import subprocess

from fleet.peer import AnnouncingPeer, Failure, Peer
from fleet.site import PEERS

REALM = "AIRFRAME.TEST"
SERVICE = "HTTP/localhost"
CLIENT = "airframe"

REALM_CONFIGURATION = """\
[libdefaults]
    default_realm = {realm}
    dns_lookup_realm = false
    dns_lookup_kdc = false
    dns_canonicalize_hostname = false
    rdns = false
    udp_preference_limit = 1
[realms]
    {realm} = {{
        kdc = 127.0.0.1:{port}
    }}
[domain_realm]
    localhost = {realm}
"""

KDC_CONFIGURATION = """\
[kdcdefaults]
    kdc_listen = ""
    kdc_tcp_listen = 127.0.0.1:{port}
[realms]
    {realm} = {{
        database_name = {folder}/principal
        key_stash_file = {folder}/stash
        acl_file = {folder}/acl
        max_life = 1h
    }}
"""


def environment(folder):
    return os.environ | {
        "KRB5_CONFIG": str(folder / "krb5.conf"), "KRB5_KDC_PROFILE": str(folder / "kdc.conf"),
        "KRB5_KTNAME": str(folder / "server.keytab"), "KRB5RCACHENAME": "none:",
    }


class KDC(Peer):
    keys = ("kdc",)

    def command(self):
        for program in ("krb5kdc", "kdb5_util", "kadmin.local"):
            if not shutil.which(program, path="/usr/sbin:/usr/bin"):
                raise Failure(f"{program} is missing; Tools/scripts/setup-peers installs it")
        self.folder = self.site.directory / "kerberos"
        shutil.rmtree(self.folder, ignore_errors=True)
        self.folder.mkdir()
        values = {"realm": REALM, "port": self.ports["kdc"], "folder": self.folder}
        (self.folder / "krb5.conf").write_text(REALM_CONFIGURATION.format(**values))
        (self.folder / "kdc.conf").write_text(KDC_CONFIGURATION.format(**values))
        self.run("kdb5_util", "create", "-s", "-r", REALM, "-P", "the realm's master password")
        for principal, keytab in ((SERVICE, "server"), (CLIENT, "client")):
            self.run("kadmin.local", "-r", REALM, "addprinc", "-randkey", principal)
            self.run("kadmin.local", "-r", REALM, "ktadd", "-k", self.folder / f"{keytab}.keytab", principal)
        return ["/usr/sbin/krb5kdc", "-n", "-r", REALM]

    def run(self, program, *words):
        done = subprocess.run(
            [f"/usr/sbin/{program}", *map(str, words)],
            env=environment(self.folder), capture_output=True, text=True, timeout=20,
        )
        if done.returncode:
            raise Failure(f"{program} failed: {(done.stderr or done.stdout).strip()}")

    def popen_options(self):
        return super().popen_options() | {"env": environment(self.folder)}


class ConnectionAuth(AnnouncingPeer):
    needs = "kdc"

    def command(self):
        # Debian's own Python: python3-gssapi is made for it.
        return ["/usr/bin/python3", "-u", PEERS / "connection_auth_server.py"]

    def popen_options(self):
        return super().popen_options() | {"env": environment(self.site.directory / "kerberos")}
