"""PyTorch/XLA's side: the classes that the entry points GANTRY and GANTRYTPU name. With the wheel installed,

    PJRT_DEVICE=GANTRY python train.py

is all; a device name of torch_xla must not have an underscore in it."""
from torch_xla.experimental import plugins

import gantry_pjrt


class GantryPlugin(plugins.DevicePlugin):
    """The host's cores as one device."""
    device = "cpu"

    def library_path(self):
        return gantry_pjrt.library_path(self.device)

    def physical_chip_count(self):
        return 1

    def configure_single_process(self):
        """A process has one device as it is."""

    def configure_multiprocess(self, local_rank, local_world_size):
        if local_world_size != 1:
            raise NotImplementedError(
                f"Gantry has one device, and no collectives between processes: process {local_rank} of "
                f"{local_world_size} cannot take part; launch one")


class GantryTpuPlugin(GantryPlugin):
    """The modeled TPU."""
    device = "tpu"
