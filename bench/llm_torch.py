"""llm_torch.py: the language model of llm_jax.py in PyTorch, as two sides of llm.py: eager mode ("torch") and torch.compile
("compiled"). Quantized weights are unpacked and scaled in front of each product, as in the JAX model."""
import math
import sys

import whole_models_side as side

side.bind(sys.argv[2])
import numpy
import torch
import torch.nn.functional as F

import llm_sizes

torch.set_num_threads(len(sys.argv[2].split(",")))


def pack(kind, array):
    """A matrix [k, n] as the kind keeps it: a tuple of arrays."""
    scheme, (k, n) = llm_sizes.scheme(kind), array.shape
    array = torch.from_numpy(array) / math.sqrt(k)
    if not scheme:
        return (array if kind == "f32" else array.bfloat16(),)
    groups = array.view(k // (scheme.group or k), -1, n)
    scales = groups.abs().amax(1, keepdim=True) / (2 ** (scheme.bits - 1) - 1)
    numbers = torch.round(groups / scales).to(torch.int8).view(k, n)
    if scheme.packed:
        numbers = (numbers[:, 0::2] & 15) | (numbers[:, 1::2] << 4)
    return numbers, scales[:, 0].bfloat16()


def matrix(weight):
    if len(weight) == 1:
        return weight[0]
    numbers, scales = weight
    if numbers.shape[1] != scales.shape[1]:
        numbers = torch.stack([(numbers << 4) >> 4, numbers >> 4], -1).view(numbers.shape[0], -1)
    groups = numbers.view(len(scales), -1, numbers.shape[1]).to(scales.dtype) * scales[:, None]
    return groups.view(numbers.shape)


def normalized(x):
    wide = x.float()
    return (wide * torch.rsqrt((wide * wide).mean(-1, keepdim=True) + 1e-5)).to(x.dtype)


def rotated(x, places):
    half = x.shape[-1] // 2
    angle = places[:, None, None] / 10000 ** (torch.arange(half) / half)
    sine, cosine = angle.sin().to(x.dtype), angle.cos().to(x.dtype)
    first, second = x[..., :half], x[..., half:]
    return torch.cat([first * cosine - second * sine, first * sine + second * cosine], -1)


def attention(q, keys, values, place):
    batch, count, heads, head = q.shape
    seen = torch.arange(keys.shape[1]) <= place + torch.arange(count)[:, None]
    mixed = F.scaled_dot_product_attention(*(t.transpose(1, 2) for t in (q, keys, values)), attn_mask=seen, enable_gqa=True)
    return mixed.transpose(1, 2).reshape(batch, count, heads * head)


def forward(sizes, words, out, layers, cache, tokens, place):
    _, width, heads, shared, *_ = sizes
    batch, count = tokens.shape
    x, places = words[tokens], place + torch.arange(count)
    for p, (keys, values) in zip(layers, cache):
        y = normalized(x)
        split = lambda name, n: (y @ matrix(p[name])).view(batch, count, n, width // heads)
        q, k = rotated(split("q", heads), places), rotated(split("k", shared), places)
        keys[:, place:place + count], values[:, place:place + count] = k, split("v", shared)
        x = x + attention(q, keys, values, place) @ matrix(p["o"])
        y = normalized(x)
        x = x + (F.silu(y @ matrix(p["gate"])) * (y @ matrix(p["up"]))) @ matrix(p["down"])
    return torch.argmax(normalized(x[:, -1]) @ matrix(out), -1)


def make(model, what, kind):
    size, batch = model.split(" b")
    sizes = llm_sizes.SIZES[size]
    count, place, width, shared, words, cache_shape = llm_sizes.of_call(sizes, what, int(batch))
    dtype = torch.float32 if kind == "f32" else torch.bfloat16
    normals = llm_sizes.Normals(numpy)
    table = torch.from_numpy(normals.make(words, width)).to(dtype) / 8
    layers = [{name: pack(kind, normals.make(*shape)) for name, shape in llm_sizes.matrices(sizes).items()} for _ in range(sizes[0])]
    out, tokens = pack(kind, normals.make(width, words)), torch.ones(int(batch), count, dtype=torch.int64)
    cache = [(torch.zeros(cache_shape, dtype=dtype), torch.zeros(cache_shape, dtype=dtype)) for _ in layers]
    step = torch.compile(forward) if sys.argv[1] == "compiled" else forward

    def call():
        with torch.no_grad():
            step(sizes, table, out, layers, cache, tokens, place)
    arrays = [a for p in layers for weight in p.values() for a in weight] + list(out) + [a for pair in cache for a in pair]
    call.bytes = sum(a.nbytes for a in arrays)
    return call


if __name__ == "__main__":
    side.serve(make)
