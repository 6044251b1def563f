"""grammar.py: CLASSES, from a class of programs to the function that draws one of it for one device. sharded.py has those for
several devices."""
import jax
import jax.numpy as jnp

import models
from draw import Program, array, keys


# ---- products --------------------------------------------------------------------------------------
def matmul(draw):
    dtype = draw.dtype()
    m, n, k = (draw.size(64, 16384, 8) for _ in range(3))
    batch = draw.of((), (), (draw.size(2, 64),))
    after = draw.of(lambda x: x, jax.nn.gelu, jax.nn.relu, lambda x: jax.nn.softmax(x, -1), lambda x: x.sum(-1))
    equation = draw.of("...mk,...kn->...mn", "...km,...kn->...mn", "...mk,...nk->...mn")
    left, right = equation.split("->")[0].replace("...", "").split(",")
    sizes = {"m": m, "n": n, "k": k}
    shapes = [array((*batch, *(sizes[letter] for letter in side)), dtype) for side in (left, right)]
    return Program(lambda x, y: after(jnp.einsum(equation, x, y)), shapes)


def quantized(draw):
    m, n, k = (draw.size(32, 8192, 32) for _ in range(3))
    weights = array((k, n), jnp.int8)
    if draw.chance(0.5):
        return Program(lambda x, w: jax.lax.dot(x, w, preferred_element_type=jnp.int32), [array((m, k), jnp.int8), weights])
    return Program(lambda x, w, scale: (x @ w.astype(x.dtype)) * scale, [array((m, k), draw.dtype()), weights, array((n,))])


def mlp(draw):
    dtype, layers, batch = draw.dtype(), draw.integer(2, 8), draw.size(256, 32768, 8)
    widths = [draw.size(512, 8192, 128) for _ in range(layers + 1)]
    weights = [array((a, b), dtype) for a, b in zip(widths, widths[1:])]
    activation = models.ACTIVATIONS[draw.of(*models.ACTIVATIONS)]

    def predict(weights, x):
        for w in weights[:-1]:
            x = activation(x @ w)
        return x @ weights[-1]

    def loss(weights, x, y):
        return jnp.mean((predict(weights, x) - y).astype(jnp.float32) ** 2)
    x, y = array((batch, widths[0]), dtype), array((batch, widths[-1]), dtype)
    kind = draw.of("forward", "sgd", "adam", "gradient")
    if kind == "forward":
        return Program(predict, [weights, x])
    if kind == "gradient":
        return Program(jax.grad(loss), [weights, x, y])
    if kind == "sgd":
        return Program(models.sgd_step(loss), [weights, x, y], donate=draw.of((), (0,)))
    state = models.wide(weights)
    return Program(models.adam_step(loss), [weights, state, state, x, y], donate=draw.of((), (0, 1, 2)))


