"""Results as Markdown tables, and their insertion into a document."""

import re
import sys

from runner.clients import CLIENTS
from runner.targets import TARGETS


# The columns of a table: heading, and value of a result.
COLUMNS = {
    "requests": (
        ("user", lambda result: result["userMicros"]), ("system", lambda result: result["sysMicros"]),
        ("requests/s", lambda result: result["rps"]), ("p50 µs", lambda result: result["p50Micros"]),
        ("p99 µs", lambda result: result["p99Micros"]), ("peak MiB", lambda result: result["peakMiB"]),
    ),
    "memory": (
        ("KiB a request", lambda result: (result["peakMiB"] - result["idleMiB"]) * 1024 / result["requests"]),
        ("CPU seconds", lambda result: result["cpuMicrosPerRequest"] * result["requests"] / 1e6),
        ("idle MiB", lambda result: result["idleMiB"]), ("peak MiB", lambda result: result["peakMiB"]),
    ),
    "start": (
        ("ms from start to end", lambda result: result["wallMillis"]), ("peak MiB", lambda result: result["peakMiB"]),
    ),
}


def document(scenario, results, base, picture=None):
    """A heading, a table with the cheapest client first, and the targets."""
    # The C program on sockets does not speak HTTP/2; h2load is the limit there.
    base = base if base in results else "h2load"
    unit = results.get(base) if scenario.columns == "requests" else None
    columns = COLUMNS[scenario.columns]
    headings = ["client"]
    if scenario.columns == "requests":
        headings += ["CPU µs a request (least–most)"] + ([f"÷ {base}"] if unit else [])
    headings += [heading for heading, _ in columns]
    title = f"{scenario.title[0].upper()}{scenario.title[1:]}"
    lines = [f"### {title}", "", *([f"![{title}]({picture})", ""] if picture else []), "| " + " | ".join(headings) + " |",
             "|---|" + "--:|" * (len(headings) - 1)]
    order = (lambda item: item[1]["cpuMicrosPerRequest"]) if scenario.columns == "requests" else \
        (lambda item: columns[0][1](item[1]))
    for name, result in sorted(results.items(), key=order):
        cells = [label(name, result, scenario)]
        if scenario.columns == "requests":
            cpu = result["cpuMicrosPerRequest"]
            cells.append(f"{number(cpu)} ({number(result['leastCPU'])}–{number(result['mostCPU'])})")
            if unit:
                cells.append(f"{cpu / unit['cpuMicrosPerRequest']:.2f}")
        cells += [number(value(result)) for _, value in columns]
        lines.append("| " + " | ".join(cells) + " |")
    goals = [goal.row(results) for goal in TARGETS if goal.scenario == scenario.name]
    if any(goals):
        lines += ["", "| target | measured | |", "|---|--:|---|", *filter(None, goals)]
    return "\n".join(lines) + "\n"


def label(name, result, scenario):
    notes = []
    if scenario.work == "json" and not CLIENTS[name].decodes:
        notes.append("not decoded")
    if result["failures"]:
        notes.append(f"{result['failures']:.0f} failures")
    return f"{name} ({', '.join(notes)})" if notes else name


def number(value):
    return f"{value:,.0f}" if value >= 100 else f"{value:.1f}" if value >= 1 else f"{value:.2f}"


PAGE = """# Measurements

The tables and plots of the benchmarks ([Tools/Benchmarks](../Tools/Benchmarks/README.md)). Clients run in turns, the
servers on one core and the client on the other; a row is the median of its rounds.
"""


def prepare(path, scenarios):
    """Creates the document, with a place for each scenario, if it does not exist."""
    if not path.exists():
        places = "".join(f"\n<!-- bench {name} -->\n<!-- end -->\n" for name in scenarios)
        path.write_text(PAGE + places)


def replace(path, name, text):
    """Replaces the text between the markers `<!-- bench NAME -->` and `<!-- end -->` of a file."""
    old = path.read_text()
    marked = re.compile(rf"(<!-- bench {re.escape(name)} -->\n).*?(<!-- end -->)", re.DOTALL)
    new, count = marked.subn(lambda found: f"{found[1]}\n{text}\n{found[2]}", old)
    if count:
        path.write_text(new)
    else:
        print(f"bench-run: {path} has no markers for {name}", file=sys.stderr)
