#!/usr/bin/env python3
"""torch_xla.experimental's Pallas kernels on the TPU model, beside PyTorch's own computation of the same; the cases are
listed by torch_process_cases.py. torch_xla writes these kernels with JAX, at the version that its release names: it comes
from the environment of KERNEL_JAX, which is laid before the client's own (the torchax in torch_xla's wheel needs Flax, which
the one there does not). As a program:

    torch_kernels.py [mesh]         prints a line for each kernel and their counts (PJRT_DEVICE=TPU, TPU_LIBRARY_PATH)

`mesh`: under SPMD, over all devices."""
import glob
import math
import os
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
SCRIPTS = os.path.join(HERE, "..", "..", "..", "scripts")
KERNEL_JAX = {"2.6": "torch_kernels_2.6_requirements.txt", "2.7": "torch_kernels_2.7_requirements.txt"}
NEWER_JAX = "torch_kernels_requirements.txt"
TPU = {"PJRT_DEVICE": "TPU", "TPU_LIBRARY_PATH": "@LIB@/pjrt_c_api_gantrytpu_plugin.so", "TPU_SKIP_MDS_QUERY": "1",
       "JAX_PLATFORMS": "tpu,cpu"}
CASES, KERNELS = {}, []
MASKED = -1e30


class NotInstalled(Exception):
    """The JAX that torch_xla's kernels need is missing."""


def add_jax():
    """Makes JAX importable."""
    import torch_xla
    name = KERNEL_JAX.get(".".join(torch_xla.__version__.split(".")[:2]), NEWER_JAX)
    cached = [] if os.environ.get("GANTRY_TORCH") == "1" else ["--cached"]
    done = subprocess.run([os.path.join(SCRIPTS, "python_env.sh"), *cached, os.path.join(HERE, name)],
                          stdout=subprocess.PIPE, text=True, env=dict(os.environ, PYTHON=sys.executable))
    if done.returncode:
        raise NotInstalled(f"GANTRY_TORCH=1 installs {name} (600 MB)")
    prefix = os.path.dirname(os.path.dirname(done.stdout.strip()))
    sys.path[1:1] = glob.glob(os.path.join(prefix, "lib", "python3*", "site-packages"))


def kernel(function=None, *, alone=True, on_mesh=False):
    """Lists a kernel that is tried on one device (alone), over a mesh, or both. `function` gets a Run."""
    def add(f):
        KERNELS.append((f, alone, on_mesh))
        return f
    return add(function) if function else add


class Run:
    """Where kernels run. `mesh`: None, or the mesh of all devices."""
    def __init__(self, mesh):
        import torch_xla
        self.device, self.mesh, self.sync = torch_xla.device(), mesh, torch_xla.sync
        self.by_batch = {} if mesh is None else {"partition_spec": ("data", None, None, None), "mesh": mesh}

    def put(self, *tensors):
        return [tensor.to(self.device) for tensor in tensors]


def normal(*shape, seed=0):
    import torch
    return torch.randn(shape, generator=torch.Generator().manual_seed(seed))


def near(got, wanted, tolerance):
    """The largest difference, in units of the largest number that is wanted."""
    got, wanted = got.detach().cpu().float(), wanted.detach().float()
    assert got.shape == wanted.shape, (got.shape, wanted.shape)
    difference = ((got - wanted).abs().max() / wanted.abs().max()).item()
    assert difference <= tolerance, f"differs by {difference:.3g}, allowed are {tolerance}"


# ---- attention ----
def attention(q, k, v, scale=1.0, causal=False, bias=None, segments=None):
    import torch
    scores = q @ k.transpose(-1, -2)
    scores = (scores if bias is None else scores + bias) * scale
    if causal:
        scores = scores.masked_fill(torch.ones(scores.shape[-2:]).triu(1).bool(), MASKED)
    if segments is not None:
        scores = scores.masked_fill(segments[:, None, :, None] != segments[:, None, None, :], MASKED)
    return torch.softmax(scores, -1) @ v


def heads(count=3, batch=4, heads=2, length=256, width=64):
    return [normal(batch, heads, length, width, seed=seed) for seed in range(count)]


def check_gradients(kernel, reference, inputs, run):
    """Compares results of (inputs) and gradients of the sum of their squares."""
    import torch
    there, here = [[x.detach().requires_grad_() for x in xs] for xs in (run.put(*inputs), inputs)]
    results = kernel(*there), reference(*here)
    for result in results:
        torch.square(result).sum().backward()
    run.sync()
    near(*results, 2e-2)
    for got, wanted in zip(there, here):
        near(got.grad, wanted.grad, 3e-2)


