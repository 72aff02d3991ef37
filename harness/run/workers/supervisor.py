"""The parent's thread for its workers: it hands out jobs, receives answers and output, and enforces the limits."""

import contextlib
import json
import os
import selectors
import signal
import socket
import time
from collections import deque
from collections.abc import Callable, Hashable, Iterable
from functools import partial

from harness.errors import WorkerLost
from harness.numbers import size
from harness.run.workers.channel import Channel, Garbled, Job
from harness.run.workers.keeper import PATIENCE
from harness.run.workers.processes import alive, kill_tree, memory

TICK = 0.1  # seconds between two checks of time and memory
LONGEST_TICK = 1.0  # seconds per check that count as time spent: a suspended parent cannot watch its workers
SILENCE = 10.0  # seconds without the keeper's word about a start, until it is replaced
ANSWERED = 0.5  # seconds to say where it is, for a worker whose time is up
GRACE = 5.0  # seconds between a closed channel and the keeper's word about the end
Hire = Callable[[Iterable[socket.socket]], tuple[int, socket.socket]]  # of a keeper: its id, our end of its stream
FROM_OUTSIDE = {-number for number in (signal.SIGKILL, signal.SIGTERM, signal.SIGINT, signal.SIGHUP)}


class Supervisor:
    """All workers of one executor; used by one thread, after it was made in the thread that hires the keeper.

    `bell` is the pair of sockets that wakes it: it listens to the first.
    """

    def __init__(
        self, jobs: int, time_limit: float, memory_limit: int, bell: tuple[socket.socket, socket.socket], hire: Hire
    ) -> None:
        self.jobs, self.time_limit, self.memory_limit, self.bell = jobs, time_limit, memory_limit, bell
        self.hire = hire
        self.queue: deque[Job] = deque()
        self.busy: list[Channel] = []
        self.idle: list[Channel] = []  # the one that has waited longest stands first
        self.expected: deque[Channel] = deque()  # requested and not yet forked
        self.spent: dict[Hashable, float] = {}
        self.lost: dict[Hashable, WorkerLost] = {}
        self.selector = selectors.DefaultSelector()
        self.selector.register(bell[0], selectors.EVENT_READ, self._woken)
        self.last = time.monotonic()
        self._hire_keeper()

    # the thread

    def add(self, job: Job) -> None:
        """Queue a job."""
        self.queue.append(job)

    def step(self) -> None:
        """Hand out what can be done now, wait for news or the next tick, and look after everybody."""
        self._hand_out()
        for key, _ in self.selector.select(TICK if self.busy else None):
            known = self.selector.get_map().get(key.fd)
            if known is not None and known.data is key.data:  # an event before this one may have closed it
                key.data()
        now = time.monotonic()
        if now - self.last > TICK / 2:  # who prints much makes many steps, and /proc takes time
            self._look(min(now - self.last, LONGEST_TICK))
            self.last = now

    def end(self) -> None:
        """End all workers and the keeper."""
        for channel in [*self.busy, *self.idle]:
            self._dismiss(channel)
        self._fire_keeper()
        self.selector.close()

    def _woken(self) -> None:
        self.bell[0].recv(4096)

    # jobs

    def _hand_out(self) -> None:
        while self.queue and len(self.busy) < self.jobs and not any(c.job and c.job.alone for c in self.busy):
            if self.queue[0].alone and self.busy:
                return
            job = self._next()
            if not job.future.running() and not job.future.set_running_or_notify_cancel():
                continue
            if job.group in self.lost:
                job.future.set_exception(self.lost[job.group])
            else:
                self._give(job)
        while len(self.idle) > self.jobs:
            self._dismiss(self.idle[0])

    def _next(self) -> Job:
        """The first job with an idle worker at its home, else with none at work there, else the first one.

        So what calls share is computed once as far as possible, and workers are seldom dismissed before their time.
        """
        if self.queue[0].alone:
            return self.queue.popleft()
        idle, busy = ({channel.home for channel in some} for some in (self.idle, self.busy))
        job = min(self.queue, key=lambda job: (job.alone, job.home not in idle, job.home in busy))
        self.queue.remove(job)
        return job

    def _give(self, job: Job) -> None:
        channel = next((c for c in self.idle if c.home == job.home and not c.deaf), None)
        if channel is None:
            channel = self._hire(job.home)
        try:
            channel.give(job)
        except Exception as error:  # it cannot be pickled
            job.future.set_exception(error)
            return
        self.idle.remove(channel)
        self.busy.append(channel)
        self._listen(channel)

    def _moved(self, channel: Channel) -> None:
        """A worker takes more of its job, or has something to say."""
        channel.flush()
        try:
            outcome = channel.answer()
        except Garbled:
            self._lose(channel, "sent an invalid answer: it writes into descriptors that are not its own")
            return
        if outcome is not None and channel.job is not None:
            job, channel.job = channel.job, None
            self.busy.remove(channel)
            self.idle.append(channel)
            job.future.set_result(outcome)
        if channel.deaf:
            self.selector.unregister(channel.tasks)
        else:
            self._listen(channel)

    def _listen(self, channel: Channel) -> None:
        events = selectors.EVENT_READ | (selectors.EVENT_WRITE if channel.unsent else 0)
        self.selector.modify(channel.tasks, events, partial(self._moved, channel))

    def _printed(self, channel: Channel) -> None:
        if not channel.drain():
            self.selector.unregister(channel.output)

    # workers

    def _hire(self, home: Hashable) -> Channel:
        channel = Channel(home)
        with contextlib.suppress(OSError):  # a keeper that is gone: noticed where it is heard
            channel.request(self.keeper)
        self.expected.append(channel)
        self.idle.append(channel)
        self.selector.register(channel.output, selectors.EVENT_READ, partial(self._printed, channel))
        self.selector.register(channel.tasks, selectors.EVENT_READ, partial(self._moved, channel))
        return channel

    def _dismiss(self, channel: Channel) -> None:
        """Kill a worker with everything that it has started."""
        if channel.closed:
            return
        if channel.pid is not None:
            kill_tree(channel.pid)
        for each in (channel.output, channel.tasks):
            if each.fileno() in self.selector.get_map():
                self.selector.unregister(each)
        channel.close()
        for shelf in (self.busy, self.idle):
            if channel in shelf:
                shelf.remove(channel)

    def _lose(self, channel: Channel, reason: str) -> None:
        """End all workers of a group, whose claim gets no verdict."""
        channel.drain()
        loss = WorkerLost(reason + channel.last_words(), self.spent.get(channel.group, 0.0))
        self.lost[channel.group] = loss
        for each in [c for c in (*self.busy, *self.idle) if c.group == channel.group]:
            self._dismiss(each)
            if each.job is not None:
                each.job.future.set_exception(loss)

    def _overdue(self, channel: Channel) -> None:
        """End a group whose time is up, once a worker of it has said where it is."""
        if not channel.asked:
            channel.ask_where()
        channel.drain()
        place = channel.place()
        if place or time.monotonic() - channel.asked > ANSWERED:
            self._lose(channel, f"{self._late}{place}")

    @property
    def _late(self) -> str:
        return f"stopped after {self.time_limit:g} s of --time-limit (all its cells together)"

    def _died(self, channel: Channel, status: int) -> None:
        """A worker has ended by itself, or was killed; the latter is tried again, alone."""
        job = channel.job
        if job is None:
            self._dismiss(channel)
        elif channel.asked:  # who does not answer may die of the question
            self._lose(channel, self._late)
        elif status not in FROM_OUTSIDE:
            self._lose(channel, _manner(status))
        elif job.alone:
            hint = "; too little memory is the usual cause" if status == -signal.SIGKILL else ""
            self._lose(channel, f"{_manner(status)} twice, the second time alone{hint}")
        else:
            self._dismiss(channel)
            job.alone = True
            self.queue.append(job)

    def _look(self, passed: float) -> None:
        """Charge the elapsed time to the workers, and measure their memory."""
        for channel in list(self.busy):
            if channel.closed:
                continue
            if self.ready and (channel.pid is None or channel.deaf):
                channel.waiting += passed
            if channel.pid is None:
                if channel.waiting > SILENCE:
                    os.kill(self.keeper_pid, signal.SIGKILL)  # the end of its stream brings another one
                continue
            spent = self.spent[channel.group] = self.spent.get(channel.group, 0.0) + channel.charge(passed)
            if spent > self.time_limit:
                self._overdue(channel)
            elif channel.deaf and channel.waiting > GRACE:
                if alive(channel.pid):
                    self._lose(channel, "closed the descriptor for its answers")
                else:  # it is dead and the keeper has not said so
                    os.kill(self.keeper_pid, signal.SIGKILL)
        for channel in [*self.busy, *self.idle]:
            if not channel.closed and channel.pid and memory(channel.pid, self.memory_limit) > self.memory_limit:
                self._lose(channel, f"took more than {size(self.memory_limit)} of --memory-limit")

    # the keeper

    def _hire_keeper(self) -> None:
        channels = [*self.busy, *self.idle]
        foreign = [*self.bell, *(each for channel in channels for each in channel.sockets())]
        self.keeper_pid, self.keeper = self.hire(foreign)
        self.words = b""
        self.ready = False
        self.selector.register(self.keeper, selectors.EVENT_READ, self._told)

    def _fire_keeper(self) -> None:
        """Close its stream, upon which it kills what is below it and ends; wait for that."""
        self.selector.unregister(self.keeper)
        self.keeper.close()
        deadline = time.monotonic() + PATIENCE
        with contextlib.suppress(ChildProcessError):
            while os.waitpid(self.keeper_pid, os.WNOHANG)[0] == 0:
                if time.monotonic() > deadline:
                    os.kill(self.keeper_pid, signal.SIGKILL)
                time.sleep(0.002)

    def _told(self) -> None:
        """The keeper's word about starts and ends."""
        try:
            data = self.keeper.recv(65536)
        except OSError:
            data = b""
        if not data:
            self._replace_keeper()
            return
        *lines, self.words = (self.words + data).split(b"\n")
        for line in lines:
            word = json.loads(line)
            if "ready" in word:
                self.ready = True
            elif "started" in word:
                channel = self.expected.popleft()
                channel.pid, channel.waiting = word["started"], 0.0
                if channel.closed:
                    kill_tree(word["started"])
            else:
                self._ended(word["ended"], word["status"])

    def _ended(self, pid: int, status: int) -> None:
        channel = next((c for c in (*self.busy, *self.idle) if c.pid == pid), None)
        if channel is None:
            return  # dismissed
        if not channel.deaf:
            self._moved(channel)  # its last answer
        if not channel.closed:
            self._died(channel, status)

    def _replace_keeper(self) -> None:
        """The keeper is gone, and all workers with it."""
        self._fire_keeper()
        self.expected.clear()
        for channel in [*self.busy, *self.idle]:
            if channel.pid is None and channel.job is not None:  # never begun
                self.queue.appendleft(channel.job)
                self._dismiss(channel)
            else:
                self._died(channel, -signal.SIGKILL)
        self._hire_keeper()


def _manner(status: int) -> str:
    """How a process ended."""
    if status >= 0:
        return f"ended its process with exit code {status}"
    try:
        return f"died of {signal.Signals(-status).name}"
    except ValueError:
        return f"died of signal {-status}"
