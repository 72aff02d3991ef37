"""Bodies that start processes and threads and leave them behind; the marker names them to the test."""

import atexit
import multiprocessing
import os
import subprocess
import sys
import threading
import time

from harness import always, claim

MARKER = "tightrope-hostile-child"
SLEEPER = [sys.executable, "-c", f"import time; {MARKER!r}; time.sleep(3600)"]
_once = set()


def _first(name):
    """Whether this is the first call in this process."""
    new = name not in _once
    _once.add(name)
    return new


def _unit(forall):
    return forall.interval("x", 0.0, 1.0)


@claim("children/fork", always())
def forks(forall):
    """Forks, and both return."""
    if _first("fork"):
        os.fork()
    return _unit(forall), 1.0


@claim("children/subprocess", always())
def starts_a_program(forall):
    """Leaves a program running."""
    if _first("subprocess"):
        subprocess.Popen(SLEEPER)
    return _unit(forall), 1.0


@claim("children/session", always())
def starts_a_session(forall):
    """Leaves a program running in a session of its own."""
    if _first("session"):
        subprocess.Popen(SLEEPER, start_new_session=True)
    return _unit(forall), 1.0


@claim("children/daemon", always())
def becomes_a_daemon(forall):
    """Forks twice, as daemons do, and closes everything it has inherited."""
    if _first("daemon"):
        child = os.fork()
        if child == 0:
            os.setsid()
            if os.fork() == 0:
                os.closerange(0, 1024)
                os.execv(SLEEPER[0], SLEEPER)
            os._exit(0)
        os.waitpid(child, 0)
    return _unit(forall), 1.0


@claim("children/multiprocessing", always())
def starts_a_process(forall):
    """Leaves a child of `multiprocessing` that would be joined at the end."""
    if _first("multiprocessing"):
        multiprocessing.get_context("fork").Process(target=time.sleep, args=(3600.0,)).start()
    return _unit(forall), 1.0


@claim("children/thread", always())
def starts_a_thread(forall):
    """Leaves a thread running that keeps an interpreter alive."""
    if _first("thread"):
        threading.Thread(target=threading.Event().wait).start()
    return _unit(forall), 1.0


@claim("children/daemon-thread", always())
def starts_a_daemon_thread(forall):
    """Leaves a busy thread running."""

    def work():
        while True:
            time.sleep(0.01)

    if _first("daemon-thread"):
        threading.Thread(target=work, daemon=True).start()
    return _unit(forall), 1.0


@claim("children/at-exit", always())
def hooks_the_exit(forall):
    """Would hang or print when its process ends."""
    if _first("at-exit"):
        atexit.register(time.sleep, 3600.0)
    return _unit(forall), 1.0


@claim("children/forks-and-loops", always())
def forks_and_loops(forall):
    """Forks in a session of its own, and never comes back."""
    if os.fork() == 0:
        os.setsid()
    while True:
        time.sleep(1.0)
