"""The PyTorch/XLA plugin classes for the devices GANTRY and GANTRYTPU. With the wheel installed, use

    PJRT_DEVICE=GANTRY python train.py

The names have no underscore because torch_xla does not allow one in a device name."""
import warnings

import torch_xla
from torch_xla.experimental import plugins

import gantry_pjrt

OLDEST = (2, 6)

if gantry_pjrt.version_problem("torch_xla", torch_xla.__version__, OLDEST):
    warnings.warn(gantry_pjrt.version_problem("torch_xla", torch_xla.__version__, OLDEST))


class GantryPlugin(plugins.DevicePlugin):
    """The host's cores, as one device or as GANTRY_CPU_DEVICES of them in one process."""
    device = "cpu"

    def library_path(self):
        return gantry_pjrt.library_path(self.device)

    def physical_chip_count(self):
        return 1

    def configure_single_process(self):
        """Single process: nothing to configure."""

    def configure_multiprocess(self, local_rank, local_world_size):
        if local_world_size != 1:
            raise NotImplementedError(
                f"Gantry supports several processes with JAX, not with PyTorch: process {local_rank} of {local_world_size} cannot take "
                "part. Launch one; with GANTRY_CPU_DEVICES=N it has N devices, and a thread for each")


class GantryTpuPlugin(GantryPlugin):
    """The modeled TPU."""
    device = "tpu"
