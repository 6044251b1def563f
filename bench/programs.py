"""programs.py: what bench.py measures. PROGRAMS maps a name to a function without arguments, called only in the measuring
process, that returns (function to compile, its arguments)."""


def normal(*shape, dtype="float32", scale=1.0, seed=0):
    import jax.numpy as jnp
    import numpy
    return jnp.asarray(numpy.random.RandomState(seed).standard_normal(shape) * scale).astype(dtype)


def integers(high, *shape):
    import jax.numpy as jnp
    import numpy
    return jnp.asarray(numpy.random.RandomState(1).randint(0, high, shape).astype("int32"))


# ---- one operation, or one fused loop ---------------------------------------------------------------------------------

def elementwise(function, *shapes):
    return lambda: (function, [normal(*shape, seed=i) for i, shape in enumerate(shapes)])


def gelu(x):
    import jax
    return jax.nn.gelu(x)


def exp(x):
    import jax.numpy as jnp
    return jnp.exp(x)


def softmax(x):
    import jax
    return jax.nn.softmax(x)


def layer_norm(x):
    from jax import lax
    return (x - x.mean(-1, keepdims=True)) * lax.rsqrt(x.var(-1, keepdims=True) + 1e-5)


def matmul(n, dtype):
    return lambda: (lambda x, y: x @ y, [normal(n, n, dtype=dtype, seed=i) for i in range(2)])


def conv(x, k, stride=1, **more):
    from jax import lax
    return lax.conv_general_dilated(x, k, (stride, stride), "SAME", dimension_numbers=("NHWC", "HWIO", "NHWC"), **more)


CONV_ARGUMENTS = (8, 28, 28, 128), (3, 3, 128, 128)             # a layer of ResNet-50, batch 8


def conv_forward():
    return conv, [normal(*CONV_ARGUMENTS[0]), normal(*CONV_ARGUMENTS[1], scale=0.05)]


def conv_gradient(which):
    def make():
        import jax
        x, k = conv_forward()[1]
        cotangent = normal(*CONV_ARGUMENTS[0], seed=2)
        return lambda x, k, c: jax.vjp(conv, x, k)[1](c)[which], [x, k, cotangent]
    return make


def attention():
    import jax
    import jax.numpy as jnp

    def run(q, k, v):
        scores = jnp.einsum("bqhd,bkhd->bhqk", q, k) * 0.125
        causal = jnp.tril(jnp.ones((q.shape[1], q.shape[1]), bool))
        return jnp.einsum("bhqk,bkhd->bqhd", jax.nn.softmax(jnp.where(causal, scores, -1e9)), v)
    return run, [normal(2, 512, 12, 64, seed=i) for i in range(3)]


def numpy_like(name, *shape, **more):
    def make():
        import jax.numpy as jnp
        return (lambda x: getattr(jnp, name)(x, **more)), [normal(*shape)]
    return make


def random_normal():
    import jax
    return lambda k: jax.random.normal(k, (1 << 22,)), [jax.random.key(0)]


def fft(kind, *shape):
    def make():
        import jax.numpy as jnp
        x = normal(*shape)
        return getattr(jnp.fft, kind), [x if kind == "rfft" else x.astype("complex64")]
    return make


def top_k(k, *shape):
    from jax import lax
    return lambda: (lambda x: lax.top_k(x, k), [normal(*shape)])


# ---- loops ------------------------------------------------------------------------------------------------------------

def scalar_loop():
    from jax import lax
    return lambda n: lax.fori_loop(0, n, lambda i, v: v * 0.999 + 1.0, 0.0), [100000]


def scan_gradient():
    import jax
    import jax.numpy as jnp
    from jax import lax

    def loss(w, xs):
        return lax.scan(lambda h, x: (jnp.tanh(h @ w + x), None), jnp.zeros(xs.shape[1:]), xs)[0].sum()
    return jax.grad(loss), [normal(16, 16, scale=0.1), normal(1000, 4, 16)]


def lstm(steps, batch, width, gradient):
    """A long short-term memory over a sequence."""
    def make():
        import jax
        import jax.numpy as jnp
        from jax import lax

        def cell(w, carry, x):
            h, c = carry
            i, f, g, o = jnp.split(jnp.concatenate([x, h], -1) @ w, 4, -1)
            c = jax.nn.sigmoid(f) * c + jax.nn.sigmoid(i) * jnp.tanh(g)
            h = jax.nn.sigmoid(o) * jnp.tanh(c)
            return (h, c), h

        def run(w, xs):
            start = jnp.zeros((batch, width))
            return lax.scan(lambda carry, x: cell(w, carry, x), (start, start), xs)[1]
        arguments = [normal(2 * width, 4 * width, scale=width ** -0.5), normal(steps, batch, width)]
        return jax.grad(lambda w, xs: jnp.sum(run(w, xs) ** 2)) if gradient else run, arguments
    return make


