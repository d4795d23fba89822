"""Says what is wrong with an archive by the schema of HAR 1.2, a line each: check_har.py FILE"""

import json
import sys
from pathlib import Path

from jsonschema import Draft202012Validator

schema = json.loads((Path(__file__).parent / "har-1.2.schema.json").read_text())
Draft202012Validator.check_schema(schema)
with open(sys.argv[1], encoding="utf-8") as file:
    archive = json.load(file)
for error in Draft202012Validator(schema).iter_errors(archive):
    print("/".join(str(part) for part in error.absolute_path), error.message[:300])
