#!/usr/bin/env python3
"""Compares Airframe's public symbols with Alamofire's, and keeps what follows from it.

    generate.py MODULES           writes Docs/Compatibility.md and Tests/CompatibilityTests/Uses
    generate.py MODULES --check   says what is out of date, and fails if anything is

MODULES is the folder of the built modules, such as .build/debug/Modules.
"""

import argparse
import os
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))
import behaviours
import foundation
import samples
from symbols import graphs, reference
from uses import Unspeakable, use

ROOT = Path(__file__).resolve().parents[2]
HERE = Path(__file__).parent
PRODUCTS = [
    "AirframeTransport", "AirframeCore", "AirframeEncoding", "AirframeSerialization", "AirframeSecurity",
    "AirframeReachability", "AirframeConnectivity", "AirframeCookies", "AirframeAppleNames", "Airframe",
]
#: Products whose symbols count where they are built.
FURTHER = ["AirframeCache", "AirframeWebSocket"]
INTRODUCTION = """\
# Compatibility with Alamofire

Every public symbol of Alamofire 5.12, and what it is here. The table is made by `Tools/compatibility/generate.py` from the
modules that the compiler built, and a test fails when it is out of date or when one of its symbols no longer compiles.

- **same**: same name, labels, types and default values. Access and attributes may be wider but not narrower, and types
  are `Sendable`. Apple's type names (`SecTrust`, `SecCertificate`, `SecKey`, `SecPolicy`, `OSStatus`, `NWPathMonitor`,
  …) are those that `import AirframeAppleNames` gives our types.
- **adapted**: the same name and use, with a stated difference.
- **left out**: not here, and why.

[Behaviour](#behaviour) lists the differences that no symbol shows.

"""


def symbol_graphs(modules, products):
    """Extracts the symbol graphs of `products` into its own folder."""
    folder = tempfile.mkdtemp(prefix="airframe-symbols-")
    extract = shutil.which("swift-symbolgraph-extract") or "/opt/swift/usr/bin/swift-symbolgraph-extract"
    wrappers = [str(p.parent) for p in sorted(ROOT.glob("*/**/module.modulemap")) if ".build" not in p.parts]
    target = subprocess.run(["uname", "-m"], capture_output=True, text=True).stdout.strip() + "-unknown-linux-gnu"
    for product in products:
        if product != foundation.MODULE and not os.path.exists(f"{modules}/{product}.swiftmodule"):
            sys.exit(f"{modules} has no {product}: build the tests first")
        run = subprocess.run(
            [extract, "-module-name", product, "-I", modules, "-target", target, "-output-dir", folder,
             "-minimum-access-level", "public", "-skip-synthesized-members"]
            + [argument for wrapper in wrappers for argument in ("-I", wrapper)],
            capture_output=True, text=True,
        )
        if run.returncode != 0:
            sys.exit(f"{product}: {run.stderr}")
    return folder


def notes():
    """Patterns of symbols, with what became of them and why; the first that fits counts.

    A fourth column names our symbol where it has another name; groups of the pattern may stand in it.
    """
    rows = []
    for line in open(HERE / "notes.txt", encoding="utf-8"):
        line = line.strip()
        if line and not line.startswith("#"):
            pattern, status, text, name = ([part.strip() for part in line.split(" | ")] + [""])[:4]
            rows.append((re.compile(pattern), status, text, name))
    return rows


def judge(symbol, ours, rules, open_classes):
    """What became of one of Alamofire's symbols: status, remark, and the symbol of ours that a use is written for."""
    status, remark, speaker = compare(symbol, ours, rules)
    wider, _ = with_further_parameters(symbol, ours)
    candidates = ours.get((symbol.owner, symbol.name)) or ([wider] if wider else [])
    limit = limit_for_subclasses(symbol, candidates, open_classes)
    if limit and status in ("same", "adapted"):
        return "adapted", "; ".join(text for text in (remark, limit) if text), speaker
    return status, remark, speaker


def limit_for_subclasses(symbol, candidates, open_classes):
    """What a subclass can do with Alamofire's symbol and not with ours."""
    if not candidates:
        return None
    if symbol.is_open and not any(candidate.is_open for candidate in candidates):
        if "class" in symbol.kind:
            return "`public`: cannot be subclassed in another module"
        return "`public`: a subclass cannot override it ([decision 6](Decisions/0006-open-methods.md))"
    is_designated = "init" in symbol.kind and "convenience" not in symbol.declaration
    if is_designated and symbol.owner in open_classes and all("convenience" in c.declaration for c in candidates):
        return "`convenience`: an initializer of a subclass cannot call it, and calls `init(composed:…)`"
    return None


