"""Reads URL-encoded forms, one a line, as Python and the WHATWG's URL Standard do; prints their pairs as JSON."""

import json
import sys
from urllib.parse import parse_qsl

for line in sys.stdin:
    print(json.dumps(parse_qsl(line.rstrip("\n"), keep_blank_values=True, strict_parsing=False)))
