#!/usr/bin/env python3
"""Faults in jobs of 2 to 4 processes on one machine, of random kinds, at random times, in random processes:

    fault_drill.py WORKER PLUGIN [--seconds S] [--seed N] [--kind KIND]

Each drill starts WORKER (conformance/job_worker.c) in every process, which executes random collectives and checks the results, and
does something to one process, the victim, mostly while they connect:

    kill    SIGKILL: the others report UNAVAILABLE, which names the victim
    stop    SIGSTOP: the same at the deadline; the victim gets an error when it goes on
    pause   SIGSTOP for less than the deadline: all succeed
    leave   it ends before the others: as kill
    late    it starts later: all succeed
    absent  it does not start: the others name the process that is missing
    cut     its link goes down, in network namespaces, which only root can make: as kill, within 8 s

After an error a process executes a program of its own; it ends with exit code 0, and nothing is left in /dev/shm. A drill depends on
the seed and its number. The last line is 'N passed, N failed, N skipped'."""
import argparse
import collections
import os
import random
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time

DEADLINE = 4  # seconds of GANTRY_COLLECTIVE_TIMEOUT of jobs with a process that is stopped
PATIENCE = 60  # of the others
CUT_LIMIT = 8
SLACK = 5  # seconds more than promised that a busy machine may take
ENDLESS = 10**9
UNAVAILABLE, DEADLINE_EXCEEDED = "14", "4"


class Failure(Exception):
    pass


class Process:
    """A worker, and the lines that it has printed, with their times."""

    def __init__(self, command, environment):
        self.child = subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        self.lines, self.has_ended, self.changed = [], False, threading.Condition()
        self.reader = threading.Thread(target=self.read, daemon=True)
        self.reader.start()

    def read(self):
        for line in self.child.stdout:
            with self.changed:
                self.lines.append((time.monotonic(), line.rstrip()))
                self.changed.notify_all()
        with self.changed:
            self.has_ended = True
            self.changed.notify_all()

    def find(self, word):
        return next(((when, line) for when, line in self.lines if line.split(" ")[0] == word), None)

    def wait(self, word, limit):
        """Time and text of the first line that begins with the word."""
        end = time.monotonic() + limit
        with self.changed:
            while not self.find(word):
                if self.has_ended:
                    raise Failure(f"ended without '{word}', exit code {self.child.wait(20)}")
                if not self.changed.wait(max(0, end - time.monotonic())) and time.monotonic() > end:
                    raise Failure(f"no '{word}' within {limit:.0f} s")
            return self.find(word)

    def end(self):
        self.wait("done", 20 + SLACK)
        if self.child.wait(20 + SLACK):
            raise Failure(f"exit code {self.child.returncode}")


class Namespaces:
    """A network namespace for each process, and a bridge between them."""

    def __init__(self, count):
        self.names = [f"gantry{os.getpid()}p{i}" for i in range(count + 1)]
        bridge = self.names[count]
        self.run("netns", "add", bridge)
        self.run("-n", bridge, "link", "add", "bridge", "type", "bridge")
        self.run("-n", bridge, "link", "set", "bridge", "up")
        for i, name in enumerate(self.names[:count]):
            self.run("netns", "add", name)
            self.run("-n", name, "link", "set", "lo", "up")
            self.run("-n", name, "link", "add", "wire", "type", "veth", "peer", "name", f"port{i}", "netns", bridge)
            self.run("-n", name, "addr", "add", f"10.213.0.{i + 1}/24", "dev", "wire")
            self.run("-n", name, "link", "set", "wire", "up")
            self.run("-n", bridge, "link", "set", f"port{i}", "master", "bridge", "up")
        for name in self.names[:count]:
            self.await_wire(name)

    @staticmethod
    def run(*arguments):
        return subprocess.run(["ip", *arguments], check=True, capture_output=True, text=True).stdout

    def await_wire(self, name):
        """The system says a moment later that an interface is running; a process that starts before does not use it."""
        end = time.monotonic() + 5
        while "state UP" not in self.run("-n", name, "-o", "link", "show", "wire"):
            if time.monotonic() > end:
                raise Failure(f"the interface of {name} does not run")
            time.sleep(0.005)

    def prefix(self, i):
        return ["ip", "netns", "exec", self.names[i]]

    def cut(self, i):
        """Lets the interface of the process look well, as when a switch fails."""
        self.run("-n", self.names[-1], "link", "set", f"port{i}", "nomaster")

    def remove(self):
        for name in self.names:
            subprocess.run(["ip", "netns", "del", name], check=False, capture_output=True)


def has_namespaces():
    if os.geteuid() or not shutil.which("ip"):
        return False
    made = None
    try:
        made = Namespaces(1)
        return True
    except subprocess.CalledProcessError:
        return False
    finally:
        if made:
            made.remove()


