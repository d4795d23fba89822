"""Reads a multipart form with werkzeug and python-multipart; prints what each found as JSON.

usage: read_form.py FORM CONTENT-TYPE
"""

import hashlib
import io
import json
import sys

from python_multipart import parse_form
from werkzeug.formparser import FormDataParser
from werkzeug.http import parse_options_header


def entry(name, filename, kind, content):
    return {"name": name, "file": filename, "type": kind, "size": len(content),
            "sha256": hashlib.sha256(content).hexdigest()}


def werkzeug(path, content_type):
    mimetype, options = parse_options_header(content_type)
    with open(path, "rb") as stream:
        data = stream.read()
    _, form, files = FormDataParser(max_form_memory_size=None).parse(io.BytesIO(data), mimetype, len(data), options)
    # Python reads field values as text: the tests' ones are.
    entries = [entry(name, None, None, value.encode()) for name, value in form.items(multi=True)]
    return entries + [entry(name, file.filename, file.content_type, file.read()) for name, file in files.items(multi=True)]


def python_multipart(path, content_type):
    entries = []

    def on_field(field):
        entries.append(entry(field.field_name.decode(), None, None, field.value or b""))

    def on_file(file):
        file.file_object.seek(0)
        entries.append(entry(file.field_name.decode(), file.file_name.decode(), None, file.file_object.read()))

    with open(path, "rb") as stream:
        parse_form({"Content-Type": content_type.encode()}, stream, on_field, on_file)
    return entries


path, content_type = sys.argv[1:]
print(json.dumps({"werkzeug": werkzeug(path, content_type), "python-multipart": python_multipart(path, content_type)}))
