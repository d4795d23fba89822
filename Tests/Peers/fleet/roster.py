"""Which peers there are, by the names that --only takes."""

from fleet.apache import Apache
from fleet.caddy import Caddy
from fleet.danted import Danted
from fleet.hangar import Hangar
from fleet.http2 import HTTP2Faults
from fleet.httpbin import Httpbin
from fleet.kerberos import KDC, ConnectionAuth
from fleet.nghttpd import Nghttpd, NghttpdPlain
from fleet.nginx import Nginx
from fleet.redis import Redis
from fleet.oauth import OAuth
from fleet.socks import Socks
from fleet.squid import Squid
from fleet.tus import Tus
from fleet.websockets import WebSockets

ROSTER = {
    "hangar": Hangar,
    "nginx": Nginx,
    "httpbin": Httpbin,
    "apache": Apache,
    "squid": Squid,
    "socks": Socks,
    "danted": Danted,
    "redis": Redis,
    "nghttpd": Nghttpd,
    "nghttpdPlain": NghttpdPlain,
    "caddy": Caddy,
    "websockets": WebSockets,
    "http2Faults": HTTP2Faults,
    "oauth": OAuth,
    "kdc": KDC,
    "connectionAuth": ConnectionAuth,
    "tus": Tus,
}
