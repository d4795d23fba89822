"""Runs a command on a pseudo-terminal: run_on_terminal.py COLUMNS KEYS COMMAND…

Writes what the command writes to the terminal. KEYS are sent one by one after the first output, each once the terminal
has been quiet for half a second; `^C` in them is an interrupt. The exit status is the command's.
"""
import fcntl
import os
import pty
import select
import struct
import sys
import termios

columns, keys, command = int(sys.argv[1]), sys.argv[2].replace("^C", "\x03"), sys.argv[3:]
process, terminal = pty.fork()
if process == 0:
    os.execvp(command[0], command)
fcntl.ioctl(terminal, termios.TIOCSWINSZ, struct.pack("HHHH", 24, columns, 0, 0))
has_written = False
while True:
    ready, _, _ = select.select([terminal], [], [], 0.5 if keys and has_written else None)
    if not ready:
        os.write(terminal, keys[:1].encode())
        keys = keys[1:]
        continue
    try:
        data = os.read(terminal, 65536)
    except OSError:
        break
    if not data:
        break
    has_written = True
    sys.stdout.buffer.write(data)
    sys.stdout.buffer.flush()
_, status = os.waitpid(process, 0)
sys.exit(os.waitstatus_to_exitcode(status) if os.WIFEXITED(status) else 128 + os.WTERMSIG(status))
