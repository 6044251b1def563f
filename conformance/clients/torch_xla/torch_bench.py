#!/usr/bin/env python3
"""Time per training step, through PyTorch/XLA on a plugin (or `cpu`: torch_xla's own CPU client) or on torch eager (`eager`).

    torch_bench.py PLUGIN|cpu|eager [--filter REGEX] [--steps N]

A line each: model, time of the first two steps (tracing and compiling), median and least of the others."""
import argparse
import os
import re
import statistics
import sys
import time

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, HERE)


def models():
    from torch_models import gpt_trainer, resnet_trainer
    return {
        "resnet_small": lambda device: resnet_trainer(device),
        "resnet_wide": lambda device: resnet_trainer(device, batch=32, width=32, blocks=3),
        "gpt_small": lambda device: gpt_trainer(device),
        "gpt_12_layers": lambda device: gpt_trainer(device, batch=4, length=64, width=192, heads=6, layers=12),
    }


def device_of(target):
    import torch
    if target == "eager":
        return torch.device("cpu"), lambda: None
    os.environ.update(PJRT_DEVICE="CPU" if target == "cpu" else "GANTRY", XLA_REGISTER_INSTALLED_PLUGINS="0")
    import torch_xla
    if target == "cpu":
        return torch_xla.device(), lambda: torch_xla.sync(wait=True)
    from torch_runner import register
    return register(os.path.abspath(target)), lambda: torch_xla.sync(wait=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("target")
    parser.add_argument("--filter", default="")
    parser.add_argument("--steps", type=int, default=20)
    arguments = parser.parse_args()
    device, sync = device_of(arguments.target)
    from torch_models import train
    for name, make in models().items():
        if not re.search(arguments.filter, name):
            continue
        times = [time.perf_counter()]
        losses = train(make(device), arguments.steps, sync, lambda step: times.append(time.perf_counter()))
        took = [1000 * (b - a) for a, b in zip(times, times[1:])]
        print(f"{name:16} first two {sum(took[:2]):8.0f} ms   median {statistics.median(took[2:]):8.2f} ms   "
              f"least {min(took[2:]):8.2f} ms   loss {losses[0].item():.4f} -> {losses[-1].item():.4f}", flush=True)
    os._exit(0)


if __name__ == "__main__":
    main()
