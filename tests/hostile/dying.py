"""Bodies that end their process, or raise what is no error."""

import ctypes
import os
import signal
import sys
import threading

from harness import always, claim


def _unit(forall):
    return forall.interval("x", 0.0, 1.0)


@claim("dying/exit", always())
def leaves(forall):
    """Ends its process."""
    os._exit(0)


@claim("dying/exit-later", always())
def leaves_later(forall):
    """Ends its process in the middle of the search."""
    x = _unit(forall)
    if len(x) > 16:
        os._exit(3)
    return x, 1.0


@claim("dying/segfault", always())
def segfault(forall):
    """Reads address zero."""
    ctypes.string_at(0)


@claim("dying/abort", always())
def abort(forall):
    """Aborts."""
    os.abort()


@claim("dying/kills-itself", always())
def kills_itself(forall):
    """As the kernel does when memory runs out."""
    os.kill(os.getpid(), signal.SIGKILL)


@claim("dying/kills-its-group", always())
def kills_its_group(forall):
    """Kills whoever shares its group."""
    os.killpg(0, signal.SIGKILL)


@claim("dying/kills-its-keeper", always())
def kills_its_keeper(forall):
    """Kills the process that started it."""
    os.kill(os.getppid(), signal.SIGKILL)
    signal.pause()


@claim("dying/stops-its-keeper", always())
def stops_its_keeper(forall):
    """Stops the process that started it, and ends."""
    os.kill(os.getppid(), signal.SIGSTOP)
    os._exit(1)


@claim("dying/interrupts-itself", always())
def interrupts_itself(forall):
    """As if the user had pressed Ctrl-C."""
    os.kill(os.getpid(), signal.SIGINT)
    signal.pause()


@claim("dying/thread-exits", always())
def thread_exits(forall):
    """A thread of its own ends the process."""
    threading.Thread(target=os._exit, args=(7,)).start()
    signal.pause()


@claim("dying/deep", always())
def deep(forall):
    """Recurses until the stack of C is gone."""
    sys.setrecursionlimit(2**31 - 1)

    class Endless:
        def __repr__(self):
            return repr(self)

    return _unit(forall), repr(Endless())


@claim("dying/recursion", always())
def recursion(forall):
    """Recurses."""
    return recursion(forall)


class Rude(BaseException):
    """No Exception."""


@claim("dying/base-exception", always())
def base_exception(forall):
    """Raises what `except Exception` does not catch."""
    raise Rude("not an Exception")


@claim("dying/keyboard-interrupt", always())
def keyboard_interrupt(forall):
    """Raises what stands for the user."""
    raise KeyboardInterrupt


@claim("dying/system-exit", always())
def system_exit(forall):
    """Leaves by sys.exit."""
    sys.exit(0)


@claim("dying/generator-exit", always())
def generator_exit(forall):
    """Raises GeneratorExit."""
    raise GeneratorExit


@claim("dying/stop-iteration", always())
def stop_iteration(forall):
    """Raises StopIteration."""
    raise StopIteration


class Mute(Exception):
    """Has no text."""

    def __str__(self):
        raise RuntimeError("no text either")


@claim("dying/mute", always())
def mute(forall):
    """Raises an exception that cannot be printed."""
    raise Mute


@claim("dying/novel", always())
def novel(forall):
    """Raises an exception of 50 MB, with lines and escape sequences."""
    raise ValueError("\x1b[31mred\n" * 5_000_000)
