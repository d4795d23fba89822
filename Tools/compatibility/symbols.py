"""The public symbols of two libraries: the list of Alamofire's, and Airframe's as the compiler wrote them down."""

import glob
import json
import re
from dataclasses import dataclass

from declaration import labelled_name, normal


@dataclass(frozen=True)
class Symbol:
    file: str
    kind: str
    owner: str
    name: str
    declaration: str
    #: Taken from the source text, where the compiler qualifies no names.
    unqualified: bool = False
    #: Whether subclasses in other modules may override it, or a class may have any.
    is_open: bool = False

    @property
    def path(self):
        return f"{self.owner}.{self.name}" if self.owner else self.name

    @property
    def normal(self):
        return normal(self.declaration, self.owner)


def reference(path):
    """Alamofire's symbols, one a line: File | kind | [Owner] declaration."""
    for line in open(path, encoding="utf-8"):
        line = line.rstrip("\n")
        if not line or line.startswith("#"):
            continue
        file, kind, rest = line.split(" | ", 2)
        unqualified = "** NOT on Linux" in rest
        rest = re.sub(r"\s*\*\* NOT on Linux.*$", "", rest)
        rest = re.sub(r"^(deprecated|\(deprecated\))\s*", "", rest)
        rest = re.sub(r"\s*\[deprecated\]$", "", rest)
        match = re.match(r"\[([\w.]+)\] (.*)", rest)
        owner, declaration = (match.group(1), match.group(2)) if match else ("", rest)
        declaration = re.sub(r"\s*(\*\* )?deprecated.*$", "", declaration)
        name = labelled_name(kind, declaration)
        is_open = re.search(r"\bopen (?:@\w+ |lazy )*(?:func|var|class)\b", declaration) is not None
        yield Symbol(file, kind, owner, name or declaration, declaration, unqualified, is_open)


def graphs(folder):
    """Airframe's symbols, by owner and name, from the symbol graphs in `folder`."""
    found = {}
    for file in sorted(glob.glob(f"{folder}/*.symbols.json")):
        for symbol in json.load(open(file, encoding="utf-8"))["symbols"]:
            components = symbol["pathComponents"]
            declaration = "".join(f["spelling"] for f in symbol.get("declarationFragments", []))
            kind = symbol["kind"]["identifier"]
            for rule in symbol.get("swiftExtension", {}).get("constraints", []):
                if rule["lhs"] == "Self" and rule["kind"] == "sameType" and "Self ==" not in declaration:
                    declaration += f" [where Self == {rule['rhs']}]"
            owner, name = ".".join(components[:-1]), components[-1]
            if name.startswith("subscript"):
                name = labelled_name("subscript", declaration) or name
            found.setdefault((owner, name), []).append(
                Symbol(
                    file.rsplit("/", 1)[-1].split(".")[0].split("@")[0], kind, owner, name, declaration,
                    is_open=symbol["accessLevel"] == "open",
                )
            )
    return found
