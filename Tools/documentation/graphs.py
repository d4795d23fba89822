"""Symbol graphs: extracted from the built modules, with the links of doc comments qualified by module."""

import glob
import json
import os
import re
import subprocess

LINK = re.compile(r"(?<!`)``([^`\s]+)``(?!`)")
#: The suffix of a link that distinguishes overloads and kinds.
SUFFIX = re.compile(r"-(?:[0-9a-z]{4,6}|swift\.[a-z.]+|\([^)]*\)(?:->.*)?|->.*)$")


def run(*command):
    """Runs a program and returns its output; ends the build with its messages when it fails."""
    result = subprocess.run(command, capture_output=True, text=True)
    if result.returncode != 0:
        raise SystemExit(f"{' '.join(command)}\n{result.stdout}{result.stderr}")
    return result.stdout


def extract(module, built, folder):
    """Writes the symbol graphs of a module into `folder`."""
    os.makedirs(folder, exist_ok=True)
    target = json.loads(run("swiftc", "-print-target-info"))["target"]["triple"]
    # swift-configuration imports swift-system, which has a C module.
    checkouts = os.path.join(os.path.realpath(built), "../../../checkouts")
    maps = [
        f"-fmodule-map-file={path}"
        for root in ("Modules", "Transports", f"{checkouts}/swift-system/Sources/CSystem")
        for path in glob.glob(f"{root}/**/module.modulemap", recursive=True)
    ]
    run(
        "swift", "symbolgraph-extract", "-module-name", module, "-target", target,
        "-minimum-access-level", "public", "-skip-synthesized-members", "-emit-extension-block-symbols",
        "-I", built, "-module-cache-path", ".build/docs/module-cache", "-output-dir", folder,
        *(word for path in maps for word in ("-Xcc", path)),
    )


def load(folder):
    """The graphs in a folder, by path."""
    return {path: json.load(open(path, encoding="utf-8")) for path in sorted(glob.glob(f"{folder}/*.symbols.json"))}


def extended_module(file):
    """The module whose types the symbols of a graph extend, which DocC puts in front of their paths; or nothing."""
    name = os.path.basename(file).removesuffix(".symbols.json")
    return name.split("@")[1] if "@" in name else None


class Paths:
    """The paths of a module's symbols, as links spell them."""

    def __init__(self, graphs):
        #: How many symbols have a path. DocC cannot resolve a link to several without a suffix.
        self.counts = {}
        #: The paths of members that the module adds to types of other modules, by their spelling in Swift.
        self.added = {}
        self.aliases = set()
        for file, graph in graphs.items():
            module = extended_module(file)
            for symbol in graph["symbols"]:
                path = "/".join(symbol["pathComponents"])
                if symbol["kind"]["identifier"] == "swift.typealias":
                    self.aliases.add(path)
                if module:
                    self.added[path] = f"{module}/{path}"
                    path = self.added[path]
                self.counts[path] = self.counts.get(path, 0) + 1


class Linker:
    """Turns links to symbols of other modules into links that DocC can resolve there."""

    def __init__(self, everywhere):
        #: The paths of all modules by name, for links that point to a module that is documented later.
        self.everywhere = everywhere
        #: Links that name no symbol of any module.
        self.broken = []

    def rewrite(self, module, dependencies, graphs):
        """Qualifies the links of all doc comments, in place, and writes the graphs back."""
        for file, graph in graphs.items():
            for symbol in graph["symbols"]:
                comment = symbol.get("docComment")
                if comment:
                    place = self.place(symbol)
                    for entry in comment["lines"]:
                        entry["text"] = LINK.sub(
                            lambda match: self.link(match.group(1), module, dependencies, symbol, place), entry["text"]
                        )
            json.dump(graph, open(file, "w", encoding="utf-8"))

    @staticmethod
    def place(symbol):
        location = symbol.get("location", {})
        line = location.get("position", {}).get("line", 0)
        return f"{location.get('uri', '').removeprefix('file://' + os.getcwd() + '/')}:{line + 1}"

    def link(self, link, module, dependencies, symbol, place):
        """The link as DocC resolves it from `module`, or code where it cannot."""
        path = SUFFIX.sub("", link)
        code = f"`{path.split('/')[-1]}`"
        scope = symbol["pathComponents"]
        candidates = ["/".join([*scope[:count], path]) for count in range(len(scope), -1, -1)]
        own = self.everywhere[module]
        if own.counts.get(path) == 1:
            return f"``{path}``"
        first = path.lstrip("/").split("/")[0]
        if first in self.everywhere and first != module:
            rest = path.lstrip("/").removeprefix(first).lstrip("/")
            if rest and rest not in self.everywhere[first].counts:
                self.broken.append(f"{place}: ``{link}``")
            return f"``/{path.lstrip('/')}``" if first in dependencies and path == link else code
        for candidate in candidates:
            if candidate in own.counts:
                return f"``{link}``" if own.counts[candidate] == 1 or "-swift." in link else code
        for other in dependencies:
            for candidate in candidates:
                if self.everywhere[other].counts.get(candidate) == 1:
                    return f"``/{other}/{candidate}``" if link == path else code
        for candidate in candidates:
            if candidate in own.added:
                return f"``{own.added[candidate]}``" if own.counts[own.added[candidate]] == 1 else code
        if not any(self.names(paths, candidate) for paths in self.everywhere.values() for candidate in candidates):
            self.broken.append(f"{place}: ``{link}``")
        return code

    @staticmethod
    def names(paths, candidate):
        """Whether a path names a symbol, or a member of a type by an alias, which symbol graphs do not list."""
        return candidate in paths.counts or candidate in paths.added or os.path.dirname(candidate) in paths.aliases
