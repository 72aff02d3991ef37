"""Bodies that print, close what they have not opened, and write where they should not."""

import os
import sys
import warnings
from pathlib import Path

from harness import always, claim

BLOCK = b"tightrope-hostile-noise " * 43_691  # 1 MiB


_printed = [False]


def _unit(forall):
    return forall.interval("x", 0.0, 1.0)


@claim("talking/prints", always())
def prints(forall):
    """Prints 200 MB, a third of it as errors."""
    if not _printed[0]:
        _printed[0] = True
        for _ in range(67):
            os.write(1, BLOCK)
            os.write(2, BLOCK)
            sys.stdout.write(BLOCK.decode())
    return _unit(forall), 1.0


@claim("talking/closes-output", always())
def closes_output(forall):
    """Closes its output, the file objects and below them."""
    sys.stdout.close()
    sys.stderr.close()
    os.close(1)
    os.close(2)
    return _unit(forall), 1.0


@claim("talking/closes-everything", always())
def closes_everything(forall):
    """Closes every descriptor that it has inherited, also the one that its answers take."""
    os.closerange(0, 1024)
    return _unit(forall), 1.0


@claim("talking/garbles", always())
def garbles(forall):
    """Writes into every descriptor that it has inherited."""
    for descriptor in range(3, 256):
        try:
            os.write(descriptor, b'{"data": {"forged": true}}\n\xff\xff\xff\xff garbage\n')
        except OSError:
            continue
    return _unit(forall), 1.0


@claim("talking/replaces-stdout", always())
def replaces_stdout(forall):
    """Leaves no object to print to."""
    sys.stdout = sys.stderr = None
    return _unit(forall), 1.0


@claim("talking/warns", always())
def warns(forall):
    """Warns at every call, in another line each time."""
    x = _unit(forall)
    warnings.warn(f"tightrope-hostile-noise {len(x)} {id(x)}", stacklevel=1)
    return x, 1.0


@claim("talking/terminal", always())
def terminal(forall):
    """Writes to the terminal, past its output."""
    Path("/dev/tty").write_text("tightrope-hostile-noise", encoding="utf-8")
    return _unit(forall), 1.0


@claim("talking/deletes-its-file", always())
def deletes_its_file(forall):
    """Deletes its own source: claims of the same file are still to be judged."""
    Path(__file__).unlink(missing_ok=True)
    return _unit(forall), 1.0


@claim("talking/neighbour", always(), expected="refuted")
def neighbour(forall):
    """Stands behind the one that deletes this file."""
    return _unit(forall), 0.9
