#!/usr/bin/env python3
"""Cases that need a separate process: they load Gantry like an installed wheel, through its entry points, or through
TPU_LIBRARY_PATH, and some change the state of the process permanently (SPMD). torch_runner.py starts one as

    torch_process_cases.py NAME FOLDER

with the environment that `separate_process` specifies; it passes if the process exits with 0. FOLDER is an empty folder for the case."""
import os
import subprocess
import sys

import torch_job_cases
import torch_kernels

CASES = {**torch_job_cases.CASES, **torch_kernels.CASES}
GANTRY = {"PJRT_DEVICE": "GANTRY"}
FOUR = dict(GANTRY, GANTRY_CPU_DEVICES="4")
TPU = {"PJRT_DEVICE": "TPU", "TPU_LIBRARY_PATH": "@LIB@/pjrt_c_api_gantrytpu_plugin.so", "TPU_SKIP_MDS_QUERY": "1", "GANTRY_TPU_NUMERICS": "f32"}


class Skipped(Exception):
    """A feature that the client itself does not support."""


def separate_process(environment):
    def add(function):
        CASES[function.__name__] = (function, environment)
        return function
    return add


def gpt_losses(device, steps=3):
    import torch_xla
    from torch_models import gpt_trainer, train
    return train(gpt_trainer(device), steps, torch_xla.sync).cpu()


def expect_eager(losses, tolerance=1e-5):
    import torch
    from torch_models import gpt_trainer, train
    expected = train(gpt_trainer(torch.device("cpu")), len(losses), lambda: None)
    torch.testing.assert_close(losses, expected, rtol=tolerance, atol=tolerance)


@separate_process(GANTRY)
def installed_wheel(folder):
    """A program needs only PJRT_DEVICE."""
    import torch
    import torch_xla
    import torch_xla.core.xla_model as xm
    import torch_xla.runtime as xr
    device = torch_xla.device()
    assert xr.device_type() == "GANTRY" and xr.global_runtime_device_count() == 1, xr.device_type()
    expect_eager(gpt_losses(device))
    before = xm.get_memory_info(device)
    kept = torch.ones(1024, 1024, device=device)
    torch_xla.sync()
    xm.wait_device_ops()
    memory = xm.get_memory_info(device)
    assert memory["bytes_used"] - before["bytes_used"] == kept.nbytes, (before, memory)
    assert memory["bytes_used"] <= memory["peak_bytes_used"] <= memory["bytes_limit"], memory


def sized_results(device):
    """Functions whose results have as many elements as a mask selects, and what can follow them."""
    import torch
    import torch.nn.functional as F
    rows = torch.randn(6, 4, generator=torch.Generator().manual_seed(0)).to(device)
    line = torch.tensor([1.0, 0, 2, 0, 3, -1, 5]).to(device)
    picked = torch.nonzero(rows.sum(1) > 0).squeeze(-1)
    chosen = torch.masked_select(line, line > 0.5)
    return [torch.nonzero(rows > 0), torch.nonzero(line) * 2 + 1, chosen, chosen.sum(), chosen.std(), torch.argmax(chosen), torch.softmax(chosen, 0),
            torch.cumsum(chosen, 0), torch.flip(chosen, [0]), torch.cat([chosen, line]), chosen.unsqueeze(0) + torch.ones(3, 1, device=device),
            F.relu(torch.masked_select(rows, rows > -0.5) - 0.1).max(), torch.masked_select(line, line > 100), rows[rows > 0], rows[picked] @ rows[picked].t(),
            torch.index_select(rows, 0, picked).sum(0), torch.masked_select(line.to(torch.bfloat16), line > 0.5) * 2]


@separate_process(dict(GANTRY, XLA_EXPERIMENTAL="nonzero:masked_select"))
def sizes_known_at_run_time(folder):
    import torch
    import torch_xla
    device = torch_xla.device()
    for got, want in zip(sized_results(device), sized_results(torch.device("cpu"))):
        got = got.cpu()
        assert got.shape == want.shape, (got.shape, want.shape)
        torch.testing.assert_close(got.to(want.dtype), want, rtol=1e-4, atol=1e-4)  # torch_xla's nonzero is of s32
    mask = torch.tensor([1.0, 0, 2, 0, 3]).to(device)
    chosen = torch.masked_select(mask, mask > 0.5)
    torch_xla.sync()                                                # the array is the argument of the next program
    assert (chosen * 2 + 1).cpu().tolist() == [3, 5, 7] and chosen.sum().item() == 6


