"""An HTTP/2 server that breaks the protocol on request: h2 without its validation, and raw frames where h2 refuses.

The field `x-fault` of a request names what happens to its first attempt (`FAULTS` below); `x-id` tells attempts of one
request from other requests. Other requests are answered with their content, or with `x-length` bytes. `/reads` returns
how often each request was processed, as JSON. `/origins?ORIGIN,…` claims origins by an ORIGIN frame (RFC 8336).
`/misdirected` is answered with 421 on a connection that was opened for another authority.

Arguments: certificate and key. One port speaks HTTP/2 over TLS, one in the clear with prior knowledge.
"""

import asyncio
import collections
import json
import ssl
import sys
from urllib.parse import unquote, urlsplit

from h2.config import H2Configuration
from h2.connection import H2Connection
from h2.events import DataReceived, RequestReceived, StreamEnded, StreamReset, WindowUpdated
from h2.exceptions import ProtocolError
from h2.settings import SettingCodes
from hyperframe.frame import (
    DataFrame, ExtensionFrame, GoAwayFrame, HeadersFrame, PushPromiseFrame, RstStreamFrame, WindowUpdateFrame,
)

CONFIGURATION = H2Configuration(
    client_side=False, validate_inbound_headers=False, validate_outbound_headers=False,
    normalize_outbound_headers=False, header_encoding="utf-8",
)
REFUSED_STREAM, INTERNAL_ERROR = 0x7, 0x2
attempts = collections.Counter()
reads = collections.Counter()


def data_frames(stream, content, end=False):
    """DATA frames of the size that every client accepts (RFC 9113 §4.2). A larger one would end the connection."""
    size = 1 << 14
    frames = [DataFrame(stream, content[start:start + size]) for start in range(0, len(content), size)]
    if end:
        frames[-1].flags.add("END_STREAM")
    return frames


class Exchange:
    def __init__(self, fields):
        self.fields = dict(fields)
        self.content = bytearray()
        self.rest = b""


