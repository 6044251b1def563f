"""topology.py: which topology a drawn program is compiled for."""
ONE = {"v5e": "v5e:1x1", "v6e": "v6e:1x1", "v5p": "v5p:1x1x1", "v4": "v4:1x1x1", "tpu7x": "tpu7x:1x1x1"}
CHIPS = {("v5e", 4): "2x2", ("v5e", 8): "2x4", ("v6e", 4): "2x2", ("v6e", 8): "2x4", ("v5p", 4): "2x2x1", ("v5p", 8): "2x2x2",
         ("v4", 4): "2x2x1", ("v4", 8): "2x2x2", ("tpu7x", 4): "2x2x1", ("tpu7x", 8): "2x2x1"}


def topology(generation, devices):
    """-> its name, and the options beside it. v4 and v5p: one device a chip."""
    name = ONE[generation] if devices == 1 else f"{generation}:{CHIPS[generation, devices]}"
    options = {"chips_per_host_bounds": [1, 1, 1]} if devices == 1 else {}
    if generation in ("v4", "v5p"):
        options["chip_config_name"] = "megacore"
    return name, options