@separate_process({"PJRT_DEVICE": "GANTRYTPU", "GANTRY_TPU_NUMERICS": "f32"})
def installed_wheel_tpu(folder):
    import torch_xla
    expect_eager(gpt_losses(torch_xla.device()))


@separate_process(TPU)
def tpu_library_path(folder):
    import torch_xla
    import torch_xla.core.xla_model as xm
    import torch_xla.runtime as xr
    device = torch_xla.device()
    assert xm.xla_device_hw(device) == "TPU"
    assert "coords" in xr.global_runtime_device_attributes()[0]
    expect_eager(gpt_losses(device))


@separate_process(dict(GANTRY, XLA_STABLEHLO_COMPILE="1"))
def stablehlo_compile(folder):
    """The same programs as StableHLO in place of HloModuleProto."""
    import torch_xla
    expect_eager(gpt_losses(torch_xla.device()))


def launched(index, folder):
    import torch
    import torch_xla
    import torch_xla.core.xla_model as xm
    device = torch_xla.device()
    ones = torch.ones(3, device=device)
    total, gathered = xm.all_reduce(xm.REDUCE_SUM, ones), xm.all_gather(ones * 2)
    expect_eager(gpt_losses(device))
    with open(os.path.join(folder, "launched"), "a", encoding="utf-8") as file:
        file.write(f"{index} {total.cpu().tolist()} {gathered.cpu().tolist()}\n")


@separate_process(GANTRY)
def launch(folder):
    import torch_xla
    torch_xla.launch(launched, args=(folder,))
    with open(os.path.join(folder, "launched"), encoding="utf-8") as file:
        assert file.read() == "0 [1.0, 1.0, 1.0] [2.0, 2.0, 2.0]\n"


@separate_process(GANTRY)
def launch_in_this_process(folder):
    import torch_xla
    torch_xla.launch(launched, args=(folder,), debug_single_process=True)
    assert os.path.exists(os.path.join(folder, "launched"))


# ---- four devices ----
def record(folder, values):
    """What a replica has found, for read_records()."""
    import json
    import torch_xla.runtime as xr
    with open(os.path.join(folder, f"replica{xr.global_ordinal()}"), "w", encoding="utf-8") as file:
        json.dump(values, file)


def read_records(folder, count=4):
    import json
    return [json.load(open(os.path.join(folder, f"replica{i}"), encoding="utf-8")) for i in range(count)]


def replica_of_collectives(index, folder):
    import torch
    import torch_xla
    import torch_xla.core.xla_model as xm
    import torch_xla.runtime as xr
    device, count = torch_xla.device(), xr.world_size()
    ones = torch.full((3,), xr.global_ordinal() + 1.0).to(device)
    row = (torch.arange(8.0) + 10 * xr.global_ordinal()).to(device)
    ring = [[i, (i + 1) % count] for i in range(count)]
    results = [xm.all_reduce(xm.REDUCE_SUM, ones), xm.all_gather(ones), xm.all_gather(ones, pin_layout=False),
               xm.reduce_scatter(xm.REDUCE_SUM, row, 1.0, 0, count), xm.all_to_all(row, 0, 0, count),
               xm.collective_permute(ones, ring), xm.all_reduce(xm.REDUCE_MAX, row, groups=[[0, 2], [1, 3]])]
    torch_xla.sync()
    record(folder, [result.cpu().tolist() for result in results])
    xm.rendezvous("done")


@separate_process(FOUR)
def launch_of_four(folder):
    """All collectives, in programs that are the same on all replicas and in those that are not."""
    import torch_xla
    torch_xla.launch(replica_of_collectives, args=(folder,))
    check_collectives(folder)


def check_collectives(folder):
    gathered = [float(i + 1) for i in range(4) for _ in range(3)]
    for i, results in enumerate(read_records(folder)):
        assert results == [[10.0] * 3, gathered, gathered,
                           [4.0 * (2 * i + k) + 60 for k in range(2)],
                           [10.0 * source + 2 * i + k for source in range(4) for k in range(2)],
                           [float((i - 1) % 4 + 1)] * 3, [20.0 + 10 * (i % 2) + k for k in range(8)]], (i, results)