def mlp_step(batch, *widths):
    """A step of SGD on a classifier."""
    def make():
        import jax
        import jax.numpy as jnp

        def loss(weights, x, y):
            for w, b in weights[:-1]:
                x = jax.nn.relu(x @ w + b)
            logits = x @ weights[-1][0] + weights[-1][1]
            return -jnp.mean(jnp.sum(jax.nn.log_softmax(logits) * jax.nn.one_hot(y, widths[-1]), -1))

        def step(weights, x, y):
            value, gradient = jax.value_and_grad(loss)(weights, x, y)
            return value, jax.tree.map(lambda w, g: w - 0.01 * g, weights, gradient)
        weights = [(normal(a, b, scale=a ** -0.5), normal(b)) for a, b in zip(widths, widths[1:])]
        return step, [weights, normal(batch, widths[0]), integers(widths[-1], batch)]
    return make


def residual_step(batch, size, width, blocks):
    """A step of SGD on residual blocks of convolutions and batch normalization, as in ResNet."""
    def make():
        import jax
        import jax.numpy as jnp
        from jax import lax

        def norm(x, p):
            mean, variance = x.mean((0, 1, 2)), x.var((0, 1, 2))
            return (x - mean) * lax.rsqrt(variance + 1e-5) * p[0] + p[1]

        def loss(p, x, y):
            for q in p["blocks"]:
                z = jax.nn.relu(norm(conv(x, q["c1"]), q["n1"]))
                x = jax.nn.relu(x + norm(conv(z, q["c2"]), q["n2"]))
            logits = x.mean((1, 2)) @ p["out"]
            return -jnp.mean(jnp.sum(jax.nn.log_softmax(logits) * jax.nn.one_hot(y, 10), -1))

        def step(p, x, y):
            value, gradient = jax.value_and_grad(loss)(p, x, y)
            return value, jax.tree.map(lambda w, g: w - 0.01 * g, p, gradient)

        def block(i):
            return {"c1": normal(3, 3, width, width, scale=0.05, seed=i), "n1": (normal(width), normal(width)),
                    "c2": normal(3, 3, width, width, scale=0.05, seed=i + 9), "n2": (normal(width), normal(width))}
        p = {"blocks": [block(i) for i in range(blocks)], "out": normal(width, 10, scale=0.1)}
        return step, [p, normal(batch, size, size, width), integers(10, batch)]
    return make


# ---- models -----------------------------------------------------------------------------------------------------------

def mlp_gradient(layers, width, batch):
    def make():
        import jax
        import jax.numpy as jnp

        def loss(weights, x, y):
            for w, b in weights:
                x = jnp.tanh(x @ w + b)
            return jnp.mean((x - y) ** 2)
        weights = [(normal(width, width, scale=width ** -0.5, seed=i), normal(width, seed=i)) for i in range(layers)]
        return jax.value_and_grad(loss), [weights, normal(batch, width), normal(batch, width, seed=1)]
    return make


def lenet_step():
    import jax
    import jax.numpy as jnp
    from jax import lax

    def pool(x):
        return lax.reduce_window(x, -jnp.inf, lax.max, (1, 2, 2, 1), (1, 2, 2, 1), "VALID")

    def loss(p, x, y):
        x = pool(jax.nn.relu(conv(x, p["c1"])))
        x = pool(jax.nn.relu(conv(x, p["c2"])))
        x = jax.nn.relu(x.reshape(x.shape[0], -1) @ p["d1"])
        return -jnp.mean(jnp.sum(jax.nn.log_softmax(x @ p["d2"]) * jax.nn.one_hot(y, 10), -1))

    def step(p, x, y):
        value, gradient = jax.value_and_grad(loss)(p, x, y)
        return value, jax.tree.map(lambda w, g: w - 0.01 * g, p, gradient)
    p = {"c1": normal(5, 5, 1, 6, scale=0.2), "c2": normal(5, 5, 6, 16, scale=0.1),
         "d1": normal(784, 120, scale=0.04), "d2": normal(120, 10, scale=0.1)}
    return step, [p, normal(64, 28, 28, 1), integers(10, 64)]


