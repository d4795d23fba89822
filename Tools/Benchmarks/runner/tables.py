"""Results as Markdown, and their places in a document."""

import re
import sys

from runner.clients import CLIENTS


def document(scenario, results, base):
    """A heading and a table; the clients from the cheapest to the dearest."""
    unit = results.get(base)
    ratio = f"| ÷ {base} " if unit else ""
    lines = [
        f"### {scenario.title[0].upper()}{scenario.title[1:]}",
        "",
        f"| client | CPU µs a request (least–most) {ratio}| user | system | requests/s | p50 µs | p99 µs | peak MiB |",
        f"|---|--:|{'--:|' if unit else ''}--:|--:|--:|--:|--:|--:|",
    ]
    for name, result in sorted(results.items(), key=lambda item: item[1]["cpuMicrosPerRequest"]):
        lines.append(row(name, result, unit, scenario))
    return "\n".join(lines) + "\n"


def row(name, result, unit, scenario):
    cpu = result["cpuMicrosPerRequest"]
    cells = [label(name, result, scenario)]
    cells.append(f"{number(cpu)} ({number(result['leastCPU'])}–{number(result['mostCPU'])})")
    if unit:
        cells.append(f"{cpu / unit['cpuMicrosPerRequest']:.2f}")
    cells += [number(result[key]) for key in ("userMicros", "sysMicros", "rps", "p50Micros", "p99Micros", "peakMiB")]
    return "| " + " | ".join(cells) + " |"


def label(name, result, scenario):
    notes = []
    if scenario.work == "json" and not CLIENTS[name].decodes:
        notes.append("not decoded")
    if result["failures"]:
        notes.append(f"{result['failures']:.0f} failures")
    return f"{name} ({', '.join(notes)})" if notes else name


def number(value):
    return f"{value:,.0f}" if value >= 100 else f"{value:.1f}"


PAGE = """# Performance

What a request costs, beside other clients: medians of interleaved runs, the server on one core and the client on
another. Ratios hold, times drift. [Tools/Benchmarks](../Tools/Benchmarks/README.md) says what is measured, and how to
measure it again.
"""


def prepare(path, scenarios):
    """Makes the document, with a place for each scenario, if it is not there."""
    if not path.exists():
        places = "".join(f"\n<!-- bench {name} -->\n<!-- end -->\n" for name in scenarios)
        path.write_text(PAGE + places)


def replace(path, name, text):
    """Puts `text` between the markers `<!-- bench NAME -->` and `<!-- end -->` of a file."""
    old = path.read_text()
    marked = re.compile(rf"(<!-- bench {re.escape(name)} -->\n).*?(<!-- end -->)", re.DOTALL)
    new, count = marked.subn(lambda found: f"{found[1]}\n{text}\n{found[2]}", old)
    if count:
        path.write_text(new)
    else:
        print(f"bench-run: {path} has no markers for {name}", file=sys.stderr)
