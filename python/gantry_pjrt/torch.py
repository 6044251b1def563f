"""The PyTorch/XLA plugin classes for the devices GANTRY and GANTRYTPU. With the wheel installed, use

    PJRT_DEVICE=GANTRY python train.py

The names have no underscore because torch_xla does not allow one in a device name.

Several processes take part in one program when torchrun starts them, or torch_xla.launch with GANTRY_TORCH_PROCESSES: their
variables say how many there are, and torch_xla's coordinator, at MASTER_ADDR:XLA_COORDINATOR_PORT, lets them find each other
(the next port is job_end.py's)."""
import os
import socket
import warnings

import torch_xla
from torch_xla.experimental import plugins

import gantry_pjrt
from gantry_pjrt import job_end

OLDEST = (2, 6)
COORDINATOR_PORT = 8547     # torch_xla's default

if gantry_pjrt.version_problem("torch_xla", torch_xla.__version__, OLDEST):
    warnings.warn(gantry_pjrt.version_problem("torch_xla", torch_xla.__version__, OLDEST))


def first_number(names, default):
    """The value of the first of these variables that is set."""
    return next((int(os.environ[name]) for name in names if os.environ.get(name)), default)


def free_port():
    with socket.socket() as free:
        free.bind(("", 0))
        return free.getsockname()[1]


class GantryPlugin(plugins.DevicePlugin):
    """The host's cores, as one device or as GANTRY_CPU_DEVICES of them in each process."""
    device = "cpu"

    def library_path(self):
        return gantry_pjrt.library_path(self.device)

    def host_index(self):
        return first_number(("GROUP_RANK",), 0)

    def physical_chip_count(self):
        """Processes that torch_xla.launch and xmp.spawn start on this machine. Their coordinator gets a port of its own."""
        count = first_number(("GANTRY_TORCH_PROCESSES",), 1)
        if count > 1:
            os.environ.setdefault("XLA_COORDINATOR_PORT", str(free_port()))
        return count

    def configure_single_process(self):
        """One process, or the only one of its host: nothing to configure."""

    def configure_multiprocess(self, local_rank, local_world_size):
        """torch_xla has set the variables that process_index() and process_count() read."""

    def process_index(self):
        return first_number(("RANK", "PJRT_LOCAL_PROCESS_RANK", "LOCAL_RANK"), 0)

    def process_count(self):
        return first_number(("WORLD_SIZE", "PJRT_LOCAL_PROCESS_COUNT", "LOCAL_WORLD_SIZE"), 1)

    def requires_xla_coordinator(self):
        return self.process_count() > 1

    def client_create_options(self):
        """Called once, before the client is created."""
        index, count = self.process_index(), self.process_count()
        if count == 1:
            return {}
        port = first_number(("XLA_COORDINATOR_PORT",), COORDINATOR_PORT)
        job_end.keep_order(index, count, os.environ.get("MASTER_ADDR", "localhost"), port + 1)
        return {"node_id": index, "num_nodes": count}


class GantryTpuPlugin(GantryPlugin):
    """The modeled TPU."""
    device = "tpu"
