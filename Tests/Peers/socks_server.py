"""A SOCKS server for tests: versions 4, 4a and 5 (RFC 1928, RFC 1929), CONNECT only.

Prints its two ports as JSON. On `socks` anybody may pass; on `socksAuth` only version 5 with airframe / secret.
"""

import asyncio
import ipaddress
import json
import struct

USER, PASSWORD = b"airframe", b"secret"

NO_AUTHENTICATION, USER_AND_PASSWORD, NONE_ACCEPTABLE = 0x00, 0x02, 0xFF
SUCCEEDED, HOST_UNREACHABLE, REFUSED, BAD_COMMAND, BAD_ADDRESS = 0, 4, 5, 7, 8
GRANTED, REJECTED = 0x5A, 0x5B


class Denied(Exception):
    """The request was rejected, and the connection ends."""


async def serve(reader, writer, guarded):
    try:
        version = (await reader.readexactly(1))[0]
        if version == 5:
            upstream = await greet_5(reader, writer, guarded)
        elif version == 4:
            upstream = await greet_4(reader, writer, guarded)
        else:
            return
        await relay(reader, writer, *upstream)
    except (Denied, OSError, asyncio.IncompleteReadError):
        pass
    finally:
        writer.close()


async def greet_5(reader, writer, guarded):
    methods = await reader.readexactly((await reader.readexactly(1))[0])
    method = USER_AND_PASSWORD if guarded else NO_AUTHENTICATION
    if method not in methods:
        writer.write(bytes([5, NONE_ACCEPTABLE]))
        raise Denied
    writer.write(bytes([5, method]))
    if guarded:
        await check_password(reader, writer)

    _, command, _, kind = await reader.readexactly(4)
    if kind == 1:
        host = str(ipaddress.IPv4Address(await reader.readexactly(4)))
    elif kind == 4:
        host = str(ipaddress.IPv6Address(await reader.readexactly(16)))
    elif kind == 3:
        host = (await reader.readexactly((await reader.readexactly(1))[0])).decode(errors="replace")
    else:
        writer.write(reply_5(BAD_ADDRESS))
        raise Denied
    port, = struct.unpack("!H", await reader.readexactly(2))
    if command != 1:
        writer.write(reply_5(BAD_COMMAND))
        raise Denied
    try:
        upstream = await asyncio.open_connection(host, port)
    except ConnectionRefusedError:
        writer.write(reply_5(REFUSED))
        raise
    except (OSError, UnicodeError):
        writer.write(reply_5(HOST_UNREACHABLE))
        raise Denied from None
    writer.write(reply_5(SUCCEEDED))
    return upstream


async def check_password(reader, writer):
    await reader.readexactly(1)
    user = await reader.readexactly((await reader.readexactly(1))[0])
    password = await reader.readexactly((await reader.readexactly(1))[0])
    known = (user, password) == (USER, PASSWORD)
    writer.write(bytes([1, 0 if known else 1]))
    if not known:
        raise Denied


def reply_5(code):
    return bytes([5, code, 0, 1, 0, 0, 0, 0, 0, 0])


async def greet_4(reader, writer, guarded):
    command, port, address = struct.unpack("!BH4s", await reader.readexactly(7))
    await reader.readuntil(b"\0")
    host = str(ipaddress.IPv4Address(address))
    # Version 4a: an address that cannot be says that a name follows.
    if address[:3] == b"\0\0\0" and address[3]:
        host = (await reader.readuntil(b"\0"))[:-1].decode(errors="replace")
    try:
        if guarded or command != 1:
            raise Denied
        upstream = await asyncio.open_connection(host, port)
    except (Denied, OSError, UnicodeError):
        writer.write(struct.pack("!BBH4s", 0, REJECTED, 0, b""))
        raise Denied from None
    writer.write(struct.pack("!BBH4s", 0, GRANTED, port, address))
    return upstream


async def relay(reader, writer, upstream_reader, upstream_writer):
    try:
        await asyncio.gather(copy(reader, upstream_writer), copy(upstream_reader, writer))
    finally:
        upstream_writer.close()


async def copy(source, sink):
    while data := await source.read(1 << 16):
        sink.write(data)
        await sink.drain()
    sink.write_eof()


async def main():
    ports = {}
    for key, guarded in (("socks", False), ("socksAuth", True)):
        server = await asyncio.start_server(
            lambda reader, writer, guarded=guarded: serve(reader, writer, guarded), "127.0.0.1", 0
        )
        ports[key] = server.sockets[0].getsockname()[1]
    print(json.dumps(ports), flush=True)
    await asyncio.Event().wait()


asyncio.run(main())