def compare(symbol, ours, rules):
    """Status, remark and speaker by the declaration alone, without access."""
    candidates = ours.get((symbol.owner, symbol.name), [])
    subject = f"{symbol.file} {symbol.path}"
    rule = next(((m, s, t, n) for p, s, t, n in rules if (m := p.fullmatch(subject))), None)
    for candidate in candidates:
        if same(symbol, candidate):
            return "same", "", candidate if symbol.unqualified else symbol
    if through := aliased(symbol, ours):
        return "same", "", through[0]
    if rule:
        match, status, text, name = rule
        if name:
            owner, _, short = match.expand(name).rpartition(".") if "(" not in name else split_path(match.expand(name))
            candidates = ours.get((owner, short), [])
            if not candidates:
                return "missing", "", None
            text += f": `{match.expand(name)}`"
        return status, text, candidates[0] if candidates and status == "adapted" else None
    wider, further = with_further_parameters(symbol, ours)
    if wider:
        return "adapted", f"has more parameters, with default values: {further}", symbol if not symbol.unqualified else None
    if candidates:
        declaration = re.sub(r"\s*\[where .*\]$", "", re.sub(r"\s+", " ", candidates[0].declaration))
        return "adapted", f"`{declaration}`", candidates[0]
    return "missing", "", None


def aliased(symbol, ours):
    """Our symbols that `symbol` names where its owner is a typealias, which is used as the type is."""
    if "." not in symbol.owner:
        return []
    for alias in ours.get(tuple(symbol.owner.rpartition(".")[::2]), []):
        match = re.search(r"typealias \w+ = ([\w.]+)$", alias.declaration)
        if match:
            return ours.get((match.group(1), symbol.name), [])
    return []


def same(symbol, candidate):
    """Whether `candidate` is used exactly as `symbol` is."""
    if candidate.normal == symbol.normal:
        return True
    if "typealias" in candidate.kind and any(kind in symbol.kind for kind in ("struct", "enum", "class")):
        return True
    # Taken from source that leaves the type to inference.
    declaration = symbol.declaration.split(" = ")[0]
    return symbol.unqualified and "property" in symbol.kind and ":" not in declaration


def with_further_parameters(symbol, ours):
    """Our symbol that has all labels of `symbol`, in order, and more; and the labels that it has more."""
    base, _, labels = symbol.name.partition("(")
    wanted = labels.rstrip(")").split(":")[:-1]
    for (owner, name), group in ours.items():
        if owner != symbol.owner or not name.startswith(base + "(") or not labels:
            continue
        rest, further = list(wanted), []
        for label in name.partition("(")[2].rstrip(")").split(":")[:-1]:
            if rest and rest[0] == label:
                rest.pop(0)
            else:
                further.append(f"`{label}:`")
        if not rest and further and "_" not in "".join(further):
            return group[0], ", ".join(further)
    return None, ""


def split_path(path):
    """The owner and the name of `Owner.name(labels:)`."""
    head, parenthesis, labels = path.partition("(")
    owner, _, name = head.rpartition(".")
    return owner, "", name + parenthesis + labels


def cell(text):
    return text.replace("|", "\\|")


def table(rows):
    out, counts = [], {}
    for file in dict.fromkeys(symbol.file for symbol, *_ in rows):
        out.append(f"\n## {file.removesuffix('.swift')}\n\n| symbol | Airframe | remark |\n|---|---|---|\n")
        for symbol, status, remark, _ in rows:
            if symbol.file == file:
                counts[status] = counts.get(status, 0) + 1
                out.append(f"| `{cell(symbol.path)}` | {status} | {cell(remark)} |\n")
    sums = ", ".join(f"{counts[s]} {s}" for s in ("same", "adapted", "left out", "missing") if s in counts)
    return INTRODUCTION + f"{sum(counts.values())} symbols: {sums}.\n" + "".join(out)


