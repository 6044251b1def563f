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


class GantryTpuPlugin(GantryPlugin):
    """The modelled TPU."""
    device = "tpu"
