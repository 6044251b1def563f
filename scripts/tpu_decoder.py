#!/usr/bin/env python3
"""tpu_decoder.py OUT [DEVICES [LAYERS]]: writes a decoder's train step (7 billion parameters with 32 layers) for DEVICES devices
as StableHLO bytecode, from abstract shapes: a scan over layers, each rematerialized, Adam, parameters and optimizer state
sharded over all devices (FSDP), one sequence a device. No device is needed, nor memory for the parameters:
`gantry plan --tpu v5p:4x4x4 --devices 64 OUT`."""
import functools
import sys

import jax
import jax.numpy as jnp
from jaxlib.mlir.dialects import stablehlo
from jax.sharding import AbstractMesh, NamedSharding, PartitionSpec as P

VERSION = "1.13.0"  # of StableHLO
MODEL, HIDDEN, HEADS, VOCABULARY, SEQUENCE = 4096, 11008, 32, 32000, 2048


def normalize(x, scale):
    wide = x.astype(jnp.float32)
    return (wide * jax.lax.rsqrt(jnp.mean(wide * wide, -1, keepdims=True) + 1e-6)).astype(x.dtype) * scale


def attention(x, layer):
    q, k, v = (jnp.einsum("bsd,dhk->bshk", x, layer[name]) for name in ("q", "k", "v"))
    scores = jnp.einsum("bqhk,bshk->bhqs", q, k).astype(jnp.float32) / (MODEL // HEADS) ** 0.5
    mask = jnp.tril(jnp.ones((SEQUENCE, SEQUENCE), bool))
    weights = jax.nn.softmax(jnp.where(mask, scores, -1e9)).astype(x.dtype)
    return jnp.einsum("bshk,hkd->bsd", jnp.einsum("bhqs,bshk->bqhk", weights, v), layer["o"])


def on_all(x, mesh):
    return jax.lax.with_sharding_constraint(x, NamedSharding(mesh, P("fsdp", None, None)))


def block(x, layer, mesh):
    x = on_all(x, mesh)
    x = x + attention(normalize(x, layer["norm1"]), layer)
    y = normalize(x, layer["norm2"])
    return x + (jax.nn.silu(y @ layer["gate"]) * (y @ layer["up"])) @ layer["down"], None


def loss(parameters, tokens, mesh):
    x = on_all(parameters["embedding"][tokens], mesh)
    x, _ = jax.lax.scan(jax.checkpoint(functools.partial(block, mesh=mesh)), x, parameters["layers"])
    logits = (normalize(x, parameters["norm"]) @ parameters["head"]).astype(jnp.float32)
    wanted = jnp.take_along_axis(logits, tokens[..., None], -1)[..., 0]
    return jnp.mean(jax.nn.logsumexp(logits, -1) - wanted)


def step(parameters, first, second, tokens, mesh):
    value, gradients = jax.value_and_grad(loss)(parameters, tokens, mesh)
    first = jax.tree.map(lambda m, g: 0.9 * m + 0.1 * g.astype(m.dtype), first, gradients)
    second = jax.tree.map(lambda v, g: 0.99 * v + 0.01 * g.astype(v.dtype) * g.astype(v.dtype), second, gradients)
    parameters = jax.tree.map(lambda p, m, v: (p - 1e-4 * m / (jnp.sqrt(v) + 1e-8)).astype(p.dtype), parameters, first, second)
    return parameters, first, second, value


def shapes(layers):
    head = MODEL // HEADS
    each = {"q": (MODEL, HEADS, head), "k": (MODEL, HEADS, head), "v": (MODEL, HEADS, head), "o": (HEADS, head, MODEL),
            "gate": (MODEL, HIDDEN), "up": (MODEL, HIDDEN), "down": (HIDDEN, MODEL), "norm1": (MODEL,), "norm2": (MODEL,)}
    return {"embedding": (VOCABULARY, MODEL), "head": (MODEL, VOCABULARY), "norm": (MODEL,),
            "layers": {name: (layers, *shape) for name, shape in each.items()}}


def sharded(mesh, dtype, shape):
    """The dimension of MODEL elements is divided among all devices."""
    spec = P(*("fsdp" if size == MODEL and len(shape) > 1 else None for size in shape))
    return jax.ShapeDtypeStruct(shape, dtype, sharding=NamedSharding(mesh, spec))


def main():
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    devices = int(sys.argv[2]) if len(sys.argv) > 2 else 64
    layers = int(sys.argv[3]) if len(sys.argv) > 3 else 32
    mesh = AbstractMesh((devices,), ("fsdp",))
    trees = [jax.tree.map(lambda shape, dtype=dtype: sharded(mesh, dtype, shape), shapes(layers), is_leaf=lambda x: isinstance(x, tuple))
             for dtype in (jnp.bfloat16, jnp.float32, jnp.float32)]
    tokens = jax.ShapeDtypeStruct((devices, SEQUENCE), jnp.int32, sharding=NamedSharding(mesh, P("fsdp", None)))
    results = tuple(jax.tree.map(lambda leaf: leaf.sharding, tree) for tree in trees) + (NamedSharding(mesh, P()),)
    jitted = jax.jit(functools.partial(step, mesh=mesh), donate_argnums=(0, 1, 2), out_shardings=results)
    module = jitted.trace(*trees, tokens).lower(lowering_platforms=("tpu",)).compiler_ir("stablehlo")
    with open(sys.argv[1], "wb") as file:
        file.write(stablehlo.serialize_portable_artifact(module, VERSION, allow_other_dialects=True))


if __name__ == "__main__":
    main()
