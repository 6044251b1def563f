"""public.py: CLASSES of public models at their real layer sizes, for one device: forward passes and training steps of a few of their layers,
in a scan or unrolled, with batch and length drawn."""
import jax
import jax.numpy as jnp

import models
from draw import Program, array

# width, heads, heads of keys, hidden elements, vocabulary, layers; gated, activation, norm
LANGUAGE = {
    "gpt2": (768, 12, 12, 3072, 50304, 12, False, "gelu", "layer"),
    "gpt2_medium": (1024, 16, 16, 4096, 50304, 24, False, "gelu", "layer"),
    "llama_1b": (2048, 32, 8, 8192, 128256, 16, True, "silu", "rms"),
    "llama_7b": (4096, 32, 32, 11008, 32000, 32, True, "silu", "rms"),
    "t5_base": (768, 12, 12, 2048, 32128, 12, True, "gelu", "rms"),
    "gemma_2b": (2048, 8, 1, 16384, 256128, 18, True, "gelu", "rms"),
}


def configuration(draw, name):
    width, heads, key_heads, hidden, vocabulary, layers, gated, activation, norm = LANGUAGE[name]
    scan = draw.chance(0.7)
    return {"width": width, "heads": heads, "key_heads": key_heads, "hidden": hidden, "vocabulary": vocabulary, "gated": gated,
            "activation": activation, "norm": norm, "causal": name != "t5_base", "scan": scan, "remat": draw.chance(0.5),
            "layers": layers if scan else draw.integer(2, 4)}


def language(draw):
    c = configuration(draw, draw.of(*LANGUAGE))
    parameters = models.language_model(c, jnp.bfloat16)
    tokens = array((draw.of(1, 2, 4, 8), draw.of(512, 1024, 2048)), jnp.int32)
    if draw.chance(0.5):
        return Program(lambda p, t: models.logits(p, t, c), [parameters, tokens])
    step = models.adam_step(lambda p, t, labels: models.cross_entropy(models.logits(p, t, c), labels))
    state = models.wide(parameters)
    return Program(step, [parameters, state, state, tokens, tokens], donate=(0, 1, 2))


# ---- images ----------------------------------------------------------------------------------------
def vision_transformer(draw):
    """ViT-B/16: patches of 16 x 16 pixels, 12 layers."""
    c = {"width": 768, "heads": 12, "key_heads": 12, "hidden": 3072, "gated": False, "activation": "gelu", "norm": "layer", "causal": False}
    layers, batch = 12, draw.of(8, 32, 64)
    parameters = {"patch": array((16, 16, 3, 768), jnp.bfloat16), "head": array((768, 1000), jnp.bfloat16),
                  "layers": models.stacked(models.block_parameters(c, jnp.bfloat16), layers)}

    def predict(p, images):
        x = jax.lax.conv_general_dilated(images, p["patch"], (16, 16), "VALID", dimension_numbers=("NHWC", "HWIO", "NHWC"))
        x = x.reshape(batch, -1, 768)
        x, _ = jax.lax.scan(lambda x, layer: (models.block(x, layer, c), None), x, p["layers"])
        return x.mean(1) @ p["head"]
    images = array((batch, 224, 224, 3), jnp.bfloat16)
    if draw.chance(0.5):
        return Program(predict, [parameters, images])
    step = models.sgd_step(lambda p, images, labels: models.cross_entropy(predict(p, images), labels))
    return Program(step, [parameters, images, array((batch,), jnp.int32)], donate=(0,))


def residual_network(draw):
    """Two bottlenecks of a stage of ResNet-50, with batch normalization."""
    side, width, inner = draw.of((56, 256, 64), (28, 512, 128), (14, 1024, 256), (7, 2048, 512))
    dtype, batch = draw.dtype(), draw.of(16, 32, 64, 128)
    shapes = [(1, 1, width, inner), (3, 3, inner, inner), (1, 1, inner, width)] * 2
    kernels = [(array(shape, dtype), array(shape[-1:], dtype), array(shape[-1:], dtype)) for shape in shapes]

    def convolve(x, layer):
        kernel, scale, offset = layer
        x = jax.lax.conv_general_dilated(x, kernel, (1, 1), "SAME", dimension_numbers=("NHWC", "HWIO", "NHWC"))
        mean, variance = x.mean((0, 1, 2)), x.var((0, 1, 2))
        return (x - mean) * jax.lax.rsqrt(variance + 1e-5) * scale + offset

    def net(kernels, x):
        for i in range(0, len(kernels), 3):
            y = jax.nn.relu(convolve(x, kernels[i]))
            y = jax.nn.relu(convolve(y, kernels[i + 1]))
            x = jax.nn.relu(x + convolve(y, kernels[i + 2]))
        return x
    x = array((batch, side, side, width), dtype)
    if draw.chance(0.4):
        return Program(net, [kernels, x])
    return Program(models.sgd_step(lambda k, x: jnp.mean(net(k, x).astype(jnp.float32) ** 2)), [kernels, x], donate=(0,))


# ---- mixture of experts ----------------------------------------------------------------------------
def experts(draw):
    """A feed-forward layer of 8 experts, of which each token takes two by a dense dispatch."""
    width, hidden = draw.of((1024, 4096), (2048, 4096), (4096, 14336))
    count, tokens = 8, draw.of(1024, 2048, 4096)
    capacity = tokens * 2 // count
    parameters = {"router": array((width, count), jnp.float32), "up": array((count, width, hidden), jnp.bfloat16),
                  "down": array((count, hidden, width), jnp.bfloat16)}

    def layer(p, x):
        gates = jax.nn.softmax(x.astype(jnp.float32) @ p["router"], -1)
        weights, chosen = jax.lax.top_k(gates, 2)
        mask = jax.nn.one_hot(chosen, count, dtype=jnp.int32)
        place = jnp.cumsum(mask.reshape(-1, count), 0).reshape(tokens, 2, count) * mask - 1
        where = jax.nn.one_hot(place.max(-1), capacity, dtype=jnp.bfloat16)
        dispatch = jnp.einsum("tke,tkc->tec", mask.astype(jnp.bfloat16), where)
        combine = jnp.einsum("tke,tkc,tk->tec", mask.astype(jnp.bfloat16), where, weights.astype(jnp.bfloat16))
        y = jnp.einsum("tec,td->ecd", dispatch, x)
        y = jnp.einsum("ech,ehd->ecd", jax.nn.silu(jnp.einsum("ecd,edh->ech", y, p["up"])), p["down"])
        return x + jnp.einsum("tec,ecd->td", combine, y)
    x = array((tokens, width), jnp.bfloat16)
    if draw.chance(0.5):
        return Program(layer, [parameters, x])
    return Program(models.sgd_step(lambda p, x: jnp.mean(layer(p, x).astype(jnp.float32) ** 2)), [parameters, x], donate=(0,))


CLASSES = {"language": language, "vision_transformer": vision_transformer, "residual_network": residual_network, "experts": experts}