class Connection(asyncio.Protocol):
    def connection_made(self, transport):
        self.transport = transport
        self.h2 = H2Connection(CONFIGURATION)
        self.exchanges = {}
        self.authority = None
        # The last stream that is answered: GOAWAY excludes later ones.
        self.last = 2**31 - 1
        self.h2.initiate_connection()
        self.h2.update_settings({SettingCodes.MAX_CONCURRENT_STREAMS: 8})
        self.flush()

    def data_received(self, data):
        try:
            events = self.h2.receive_data(data)
        except ProtocolError:
            self.flush()
            return self.transport.close()
        for event in events:
            if isinstance(event, RequestReceived):
                self.exchanges[event.stream_id] = Exchange(event.headers)
            elif isinstance(event, DataReceived):
                if exchange := self.exchanges.get(event.stream_id):
                    exchange.content += event.data
                if event.flow_controlled_length:
                    self.h2.acknowledge_received_data(event.flow_controlled_length, event.stream_id)
            elif isinstance(event, StreamEnded):
                if exchange := self.exchanges.get(event.stream_id):
                    self.answer(event.stream_id, exchange)
            elif isinstance(event, StreamReset):
                self.exchanges.pop(event.stream_id, None)
            elif isinstance(event, WindowUpdated):
                for stream in list(self.exchanges):
                    self.send_rest(stream)
        self.flush()

    def flush(self):
        if not self.transport.is_closing():
            self.transport.write(self.h2.data_to_send())

    def send_raw(self, *frames):
        self.flush()
        self.transport.write(b"".join(frame.serialize() for frame in frames))

    def answer(self, stream, exchange):
        if stream > self.last:
            return
        fields = exchange.fields
        url = urlsplit(fields[":path"])
        authority = fields.get(":authority")
        self.authority = self.authority or authority
        if url.path == "/reads":
            return self.respond(stream, json.dumps(reads).encode())
        if url.path == "/misdirected" and authority != self.authority:
            return self.respond(stream, b"misdirected", status="421")
        if url.path == "/origins":
            self.claim(unquote(url.query).split(","))
        content = bytes(exchange.content) or b"x" * int(fields.get("x-length", "2"))
        id = fields.get("x-id", "")
        attempts[id] += 1
        fault = fields.get("x-fault") if attempts[id] == 1 else None
        if fault not in ("refuse", "exclude"):
            reads[id] += 1
        if fault:
            FAULTS[fault](self, stream, content)
        else:
            self.respond(stream, content)

    def claim(self, origins):
        body = b"".join(len(origin).to_bytes(2, "big") + origin.encode() for origin in origins)
        frame = ExtensionFrame(type=0xC, stream_id=0, body=body)
        frame.body_len = len(body)
        self.send_raw(frame)

    # How responses are sent.

    def head(self, stream, content, status="200", extra=(), end=False):
        fields = [(":status", status), ("content-length", str(len(content))), *extra]
        self.h2.send_headers(stream, fields, end_stream=end)

    def respond(self, stream, content, **options):
        self.head(stream, content, **options)
        self.exchanges[stream].rest = content
        self.send_rest(stream)

    def send_rest(self, stream):
        exchange = self.exchanges[stream]
        while exchange.rest:
            room = min(self.h2.local_flow_control_window(stream), self.h2.max_outbound_frame_size)
            if room <= 0:
                return
            part, exchange.rest = exchange.rest[:room], exchange.rest[room:]
            self.h2.send_data(stream, part, end_stream=not exchange.rest)
            if not exchange.rest:
                return self.exchanges.pop(stream)

    # What a server must not do, or rarely does.

    def refuse(self, stream, content):
        self.send_raw(RstStreamFrame(stream, error_code=REFUSED_STREAM))

    def exclude(self, stream, content):
        """A GOAWAY that excludes the stream and all later ones; the connection ends a moment later."""
        self.last = max(stream - 2, 0)
        self.send_raw(GoAwayFrame(0, last_stream_id=self.last))
        asyncio.get_running_loop().call_later(0.02, self.transport.close)

    def reset(self, stream, content):
        self.send_raw(RstStreamFrame(stream, error_code=INTERNAL_ERROR))

    def reset_in_content(self, stream, content):
        self.head(stream, content)
        self.send_raw(DataFrame(stream, content[:1]), RstStreamFrame(stream, error_code=INTERNAL_ERROR))

    def close(self, stream, content):
        self.transport.close()

    def close_in_content(self, stream, content):
        self.head(stream, content)
        self.send_raw(DataFrame(stream, content[:1]))
        self.transport.close()

    def abort(self, stream, content):
        self.transport.abort()

    def short(self, stream, content):
        """Less content than announced (RFC 9113 §8.1.1)."""
        self.head(stream, content)
        self.send_raw(DataFrame(stream, content[:1], flags=["END_STREAM"]))

    def long(self, stream, content):
        """More content than announced (RFC 9113 §8.1.1)."""
        self.head(stream, content[:1])
        self.send_raw(*data_frames(stream, content, end=True))

    def uppercase(self, stream, content):
        self.respond(stream, content, extra=[("X-Upper", "case")])

    def connection_field(self, stream, content):
        self.respond(stream, content, extra=[("connection", "close")])

    def pseudo_trailers(self, stream, content):
        self.head(stream, content)
        self.send_raw(*data_frames(stream, content))
        block = self.h2.encoder.encode([(":status", "200")])
        self.send_raw(HeadersFrame(stream, block, flags=["END_HEADERS", "END_STREAM"]))

    def malformed_block(self, stream, content):
        self.send_raw(HeadersFrame(stream, b"\xff\xff\xff\xff\xff\x7f", flags=["END_HEADERS"]))

    def push(self, stream, content):
        block = self.h2.encoder.encode([(":method", "GET"), (":path", "/"), (":scheme", "http"), (":authority", "x")])
        self.send_raw(PushPromiseFrame(stream, promised_stream_id=2, data=block, flags=["END_HEADERS"]))

    def overflow(self, stream, content):
        """A window above 2^31-1 (RFC 9113 §6.9.1)."""
        self.send_raw(*[WindowUpdateFrame(stream, window_increment=2**31 - 1)] * 2)

    def stall(self, stream, content):
        """No answer: the client gives up."""

    def informational(self, stream, content):
        for _ in range(3):
            self.h2.send_headers(stream, [(":status", "103"), ("link", "</style.css>")])
        self.respond(stream, content)

    def padded(self, stream, content):
        self.head(stream, content)
        frames = [DataFrame(stream, bytes([byte]), pad_length=200, flags=["PADDED"]) for byte in content[:-1]]
        rest = content[len(frames[:64]):]
        self.send_raw(*frames[:64], *data_frames(stream, rest, end=True))


FAULTS = {
    name: getattr(Connection, name.replace("-", "_"))
    for name in (
        "refuse", "exclude", "reset", "reset-in-content", "close", "close-in-content", "abort", "short", "long",
        "uppercase", "connection-field", "pseudo-trailers", "malformed-block", "push", "overflow", "stall", "informational", "padded",
    )
}


async def main():
    certificate, key = sys.argv[1:]
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(certificate, key)
    context.set_alpn_protocols(["h2"])
    loop = asyncio.get_running_loop()
    secure = await loop.create_server(Connection, "127.0.0.1", 0, ssl=context)
    plain = await loop.create_server(Connection, "127.0.0.1", 0)
    ports = {"http2Faults": secure, "http2FaultsPlain": plain}
    print(json.dumps({name: server.sockets[0].getsockname()[1] for name, server in ports.items()}), flush=True)
    await asyncio.gather(secure.serve_forever(), plain.serve_forever())


asyncio.run(main())