class Drill:
    """A job whose processes have all begun, except for those in `absent`."""

    def __init__(self, options, random_numbers, folder, kind):
        self.random, self.kind, self.folder, self.options = random_numbers, kind, folder, options
        self.count, self.devices = self.random.randint(2, 4), self.random.randint(1, 2)
        self.victim = self.random.randrange(self.count)
        self.delay, self.seed = self.random.random() ** 4, self.random.randrange(2**32)
        self.processes, self.namespaces = {}, None

    def __str__(self):
        return f"{self.kind} {self.victim} of {self.count} processes with {self.devices} devices after {self.delay:.2f} s"

    def start(self, i, count=ENDLESS):
        deadline = DEADLINE if self.kind == "stop" else PATIENCE
        environment = dict(os.environ, GANTRY_CPU_DEVICES=str(self.devices), GANTRY_COLLECTIVE_TIMEOUT=str(deadline),
                           GANTRY_TOPOLOGY_TIMEOUT="2" if self.kind == "absent" else "60")
        command = [self.options.worker, self.options.plugin, self.folder, str(i), str(self.count), "run", str(self.seed), str(count)]
        if self.namespaces:  # on one machine shared memory would connect them
            environment["UCX_TLS"] = "tcp"
        prefix = self.namespaces.prefix(i) if self.namespaces else []
        self.processes[i] = Process(prefix + command, environment)

    def start_all(self, count=ENDLESS, of_victim=None, late=0):
        for i in range(self.count):
            if i != self.victim:
                self.start(i, count)
        time.sleep(late)
        self.start(self.victim, of_victim or count)
        for process in self.processes.values():
            process.wait("ready", 60)

    def survivors(self):
        return [process for i, process in self.processes.items() if i != self.victim]

    def expect_errors(self, begin, least, most, code=UNAVAILABLE):
        """Of all survivors, which run on. Returns the longest time."""
        longest = 0
        for process in self.survivors():
            when, line = process.wait("error", most + SLACK + 1)
            _, _, found, text = line.split(" ", 3)
            longest = max(longest, when - begin)
            if found != code or f"process {self.victim}" not in text or "host" not in text and code == UNAVAILABLE:
                raise Failure(line)
            if not least <= when - begin <= most + SLACK:
                raise Failure(f"an error after {when - begin:.1f} s; allowed: {least} to {most}")
            process.wait("local", 10 + SLACK)
            process.end()
        return longest

    def expect_success(self):
        for process in self.processes.values():
            process.wait("done", 60)
            if process.find("error"):
                raise Failure(process.find("error")[1])
            process.end()

    def strike(self, number):
        time.sleep(self.delay)
        begin = time.monotonic()
        self.processes[self.victim].child.send_signal(number)
        return begin

    def kill(self):
        self.start_all()
        return self.expect_errors(self.strike(signal.SIGKILL), 0, 1)

    def leave(self):
        self.start_all(of_victim=self.random.randint(1, 50))
        return self.expect_errors(self.processes[self.victim].wait("done", 60)[0], -SLACK, 1)

    def stop(self):
        self.start_all()
        longest = self.expect_errors(self.strike(signal.SIGSTOP), DEADLINE - 1, DEADLINE + 1)
        self.processes[self.victim].child.send_signal(signal.SIGCONT)
        self.processes[self.victim].wait("error", 20)
        self.processes[self.victim].end()
        return longest

    def pause(self):
        self.start_all(count=100)
        self.strike(signal.SIGSTOP)
        time.sleep(1)
        self.processes[self.victim].child.send_signal(signal.SIGCONT)
        self.expect_success()

    def late(self):
        self.start_all(count=50, late=self.delay)
        self.expect_success()

    def absent(self):
        for i in range(self.count):
            if i != self.victim:
                self.start(i)
        for process in self.survivors():
            _, line = process.wait("error", 40)
            if line.split(" ", 3)[2] != DEADLINE_EXCEEDED or self.victim and "process 0" in line:
                raise Failure(line)
            if self.victim and process is self.processes[0] and f"in time: {self.victim}." not in line:
                raise Failure(line)
            process.end()

    def cut(self):
        self.namespaces = Namespaces(self.count)
        self.start_all()
        time.sleep(self.delay)
        begin = time.monotonic()
        self.namespaces.cut(self.victim)
        return self.expect_errors(begin, 0, CUT_LIMIT)

    def run(self):
        try:
            return getattr(self, self.kind)()
        except Failure as failure:
            last = "\n".join(f"  process {i}: {line}" for i, process in self.processes.items() for _, line in process.lines[-3:])
            raise Failure(f"{failure}\n{last}") from None
        finally:
            for process in self.processes.values():
                process.child.kill()
                process.child.wait()
            if self.namespaces:
                self.namespaces.remove()


KINDS = ["kill", "kill", "kill", "stop", "pause", "leave", "late", "absent", "cut"]


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("worker")
    parser.add_argument("plugin")
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--kind", choices=sorted(set(KINDS)))
    options = parser.parse_args()
    kinds = [options.kind] if options.kind else list(KINDS)
    passed, failed, skipped, number, slowest = 0, 0, 0, 0, collections.defaultdict(float)
    if "cut" in kinds and not has_namespaces():
        kinds.remove("cut")
        skipped = 1
        print("skipped: links that are cut need network namespaces, which only root can make")
    end, before = time.monotonic() + options.seconds, set(os.listdir("/dev/shm"))
    while kinds and time.monotonic() < end:
        numbers = random.Random(f"{options.seed} {number}")
        with tempfile.TemporaryDirectory() as folder:
            # each kind once, then random ones
            kind = list(dict.fromkeys(kinds))[number] if number < len(set(kinds)) else numbers.choice(kinds)
            drill = Drill(options, numbers, folder, kind)
            try:
                slowest[kind] = max(slowest[kind], drill.run() or 0)
                passed += 1
            except Failure as failure:
                failed += 1
                print(f"FAILED: drill {number}: {drill}: {failure}", flush=True)
        number += 1
    left = set(os.listdir("/dev/shm")) - before
    if any(name.startswith(("ucx", "gantry")) for name in left):
        failed += 1
        print(f"FAILED: left in /dev/shm: {left}")
    print("longest time to an error: " + ", ".join(f"{kind} {seconds:.2f} s" for kind, seconds in slowest.items() if seconds))
    print(f"{passed} passed, {failed} failed, {skipped} skipped")
    return failed != 0


if __name__ == "__main__":
    sys.exit(main())
