"""The Pallas TPU kernels that JAX ships, on the TPU model: forms of attention and products that cases_pallas.py has not,
each against the same in plain operations."""
import importlib

import jax
import jax.numpy as jnp
import numpy

from jax_case import case

F32, BF16, S32 = jnp.float32, jnp.bfloat16, jnp.int32
HIGHEST = jax.lax.Precision.HIGHEST
OPS = "jax.experimental.pallas.ops.tpu."


def normal(*shape, dtype=F32, seed=0):
    return jnp.asarray(numpy.random.RandomState(seed).standard_normal(shape), dtype)


def near(got, wanted, tolerance):
    """The largest difference, as a share of the largest value."""
    for a, b in zip(jax.tree.leaves(got), jax.tree.leaves(wanted)):
        a, b = numpy.asarray(a, "float64"), numpy.asarray(b, "float64")
        error = numpy.abs(a - b).max() / numpy.abs(b).max()
        assert error < tolerance, error


def attend(logits, mask, v):
    weights = jax.nn.softmax(jnp.where(mask, logits, -1e30), -1)
    return jnp.einsum("hqk,hkd->hqd", weights, v.astype(F32), precision=HIGHEST)


def gradients(f, *arguments):
    return jax.jit(jax.grad(lambda *a: (f(*a).astype(F32) ** 2).sum(), (0, 1, 2)))(*arguments)


@case(compare=False, platform="tpu")
def flash_attention_with_bias_and_segments():
    flash = importlib.import_module(OPS + "flash_attention")
    q, k, v = (normal(1, 2, 256, 128, dtype=BF16, seed=i) for i in range(3))
    bias, ids = normal(1, 2, 256, 256, seed=3), jnp.repeat(jnp.arange(4, dtype=S32), 64)[None]
    segments = flash.SegmentIds(ids, ids)
    got = jax.jit(lambda *a: flash.flash_attention(*a, ab=bias, segment_ids=segments, causal=True, sm_scale=0.1))(q, k, v)
    logits = (jnp.einsum("hqd,hkd->hqk", q[0], k[0], precision=HIGHEST).astype(F32) + bias[0]) * 0.1
    near(got[0], attend(logits, jnp.tril(ids[0][:, None] == ids[0][None]), v[0]), 0.03)


def splash(heads, mask, cap=None):
    kernel, masks = (importlib.import_module(OPS + "splash_attention.splash_attention_" + name) for name in ("kernel", "mask"))
    sizes = kernel.BlockSizes(**{name: 128 for name in (
        "block_q", "block_kv", "block_kv_compute", "block_q_dkv", "block_kv_dkv", "block_kv_dkv_compute", "block_q_dq",
        "block_kv_dq")})
    whole = masks.MultiHeadMask([mask(masks)] * heads)
    return kernel.make_splash_mha(mask=whole, block_sizes=sizes, head_shards=1, q_seq_shards=1, attn_logits_soft_cap=cap)


@case(compare=False, platform="tpu")
def splash_attention_in_a_window_with_grouped_heads():
    q, k, v = normal(4, 256, 128, dtype=BF16) * 0.1, *(normal(2, 256, 128, dtype=BF16, seed=i) for i in (1, 2))
    kernel = splash(4, lambda masks: masks.LocalMask((256, 256), (64, 32), 0), cap=5.0)
    distance = jnp.arange(256)[:, None] - jnp.arange(256)[None]

    def plain(q, k, v):
        k, v = jnp.repeat(k, 2, 0), jnp.repeat(v, 2, 0)
        logits = jnp.einsum("hqd,hkd->hqk", q.astype(F32), k.astype(F32), precision=HIGHEST)
        return attend(jnp.tanh(logits / 5) * 5, (distance <= 64) & (distance >= -32), v)
    near(jax.jit(kernel)(q, k, v), plain(q, k, v), 0.03)


@case(compare=False, platform="tpu")
def gradients_of_causal_splash_attention():
    q, k, v = normal(2, 256, 128) * 0.1, normal(2, 256, 128, seed=1), normal(2, 256, 128, seed=2)
    kernel = splash(2, lambda masks: masks.CausalMask((256, 256)))

    def plain(q, k, v):
        return attend(jnp.einsum("hqd,hkd->hqk", q, k, precision=HIGHEST), jnp.tril(jnp.ones((256, 256), bool)), v)
    near(gradients(kernel, q, k, v), gradients(plain, q, k, v), 0.05)


@case(compare=False, platform="tpu")
def grouped_products_with_empty_groups():
    megablox = importlib.import_module(OPS + "megablox.gmm")
    sizes = (100, 0, 412)
    x, w = normal(512, 256, dtype=BF16) * 0.1, normal(3, 128, 256, dtype=BF16, seed=1)
    got = jax.jit(lambda *a: megablox.gmm(*a, F32, (128, 128, 128), transpose_rhs=True))(x, w, jnp.array(sizes, S32))
    groups = numpy.repeat(numpy.arange(3), sizes)
    near(got, jnp.einsum("mk,mnk->mn", x.astype(F32), w[groups].astype(F32), precision=HIGHEST), 0.02)


@case(compare=False, platform="tpu")
def paged_attention_of_quantized_pages():
    paged, quantization = (importlib.import_module(OPS + "paged_attention" + name) for name in ("", ".quantization_utils"))
    q, k, v = normal(2, 8, 128) * 0.1, normal(2, 16, 16, 128, seed=1), normal(2, 16, 16, 128, seed=2)
    lengths, pages = jnp.array([37, 128], S32), jnp.asarray(numpy.random.RandomState(0).permutation(16).reshape(2, 8), S32)
    got = jax.jit(lambda q, k, v: paged.paged_attention(q, k, v, lengths, pages, pages_per_compute_block=4))(
        q, *(quantization.QuantizedTensor(*quantization.quantize_to_int8(t)) for t in (k, v)))
    k, v = (t[:, pages].reshape(2, 2, 128, 128).swapaxes(0, 1) for t in (k, v))
    logits = jnp.einsum("bkgd,bktd->bkgt", q.reshape(2, 2, 4, 128), k, precision=HIGHEST)
    weights = jax.nn.softmax(jnp.where(jnp.arange(128) < lengths[:, None, None, None], logits, -1e30), -1)
    near(got, jnp.einsum("bkgt,bktd->bkgd", weights, v, precision=HIGHEST).reshape(2, 8, 128), 0.04)