def gpt(layers, width, heads, length, batch, words, dtype="float32"):
    """A step of SGD on a transformer with the structure of GPT-2."""
    def make():
        import jax
        import jax.numpy as jnp

        def norm(x, scale):
            return layer_norm(x) * scale

        def block(x, p):
            q, k, v = (part.reshape(*x.shape[:2], heads, -1) for part in jnp.split(norm(x, p["n1"]) @ p["qkv"], 3, -1))
            scores = jnp.einsum("bqhd,bkhd->bhqk", q, k) * (width // heads) ** -0.5
            mask = jnp.tril(jnp.ones((x.shape[1], x.shape[1]), bool))
            mixed = jnp.einsum("bhqk,bkhd->bqhd", jax.nn.softmax(jnp.where(mask, scores, -1e9)), v)
            x = x + mixed.reshape(x.shape) @ p["out"]
            return x + jax.nn.gelu(norm(x, p["n2"]) @ p["up"]) @ p["down"]

        def loss(p, tokens):
            x = p["words"][tokens[:, :-1]] + p["places"][:tokens.shape[1] - 1]
            for q in p["blocks"]:
                x = block(x, q)
            logits = (norm(x, p["n"]) @ p["words"].T).astype("float32")
            return -jnp.mean(jnp.take_along_axis(jax.nn.log_softmax(logits), tokens[:, 1:, None], -1))

        def step(p, tokens):
            value, gradient = jax.value_and_grad(loss)(p, tokens)
            return value, jax.tree.map(lambda w, g: w - (0.01 * g).astype(w.dtype), p, gradient)
        step.loss = loss

        def weight(*shape):
            return normal(*shape, scale=0.02, dtype=dtype)
        blocks = [{"n1": weight(width) + 1, "qkv": weight(width, 3 * width), "out": weight(width, width),
                   "n2": weight(width) + 1, "up": weight(width, 4 * width), "down": weight(4 * width, width)}
                  for _ in range(layers)]
        p = {"words": weight(words, width), "places": weight(length, width), "n": weight(width) + 1, "blocks": blocks}
        return step, [p, integers(words, batch, length + 1)]
    return make


N = 4096
PROGRAMS = {
    "s + 1, one call": elementwise(lambda s: s + 1, ()),
    "gelu, 16 Mi": elementwise(gelu, (N, N)),
    "exp, 16 Mi": elementwise(exp, (N, N)),
    "x * 2 + y, 16 Mi": elementwise(lambda x, y: x * 2 + y, (N, N), (N, N)),
    "softmax, 4096 x 4096": elementwise(softmax, (N, N)),
    "layer norm, 4096 x 4096": elementwise(layer_norm, (N, N)),
    "sum, 16 Mi": numpy_like("sum", N, N),
    "sum over rows, 4096 x 4096": numpy_like("sum", N, N, axis=0),
    "argmax, 4096 x 4096": numpy_like("argmax", N, N, axis=1),
    "transpose, 4096 x 4096": elementwise(lambda x: x.T + 0, (N, N)),
    "cumsum, 4096 x 4096": numpy_like("cumsum", N, N, axis=1),
    "sort, 1 Mi": numpy_like("sort", 1 << 20),
    "argsort, 1 Mi": numpy_like("argsort", 1 << 20),
    "random normal, 4 Mi": random_normal,
    "fft, 1024 x 1024": fft("fft", 1024, 1024),
    "fft, 1 Mi": fft("fft", 1 << 20),
    "rfft, 8192 x 64": fft("rfft", 8192, 64),
    "top 8 of 4096, 256 rows": top_k(8, 256, 4096),
    "top 64 of 50257, 8 rows": top_k(64, 8, 50257),
    "gather 64 Ki rows of 128": lambda: (lambda x, i: x[i], [normal(1024, 128), integers(1024, 1 << 16)]),
    "scatter-add 64 Ki rows of 128": lambda: (lambda x, i, u: x.at[i].add(u), [
        normal(1024, 128), integers(1024, 1 << 16), normal(1 << 16, 128)]),
    **{f"matmul {kind}, {n}": matmul(n, dtype) for kind, dtype in (("f32", "float32"), ("bf16", "bfloat16"))
       for n in (64, 256, 512, 1024, 2048)},
    "matmul f32, 64 of 128": lambda: (lambda x, y: x @ y, [normal(64, 128, 128)] * 2),
    "conv 3x3 128 at 28": conv_forward,
    "conv gradient to input": conv_gradient(0),
    "conv gradient to weights": conv_gradient(1),
    "conv depthwise 3x3 144 at 28": lambda: (
        lambda x, k: conv(x, k, feature_group_count=144), [normal(8, 28, 28, 144), normal(3, 3, 1, 144)]),
    "attention, 2 x 512 x 12 x 64": attention,
    "100,000 steps of a scalar loop": scalar_loop,
    "scan gradient, 1000 steps of 16": scan_gradient,
    "LSTM, 128 steps of 32 x 256": lstm(128, 32, 256, False),
    "LSTM gradient, 128 steps of 32 x 256": lstm(128, 32, 256, True),
    "LSTM gradient, 64 steps of 8 x 32": lstm(64, 8, 32, True),
    "MLP step, 784 to 512 to 10, batch 128": mlp_step(128, 784, 512, 10),
    "MLP step, 64 to 64 to 10, batch 32": mlp_step(32, 64, 64, 10),
    "residual step, 2 blocks of 64 at 14, batch 8": residual_step(8, 14, 64, 2),
    "MLP gradient, 20 layers of 256": mlp_gradient(20, 256, 128),
    "MLP gradient, 3 layers of 512": mlp_gradient(3, 512, 128),
    "LeNet step, batch 64": lenet_step,
    "GPT step f32, 2 x 256, 4 x 128": gpt(2, 256, 4, 128, 4, 2048),
    "GPT step bf16, 2 x 256, 4 x 128": gpt(2, 256, 4, 128, 4, 2048, "bfloat16"),
    "GPT step f32, 4 x 768, 1 x 256": gpt(4, 768, 12, 256, 1, 8192),
}