def uses(rows, ours):
    """Swift files by Alamofire's file, and what could not be written."""
    protocols = {s.path for group in ours.values() for s in group if s.kind == "swift.protocol"}
    files, silent, seen = {}, [], set()
    skipped = {line.strip() for line in open(HERE / "unused.txt", encoding="utf-8") if line.strip() and line[0] != "#"}
    number = 0
    for symbol, status, _, speaker in rows:
        if speaker is None or symbol.path in skipped:
            continue
        declarations = (symbol.declaration, speaker.declaration)
        constraint = next((m for d in declarations if (m := re.search(r"\[where (.*)\]$", d))), None)
        number += 1
        try:
            deprecated = symbol.declaration != "" and "responseJSON" in symbol.name or "JSONResponseSerializer" in symbol.path or "defaultEventMonitors" in symbol.name
            code = use(number, symbol if speaker is symbol else speaker_as(symbol, speaker), constraint.group(1) if constraint else "", protocols)
        except (Unspeakable, AttributeError) as error:
            silent.append(f"{symbol.path}: {error}")
            continue
        if re.sub(r"use\d+", "use", code) in seen:
            continue
        seen.add(re.sub(r"use\d+", "use", code))
        if deprecated:
            code = '@available(*, deprecated, message: "as in Alamofire")\n' + code
        files.setdefault(symbol.file, []).append(code)
    return files, silent


def speaker_as(symbol, speaker):
    """Our declaration under Alamofire's kind, which names the forms that a use is written in."""
    from dataclasses import replace
    declaration = re.sub(r"\bself\b(?=\s*(\(|$|\.Type))", "self", speaker.declaration)
    return replace(symbol, declaration=declaration)


def uses_text(file, functions):
    name = re.sub(r"\W", "", file.removesuffix(".swift").split("/")[-1])
    imports = "import Airframe\nimport AirframeCore\nimport AirframeEncoding\nimport AirframeReachability\nimport AirframeSecurity\nimport AirframeSerialization\nimport AirframeTransport\nimport AirframeWebSocket\nimport Dispatch\nimport Foundation\n"
    body = "\n".join("    " + re.sub(r"^func", "static func", line) for function in functions for line in function.split("\n"))
    return (
        f"// swift-format-ignore-file\n// Made by Tools/compatibility/generate.py from {file}; do not edit.\n\n{imports}\n"
        f"/// The symbols of {file}, each used as it is declared. Nothing calls this: that it compiles is the test.\n"
        f"enum Uses{name} {{\n{body}\n}}\n"
    )


def main():
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("modules")
    arguments.add_argument("--check", action="store_true")
    arguments = arguments.parse_args()

    further = [product for product in FURTHER if os.path.exists(f"{arguments.modules}/{product}.swiftmodule")]
    folder = symbol_graphs(arguments.modules, PRODUCTS + further)
    ours, rules = graphs(folder), notes()
    shutil.rmtree(folder)
    folder = symbol_graphs(arguments.modules, [foundation.MODULE])
    networking, unexplained = foundation.table(folder, ours)
    shutil.rmtree(folder)
    alamofire = list(reference(HERE / "alamofire-5.12.txt"))
    open_classes = {s.path for s in alamofire if s.kind == "class" and s.is_open}
    rows = [(s, *judge(s, ours, rules, open_classes)) for s in alamofire]
    wanted = {ROOT / "Docs/Compatibility.md": table(rows) + behaviours.table() + networking + samples.table(ROOT)}
    files, silent = uses(rows, ours)
    folder = ROOT / "Tests/CompatibilityTests/Uses"
    for file, functions in files.items():
        wanted[folder / ("Uses+" + file.split("/")[-1])] = uses_text(file, functions)

    stale = [path for path, text in wanted.items() if not path.exists() or path.read_text(encoding="utf-8") != text]
    stale += [path for path in folder.glob("*.swift") if path not in wanted]
    missing = [s.path for s, status, *_ in rows if status == "missing"]
    if arguments.check:
        for path in stale:
            print(f"{path.relative_to(ROOT)} is out of date: run Tools/compatibility/generate.py")
        for path in missing:
            print(f"{path} is missing, and Tools/compatibility/notes.txt does not say why")
        if unexplained:
            print(f"{unexplained} symbols of {foundation.MODULE} are missing, and foundation-notes.txt does not say why")
        sys.exit(1 if stale or missing or unexplained else 0)
    folder.mkdir(parents=True, exist_ok=True)
    for path in folder.glob("*.swift"):
        if path not in wanted:
            path.unlink()
    for path, text in wanted.items():
        if not path.exists() or path.read_text(encoding="utf-8") != text:
            path.write_text(text, encoding="utf-8")
    for line in silent:
        print("no use written:", line)
    print(f"{len(rows)} symbols, {len(missing)} missing, {sum(map(len, files.values()))} uses")


if __name__ == "__main__":
    main()
