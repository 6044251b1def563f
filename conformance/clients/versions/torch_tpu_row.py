#!/usr/bin/env python3
"""TorchTPU's row of the table of versions, on the modeled TPU of the wheel. TorchTPU counts TPUs by their PCI devices, of
which there are none, so the number is stated (docs/clients.md)."""
import os

os.environ["TPU_LIBRARY_PATH"] = os.path.join(os.environ["GANTRY_LIB"], "pjrt_c_api_gantrytpu_plugin.so")
os.environ["TPU_SKIP_MDS_QUERY"] = "1"

import torch
import torch_tpu
from torch_tpu._internal.utils import hardware

import digits
from torch_digits import network, tensors

hardware.get_tpu_device_count = lambda *_: 1
torch_tpu._loader.load()


def learn(compiled):
    model = network().to("tpu")
    optimizer = torch.optim.AdamW(model.parameters(), lr=0.01)
    forward = torch.compile(model) if compiled else model
    images, labels = tensors("tpu", 1024, 1)
    for batch in digits.batches(len(labels)):
        chosen = torch.from_numpy(batch).to("tpu")
        optimizer.zero_grad()
        loss = torch.nn.functional.cross_entropy(forward(images[chosen]), labels[chosen])
        loss.backward()
        optimizer.step()
    images, labels = tensors("tpu", 256, 2)
    with torch.no_grad():
        accuracy = (model(images).argmax(dim=1) == labels).float().mean().item()
    assert accuracy >= digits.ACCURACY, f"accuracy {accuracy}, loss {loss.item()}"
    return accuracy


def as_on_the_host(make, *shape):
    """A module's output and the gradient of its first parameter agree with those of the host, in bf16's precision."""
    def run(device):
        torch.manual_seed(0)
        module, x = make(), torch.randn(*shape)
        module, x = module.to(device), x.to(device)
        y = module(x)
        y = y[0] if isinstance(y, tuple) else y
        y.square().mean().backward()
        return y.detach().cpu(), next(module.parameters()).grad.cpu()
    for name, ours, host in zip(("output", "gradient"), run("tpu"), run("cpu")):
        assert torch.allclose(ours, host, rtol=0.02, atol=0.02), f"{name}: {(ours - host).abs().max()} from the host's"


def train():
    eager, compiled = learn(False), learn(True)
    as_on_the_host(lambda: torch.nn.LSTM(8, 16, batch_first=True), 2, 5, 8)
    as_on_the_host(lambda: torch.nn.TransformerEncoderLayer(32, 4, 64, dropout=0.0, batch_first=True), 2, 16, 32)
    return f"accuracy {eager:.3f}, compiled {compiled:.3f}"


if __name__ == "__main__":
    print(f"torch_tpu 0.2.0, torch {torch.__version__} on {torch.accelerator.current_accelerator()}", flush=True)
    digits.report({"train": train, "callbacks": None, "donation": None, "sharded arrays": None})
