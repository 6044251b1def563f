#!/usr/bin/env python3
"""Cases of several processes, which torch_process_cases.py lists with its own. torchrun starts the workers as

    torch_job_cases.py NAME FOLDER

Each worker writes what it has found by torch_process_cases.record()."""
import os
import socket
import subprocess
import sys

CASES = {}


def job(environment=(), devices=1):
    """The case runs in an environment with these variables, and so many devices a process."""
    def add(function):
        CASES[function.__name__] = (function, {"PJRT_DEVICE": "GANTRY", "GANTRY_CPU_DEVICES": str(devices), **dict(environment)})
        return function
    return add


def free_port():
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        return str(free.getsockname()[1])


def torchrun(name, folder, processes, devices=1):
    """Runs a worker in each of the processes."""
    environment = dict(os.environ, XLA_COORDINATOR_PORT=free_port(), GANTRY_CPU_DEVICES=str(devices))
    command = [sys.executable, "-m", "torch.distributed.run", "--master_addr", "127.0.0.1", "--master_port", free_port(),
               "--nproc_per_node", str(processes), __file__, name, folder]
    done = subprocess.run(command, env=environment, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr.split("ChildFailedError")[0][-4000:]


# ---- torch_xla.launch ----
@job({"GANTRY_TORCH_PROCESSES": "4"})
def launch_of_processes(folder):
    """A process for each device: all collectives."""
    import torch_process_cases as cases
    import torch_xla
    torch_xla.launch(cases.replica_of_collectives, args=(folder,))
    cases.check_collectives(folder)


@job({"GANTRY_TORCH_PROCESSES": "2"}, devices=2)
def launch_of_processes_with_threads(folder):
    """Two devices a process, a thread each."""
    launch_of_processes(folder)


@job({"GANTRY_TORCH_PROCESSES": "2"})
def spawn_of_processes(folder):
    """Data-parallel training, started by xmp.spawn."""
    import torch_process_cases as cases
    import torch_xla.distributed.xla_multiprocessing as xmp
    xmp.spawn(cases.replica_of_training, args=(folder, False))
    check_losses(folder)


# ---- torchrun ----
def process_group_worker(folder):
    """The collectives of torch.distributed, and its data-parallel module."""
    import torch
    import torch.distributed as dist
    import torch.nn.functional as F
    import torch_process_cases as cases
    import torch_xla
    from torch.nn.parallel import DistributedDataParallel
    from torch_models import GPT, gpt_data, initialize
    dist.init_process_group("xla", init_method="xla://")
    device, rank, count = torch_xla.device(), dist.get_rank(), dist.get_world_size()
    assert (rank, count) == (int(os.environ["RANK"]), int(os.environ["WORLD_SIZE"])), (rank, count)
    total, whole = torch.full((3,), rank + 1.0, device=device), torch.empty(2 * count, device=device)
    dist.all_reduce(total)
    dist.all_gather_into_tensor(whole, torch.full((2,), float(rank), device=device))
    torch_xla.sync()
    assert total.cpu().tolist() == [count * (count + 1) / 2] * 3, total
    assert whole.cpu().tolist() == [float(i // 2) for i in range(2 * count)], whole
    rows = 16 // count
    model = DistributedDataParallel(initialize(GPT()).to(device))  # with gradient_as_bucket_view, torch_xla 2.9 loses gradients
    optimizer = torch.optim.AdamW(model.parameters(), lr=2e-3)
    x, y = (t[rank * rows:(rank + 1) * rows].to(device) for t in gpt_data(16))
    losses = []
    for _ in range(3):
        optimizer.zero_grad()
        loss = F.cross_entropy(model(x).flatten(0, 1), y.flatten())
        loss.backward()
        optimizer.step()
        mean = loss.detach() / count
        dist.all_reduce(mean)
        losses.append(mean)
        torch_xla.sync()
    cases.record(folder, [loss.item() for loss in losses])
    dist.destroy_process_group()


def check_losses(folder, processes=2):
    import torch
    import torch_process_cases as cases
    records = cases.read_records(folder, processes)
    assert all(losses == records[0] for losses in records), records
    cases.expect_eager(torch.tensor(records[0]))


@job()
def process_group(folder):
    torchrun("process_group_worker", folder, 2)
    check_losses(folder)


@job()
def process_group_of_gantry_launch(folder):
    command = [os.path.join(os.environ["GANTRY_BIN"], "gantry"), "launch", "-n", "2", "--", sys.executable, __file__, "process_group_worker",
               folder]
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr[-4000:]
    check_losses(folder)


def partitioned_trainer():
    """The GPT over all devices, by columns and rows of its products, and its state."""
    import numpy as np
    import torch_process_cases as cases
    import torch_xla
    import torch_xla.distributed.spmd as xs
    from torch_models import gpt_trainer
    mesh = xs.Mesh(np.arange(4), (2, 2), ("data", "model"))
    return cases.shard_products(xs, gpt_trainer(torch_xla.device()), mesh)


def begin_partitioned():
    import torch.distributed as dist
    import torch_xla.runtime as xr
    xr.use_spmd()
    dist.init_process_group("gloo", init_method="xla://")
    assert xr.global_runtime_device_count() == 4 and xr.process_count() == int(os.environ["WORLD_SIZE"])


def save_worker(folder):
    import torch.distributed as dist
    import torch.distributed.checkpoint as checkpoint
    import torch_process_cases as cases
    import torch_xla
    from torch_models import train
    from torch_xla.experimental.distributed_checkpoint import SPMDSavePlanner
    begin_partitioned()
    trainer = partitioned_trainer()
    losses = train(trainer, 3, torch_xla.sync).cpu()
    cases.expect_eager(losses)
    checkpoint.save({"model": trainer[0].state_dict()}, storage_writer=checkpoint.FileSystemWriter(os.path.join(folder, "state")),
                    planner=SPMDSavePlanner())
    write_parameters(trainer, os.path.join(folder, f"saved{dist.get_rank()}"))


def restore_worker(folder):
    import torch.distributed as dist
    import torch.distributed.checkpoint as checkpoint
    import torch_xla
    from torch_xla.experimental.distributed_checkpoint import SPMDLoadPlanner
    begin_partitioned()
    trainer = partitioned_trainer()
    torch_xla.sync()
    state = {"model": trainer[0].state_dict()}
    checkpoint.load(state, storage_reader=checkpoint.FileSystemReader(os.path.join(folder, "state")), planner=SPMDLoadPlanner())
    trainer[0].load_state_dict(state["model"])
    write_parameters(trainer, os.path.join(folder, f"restored{dist.get_world_size()}_{dist.get_rank()}"))


def write_parameters(trainer, path):
    """The shards of this process: for each parameter its shape, and the places and elements of its shards."""
    import torch
    import torch_xla
    import torch_xla.core.xla_model as xm
    from torch_xla.distributed.spmd import wrap_if_sharded
    torch_xla.sync()
    xm.wait_device_ops()
    parameters = {name: (tuple(parameter.shape), wrap_if_sharded(parameter.data).local_shards)
                  for name, parameter in trainer[0].named_parameters()}
    torch.save({name: (shape, [(shard.indices, shard.unpadded_data) for shard in shards]) for name, (shape, shards) in parameters.items()},
               path)


def read_parameters(folder, prefix, count):
    """The whole parameters, from the shards of all processes."""
    import torch
    whole = {}
    for i in range(count):
        for name, (shape, shards) in torch.load(os.path.join(folder, f"{prefix}{i}"), weights_only=False).items():
            parameter = whole.setdefault(name, torch.full(shape, float("nan")))
            for place, elements in shards:
                parameter[tuple(place) if isinstance(place, list) else place] = elements
    return whole


@job()
def checkpoint_of_another_division(folder):
    """SPMD over 2 processes of 2 devices; the checkpoint is restored by 1 of 4 and by 4 of 1, with the same bits."""
    torchrun("save_worker", folder, 2, devices=2)
    saved = read_parameters(folder, "saved", 2)
    assert len(saved) > 20 and not any(parameter.isnan().any() for parameter in saved.values()), saved.keys()
    for processes in (1, 4):
        torchrun("restore_worker", folder, processes, devices=4 // processes)
        restored = read_parameters(folder, f"restored{processes}_", processes)
        assert saved.keys() == restored.keys(), saved.keys() ^ restored.keys()
        assert all((saved[name] == restored[name]).all() for name in saved)


if __name__ == "__main__":
    globals()[sys.argv[1]](sys.argv[2])
