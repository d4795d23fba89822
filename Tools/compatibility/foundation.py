"""FoundationNetworking's public symbols, as the toolchain's compiler lists them, and what each is here."""

import re
from pathlib import Path

from symbols import graphs

HERE = Path(__file__).parent
MODULE = "FoundationNetworking"
INTRODUCTION = """
# FoundationNetworking

Every public symbol of FoundationNetworking in the toolchain that built this, and what it is here. Our types are spelled as
Foundation's; they are not Foundation's ([decision 1](Decisions/0001-own-messages.md)).

- **same**: the same owner, name and labels. Values are `Sendable`, and classes are final where ours are.
- **left out**: not here, and what to use.

"""


def rules():
    """Patterns of symbols and why they are left out; the first that fits counts."""
    rows = []
    for line in open(HERE / "foundation-notes.txt", encoding="utf-8"):
        line = line.strip()
        if line and not line.startswith("#"):
            pattern, text = (part.strip() for part in line.split(" | ", 1))
            rows.append((re.compile(pattern), text))
    return rows


def table(folder, ours):
    """The section of Docs/Compatibility.md, and how many symbols it does not explain."""
    explained = rules()
    rows, missing = [], 0
    for (owner, name), _ in sorted(graphs(folder).items()):
        path = f"{owner}.{name}" if owner else name
        if (owner, name) in ours or is_inherited(owner, name, ours):
            rows.append((path, "same", remark(path, explained)))
            continue
        reason = next((text for pattern, text in explained if pattern.fullmatch(path)), None)
        missing += reason is None
        rows.append((path, "left out" if reason else "missing", reason or ""))
    counts = {status: sum(row[1] == status for row in rows) for status in ("same", "left out", "missing")}
    sums = ", ".join(f"{count} {status}" for status, count in counts.items() if count)
    body = "".join(f"| `{path}` | {status} | {reason} |\n" for path, status, reason in rows)
    return f"{INTRODUCTION}{len(rows)} symbols: {sums}.\n\n| symbol | Airframe | remark |\n|---|---|---|\n{body}", missing


def remark(path, explained):
    """The remark on a symbol that is the same. Its pattern begins with `same `."""
    own = ((pattern, text) for pattern, text in explained if pattern.pattern.startswith("same "))
    return next((text for pattern, text in own if pattern.fullmatch(f"same {path}")), "")


PARENTS = {
    "URLSessionDataTask": "URLSessionTask", "URLSessionUploadTask": "URLSessionDataTask",
    "URLSessionDownloadTask": "URLSessionTask", "HTTPURLResponse": "URLResponse",
}


def is_inherited(owner, name, ours):
    parent = PARENTS.get(owner)
    return parent is not None and ((parent, name) in ours or is_inherited(parent, name, ours))
