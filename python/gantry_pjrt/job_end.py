"""The process that runs a job's coordinator ends last. torch_xla never leaves the coordinator in order, and its client aborts a
process whose coordinator is gone: without this, a process that ends a moment later than process 0 fails."""
import atexit
import selectors
import socket
import threading
import time

CONNECT_SECONDS, END_SECONDS = 60, 30
_held = []      # connections to process 0, which the system closes when this process has ended


def _wait_for_others(listener, count):
    """Process 0, at its end: waits until `count` others have connected and ended."""
    deadline, ended = time.monotonic() + END_SECONDS, 0
    with listener, selectors.DefaultSelector() as selector:
        selector.register(listener, selectors.EVENT_READ)
        while ended < count and time.monotonic() < deadline:
            for key, _ in selector.select(deadline - time.monotonic()):
                if key.fileobj is listener:
                    selector.register(listener.accept()[0], selectors.EVENT_READ)
                elif not _has_data(key.fileobj):
                    selector.unregister(key.fileobj)
                    key.fileobj.close()
                    ended += 1


def _has_data(connection):
    try:
        return connection.recv(1)
    except OSError:
        return False


def _connect(address, port):
    deadline = time.monotonic() + CONNECT_SECONDS
    while time.monotonic() < deadline:
        try:
            _held.append(socket.create_connection((address, port), timeout=1))
            return
        except OSError:
            time.sleep(0.1)


def keep_order(index, count, address, port):
    """Called by each process of a job. A port that is in use costs the order, nothing else."""
    if index:
        threading.Thread(target=_connect, args=(address, port), daemon=True).start()
        return
    try:
        listener = socket.create_server((address, port), backlog=count)
    except OSError:
        return
    atexit.register(_wait_for_others, listener, count - 1)
