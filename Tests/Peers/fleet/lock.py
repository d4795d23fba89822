"""A pid file whose holder is known to live: the kernel drops the lock when the process ends."""

import contextlib
import fcntl
import os
import signal
import time


class Lock:
    def __init__(self, path):
        self.path = path
        self.file = None

    def take(self):
        """Locks the file and writes this process's id into it; False when another process holds it."""
        self.file = open(self.path, "a+")
        try:
            fcntl.flock(self.file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            self.file.close()
            return False
        self.file.truncate(0)
        self.file.write(str(os.getpid()))
        self.file.flush()
        return True

    def holder(self):
        """The id of the process that holds the lock, None when none does."""
        try:
            with open(self.path) as file:
                try:
                    fcntl.flock(file, fcntl.LOCK_SH | fcntl.LOCK_NB)
                    return None
                except BlockingIOError:
                    return int(file.read() or 0)
        except FileNotFoundError:
            return None

    def stop_holder(self, patience):
        """Asks the holder to end and waits for `patience` seconds; True once nobody holds the lock."""
        deadline = time.monotonic() + patience
        asked = False
        while (holder := self.holder()) is not None:
            if holder and not asked:
                with contextlib.suppress(ProcessLookupError):
                    os.kill(holder, signal.SIGTERM)
                asked = True
            if time.monotonic() > deadline:
                return False
            time.sleep(0.02)
        return True
