"""The differences of behaviour that no symbol shows, from behaviours.txt."""

from pathlib import Path

HERE = Path(__file__).parent
INTRODUCTION = """
# Behaviour

What differs on purpose although the symbols are the same. [Coming from Alamofire](Guides/Migrating.md) has the
differences that most programs see: transports, redirects, retries, trust.

| area | Alamofire | here | reason |
|---|---|---|---|
"""


def table():
    """Returns the section of Docs/Compatibility.md."""
    text = (HERE / "behaviours.txt").read_text(encoding="utf-8")
    rows = [line.split(" | ") for line in text.splitlines() if line and not line.startswith("#")]
    for row in rows:
        if len(row) != 4:
            raise ValueError(f"behaviours.txt: a row has four cells: {' | '.join(row)}")
    return INTRODUCTION + "".join(f"| {' | '.join(row)} |\n" for row in rows)