@kernel(on_mesh=True)
def flash_attention(run):
    from torch_xla.experimental.custom_kernel import flash_attention as flash
    near(flash(*run.put(*heads()), False, sm_scale=1 / 8, **run.by_batch), attention(*heads(), 1 / 8), 2e-2)


@kernel(on_mesh=True)
def flash_attention_of_segments(run):
    import torch
    from torch_xla.experimental.custom_kernel import flash_attention as flash
    segments = (torch.arange(256) // 100).expand(4, 256).contiguous().to(torch.int32)
    got = flash(*run.put(*heads(), segments, segments)[:3], False, *run.put(segments, segments), sm_scale=1 / 8, **run.by_batch)
    near(got, attention(*heads(), 1 / 8, segments=segments), 2e-2)


@kernel(on_mesh=True)
def gradients_of_causal_flash_attention(run):
    from torch_xla.experimental.custom_kernel import flash_attention as flash
    check_gradients(lambda *x: flash(*x, True, sm_scale=1 / 8, **run.by_batch), lambda *x: attention(*x, 1 / 8, True),
                    heads(), run)


@kernel(on_mesh=True)
def gradients_of_flash_attention_with_bias(run):
    from torch_xla.experimental.custom_kernel import flash_attention as flash
    bias = normal(4, 2, 256, 256, seed=9)
    check_gradients(lambda *x: flash(*x, False, sm_scale=1 / 8, ab=run.put(bias)[0], **run.by_batch),
                    lambda *x: attention(*x, 1 / 8, bias=bias), heads(), run)


@kernel(alone=False, on_mesh=True)
def gradients_of_splash_attention(run):
    """torch_xla 2.8 and newer."""
    from torch_xla.experimental.splash_attention import SplashAttentionConfig, splash_attention
    config = SplashAttentionConfig(mesh=str(run.mesh)).to_json()    # over the mesh's axes "data" and "fsdp"
    q, k, v = normal(4, 4, 256, 128), normal(4, 2, 256, 128, seed=1), normal(4, 2, 256, 128, seed=2)
    check_gradients(lambda q, k, v: splash_attention(q / 11, k, v, config),
                    lambda q, k, v: attention(q / 11, *[x.repeat_interleave(2, 1) for x in (k, v)], causal=True), (q, k, v), run)


# ---- attention over pages ----
def paged_heads(pages, table, length, repeats):
    """Keys or values of one sequence, [heads, length, width], of `pages`, [heads, page, row, width]."""
    return pages[:, table.long()].flatten(1, 2)[:, :length].repeat_interleave(repeats, 0)


@kernel
def paged_attention(run):
    import torch
    from torch_xla.experimental.custom_kernel import paged_attention as paged
    q, keys, values = normal(4, 8, 128), normal(2, 32, 16, 128, seed=1), normal(2, 32, 16, 128, seed=2)
    lengths = torch.tensor([1, 37, 128, 64], dtype=torch.int32)
    tables = torch.randperm(32, generator=torch.Generator().manual_seed(3)).reshape(4, 8).to(torch.int32)
    wanted = [attention(q[i][:, None], *[paged_heads(x, tables[i], lengths[i], 4) for x in (keys, values)])[:, 0]
              for i in range(4)]
    near(paged(*run.put(q, keys, values, lengths, tables), pages_per_compute_block=4), torch.stack(wanted), 2e-2)


@kernel
def paged_attention_of_several_queries(run):
    import torch
    from torch_xla.experimental.custom_kernel import multi_queries_paged_attention as paged
    q, keys, values = normal(2, 16, 8, 128), normal(4, 16, 16, 128, seed=1), normal(4, 16, 16, 128, seed=2)
    lengths, counts = torch.tensor([40, 128], dtype=torch.int32), torch.tensor([16, 16], dtype=torch.int32)
    tables = torch.randperm(16, generator=torch.Generator().manual_seed(3)).reshape(2, 8).to(torch.int32)
    got = paged(*run.put(q, keys, values, lengths, tables, counts), num_kv_pages_per_compute_block=8,
                num_queries_per_compute_block=8)
    wanted = [latest_queries(q[i], *[paged_heads(x, tables[i], lengths[i], 2) for x in (keys, values)]) for i in range(2)]
    near(got, torch.stack(wanted), 3e-2)


def latest_queries(q, keys, values, scale=1.0):
    """Causal attention of q, [query, head, width], the last of the sequence; keys and values are [head, row, width]."""
    import torch
    scores = q.transpose(0, 1) @ keys.transpose(1, 2) * scale
    mask = torch.ones(scores.shape[-2:]).triu(1 + scores.shape[-1] - scores.shape[-2]).bool()
    return (torch.softmax(scores.masked_fill(mask, MASKED), -1) @ values).transpose(0, 1)


@kernel
def ragged_paged_attention(run):
    """torch_xla 2.7 and newer; 2.7 has pages of keys and pages of values. Sequences of 33, 1 and 56 new queries; three of
    the four are in use."""
    import inspect
    import torch
    from torch_xla.experimental.custom_kernel import ragged_paged_attention as ragged
    q, pages = normal(96, 8, 128), normal(64, 16, 4, 128, seed=1)
    lengths, starts = (torch.tensor(x, dtype=torch.int32) for x in ([60, 17, 120, 0], [0, 33, 34, 90, 90]))
    tables = torch.randperm(64, generator=torch.Generator().manual_seed(3))[:32].reshape(4, 8).to(torch.int32)
    apart = [pages[:, :, 0::2].contiguous(), pages[:, :, 1::2].contiguous()]
    given = apart if "k_pages" in inspect.signature(ragged).parameters else [pages]
    got = ragged(*run.put(q, *given, lengths, tables, starts, torch.tensor([3], dtype=torch.int32)), sm_scale=0.09,
                 num_kv_pages_per_block=4, num_queries_per_block=16, use_kernel=True)
    keys, values = (x.permute(2, 0, 1, 3) for x in apart)
    wanted = [latest_queries(q[starts[i]:starts[i + 1]], *[paged_heads(x, tables[i], lengths[i], 4) for x in (keys, values)],
                             scale=0.09) for i in range(3)]
    near(got[:90], torch.cat(wanted), 2e-2)


# ---- products ----
@kernel
def products_of_groups(run):
    import torch
    from torch_xla.experimental.custom_kernel import gmm
    rows, weights = normal(512, 256), normal(4, 256, 128, seed=1)
    groups = torch.tensor([100, 0, 256, 156], dtype=torch.int32)
    wanted = torch.cat([part @ weight for part, weight in zip(rows.split(groups.tolist()), weights)])
    near(gmm(*run.put(rows, weights, groups), tiling=(128, 128, 128)), wanted, 2e-2)


@kernel
def products_to_groups(run):
    import torch
    from torch_xla.experimental.custom_kernel import tgmm
    left, right = normal(256, 512), normal(512, 128, seed=1)
    groups = torch.tensor([100, 28, 256, 128], dtype=torch.int32)
    wanted = torch.stack([a @ b for a, b in zip(left.split(groups.tolist(), 1), right.split(groups.tolist()))])
    near(tgmm(*run.put(left, right, groups), tiling=(128, 128, 128)), wanted, 2e-2)


# ---- running them ----
def outcomes(on_mesh):
    """Yields (name, None if passed, "none" where this torch_xla has no such kernel, or the error)."""
    import torch_xla.runtime as runtime
    if on_mesh:
        runtime.use_spmd()
    add_jax()
    mesh = whole_mesh() if on_mesh else None
    run = Run(mesh)
    for function, alone, meshed in KERNELS:
        if meshed if on_mesh else alone:
            try:
                function(run)
                yield function.__name__, None
            except ImportError as missing:
                yield function.__name__, "none" if "torch_xla" in str(missing) else repr(missing)
            except Exception as problem:                            # the other kernels are tried all the same
                yield function.__name__, f"{type(problem).__name__}: {str(problem)[-1500:]}"


def whole_mesh():
    import numpy
    import torch_xla.distributed.spmd as spmd
    import torch_xla.runtime as runtime
    count = runtime.global_runtime_device_count()
    return spmd.Mesh(numpy.arange(count), (count, 1), ("data", "fsdp"))


def check(on_mesh):
    found = list(outcomes(on_mesh))
    failed = [f"{name}: {problem}" for name, problem in found if problem not in (None, "none")]
    assert not failed, "\n".join(failed)
    assert math.fsum(problem is None for _, problem in found) >= 4, found


def custom_kernels(_):
    check(on_mesh=False)


def custom_kernels_over_a_mesh(_):
    check(on_mesh=True)


CASES[custom_kernels.__name__] = (custom_kernels, dict(TPU))
CASES[custom_kernels_over_a_mesh.__name__] = (custom_kernels_over_a_mesh, dict(TPU, GANTRY_TPU_TOPOLOGY="v5e:2x2"))


def main():
    counts = {"passed": 0, "failed": 0, "skipped": 0}
    for name, problem in outcomes(sys.argv[1:] == ["mesh"]):
        kind = "passed" if problem is None else "skipped" if problem == "none" else "failed"
        counts[kind] += 1
        print(f"{kind} {name}{': ' + problem if problem else ''}", flush=True)
    print(", ".join(f"{count} {kind}" for kind, count in counts.items()), flush=True)
    os._exit(1 if counts["failed"] else 0)                          # torch_xla's own teardown is not what is tested


if __name__ == "__main__":
    main()
