"""The library websockets under the command line of bench-websocket."""

import asyncio
import json
import resource
import sys
import time

from websockets.asyncio.client import connect

WORDS = ["alpha", "bravo", "charlie", "delta", "echo", "foxtrot", "golf", "hotel"]


def text(size):
    out, length, state = [], 0, 1
    while length < size:
        state = (state * 1664525 + 1013904223) % 2**32
        out.append(f"{WORDS[(state >> 24) % 8]}-{state >> 20} ")
        length += len(out[-1])
    return "".join(out)[:size]


def cpu():
    usage = resource.getrusage(resource.RUSAGE_SELF)
    return (usage.ru_utime + usage.ru_stime) * 1e6


def status(name):
    with open("/proc/self/status") as lines:
        return next(int(line.split()[1]) for line in lines if line.startswith(name))


async def main():
    words = [word for word in sys.argv[1:] if not word.startswith("--")]
    url, work, count, sockets, size = words[0], words[1], *map(int, words[2:])
    compression = "deflate" if "--compressed" in sys.argv else None

    def open_one():
        return connect(url, compression=compression, max_size=64 << 20, ping_interval=None, proxy=None)

    if work == "idle":
        connections = [await open_one()]
        before = status("VmRSS")
        connections += [await open_one() for _ in range(sockets)]
        held = (status("VmRSS") - before) / sockets
        print(json.dumps({"client": "websockets", "idleKiB": held, "sockets": sockets}))
        return await asyncio.gather(*(connection.close() for connection in connections))
    message = text(size)
    connections = [await open_one() for _ in range(sockets)]

    async def echo(connection, count):
        for _ in range(count):
            await connection.send(message)
            if len(await connection.recv()) != size:
                sys.exit("an echo has another length")

    async def run(count):
        await asyncio.gather(*(echo(connection, count // sockets) for connection in connections))

    await run(max(sockets, count // 10))
    before, begun = cpu(), time.monotonic()
    await run(count)
    seconds = time.monotonic() - begun
    print(json.dumps({
        "client": "websockets", "cpuMicros": (cpu() - before) / count, "perSecond": count / seconds,
        "peakMiB": status("VmHWM") / 1024}))
    await asyncio.gather(*(connection.close() for connection in connections))


asyncio.run(main())