def replica_of_training(index, folder, sharded):
    """A quarter of the batch; gradients are averaged, or parameters sharded over the replicas as well."""
    import torch
    import torch.nn.functional as F
    import torch_xla
    import torch_xla.core.xla_model as xm
    import torch_xla.runtime as xr
    from torch_models import GPT, gpt_data, initialize
    from torch_xla.distributed.fsdp import XlaFullyShardedDataParallel
    device, rank, rows = torch_xla.device(), xr.global_ordinal(), 16 // xr.world_size()
    model = initialize(GPT()).to(device)
    model = XlaFullyShardedDataParallel(model) if sharded else model
    optimizer = torch.optim.AdamW(model.parameters(), lr=2e-3)
    x, y = (t[rank * rows:(rank + 1) * rows].to(device) for t in gpt_data(16))
    losses = []
    for _ in range(3):
        optimizer.zero_grad()
        loss = F.cross_entropy(model(x).flatten(0, 1), y.flatten())
        loss.backward()
        if sharded:
            optimizer.step()
        else:
            xm.optimizer_step(optimizer)
        losses.append(xm.all_reduce(xm.REDUCE_SUM, loss.detach(), scale=1.0 / xr.world_size()))
        torch_xla.sync()
    record(folder, [loss.item() for loss in losses])
    xm.rendezvous("done")


def train_replicas(folder, sharded):
    import torch
    import torch_xla
    torch_xla.launch(replica_of_training, args=(folder, sharded))
    records = read_records(folder)
    assert all(losses == records[0] for losses in records), records
    expect_eager(torch.tensor(records[0]))


@separate_process(FOUR)
def data_parallel(folder):
    train_replicas(folder, False)


@separate_process(FOUR)
def fully_sharded(folder):
    train_replicas(folder, True)


def train_partitioned(mesh_shape, shard, tolerance=1e-5):
    """The GPT on a mesh of all devices; `shard` shards its trainer."""
    import numpy as np
    import torch_xla
    import torch_xla.distributed.spmd as xs
    import torch_xla.runtime as xr
    from torch_models import gpt_trainer, train
    xr.use_spmd()
    assert xr.global_runtime_device_count() == 4
    mesh = xs.Mesh(np.arange(4), mesh_shape, ("data", "model"))
    trainer = shard(xs, gpt_trainer(torch_xla.device()), mesh)
    expect_eager(train(trainer, 3, torch_xla.sync).cpu(), tolerance)
    return trainer


def shard_products(xs, trainer, mesh):
    """Widening products are sharded by columns, narrowing ones by rows."""
    for name, parameter in trainer[0].named_parameters():
        if parameter.dim() == 2:
            xs.mark_sharding(parameter, mesh, ("model", None) if "up" in name or "qkv" in name else (None, "model"))
    return trainer


@separate_process(FOUR)
def spmd_tensor_parallel(folder):
    import torch_xla
    model, _, _ = train_partitioned((2, 2), shard_products)
    sharding = torch_xla._XLAC._get_xla_sharding_spec(model.blocks[0].up.weight)
    assert sharding.startswith("{devices=[2,1,2]"), sharding


@separate_process(dict(TPU, GANTRY_TPU_NUMERICS="tpu", TPU_ACCELERATOR_TYPE="v5litepod-4", TPU_PROCESS_BOUNDS="1,1,1",
                       TPU_CHIPS_PER_PROCESS_BOUNDS="2,2,1", TPU_VISIBLE_CHIPS="0,1,2,3"))
def spmd_on_four_modeled_chips(folder):
    """With the numerics of a TPU: products of bf16, so losses are near those of eager PyTorch."""
    import torch_xla.runtime as xr
    from torch_xla._internal import tpu
    train_partitioned((2, 2), shard_products, tolerance=2e-2)
    assert xr.global_runtime_device_count() == 4
    assert tpu.version() == 5 and tpu.get_tpu_type() == "v5litepod" and tpu.process_bounds_size() == 1
    assert tpu.num_logical_cores_per_chip() == 1
    assert [a["coords"] for a in xr.global_runtime_device_attributes()] == [[0, 0, 0], [1, 0, 0], [0, 1, 0], [1, 1, 0]]


