#!/usr/bin/env python3
"""PyTorch/XLA's row of the table of versions, with the wheel on the path: the client finds Gantry by its entry point."""
import os
import subprocess
import sys

os.environ["PJRT_DEVICE"] = "GANTRY"

import numpy
import torch
import torch_xla
import torch_xla.core.xla_model as xm
import torch_xla.debug.metrics as metrics
import torch_xla.runtime as xr

import digits
from torch_digits import network, tensors


def train():
    device = torch_xla.device()
    model = network().to(device)
    optimizer = torch.optim.SGD(model.parameters(), digits.LEARNING_RATE, momentum=0.9)
    images, labels = tensors(device, 2048, 1)
    for batch in digits.batches(len(labels)):
        chosen = torch.from_numpy(batch).to(device)
        optimizer.zero_grad()
        loss = torch.nn.functional.cross_entropy(model(images[chosen]), labels[chosen])
        loss.backward()
        optimizer.step()
        torch_xla.sync()
    images, labels = tensors(device, 256, 2)
    with torch.no_grad():
        accuracy = (model(images).argmax(dim=1) == labels).float().mean().item()
    assert accuracy >= digits.ACCURACY, f"accuracy {accuracy}, loss {loss.item()}"
    return f"accuracy {accuracy:.3f}"


def donation():
    """An update in place: the client marks the parameter as an alias of the result, and no second tensor is allocated."""
    device = torch_xla.device()
    x = torch.zeros(1024, 1024, device=device)
    torch_xla.sync()
    xm.wait_device_ops()
    before = xm.get_memory_info(device)["bytes_used"]
    metrics.clear_all()
    for _ in range(3):
        x.add_(1)
        torch_xla.sync()
    xm.wait_device_ops()
    aliases = metrics.metric_data("InputOutputAliasCount")
    assert aliases and aliases[1] >= 1.0, f"the client aliased {aliases}"
    assert xm.get_memory_info(device)["bytes_used"] == before, "the result has memory of its own"
    assert x[0, 0].item() == 3.0


def sharded_arrays():
    subprocess.run([sys.executable, os.path.abspath(__file__), "sharded"], check=True, timeout=300)


def sharded():
    """In a process of its own: the client decides on SPMD before the first tensor."""
    import torch_xla.distributed.spmd as xs
    xr.use_spmd()
    device = torch_xla.device()
    mesh = xs.Mesh(numpy.arange(1), (1, 1), ("data", "model"))
    x, weights = torch.arange(16.0).reshape(4, 4).to(device), (torch.eye(4) * 2).to(device)
    xs.mark_sharding(x, mesh, ("data", "model"))
    xs.mark_sharding(weights, mesh, (None, None))
    y = x @ weights + 1
    torch_xla.sync()
    assert torch.equal(y.cpu(), torch.arange(16.0).reshape(4, 4) * 2 + 1)


if __name__ == "__main__":
    if sys.argv[1:] == ["sharded"]:
        sharded()
        sys.exit()
    print(f"torch_xla {torch_xla.__version__}, torch {torch.__version__}, on {torch_xla.device()}", flush=True)
    assert xr.device_type() == "GANTRY", xr.device_type()
    digits.report({"train": train, "callbacks": None, "donation": donation, "sharded arrays": sharded_arrays})
    sys.stdout.flush()
    os._exit(0)                             # torch_xla's own teardown is not what is tested