# ---- transformers ----------------------------------------------------------------------------------
def configuration(draw, largest=2048):
    heads = draw.of(4, 8, 12, 16)
    head = draw.of(64, 128)
    while heads * head > largest:
        heads = heads // 2
    return {"heads": heads, "width": heads * head, "key_heads": draw.of(heads, heads, max(1, heads // 4)),
            "hidden": draw.of(2, 3, 4) * heads * head, "gated": draw.chance(0.5), "activation": draw.of("gelu", "silu", "relu"),
            "norm": draw.of("layer", "rms"), "causal": draw.chance(0.8), "scan": draw.chance(0.5), "remat": draw.chance(0.4),
            "layers": draw.integer(1, 4), "vocabulary": draw.size(1024, 65536, 128)}


def transformer(draw):
    c, dtype = configuration(draw), draw.dtype()
    parameters = models.language_model(c, dtype)
    tokens = array((draw.size(1, 32), draw.size(256, 4096, 128)), jnp.int32)
    return Program(lambda p, t: models.logits(p, t, c), [parameters, tokens])


def training(draw):
    c, dtype = configuration(draw, 1024), draw.dtype()
    parameters = models.language_model(c, dtype)
    tokens = array((draw.size(2, 32), draw.size(256, 2048, 128)), jnp.int32)

    def loss(parameters, tokens, labels):
        return models.cross_entropy(models.logits(parameters, tokens, c), labels)
    if draw.chance(0.4):
        return Program(models.sgd_step(loss), [parameters, tokens, tokens], donate=draw.of((), (0,)))
    state = models.wide(parameters)
    return Program(models.adam_step(loss), [parameters, state, state, tokens, tokens], donate=draw.of((), (0, 1, 2)))


def attention(draw):
    dtype, heads, width = draw.dtype(), draw.of(4, 8, 12, 16), draw.of(64, 128)
    batch, length = draw.size(1, 16), draw.size(512, 8192, 128)
    causal, key_heads = draw.chance(0.6), draw.of(heads, heads, heads // 4)
    q, k = array((batch, length, heads, width), dtype), array((batch, length, key_heads, width), dtype)

    def forward(q, k, v):
        return models.attention(q, k, v, causal)
    if draw.chance(0.5):
        return Program(forward, [q, k, k])
    return Program(jax.grad(lambda *x: forward(*x).astype(jnp.float32).sum(), argnums=(0, 1, 2)), [q, k, k])


def decode(draw):
    c, dtype = configuration(draw), jnp.bfloat16
    c["layers"] = draw.integer(1, 6)
    batch, length, head = draw.size(1, 64), draw.size(512, 8192, 128), c["width"] // c["heads"]
    layers = models.stacked(models.block_parameters(c, dtype), c["layers"])
    cache = array((c["layers"], batch, length, c["key_heads"], head), dtype)
    unrolled = draw.chance(0.4)

    def layer(x, p, keys, values, at):
        y = models.NORMS[c["norm"]](x, p["norm1"])
        q, k, v = (jnp.einsum("bd,dhk->bhk", y, p[name]) for name in "qkv")
        keys = jax.lax.dynamic_update_slice(keys, k[:, None], (0, at, 0, 0))
        values = jax.lax.dynamic_update_slice(values, v[:, None], (0, at, 0, 0))
        q = q.reshape(batch, c["key_heads"], -1, head)
        scores = jnp.einsum("bkgd,btkd->bkgt", q, keys).astype(jnp.float32) * head ** -0.5
        scores = jnp.where(jnp.arange(length) <= at, scores, -1e30)
        out = jnp.einsum("bkgt,btkd->bkgd", jax.nn.softmax(scores, -1).astype(dtype), values)
        x = x + jnp.einsum("bhk,hkd->bd", out.reshape(batch, c["heads"], head), p["o"])
        return x + models.feed_forward(models.NORMS[c["norm"]](x, p["norm2"]), p, c), keys, values

    def scanned(x, layers, keys, values, at):
        def body(x, inputs):
            x, *caches = layer(x, *inputs, at)
            return x, tuple(caches)
        x, caches = jax.lax.scan(body, x, (layers, keys, values))
        return x, *caches

    def straight(x, layers, keys, values, at):
        made = []
        for i in range(c["layers"]):
            x, *caches = layer(x, jax.tree.map(lambda leaf, i=i: leaf[i], layers), keys[i], values[i], at)
            made.append(caches)
        return x, jnp.stack([k for k, _ in made]), jnp.stack([v for _, v in made])
    arguments = [array((batch, c["width"]), dtype), layers, cache, cache, array((), jnp.int32)]
    return Program(straight if unrolled else scanned, arguments, donate=(2, 3))


# ---- images ----------------------------------------------------------------------------------------
def convolution(draw):
    dtype, batch = draw.dtype(), draw.size(16, 256)
    side, features, depth = draw.of(14, 28, 32, 56, 64, 112), draw.size(32, 256, 32), draw.integer(1, 4)
    window, stride, normed = draw.of(1, 3, 3, 5), draw.of(1, 1, 2), draw.chance(0.5)
    outs = [draw.size(32, 256, 32) for _ in range(depth)]
    kernels = [array((window, window, a, b), dtype) for a, b in zip([features, *outs], outs)]

    def net(kernels, x):
        for i, kernel in enumerate(kernels):
            x = jax.lax.conv_general_dilated(x, kernel, (stride if i == 0 else 1,) * 2, "SAME", dimension_numbers=("NHWC", "HWIO", "NHWC"))
            if normed:
                mean, variance = x.mean((0, 1, 2)), x.var((0, 1, 2))
                x = (x - mean) * jax.lax.rsqrt(variance + 1e-5)
            x = jax.nn.relu(x)
        return x
    x = array((batch, side, side, features), dtype)
    if draw.chance(0.5):
        return Program(net, [kernels, x])
    step = models.sgd_step(lambda kernels, x: jnp.mean(net(kernels, x).astype(jnp.float32) ** 2))
    return Program(step, [kernels, x])


# ---- bound by memory -------------------------------------------------------------------------------
def norm(draw):
    dtype = draw.dtype()
    shape = (draw.size(256, 65536, 8), draw.size(256, 32768, 128))
    kind = draw.of("layer", "rms", "softmax", "log_softmax", "layer_gradient", "softmax_gradient")
    if kind in models.NORMS:
        return Program(models.NORMS[kind], [array(shape, dtype), array(shape[1:], dtype)])
    softmax = jax.nn.log_softmax if kind == "log_softmax" else jax.nn.softmax
    if kind == "layer_gradient":
        return Program(jax.grad(lambda x, s, y: (models.layer_norm(x, s) * y).astype(jnp.float32).sum(), argnums=(0, 1)),
                       [array(shape, dtype), array(shape[1:], dtype), array(shape, dtype)])
    if kind == "softmax_gradient":
        return Program(jax.grad(lambda x, y: (softmax(x, -1) * y).astype(jnp.float32).sum()), [array(shape, dtype)] * 2)
    return Program(lambda x: softmax(x, -1), [array(shape, dtype)])


UNARY = (jnp.exp, jnp.tanh, jax.nn.gelu, jnp.abs, lambda x: x * x, lambda x: x + 1, jnp.cos, lambda x: 1 / (x * x + 1), jnp.log1p)


def elementwise(draw):
    dtype = draw.dtype()
    shape = draw.of((draw.size(1 << 16, 1 << 28),), (draw.size(256, 16384), draw.size(256, 16384)),
                    (draw.size(2, 64), draw.size(8, 1024), draw.size(64, 4096)))
    steps = [draw.of(*UNARY) for _ in range(draw.integer(1, 8))]
    count = draw.integer(1, 3)

    def function(*values):
        x = values[0]
        for i, step in enumerate(steps):
            x = step(x) + values[i % count]
        return x
    return Program(function, [array(shape, dtype)] * count)


def reduction(draw):
    dtype, rank = draw.dtype(), draw.of(2, 3)
    shape = tuple(draw.size(64, 16384 if rank == 2 else 1024, 8) for _ in range(rank))
    axes = tuple(sorted(draw.random.sample(range(rank), draw.integer(1, rank - 1))))
    function = draw.of(jnp.sum, jnp.max, jnp.mean, jnp.var, jax.nn.logsumexp)
    before = draw.of(lambda x: x, jnp.exp, lambda x: x * x)
    if draw.chance(0.3):
        return Program(lambda x: jnp.argmax(before(x), axes[0]), [array(shape, dtype)])
    return Program(lambda x: function(before(x), axis=axes), [array(shape, dtype)])


def layout(draw):
    dtype = draw.dtype()
    shape = tuple(draw.size(32, 1024, 8) for _ in range(3))
    order = list(range(3))
    draw.random.shuffle(order)
    kind = draw.of("transpose", "concatenate", "pad", "reverse", "roll")
    functions = {"transpose": lambda x: x.transpose(order), "concatenate": lambda x: jnp.concatenate([x, x[:, : shape[1] // 2]], 1),
                 "pad": lambda x: jnp.pad(x, ((0, 3), (1, 1), (0, 5))), "reverse": lambda x: x[:, ::-1],
                 "roll": lambda x: jnp.roll(x, 3, 1)}
    return Program(functions[kind], [array(shape, dtype)])


def movement(draw):
    dtype = draw.dtype()
    rows, columns, part = draw.size(512, 65536, 8), draw.size(128, 4096, 8), draw.size(8, 512, 8)
    x, piece, at = array((rows, columns), dtype), array((part, columns), dtype), array((), jnp.int32)
    kind = draw.of("update", "slice", "stack", "repeat", "rows_to_columns")
    if kind == "update":
        return Program(lambda x, piece, at: jax.lax.dynamic_update_slice(x, piece, (at, 0)), [x, piece, at], donate=draw.of((), (0,)))
    if kind == "slice":
        return Program(lambda x, at: jax.lax.dynamic_slice(x, (at, 0), (part, columns)), [x, at])
    functions = {"stack": lambda x: jnp.stack([x, x + 1]), "repeat": lambda x: jnp.tile(x, (2, 1)),
                 "rows_to_columns": lambda x: x.reshape(-1, 8, columns).transpose(1, 0, 2)}
    return Program(functions[kind], [x])


# ---- sorts, rows, random numbers -------------------------------------------------------------------
def sort(draw):
    dtype = draw.of(jnp.float32, jnp.float32, jnp.bfloat16, jnp.int32)
    rows, columns = draw.of(1, draw.size(64, 8192)), draw.size(128, 65536)
    shape = (columns * draw.of(1, 8),) if rows == 1 else (rows, columns)
    kind = draw.of("sort", "argsort", "top_k", "pairs", "first_axis")
    few = draw.of(1, 8, 50)
    functions = {"sort": lambda x: jnp.sort(x, -1), "argsort": lambda x: jnp.argsort(x, -1), "top_k": lambda x: jax.lax.top_k(x, few),
                 "first_axis": lambda x: jnp.sort(x, 0), "pairs": lambda x: jax.lax.sort((x, -x), num_keys=1)}
    return Program(functions[kind], [array(shape, dtype)])


def gather(draw):
    dtype = draw.dtype()
    rows, width, count = draw.size(4096, 262144), draw.size(16, 2048, 8), draw.size(1024, 131072)
    table, at = array((rows, width), dtype), array((count,), jnp.int32)
    values = array((count, width), dtype)
    kind = draw.of("rows", "columns", "add", "set", "gradient", "elements")
    if kind == "rows":
        return Program(lambda t, i: t[i], [table, at])
    if kind == "columns":
        return Program(lambda t, i: jnp.take_along_axis(t, i, 1), [array((count, width), dtype), array((count, 4), jnp.int32)])
    if kind == "gradient":
        return Program(jax.grad(lambda t, i: (t[i] ** 2).astype(jnp.float32).sum()), [table, at])
    if kind == "elements":
        return Program(lambda t, i: t[i], [array((rows * 8,), dtype), at])
    update = (lambda t, i, v: t.at[i].add(v)) if kind == "add" else (lambda t, i, v: t.at[i].set(v))
    return Program(update, [table, at, values], donate=draw.of((), (0,)))


def rng(draw):
    shape, dtype = (draw.size(512, 16384), draw.size(512, 8192)), draw.dtype()
    kind = draw.of("uniform", "normal", "bits", "dropout", "bernoulli", "categorical", "permutation")
    functions = {"uniform": lambda k: jax.random.uniform(k, shape, dtype), "normal": lambda k: jax.random.normal(k, shape, dtype),
                 "bits": lambda k: jax.random.bits(k, shape), "bernoulli": lambda k: jax.random.bernoulli(k, 0.1, shape)}
    if kind in functions:
        return Program(functions[kind], [keys()])
    if kind == "permutation":
        return Program(lambda k, x: jax.random.permutation(k, x), [keys(), array((shape[0] * 16,), dtype)])
    if kind == "categorical":
        return Program(jax.random.categorical, [keys(), array(shape, jnp.float32)])
    return Program(lambda k, x: jnp.where(jax.random.bernoulli(k, 0.9, x.shape), x / 0.9, 0).astype(x.dtype), [keys(), array(shape, dtype)])


# ---- loops -----------------------------------------------------------------------------------------
def loop(draw):
    dtype, steps, batch, width = draw.dtype(), draw.size(8, 512), draw.size(8, 512, 8), draw.size(256, 2048, 128)
    kind = draw.of("rnn", "lstm", "products", "elementwise", "cumsum", "rnn_gradient")
    x, state, weights = array((steps, batch, width), dtype), array((batch, width), dtype), array((width, width), dtype)
    if kind in ("rnn", "rnn_gradient"):
        def rnn(w, u, h, x):
            def body(h, x):
                h = jnp.tanh(h @ w + x @ u)
                return h, h
            return jax.lax.scan(body, h, x)[1]
        loss = jax.grad(lambda *values: rnn(*values).astype(jnp.float32).sum(), argnums=(0, 1))
        return Program(rnn if kind == "rnn" else loss, [weights, weights, state, x])
    if kind == "lstm":
        def lstm(w, h, c, x):
            def body(carry, x):
                h, c = carry
                i, f, g, o = jnp.split(jnp.concatenate([h, x], -1) @ w, 4, -1)
                c = jax.nn.sigmoid(f) * c + jax.nn.sigmoid(i) * jnp.tanh(g)
                h = jax.nn.sigmoid(o) * jnp.tanh(c)
                return (h, c), h
            return jax.lax.scan(body, (h, c), x)[1]
        return Program(lstm, [array((2 * width, 4 * width), dtype), state, state, x])
    if kind == "products":
        return Program(lambda w, x: jax.lax.scan(lambda x, w: (jax.nn.relu(x @ w), None), x, w)[0],
                       [array((min(steps, 32), width, width), dtype), array((batch * 16, width), dtype)])
    if kind == "cumsum":
        return Program(lambda x: jnp.cumsum(x, draw.of(0, 1)), [array((batch * 16, width), dtype)])
    return Program(lambda x: jax.lax.fori_loop(0, steps, lambda i, x: jnp.sin(x) * 0.5 + x, x), [array((batch * 16, width), dtype)])


CLASSES = {"matmul": matmul, "quantized": quantized, "mlp": mlp, "transformer": transformer, "training": training, "attention": attention, "decode": decode,
           "convolution": convolution, "norm": norm, "elementwise": elementwise, "reduction": reduction, "layout": layout, "movement": movement, "sort": sort,
           "gather": gather, "rng": rng, "loop": loop}
