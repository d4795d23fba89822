"""Counters of a client process's operations for a number of requests."""

import json
import os
import re
import shutil
import subprocess
from pathlib import Path


def run(command, requests, environment=(), quiet=True):
    """Runs a client's command line with another number of requests and a fixed warm-up, which cancels out."""
    command = [*command, "--requests", str(requests), "--warmup", "20"]
    ran = subprocess.run(command, capture_output=True, text=True, timeout=600, env=os.environ | dict(environment))
    try:
        failures = json.loads(ran.stdout)["failures"]
    except ValueError:
        raise SystemExit(f"bench-count: {' '.join(map(str, command))} ended with {ran.returncode}: {ran.stderr[-500:]}")
    if failures:
        raise SystemExit(f"bench-count: {' '.join(map(str, command))}: {failures} failures")
    return ran


class CallCounter:
    """Counts allocations, retains and similar calls by libCountCalls.so."""

    def __init__(self, programs, folder):
        self._library = programs / "libCountCalls.so"
        self._file = folder / "calls.json"

    def count(self, command, requests):
        run(command, requests, {"LD_PRELOAD": str(self._library), "COUNT_CALLS": str(self._file)})
        counts = json.loads(self._file.read_text())
        # The allocated memory grows with the requests only if there is a leak.
        return counts | {"unfreed": counts["mallocs"] - counts["frees"]}


class SystemCallCounter:
    """Counts system calls, and futex calls among them, by perf."""

    def count(self, command, requests):
        events = "raw_syscalls:sys_enter,syscalls:sys_enter_futex"
        ran = run(["perf", "stat", "-x,", "-e", events, *command], requests)
        numbers = re.findall(r"^(\d+),", ran.stderr, re.MULTILINE)
        if len(numbers) != 2:
            return {}
        return {"syscalls": int(numbers[0]), "futexes": int(numbers[1])}


class InstructionCounter:
    """Counts user instructions by callgrind, on copies without debug information: valgrind 3.19 cannot read Swift's."""

    def __init__(self, programs, folder):
        self._shim = programs / "libUnderValgrind.so"
        self._folder = folder
        self._stripped = {}

    def count(self, command, requests):
        if not shutil.which("valgrind"):
            return {}
        place = next(index for index, word in enumerate(command) if "/bench-" in word)
        copies = self._strip(command[place])
        output = self._folder / "callgrind.out"
        words = [*command[:place], "valgrind", "--tool=callgrind", f"--callgrind-out-file={output}"]
        words += [str(copies / Path(command[place]).name), *command[place + 1:]]
        run(words, requests, {"LD_PRELOAD": str(self._shim), "LD_LIBRARY_PATH": str(copies)})
        return self._read(output)

    def _strip(self, program):
        if program not in self._stripped:
            folder = self._folder / Path(program).name
            folder.mkdir()
            libraries = subprocess.run(["ldd", program], capture_output=True, text=True, check=True).stdout
            swift = [path for path in re.findall(r"=> (\S+)", libraries) if "/swift/" in path]
            for path in (program, *swift):
                subprocess.run(["strip", "-g", "-o", folder / Path(path).name, path], check=True)
            self._stripped[program] = folder
        return self._stripped[program]

    @staticmethod
    def _read(output):
        """The total, and the shares of libraries and functions, self and inclusive."""
        counts = {}
        for share, inclusive in (("self", "no"), ("inclusive", "yes")):
            command = ["callgrind_annotate", f"--inclusive={inclusive}", "--threshold=100", "--show-percs=no", output]
            text = subprocess.run(command, capture_output=True, text=True, check=True).stdout
            text = subprocess.run(["swift", "demangle", "--simplified", "--compact"], input=text,
                                  capture_output=True, text=True, check=True).stdout
            for number, name in re.findall(r"^\s*([\d,]+)\s+(\S.*)$", text, re.MULTILINE):
                number = int(number.replace(",", ""))
                if name.startswith("PROGRAM TOTALS"):
                    counts["instructions"] = number
                    continue
                function = re.sub(r"^[^: ]*:(?=\S)|\s*\[[^\]]*\]$", "", name)
                library = re.search(r"\[([^\]]*)\]$", name)
                keys = [(share, function)]
                if share == "self":
                    keys.append(("library", Path(library[1]).name if library else "?"))
                for key in keys:
                    counts[key] = counts.get(key, 0) + number
        return counts
