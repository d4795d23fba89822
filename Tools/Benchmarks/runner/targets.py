"""Airframe's targets: ratios to other clients of the same run, or absolute limits."""

from dataclasses import dataclass


def cpu(result):
    return result["cpuMicrosPerRequest"]


def median_latency(result):
    return result["p50Micros"]


def held_kibibytes(result):
    return (result["peakMiB"] - result["idleMiB"]) * 1024 / result["requests"]


def cpu_seconds(result):
    return cpu(result) * result["requests"] / 1e6


def extra_mebibytes(result):
    return result["peakMiB"] - result["idleMiB"]


@dataclass
class Target:
    scenario: str
    client: str
    what: str
    measure: object
    limit: float
    # None: the limit is absolute.
    base: str | None = None

    def row(self, results):
        """A row of the table of targets; None if a client was not measured."""
        if self.client not in results or (self.base and self.base not in results):
            return None
        measured = self.measure(results[self.client])
        if self.base:
            measured /= self.measure(results[self.base])
        goal = f"{self.client}: {self.what} ≤ {self.limit:g}" + (f" × {self.base}" if self.base else "")
        return f"| {goal} | {measured:.2f} | {'met' if measured <= self.limit else 'not met'} |"


SOCKET, CHAIN, CURL = "airframe/socket/transport", "airframe/socket/await", "airframe/curl/await"

TARGETS = (
    Target("get-64", SOCKET, "CPU", cpu, 1.35, "sockets"),
    Target("get-64", CHAIN, "CPU", cpu, 1.8, "sockets"),
    Target("get-64", CHAIN, "CPU", cpu, 1, "go"),
    Target("get-64", CURL, "CPU", cpu, 1.4, "libcurl"),
    Target("get-1", CHAIN, "CPU", cpu, 1.25, "sockets"),
    Target("get-1", CHAIN, "p50", median_latency, 1.25, "sockets"),
    Target("tls-64", CHAIN, "CPU", cpu, 1, "go"),
    Target("tls-1", CHAIN, "CPU", cpu, 1, "go"),
    Target("new-tls", SOCKET, "CPU", cpu, 1.1, "sockets"),
    Target("new-tls", "airframe/curl/transport", "CPU", cpu, 1.2, "libcurl"),
    Target("download", SOCKET, "CPU", cpu, 1.3, "sockets"),
    Target("download", SOCKET, "MiB above idle", extra_mebibytes, 16),
    Target("download-file", CHAIN, "CPU", cpu, 1.3, "sockets"),
    Target("download-file", CHAIN, "MiB above idle", extra_mebibytes, 16),
    Target("upload", SOCKET, "CPU", cpu, 1.3, "sockets"),
    Target("upload", SOCKET, "MiB above idle", extra_mebibytes, 16),
    Target("held-1000", SOCKET, "KiB a request", held_kibibytes, 12),
    Target("held-1000", SOCKET, "CPU seconds", cpu_seconds, 0.06),
    Target("held-h2", SOCKET, "KiB a request", held_kibibytes, 4),
    Target("start", "airframe/socket/alone", "ms", lambda result: result["wallMillis"], 9),
    Target("start", "airframe/socket/alone", "MiB", lambda result: result["peakMiB"], 18),
)
