"""Draws Docs/Images/terminal.svg: real runs of `airframe` against Hangar, on a pseudo-terminal.

usage: terminal.py AIRFRAME HANGAR. It needs user namespaces: the server has its own loopback, so that its port can be
80.
"""

import html
import os
import re
import subprocess
import sys

PICTURE = "Docs/Images/terminal.svg"
COLUMNS = 100
COMMANDS = [
    ["post", "localhost/post", "name=Ada", "age:=36", "tags[]=math"],
    ["localhost/redirect/2", "--timings", "--quiet", "-o", "/dev/null"],
    ["localhost/status/503", "--fail", "--retry", "1"],
    ["from-curl", "--swift", "curl -H 'X-Team: wing' -d name=Ada http://localhost/post"],
]
#: How many lines of a command's output are shown.
LINES = 17

PALETTE = {
    30: "#484f58", 31: "#ff7b72", 32: "#7ee787", 33: "#e3b341", 34: "#79c0ff", 35: "#d2a8ff", 36: "#56d4dd", 37: "#c9d1d9",
    90: "#8b949e", 91: "#ffa198", 92: "#7ee787", 93: "#f2cc60", 94: "#a5d6ff", 95: "#e2c5ff", 96: "#76e3ea", 97: "#ffffff",
}
TEXT, BACKGROUND = "#c9d1d9", "#0d1117"
CELL, LINE, MARGIN = 8.4, 19, 16


def captured(airframe, arguments):
    """What a command writes to a terminal, line by line."""
    script = "Tests/CommandLineTests/Process/run_on_terminal.py"
    environment = dict(os.environ, TERM="xterm-256color", LANG="C.UTF-8")
    environment.pop("NO_COLOR", None)
    result = subprocess.run(
        [sys.executable, script, str(COLUMNS), "", airframe, *arguments], capture_output=True, env=environment, timeout=60
    )
    text = re.sub(r"[^\n]*\r(?!\n)", "", result.stdout.decode().replace("\r\n", "\n"))
    return text.rstrip("\n").split("\n")


def spans(line):
    """The pieces of a line with their colours: (text, colour, is bold, is dim)."""
    color, bold, dim = TEXT, False, False
    for part in re.split(r"(\x1b\[[0-9;]*[A-Za-z])", line):
        match = re.fullmatch(r"\x1b\[([0-9;]*)m", part)
        if not match:
            if part and not part.startswith("\x1b"):
                yield part, color, bold, dim
            continue
        for code in map(int, filter(None, (match.group(1) or "0").split(";"))):
            if code == 0:
                color, bold, dim = TEXT, False, False
            elif code == 1:
                bold = True
            elif code == 2:
                dim = True
            elif code in PALETTE:
                color = PALETTE[code]


def folded(line):
    """The line as a terminal of `COLUMNS` shows it: on as many rows as it takes."""
    rows, row, column = [], "", 0
    for part in re.split(r"(\x1b\[[0-9;]*[A-Za-z])", line):
        if part.startswith("\x1b"):
            row += part
            continue
        while column + len(part) > COLUMNS:
            rows.append(row + part[: COLUMNS - column])
            part, row, column = part[COLUMNS - column :], "", 0
        row += part
        column += len(part)
    return [*rows, row]


def draw(lines):
    """The picture of a terminal with these lines."""
    height = MARGIN * 2 + 24 + LINE * len(lines)
    width = MARGIN * 2 + int(CELL * COLUMNS)
    rows = []
    for number, line in enumerate(lines):
        column, cells = 0, []
        for text, color, bold, dim in spans(line):
            style = ' font-weight="bold"' if bold else ""
            style += ' opacity="0.65"' if dim else ""
            x = MARGIN + column * CELL
            length = f' textLength="{len(text) * CELL:.1f}"' if text.strip() else ""
            cells.append(f'<tspan x="{x:.1f}" fill="{color}"{style}{length}>{html.escape(text)}</tspan>')
            column += len(text)
        rows.append(f'<text y="{MARGIN + 38 + LINE * number}" xml:space="preserve">{"".join(cells)}</text>')
    colors = enumerate(["#ff5f56", "#ffbd2e", "#27c93f"])
    dots = "".join(f'<circle cx="{22 + 20 * n}" cy="20" r="6" fill="{color}"/>' for n, color in colors)
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" viewBox="0 0 {width} {height}">\n'
        f"<title>airframe on a terminal</title>\n"
        f'<rect width="100%" height="100%" rx="8" fill="{BACKGROUND}"/>{dots}\n'
        f'<g font-family="ui-monospace, DejaVu Sans Mono, Menlo, monospace" font-size="14">\n' + "\n".join(rows) + "\n</g>\n</svg>\n"
    )


def quoted(word):
    return f'"{word}"' if "'" in word else f"'{word}'" if re.search(r"[^\w./:=@,+-]", word) else word


def main():
    airframe, hangar = sys.argv[1:3]
    if os.environ.get("TERMINAL_NAMESPACE") is None:
        command = ["unshare", "--user", "--map-root-user", "--net", sys.executable, *sys.argv]
        sys.exit(subprocess.run(command, env=dict(os.environ, TERMINAL_NAMESPACE="1")).returncode)
    subprocess.run(["ip", "link", "set", "lo", "up"], check=True)
    server = subprocess.Popen([hangar, "--port", "80"], stdout=subprocess.PIPE, text=True)
    try:
        server.stdout.readline()
        lines = []
        for arguments in COMMANDS:
            lines.append(f"\x1b[32m$\x1b[0m \x1b[1mairframe {' '.join(map(quoted, arguments))}\x1b[0m")
            output = [row for line in captured(airframe, arguments) for row in folded(line)]
            lines += output[:LINES] + (["\x1b[2m…\x1b[0m"] if len(output) > LINES else []) + [""]
    finally:
        server.terminate()
        server.wait()
    os.makedirs(os.path.dirname(PICTURE), exist_ok=True)
    with open(PICTURE, "w", encoding="utf-8") as file:
        file.write(draw(lines[:-1]))
    print(f"{PICTURE}: {len(lines)} lines")


main()
