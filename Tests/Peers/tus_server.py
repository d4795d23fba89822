"""tuspyserver, a server of tus 1.0, under Hypercorn.

Uploads are created at `/files/`. `GET /digests/NAME` returns the SHA-256 of the last complete upload whose metadata has
that `filename`, in hexadecimal digits. `GET /uploads/NAME` returns the number of uploads with it, complete or not. The
argument is the folder for uploads.
"""

import asyncio
import hashlib
import json
import socket
import sys
from pathlib import Path

import hypercorn.asyncio
from fastapi import FastAPI, HTTPException
from fastapi.responses import PlainTextResponse
from tuspyserver import create_tus_router

digests = {}


def record(path, metadata):
    with open(path, "rb") as file:
        digests[metadata.get("filename", "")] = hashlib.file_digest(file, "sha256").hexdigest()


application = FastAPI()
application.include_router(create_tus_router(prefix="files", files_dir=sys.argv[1], on_upload_complete=record))


@application.get("/digests/{name}", response_class=PlainTextResponse)
def digest(name: str):
    if name not in digests:
        raise HTTPException(404)
    return digests[name]


@application.get("/uploads/{name}", response_class=PlainTextResponse)
def count(name: str):
    records = (json.loads(path.read_text()) for path in Path(sys.argv[1]).glob("*.info"))
    return str(sum(record["metadata"].get("filename") == name for record in records))


async def main():
    listener = socket.create_server(("127.0.0.1", 0))
    print(json.dumps({"tus": listener.getsockname()[1]}), flush=True)
    config = hypercorn.Config()
    config.bind = [f"fd://{listener.detach()}"]
    await hypercorn.asyncio.serve(application, config, shutdown_trigger=asyncio.Event().wait)


asyncio.run(main())
