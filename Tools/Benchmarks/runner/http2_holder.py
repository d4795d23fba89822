"""A server that holds every HTTP/2 request for a while before it answers 64 bytes.

    http2_holder.py SECONDS CERTIFICATE KEY

It prints its port, and ends with its standard input. It runs in the peers' environment, which has h2.
"""

import asyncio
import ssl
import sys

from h2.config import H2Configuration
from h2.connection import H2Connection
from h2.events import RequestReceived
from h2.settings import SettingCodes

CONTENT = b"0123456789abcdef" * 4


class Connection(asyncio.Protocol):
    hold = 8.0

    def connection_made(self, transport):
        self.transport = transport
        self.h2 = H2Connection(H2Configuration(client_side=False))
        self.h2.initiate_connection()
        self.h2.update_settings({SettingCodes.MAX_CONCURRENT_STREAMS: 10000})
        self.flush()

    def data_received(self, data):
        for event in self.h2.receive_data(data):
            if isinstance(event, RequestReceived):
                asyncio.get_running_loop().call_later(self.hold, self.answer, event.stream_id)
        self.flush()

    def answer(self, stream):
        self.h2.send_headers(stream, [(":status", "200"), ("content-length", str(len(CONTENT)))])
        self.h2.send_data(stream, CONTENT, end_stream=True)
        self.flush()

    def flush(self):
        self.transport.write(self.h2.data_to_send())


async def main():
    seconds, certificate, key = sys.argv[1:]
    Connection.hold = float(seconds)
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(certificate, key)
    context.set_alpn_protocols(["h2"])
    loop = asyncio.get_running_loop()
    server = await loop.create_server(Connection, "127.0.0.1", 0, ssl=context)
    print(server.sockets[0].getsockname()[1], flush=True)
    await loop.run_in_executor(None, sys.stdin.read)


asyncio.run(main())
