"""Takes the steps of README's first request and of the tutorial literally, in empty folders, and times them.

Prints a table: what is read at 200 words a minute, what is typed at 200 characters a minute (files and commands, and
nothing is pasted), and how long the commands run. The reading begins with the first line of the document. A step that
fails, or whose last output is not what its text says, ends the walk.
"""

import os
import re
import shutil
import subprocess
import sys
import tempfile
import time

WORDS_A_MINUTE = 200
CHARACTERS_A_MINUTE = 200


class Step:
    """A heading with its prose, files and commands."""

    def __init__(self, title):
        self.title = title
        self.words = 0
        # (kind, path, text): kind is file, add, after or run.
        self.actions = []

    def typed(self):
        return sum(len(text) for _, _, text in self.actions)


def steps(text):
    """The steps of a document, one for each heading of the second level."""
    result = [Step("introduction")]
    lines = text.split("\n")
    index = 0
    while index < len(lines):
        line = lines[index]
        index += 1
        step = result[-1]
        if line.startswith("## "):
            result.append(Step(line[3:]))
        elif line.startswith("```"):
            block = []
            while not lines[index].startswith("```"):
                block.append(lines[index])
                index += 1
            index += 1
            match = re.fullmatch(r"```swift (\S+)(?: \((add|after) ?(.*)\))?", line)
            if match:
                path, kind, place = match.groups()
                step.actions.append((kind or "file", (path, place), "\n".join(block) + "\n"))
        elif line.startswith("    "):
            command = re.sub(r"\s+# .*", "", line.strip()) + "\n"
            while command.endswith("\\\n"):
                command = command[:-2] + lines[index].strip() + "\n"
                index += 1
            step.actions.append(("run", None, command))
        else:
            step.words += len(line.split())
    return result


def write(kind, target, text, folder):
    """Writes a file, or adds to it as the document says."""
    path = os.path.join(folder, target[0])
    if kind == "file":
        content = text
    else:
        with open(path) as file:
            content = file.read()
        if kind == "add":
            head, brace, _ = content.rpartition("}\n")
            content = head + text + brace
        else:
            line = f"    {target[1]}: [\n"
            assert line in content, f"{path} has no line {line!r}"
            content = content.replace(line, line + text)
    with open(path, "w") as file:
        file.write(content)


class Shell:
    """A shell in an empty folder, which keeps its folder and its jobs from command to command."""

    def __init__(self, environment):
        # It stays after a failure, so that one can look at it.
        self.root = self.folder = tempfile.mkdtemp(prefix="walk-")
        # An administrator needs no sudo, and may have none.
        sudo = 'sudo() { "$@"; }\n' if os.geteuid() == 0 else ""
        self.process = subprocess.Popen(
            ["bash", "-m"], cwd=self.folder, env=environment, text=True,
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        self.process.stdin.write(sudo)

    def run(self, command):
        """Runs a command, and returns its output."""
        # A command that reads standard input, as apt-get does, must not read the commands after it.
        self.process.stdin.write(f'{{ {command.strip()}\n}} </dev/null\necho "@@ $? $PWD"\n')
        self.process.stdin.flush()
        output = []
        for line in self.process.stdout:
            if line.startswith("@@ "):
                _, status, self.folder = line.split(maxsplit=2)
                self.folder = self.folder.strip()
                if status != "0":
                    sys.exit(f"{command.strip()} failed with status {status}:\n{''.join(output)}")
                return "".join(output)
            output.append(line)
        sys.exit(f"the shell ended during {command}")


def walk(name, document, last_title, expected, environment):
    """Takes the steps up to a title. The steps of `expected` must have the text there in their last line."""
    shell = Shell(environment)
    rows = []
    for step in document:
        if step.title not in expected:
            step.actions = [action for action in step.actions if last_title is None]
        started = time.monotonic()
        output = ""
        for kind, target, text in step.actions:
            if kind == "run":
                output += shell.run(text)
            else:
                write(kind, target, text, shell.folder)
        elapsed = time.monotonic() - started
        last = [line for line in output.strip().split("\n") if line.strip()][-1:] or [""]
        if expected.get(step.title, "") not in last[0]:
            sys.exit(f"{name}: {step.title} ended with {last[0]!r}")
        person = step.words / WORDS_A_MINUTE + step.typed() / CHARACTERS_A_MINUTE
        rows.append((person, elapsed))
        people, machine = (sum(column) for column in zip(*rows))
        print(
            f"| {name}: {step.title} | {step.words} | {step.typed()} | {person:.1f} | {people:.1f} | {elapsed:.0f} |"
            f" {machine:.0f} | {last[0][:80]} |", flush=True)
        if step.title == last_title:
            break
    shell.process.stdin.close()
    shell.process.wait()
    shutil.rmtree(shell.root)


def main():
    root = os.path.abspath(os.path.join(os.path.dirname(__file__), "../.."))
    # The answers that a user would give, and no upgrade of packages that are installed.
    settings = tempfile.NamedTemporaryFile("w", suffix=".conf")
    settings.write('APT::Get::Assume-Yes "true";\nAPT::Get::Upgrade "false";\n')
    settings.flush()
    environment = dict(
        os.environ, APT_CONFIG=settings.name, GIT_CONFIG_COUNT="1", GIT_CONFIG_KEY_0=f"url.{root}.insteadOf",
        GIT_CONFIG_VALUE_0="https://example.com/airframe.git")
    with open(os.path.join(root, "README.md")) as file:
        readme = steps(file.read())
    with open(os.path.join(root, "Docs/Guides/Tutorial.md")) as file:
        tutorial = steps(file.read())
    print(
        "| step | words | characters | minutes read and typed | in all | seconds of commands | in all |"
        " last line of output |")
    print("|---|---|---|---|---|---|---|---|", flush=True)
    walk("README", readme, "Your first request", {"Your first request": "Ada"}, environment)
    tested = {"Step 4: test it": "1 test in 1 suite passed", "Step 5: change users, and test failures": "4 tests"}
    walk("Tutorial", tutorial, None, tested | {"Step 6: use the client in a program": "Ada"}, environment)


main()
