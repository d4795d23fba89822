"""WebSocket servers that echo messages: `websockets`, `aiohttp` and Hypercorn, each on its own port.

Both offer permessage-deflate and choose the protocol "echo". `/pings` sends a ping before each echo, `/fragments`
sends each echo in fragments (websockets alone). Hypercorn speaks HTTP/2 over TLS, with extended CONNECT; its
certificate and key are the arguments.
"""

import asyncio
import json
import socket
import sys

import aiohttp
import hypercorn.asyncio
from aiohttp import web
from websockets.asyncio.server import serve

LIMIT = 64 << 20


async def echo(connection):
    async for message in connection:
        if connection.request.path == "/pings":
            await connection.ping()
        if connection.request.path == "/fragments":
            middle = len(message) // 2
            message = [message[:middle], message[middle:]]
        await connection.send(message)


async def echo_by_aiohttp(request):
    socket = web.WebSocketResponse(protocols=("echo",), max_msg_size=LIMIT)
    await socket.prepare(request)
    async for message in socket:
        if message.type == aiohttp.WSMsgType.TEXT:
            await socket.send_str(message.data)
        elif message.type == aiohttp.WSMsgType.BINARY:
            await socket.send_bytes(message.data)
    return socket


async def echo_by_asgi(scope, receive, send):
    if scope["type"] == "lifespan":
        while True:
            kind = (await receive())["type"]
            await send({"type": kind + ".complete"})
            if kind == "lifespan.shutdown":
                return
    version = scope["http_version"].encode()
    if scope["type"] == "http":
        await send({"type": "http.response.start", "status": 200, "headers": []})
        return await send({"type": "http.response.body", "body": version})
    await receive()
    await send({"type": "websocket.accept", "headers": [(b"x-version", version)]})
    while (message := await receive())["type"] != "websocket.disconnect":
        await send({"type": "websocket.send", "text": message.get("text"), "bytes": message.get("bytes")})


def serve_http2(certificate, key):
    """Returns the port, and what serves on it."""
    listener = socket.create_server(("127.0.0.1", 0))
    port = listener.getsockname()[1]
    config = hypercorn.Config()
    config.bind = [f"fd://{listener.detach()}"]
    config.certfile, config.keyfile = certificate, key
    config.websocket_max_message_size = LIMIT
    return port, hypercorn.asyncio.serve(echo_by_asgi, config, shutdown_trigger=asyncio.Event().wait)


async def main():
    server = await serve(echo, "127.0.0.1", 0, subprotocols=["echo"], select_subprotocol=choose, max_size=LIMIT)
    application = web.Application()
    application.router.add_get("/{path:.*}", echo_by_aiohttp)
    runner = web.AppRunner(application)
    await runner.setup()
    await web.TCPSite(runner, "127.0.0.1", 0).start()
    ports = {"websockets": server.sockets[0].getsockname()[1], "aiohttp": runner.addresses[0][1]}
    ports["hypercorn"], serving = serve_http2(*sys.argv[1:])
    print(json.dumps(ports), flush=True)
    await serving


def choose(connection, offered):
    return "echo" if "echo" in offered else None


asyncio.run(main())