@separate_process(FOUR)
def spmd_fully_sharded(folder):
    """FSDPv2: parameters and the batch are sharded over all devices."""
    import torch
    import torch.nn.functional as F
    from torch_models import gpt_data
    from torch_xla.experimental.spmd_fully_sharded_data_parallel import SpmdFullyShardedDataParallel

    def shard(xs, trainer, mesh):
        mesh = xs.Mesh(mesh.device_ids, (4, 1), ("fsdp", "model"))
        model = SpmdFullyShardedDataParallel(trainer[0], mesh=mesh, shard_output=lambda output, mesh: None)
        device = next(model.parameters()).device
        x, y = (t.to(device) for t in gpt_data(16))
        xs.mark_sharding(x, mesh, ("fsdp", None))
        optimizer = torch.optim.AdamW(model.parameters(), lr=2e-3)
        return model, optimizer, lambda: F.cross_entropy(model(x).flatten(0, 1), y.flatten())
    train_partitioned((4, 1), shard)


def wide_trainer(device):
    """Two wide layers, whose products cost far more than what their shardings send."""
    import torch
    generator = torch.Generator().manual_seed(3)
    x, y = (torch.randn(512, 256, generator=generator).to(device) for _ in range(2))
    torch.manual_seed(0)
    layers = torch.nn.Linear(256, 1024), torch.nn.GELU(), torch.nn.Linear(1024, 256)
    model = torch.nn.Sequential(*layers).to(device)
    return model, torch.optim.SGD(model.parameters(), lr=0.1), lambda: torch.nn.functional.mse_loss(model(x), y)


@separate_process(dict(FOUR, XLA_AUTO_SPMD_MESH="2,2"))
def spmd_auto(folder):
    """The client reads back the shardings that were chosen, and sends them with the next steps."""
    import torch
    import torch_xla
    import torch_xla.debug.metrics as met
    import torch_xla.runtime as xr
    from torch_models import train
    xr.use_spmd(auto=True)
    trainer, seen = wide_trainer(torch_xla.device()), []

    def look(step):
        specs = [torch_xla._XLAC._get_xla_sharding_spec(parameter) for parameter in trainer[0].parameters()]
        seen.append((met.counter_value("CompileWithAutoSharding"), specs))
    losses = train(trainer, 5, torch_xla.sync, look).cpu()
    torch.testing.assert_close(losses, train(wide_trainer("cpu"), 5, lambda: None), rtol=1e-5, atol=1e-6)
    assert any(spec.startswith("{devices=") for spec in seen[0][1]), seen
    assert all(specs == seen[0][1] for _, specs in seen), seen
    assert seen[2][0] <= 3 and seen[4][0] == seen[2][0], seen       # the third step has the shardings of the arguments, too


@separate_process(GANTRY)
def spmd(folder):
    import numpy as np
    import torch_xla
    import torch_xla.distributed.spmd as xs
    import torch_xla.runtime as xr
    from torch_models import gpt_trainer, train
    xr.use_spmd()
    device = torch_xla.device()
    count = xr.global_runtime_device_count()
    mesh = xs.Mesh(np.arange(count), (count, 1), ("data", "model"))
    trainer = gpt_trainer(device)
    for parameter in trainer[0].parameters():
        if parameter.dim() == 2:
            xs.mark_sharding(parameter, mesh, ("data", None))
    expect_eager(train(trainer, 3, torch_xla.sync).cpu())
    try:
        xs.Mesh(np.arange(4), (4, 1), ("data", "model")).get_op_sharding(("data", None))
        import torch
        xs.mark_sharding(torch.ones(8, 8).to(device), xs.Mesh(np.arange(4), (4, 1), ("data", "model")), ("data", None))
    except AssertionError as error:
        assert "number of devices" in str(error), error
    else:
        raise AssertionError("a mesh of four devices was accepted")


