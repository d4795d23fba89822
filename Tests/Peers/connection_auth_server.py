"""A server that authenticates connections: NTLM (MS-NLMP), and Negotiate by GSS-API (RFC 4559).

`/ntlm/…` asks for NTLM and verifies an NTLMv2 response for the user, password and domain of MS-NLMP §4.2.1.
`/negotiate/…` asks for Negotiate and accepts tickets for `HTTP@localhost` of the keytab in KRB5_KTNAME. `/restart/…`
closes the connection with the first 401. `/endless/…` answers every NTLM proof with a new challenge. The response says
in JSON who the user is, on which connection, in how many rounds, and what was asked.
"""

import base64
import hmac
import itertools
import json
import os
import struct
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import gssapi

USER, DOMAIN = "User", "Domain"
# NTOWFv2 of this user, this domain and the password "Password": MS-NLMP §4.2.4.1.1.
RESPONSE_KEY = bytes.fromhex("0c868a403bfd7a93a3001ef22ef02e3f")
CHALLENGE_FLAGS = 0x0088_8205 | 0x0000_0200
CONNECTIONS = itertools.count(1)


def challenge_message(challenge):
    """CHALLENGE_MESSAGE (MS-NLMP §2.2.1.2) with the server's name as target information."""
    name = DOMAIN.encode("utf-16-le")
    pairs = struct.pack("<HH", 2, len(name)) + name + struct.pack("<HH", 0, 0)
    start = 48
    head = b"NTLMSSP\0" + struct.pack("<I", 2) + struct.pack("<HHI", len(name), len(name), start)
    head += struct.pack("<I", CHALLENGE_FLAGS) + challenge + bytes(8)
    head += struct.pack("<HHI", len(pairs), len(pairs), start + len(name))
    return head + name + pairs


def field(message, offset):
    length, _, start = struct.unpack_from("<HHI", message, offset)
    return message[start : start + length]


def is_proof(message, challenge):
    """Whether an AUTHENTICATE_MESSAGE (MS-NLMP §2.2.1.3) has the right NTLMv2 response."""
    response = field(message, 20)
    domain, user = (field(message, offset).decode("utf-16-le") for offset in (28, 36))
    proof, blob = response[:16], response[16:]
    wanted = hmac.new(RESPONSE_KEY, challenge + blob, "md5").digest()
    return user == USER and domain == DOMAIN and len(blob) >= 28 and hmac.compare_digest(proof, wanted)


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def setup(self):
        super().setup()
        self.number = next(CONNECTIONS)
        self.user = self.challenge = self.context = None
        self.rounds = self.answered = 0

    def respond(self, status, fields=(), words=None, text=None):
        text = json.dumps(words).encode() if words else (text or b"")
        self.send_response(status)
        for name, value in fields:
            self.send_header(name, value)
        self.send_header("Content-Length", str(len(text)))
        self.end_headers()
        self.wfile.write(text)

    def handle_any(self):
        self.body = self.read_body()
        self.rounds += 1
        place = self.path.split("/")[1]
        scheme, _, token = self.headers.get("Authorization", "").partition(" ")
        if self.user is None:
            token = base64.b64decode(token)
            step = self.negotiate if place == "negotiate" else self.ntlm
            if step(place, scheme, token):
                return
        self.answered += 1
        self.respond(
            200,
            words={
                "user": self.user, "connection": self.number, "rounds": self.rounds, "answered": self.answered,
                "method": self.command, "path": self.path, "body": self.body.decode(), "sent": scheme,
            },
        )

    do_GET = do_POST = do_PUT = handle_any

    def read_body(self):
        if self.headers.get("Transfer-Encoding") != "chunked":
            return self.rfile.read(int(self.headers.get("Content-Length", 0)))
        body = b""
        while size := int(self.rfile.readline(), 16):
            body += self.rfile.read(size)
            self.rfile.readline()
        self.rfile.readline()
        return body

    def ntlm(self, place, scheme, token):
        """Does a step of NTLM. Returns whether it has responded."""
        if scheme == "NTLM" and token[8:12] == b"\3\0\0\0" and self.challenge and place != "endless":
            if not is_proof(token, self.challenge):
                self.respond(401, [("WWW-Authenticate", "NTLM")], text=b"not this user")
                return True
            self.user = f"{DOMAIN}\\{USER}"
            return False
        answer = "NTLM"
        if scheme == "NTLM" and not (place == "restart" and self.server.closes_next()):
            self.challenge = os.urandom(8)
            answer += " " + base64.b64encode(challenge_message(self.challenge)).decode()
        elif place == "restart":
            self.close_connection = True
        # Content that the client has to skip.
        closing = [("Connection", "close")] if self.close_connection else []
        self.respond(401, [("WWW-Authenticate", answer)] + closing, text=b"who are you?")
        return True

    def negotiate(self, place, scheme, token):
        """Does a step of Negotiate. Returns whether it has responded."""
        if scheme == "Negotiate":
            self.context = self.context or gssapi.SecurityContext(usage="accept", creds=self.server.credential)
            self.context.step(token)
            if self.context.complete:
                self.user = str(self.context.initiator_name)
                return False
        self.respond(401, [("WWW-Authenticate", "Negotiate")], text=b"who are you?")
        return True

    def log_message(self, form, *words):
        print(form % words, flush=True)


class Server(ThreadingHTTPServer):
    daemon_threads = True

    def __init__(self):
        super().__init__(("127.0.0.1", 0), Handler)
        name = gssapi.Name("HTTP@localhost", gssapi.NameType.hostbased_service)
        self.credential = gssapi.Credentials(name=name, usage="accept")
        self.lock = threading.Lock()
        self.restarts = 0

    def closes_next(self):
        """Whether the connection of a request is to be closed: that of every other one is."""
        with self.lock:
            self.restarts += 1
            return self.restarts % 2 == 1


server = Server()
print(json.dumps({"connectionAuth": server.server_port}), flush=True)
server.serve_forever()