def counters_of_run(cache, readonly):
    """Trains in a process of its own with the cache; its counters of the cache."""
    program = ("import sys, torch_xla, torch_xla.runtime as xr, torch_xla.debug.metrics as met\n"
               "from torch_process_cases import gpt_losses, expect_eager\n"
               "import os\n"
               f"xr.initialize_cache({cache!r}, readonly={readonly})\n"
               "expect_eager(gpt_losses(torch_xla.device()))\n"
               "print({name: met.counter_value(name) for name in met.counter_names() if 'Persistent' in name})\n"
               "sys.stdout.flush()\nos._exit(0)\n")
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, cwd=os.path.dirname(__file__) or ".")
    assert done.returncode == 0, done.stderr[-1500:]
    return eval(done.stdout.strip().splitlines()[-1]), done.stderr


@separate_process(GANTRY)
def compilation_cache(folder):
    first, _ = counters_of_run(folder, False)
    files = sorted(os.listdir(folder))
    assert first.get("PersistentCacheMiss", 0) == len(files) > 0, (first, files)
    second, said = counters_of_run(folder, True)
    assert sorted(os.listdir(folder)) == files
    if "Deserializing serialized executable not supported" in said:
        raise Skipped("torch_xla asks no plugin to load an executable, and compiles again; what it wrote is whole")
    assert second.get("PersistentCacheHit", 0) == len(files), second


@separate_process(GANTRY)
def profiler(folder):
    """A trace of PyTorch/XLA's profiler has what the threads did, and the device's operations."""
    import glob
    import gzip
    import json
    import torch_xla
    import torch_xla.debug.profiler as xp
    device = torch_xla.device()
    xp.start_trace(folder)
    expect_eager(gpt_losses(device))
    xp.stop_trace()
    (path,) = glob.glob(os.path.join(folder, "**", "*.trace.json.gz"), recursive=True)
    with gzip.open(path) as file:
        events = json.load(file)["traceEvents"]
    kinds = {event["args"]["kind"]: event["name"] for event in events if "dur" in event and "kind" in event.get("args", {})}
    assert kinds.keys() == {"compile", "execute", "step"}, kinds
    (device,) = [event["pid"] for event in events if event.get("args", {}).get("name") == "/device:TPU:0"]
    lines = {event["args"]["name"] for event in events if event.get("pid") == device and event["name"] == "thread_name"}
    assert {"Steps", "XLA Modules", "XLA Ops"} <= lines, lines


def run_exported(program, inputs, expected, folder):
    command = [os.path.join(os.environ["GANTRY_BIN"], "gantry"), "run", program, "--plugin",
               os.path.join(os.environ["GANTRY_LIB"], "pjrt_c_api_gantry_plugin.so")]
    for path in inputs:
        command += ["--input", "@" + path]
    done = subprocess.run([*command, "--expect", expected, "--tolerance", "1e-5"], capture_output=True, text=True)
    assert done.returncode == 0, done.stdout[-500:] + done.stderr[-1000:]


@separate_process(GANTRY)
def exported_stablehlo(folder):
    """torch.export, then StableHLO as bytecode and as text: `gantry run` gives PyTorch's numbers."""
    import numpy as np
    import torch
    from torch_xla.stablehlo import exported_program_to_stablehlo, save_as_stablehlo
    from torch_models import GPT, ResNet, gpt_data, initialize, resnet_data
    for name, model, given in (("gpt", GPT(), gpt_data(4)[0]), ("resnet", ResNet(), resnet_data(4)[0])):
        model = initialize(model).eval()
        at = os.path.join(folder, name)
        program = torch.export.export(model, (given,))
        save_as_stablehlo(program, at)
        graph = exported_program_to_stablehlo(program)
        expected = model(given).detach()
        torch.testing.assert_close(graph(given).cpu(), expected, rtol=1e-4, atol=1e-4)
        function = graph._bundle.stablehlo_funcs[0]
        inputs = []
        for i, place in enumerate(function.meta.input_locations):
            value = {"parameter": graph._bundle.state_dict.get(place.name), "input_arg": given}.get(place.type_.value)
            value = graph._bundle.additional_constants[place.position] if value is None else value
            inputs.append(os.path.join(at, f"input{i}.npy"))
            np.save(inputs[-1], np.asarray(value.detach().cpu() if isinstance(value, torch.Tensor) else value))
        np.save(os.path.join(at, "expected.npy"), expected.numpy())
        for suffix, text in (("mlirbc", graph.get_stablehlo_bytecode("forward")),
                             ("mlir", graph.get_stablehlo_text("forward").encode())):
            path = os.path.join(at, "program." + suffix)
            with open(path, "wb") as file:
                file.write(text)
            run_exported(path, inputs, os.path.join(at, "expected.npy"), folder)

def offload_partition(joint, inputs, *, num_fwd_outputs, **options):
    """PyTorch's default partition into forward and backward; what the forward saves is placed in host memory."""
    import torch
    from functorch.compile import default_partition
    forward, backward = default_partition(joint, inputs, num_fwd_outputs=num_fwd_outputs, **options)
    output = next(node for node in forward.graph.nodes if node.op == "output")
    results, saved = list(output.args[0][:num_fwd_outputs]), list(output.args[0][num_fwd_outputs:])
    inputs_of_layer = [node for node in forward.graph.nodes if node.op == "placeholder"]   # the activation comes first
    placed = {}
    for i, node in enumerate(saved):
        if node in inputs_of_layer[1:] or not isinstance(node.meta.get("val"), torch.Tensor) or not node.meta["val"].dim():
            continue                                     # weights, and what is no array
        with forward.graph.inserting_before(output):
            saved[i] = forward.graph.call_function(torch.ops.xla.place_to_host.default, (node,))
        saved[i].meta = dict(node.meta)
        placed[node.name] = saved[i]
    output.args = (tuple(results + saved),)
    first = next(node for node in backward.graph.nodes if node.op != "placeholder")
    for node in [node for node in backward.graph.nodes if node.op == "placeholder" and node.name in placed]:
        with backward.graph.inserting_before(first):
            back = backward.graph.call_function(torch.ops.xla.place_to_device.default, (node,))
        node.replace_all_uses_with(back, delete_user_cb=lambda user, back=back: user is not back)
        back.meta = dict(node.meta)
    for module in (forward, backward):
        module.recompile()
    assert placed, "nothing is saved"
    return forward, backward


@separate_process(GANTRY)
def offloaded_activations(folder):
    """scan_layers whose saved activations are placed on the host: the same gradients, and less device memory."""
    import torch
    import torch_xla
    import torch_xla.core.xla_model as xm
    import torch_xla.experimental.stablehlo_custom_call  # defines place_to_host
    from torch_xla.experimental.scan_layers import scan_layers
    from functorch.compile import default_partition
    device, layers, width, rows = torch_xla.device(), 16, 128, 4096
    generator = torch.Generator().manual_seed(3)
    weights = [torch.randn(width, width, generator=generator) * width ** -0.5 for _ in range(layers)]
    x = torch.randn(rows, width, generator=generator)

    class Layer(torch.nn.Module):
        def __init__(self, weight):
            super().__init__()
            self.weight = torch.nn.Parameter(weight)

        def forward(self, y):
            return y + torch.tanh(y @ self.weight)

    def gradients(run, device):
        stack = torch.nn.Sequential(*(Layer(weight.clone()) for weight in weights)).to(device)
        run(stack, x.to(device)).square().mean().backward()
        result = [layer.weight.grad for layer in stack]
        torch_xla.sync()
        return [gradient.cpu() for gradient in result]

    def peak():
        return xm.get_memory_info(device)["peak_bytes_used"]

    offloaded = gradients(lambda stack, y: scan_layers(stack, y, partition_fn=offload_partition), device)
    less = peak()
    plain = gradients(lambda stack, y: scan_layers(stack, y, partition_fn=default_partition), device)
    more = peak()
    expected = gradients(lambda stack, y: stack(y), torch.device("cpu"))
    for got, same, right in zip(offloaded, plain, expected):
        assert torch.equal(got, same), (got - same).abs().max()
        torch.testing.assert_close(got, right, rtol=1e-4, atol=1e-6)
    stack = layers * rows * width * 4                   # of each saved activation, of which there are two
    assert less < more / 2 and more - less > 1.5 * stack, (less, more, stack)



def main():
    function, _ = CASES[sys.argv[1]]
    try:
        function(sys.argv[2])
    except (Skipped, torch_kernels.NotInstalled) as reason:
        print(f"skipped: {reason}")
    except BaseException:                               # torch_xla's own teardown is not what is tested
        import traceback
        traceback.print_exc()
        sys.stderr.flush()
        os._exit(1)
    sys.stdout.flush()
    os._exit(0)


if __name__ == "__main__":
    main()
