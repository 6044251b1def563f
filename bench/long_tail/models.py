"""models.py: snippets of the long tail from learning: layers of models, losses, optimizers, metrics, quantization,
graphs, recurrences. PARTS are functions that return names of snippets."""
from snippets import each, rows


def language():
    cache = "n(128, dtype='{0}'), n({1}, 4, 16, dtype='{0}'), n({1}, 4, 16, dtype='{0}'), jnp.int32(99), " + ", ".join(
        f"n({shape}, dtype='{{0}}', scale=0.1)" for shape in ("128, 256", "128, 64", "128, 64", "256, 128")
    )
    masks = ("0.", "alibi(6, 200)", "window_mask(200, 33)", "jnp.where(jnp.tril(jnp.ones((200, 200))) > 0, 0., -1e9)")
    qkv = "n(2, 200, 6, 32), n(2, 200, 6, 32, seed=1), n(2, 200, 6, 32, seed=2)"
    return (
        rows("decode @@ " + cache, ("float32", "bfloat16"), ("200", "1024"))
        + rows(
            (
                "vmap(decode, (0, 0, 0, None) + (None,) * 4) @@ n(3, 128), n(3, 200, 4, 16), n(3, 200, 4, 16), "
                "jnp.int32(99), {0}"
            ),
            ("n(128, 256), n(128, 64), n(128, 64), n(256, 128)",),
        )
        + rows(
            "lambda x, w: {0} @@ n({1}, dtype='{2}'), n({1}, dtype='{2}')[-1]",
            ("rms_norm(x, w)", "layer_norm(x) * w", "nn.softmax(x) * w"), ("512, 768", "3, 4096"),
            ("float32", "bfloat16", "float16"),
        )
        + rows(
            "grad(lambda x, w: {0} ** 2, (0, 1)) @@ n({1}, dtype='{2}'), n({1}, dtype='{2}')[-1]",
            ("rms_norm(x, w)", "layer_norm(x) * w"), ("256, 768",), ("float32", "bfloat16"),
        )
        + rows("rope @@ n({0}, 6, 64, dtype='{1}'), jnp.arange({0})", ("1", "300"), ("float32", "bfloat16"))
        + rows(
            (
                "swiglu @@ n({0}, 256, dtype='{1}'), n(256, 688, dtype='{1}'), n(688, 256, dtype='{1}'), n(256, 688, "
                "dtype='{1}')"
            ),
            ("1", "7", "128"), ("float32", "bfloat16"),
        )
        + rows("lambda q, k, v: attend(q, k, v, {0}) @@ " + qkv, masks)
        + rows("grad(lambda q, k, v: attend(q, k, v, {0}) ** 2, (0, 1, 2)) @@ " + qkv, masks)
        + rows(
            "lambda q, k, v: nn.dot_product_attention(q, k, v, {0}) @@ n(2, 130, 6, 32), n(2, 130, 2, 32), n(2, 130, 2, 32)",
            (
                "is_causal=True", "local_window_size=16", "bias=jnp.ones((1, 6, 130, 130))",
                "key_value_seq_lengths=jnp.array([60, 130])",
            ),
        )
        + each(("linear_attention",), "n(2, 65, 2, 16), n(2, 65, 2, 16), n(2, 65, 2, 16)")
        + each(("grad(lambda q, k, v: linear_attention(q, k, v) ** 2)",), "n(2, 65, 2, 16), n(2, 65, 2, 16), n(2, 65, 2, 16)")
        + each(("experts", "grad(experts, (0, 1, 2, 3))"), "n(100, 64), n(64, 8), n(8, 64, 96), n(8, 96, 64)")
        + rows(
            "lambda x, e: {0} @@ n(500, 64), i(8, 500)",
            (
                "jax.ops.segment_sum(x, e, 8)", "x[jnp.argsort(e)]", "jnp.cumsum(nn.one_hot(e, 8), 0)",
                "nn.one_hot(e, 8).T @ x",
                "lax.ragged_dot(x[jnp.argsort(e)], jnp.ones((8, 64, 32)), jnp.bincount(e, length=8))",
            ),
        )
        + rows(
            "lambda k, x: {0} @@ key, n(32000)",
            (
                "sample_top_p(k, x)", "random.categorical(k, x)", "random.categorical(k, lax.top_k(x, 50)[0])",
                "nn.softmax(x / 0.7)", "jnp.argmax(x + random.gumbel(k, x.shape))",
                "jnp.where(x < jnp.sort(x)[-40], -jnp.inf, x)",
            ),
        )
        + rows(
            "lambda t, x: {0} @@ n(5003, 96), i(5003, 8, 33)",
            ("t[x]", "(t[x] * 9.8).astype('bfloat16')", "t[x].mean(1)", "nn.one_hot(x, 5003)"),
        )
        + each(("grad(lambda t, x: t[x] ** 2)", "grad(lambda t, x: jnp.tanh(t[x].mean(1)))"), "n(5003, 96), i(5003, 8, 33)")
        + each(
            (
                "lambda x, w: lax.top_k(x @ w, 5)", "lambda x, w: jnp.argmax(x @ w, -1)",
                "lambda x, w: nn.log_softmax(x @ w)[:, :7]",
            ),
            "n(4, 128), n(128, 8000)",
        )
    )


def recurrences():
    cell = "n(50, 4, 32), n(4, 64), n(32, {0}, scale=0.1), n(64, {0}, scale=0.1)"
    mamba = "n({0}, 32), abs(n({0}, 32)) * 0.1, -abs(n(32, 8)), n({0}, 8), n({0}, 8)"
    return (
        rows(
            "{0} @@ " + cell.format("256") + ", n(256)",
            ("lstm", "grad(lambda *a: lstm(*a) ** 2, (0, 2, 3, 4))", "lambda *a: lstm(*a)[-1]"),
        )
        + rows("{0} @@ " + cell.format("192"), ("gru", "grad(lambda *a: gru(*a) ** 2, (0, 2, 3))"))
        + each(
            ("rnn", "grad(rnn, (2, 3))"),
            "n(50, 8, 64), n(8, 64), n(64, 64, scale=0.1), n(64, 64, scale=0.1)",
            "n(100, 32, 128), n(32, 256), n(128, 256, scale=0.05), n(256, 256, scale=0.05)",
        )
        + rows("{1} @@ " + mamba, ("65", "512"), ("selective_scan", "grad(selective_scan, (0, 1, 2))"))
        + each(
            (
                "lambda x, a: lax.associative_scan(lambda l, r: (l[0] * r[0], r[0] * l[1] + r[1]), (a, x))[1]",
                "lambda x, a: lax.scan(lambda h, t: (t[0] * h + t[1],) * 2, x[0], (a, x))[1]",
            ),
            "n(1000, 64), n(1000, 64)",
        )
        + each(("viterbi", "forward_algorithm", "grad(forward_algorithm, (0, 1))"), "n(200, 17), n(17, 17)")
        + each(("vmap(forward_algorithm, (0, None))", "vmap(viterbi, (0, None))"), "n(9, 100, 12), n(12, 12)")
        + each(("kalman",), "n(100, 2), n(4, 4, scale=0.3), n(2, 4), jnp.eye(4), jnp.eye(2)")
        + each(("advantages",), "n(128, 16), n(129, 16)", "n(1000), n(1001)")
        + each(("edit_distance",), "i(9, 40), i(9, 50)")
        + each(("dtw", "grad(dtw)"), "abs(n(60, 70))")
        + each(("biquad", "grad(lambda x, b, a: biquad(x, b, a) ** 2)"), "n(3001), n(3, scale=0.2), n(2, scale=0.2)")
        + each(("vmap(biquad, (0, None, None))",), "n(64, 1001), n(3, scale=0.2), n(2, scale=0.2)")
        + rows(
            "lambda x: lax.scan(lambda c, v: {0}, x[0], x)[1] @@ n(2003, {1})",
            (
                "(0.9 * c + 0.1 * v,) * 2", "(jnp.maximum(c * 0.99, v),) * 2", "(jnp.where(v > c, v, c * 0.5),) * 2",
                "(jnp.tanh(c + v), c.mean())",
            ),
            ("1", "32"),
        )
    )


def losses():
    return (
        rows(
            "{0} @@ n({1}), i({2}, {3})",
            ("cross_entropy", "grad(cross_entropy)", "grad(lambda x, y: cross_entropy(x, y, 0.))"), ("256, 1000",),
            ("1000",), ("256",),
        )
        + rows(
            "{0} @@ n(9000, dtype='{1}'), i(2, 9000)", ("focal", "grad(focal)", "grad(lambda x, y: nn.softplus(x) - x * y)"),
            ("float32", "bfloat16"),
        )
        + each(("info_nce", "grad(info_nce, (0, 1))"), "n(128, 64), n(128, 64, seed=1)")
        + each(("ctc", "grad(ctc)"), "nn.log_softmax(n(100, 30)), 1 + i(29, 20)")
        + each(("vmap(ctc)",), "nn.log_softmax(n(4, 60, 30)), 1 + i(29, 4, 10)")
        + each(("sinkhorn", "grad(sinkhorn)"), "abs(n(64, 65))")
        + rows(
            "{0} @@ n(100, 200), n(100, 200, seed=1)",
            tuple(
                form.format(loss)
                for form in ("lambda x, y: jnp.mean({0})", "grad(lambda x, y: {0})")
                for loss in (
                    "jnp.where(abs(x - y) < 1, 0.5 * (x - y) ** 2, abs(x - y) - 0.5)", "jnp.log(jnp.cosh(x - y))",
                    "abs(x - y)", "jnp.maximum(0, 1 - x * y)", "nn.softmax(y) * (nn.log_softmax(y) - nn.log_softmax(x))",
                    "jnp.exp(x) - x * y", "1 - (x * y).sum(1) / jnp.sqrt((x * x).sum(1) * (y * y).sum(1))",
                    "(x - y) ** 2 * jnp.exp(-y) + y",
                    "jnp.maximum(jnp.linalg.norm(x - y, axis=1) - jnp.linalg.norm(x - y[::-1], axis=1) + 0.2, 0)",
                    "1 - 2 * (nn.sigmoid(x) * y).sum() / (nn.sigmoid(x) + y).sum()", "abs(jnp.sort(x, 1) - jnp.sort(y, 1))",
                    "jnp.where(x > y, 0.9, -0.1) * (x - y)", "abs(x[:, 1:] - x[:, :-1]) + abs(y[:, 1:])",
                )
            ),
        )
        + each(("area_under_curve",), "n(10007), i(2, 10007)")
        + each(("calibration_error",), "nn.sigmoid(n(10007)), i(2, 10007)")
        + rows(
            "lambda p, y: {0} @@ n(2000, 10), i(10, 2000)",
            (
                "(p.argmax(1) == y).mean()", "jnp.zeros((10, 10), 'int32').at[y, p.argmax(1)].add(1)",
                "(lax.top_k(p, 5)[1] == y[:, None]).any(1).mean()", "(jnp.argsort(-p, 1) == y[:, None]).argmax(1)",
                "(p > jnp.take_along_axis(p, y[:, None], 1)).sum(1)",
                "jnp.exp(-jnp.take_along_axis(nn.log_softmax(p), y[:, None], 1).mean())",
                "jnp.bincount(p.argmax(1) * 10 + y, length=100).reshape(10, 10)",
                "(nn.one_hot(y, 10) * p).sum(0) / (p.sum(0) + nn.one_hot(y, 10).sum(0))", "jnp.corrcoef(p, rowvar=False)",
                "vmap(js.stats.rankdata)(p[:50])",
            ),
        )
        + each(("structural_similarity", "grad(structural_similarity)"), "abs(n(2, 64, 64, 3)), abs(n(2, 64, 64, 3, seed=1))")
        + each(("box_overlap",), "jnp.sort(abs(n(500, 4))), jnp.sort(abs(n(300, 4)))")
        + each(("suppress",), "jnp.sort(abs(n(200, 4))), n(200)")
    )


def normalizations():
    return (
        each(("batch_norm", "grad(lambda *a: batch_norm(*a)[0] ** 3, (0, 1, 2))"), "n(8, 17, 17, 32), n(32), n(32)")
        + each(("lambda x: group_norm(x, 4)", "grad(lambda x: group_norm(x, 4) ** 3)"), "n(4, 16, 16, 32)", "n(2, 15, 13, 12)")
        + rows(
            "{0} @@ n({1})",
            (
                "lambda x: layer_norm(x, (2, 3))", "grad(lambda x: layer_norm(x, (2, 3)) ** 3)",
                "lambda x: layer_norm(x, (0, 2, 3))", "grad(lambda x: layer_norm(x, (0, 2, 3)) ** 3)",
                "lambda x: layer_norm(x, 1)", "grad(lambda x: layer_norm(x, 1) ** 3)",
            ),
            ("4, 16, 28, 28",),
        )
        + rows(
            "{0} @@ n(300, 200)",
            (
                "lambda w: w / jnp.linalg.norm(w, axis=0)",
                "lambda w: lax.fori_loop(0, 5, lambda _, v: w.T @ (w @ v) / jnp.linalg.norm(w.T @ (w @ v)), w[0])",
                "lambda x: (x - x.min(0)) / (x.max(0) - x.min(0))",
                "lambda x: (x - jnp.median(x, 0)) / (jnp.percentile(x, 75, 0) - jnp.percentile(x, 25, 0))",
                "lambda x: jnp.clip(x, jnp.quantile(x, 0.05), jnp.quantile(x, 0.95))",
                "lambda x: x / jnp.sqrt(0.9 + 0.1 * (x * x).mean(0))",
                "lambda x: x @ linalg.inv(linalg.cholesky(jnp.cov(x.T) + jnp.eye(200)))",
                "lambda x: nn.standardize(x, axis=0)", "grad(lambda w: (w / jnp.linalg.norm(w, axis=0)) ** 3)",
                "grad(lambda x: nn.standardize(x, axis=0) ** 3)", "lambda x: nn.logmeanexp(x, 1)",
            ),
        )
        + rows(
            (
                "lambda k, x: jnp.where(random.bernoulli(k, 0.9, {1}), x / 0.9, 0).astype(x.dtype) @@ key, n(200, 300, "
                "dtype='{0}')"
            ),
            ("float32", "bfloat16"), ("x.shape", "(200, 1)"),
        )
    )


def optimizers():
    p = "n({0}, dtype='{1}'), n({0}, dtype='{1}', seed=1), abs(n({0}, seed=2)), abs(n({0}, seed=3))"
    quadratic = "lambda v: jnp.concatenate([v[1:] - v[:-1] ** 2, 1 - v])"
    return (
        rows("adam @@ " + p, ("1001", "300, 500"), ("float32", "bfloat16"))
        + each(("lion",), "n(300, 500), n(300, 500), n(300, 500)")
        + each(("adafactor",), "n(300, 500), n(300, 500), abs(n(300)), abs(n(500))")
        + each(("newton_schulz"), "n(64, 96)", "n(200, 200)")
        + each(("vmap(newton_schulz)",), "n(6, 32, 48)")
        + each(
            (
                "lambda *g: clip_by_norm(g)", "lambda *g: jax.tree.map(lambda x: 0.99 * x + 0.01 * jnp.sign(x), g)",
                "lambda *g: [adam(x, x, x, abs(x)) for x in g]",
            ),
            ", ".join(f"n({s})" for s in ("64, 64", "64", "64, 256", "256", "256, 64", "17", "3, 3, 8, 16")),
        )
        + each(("two_loop",), "n(5000), n(10, 5000), n(10, 5000, seed=1)")
        + rows("lambda x: levenberg({0}, x) @@ n({1}, scale=0.1)", (quadratic,), ("5", "30"))
        + each(
            (
                (
                    "lambda w, x, y: lax.fori_loop(0, 5, lambda _, w: w - linalg.solve(x.T @ (x * 0.2) + jnp.eye(8), x.T @ "
                    "(nn.sigmoid(x @ w) - y)), w)"
                ),
                (
                    "lambda w, x, y: lax.scan(lambda w, _: (w - 0.1 * x.T @ (x @ w - y) / 999, ((x @ w - y) ** 2).mean()), "
                    "w, None, length=40)"
                ),
                "lambda w, x, y: jax.jvp(jax.grad(lambda w: ((jnp.tanh(x @ w) - y) ** 2).sum()), (w,), (w,))[1]",
                "lambda w, x, y: jax.hessian(lambda w: ((jnp.tanh(x @ w) - y) ** 2).sum())(w)",
                "lambda w, x, y: vmap(jax.grad(lambda w, x, y: (jnp.tanh(x @ w) - y) ** 2), (None, 0, 0))(w, x, y)",
                "lambda w, x, y: vmap(lambda r: ((x @ (w * r) - y) ** 2).mean())(jnp.linspace(0, 1, 16))",
            ),
            "n(8), n(999, 8), n(999)",
        )
        + each(
            (
                "grad(lambda w, u, x: nn.softmax(nn.relu(x @ w) @ u)[:, 0], (0, 1))",
                "lambda w, u, x: jax.value_and_grad(lambda w: jnp.mean((jnp.tanh(x @ w) @ u) ** 2))(w)",
                (
                    "lambda w, u, x: lax.fori_loop(0, 10, lambda _, s: jax.tree.map(lambda a, b: a - 0.01 * b, s, "
                    "jax.grad(lambda s: jnp.mean((nn.relu(x @ s[0]) @ s[1]) ** 2))(s)), (w, u))"
                ),
            ),
            "n(20, 64, scale=0.1), n(64, 10, scale=0.1), n(500, 20)",
        )
        + each(
            (
                (
                    "lambda k, m: m + 0.1 * (lambda z: (z * -jnp.sort((z ** 2).sum(1))[:, None]).mean(0))(random.normal(k, "
                    "(50, 100)))"
                ),
            ),
            "key, n(100)",
        )
    )


def quantization():
    return (
        rows(
            "lambda x: {0} @@ n({1})",
            (
                "quantize(x)", "quantize(x, 0)", "fake_quantize(x)", "quantize(x.reshape(-1, 64))",
                "quantize(x)[0] * quantize(x)[1]", "lax.reduce_precision(x, 4, 3)",
                "x.astype('float8_e4m3fn').astype('float32')", "x.astype('int4').astype('float32')",
                "jnp.searchsorted(jnp.linspace(-2, 2, 16), x)",
                "jnp.argmin(abs(x[..., None] - jnp.linspace(-2, 2, 16)), -1)",
            ),
            ("256, 512",),
        )
        + each(("grad(lambda x: fake_quantize(x) ** 2)",), "n(256, 512)")
        + rows(
            "lambda x, w, s: {0} @@ n({1}, 256), i(127, 256, 200).astype('int8'), abs(n(200))",
            (
                "x @ (w * s)", "(x @ w.astype('float32')) * s", "x.astype('bfloat16') @ w.astype('bfloat16')",
                "lax.dot(quantize(x)[0], w, preferred_element_type='int32') * s * quantize(x)[1]",
            ),
            ("1", "33"),
        )
        + rows(
            "lambda x, w, s: {0} @@ n({1}, 256), i(255, 128, 256).astype('int8'), abs(n(128, 8))",
            (
                "x @ (unpack_int4(w).reshape(256, 8, 32)[:128] * s[..., None]).reshape(128, 256).T",
                "x @ jnp.linspace(-1, 1, 16)[w & 15].T",
            ),
            ("1", "33"),
        )
        + rows(
            "lambda w: {0} @@ i(255, 300, 256).astype('{1}')",
            (
                "unpack_int4(w)", "(w & 15).astype('float32') - 8", "jnp.packbits(w > 3, axis=1)",
                "jnp.unpackbits(w.astype('uint8'), axis=1)", "lax.population_count(w).sum(1)", "(w << 4) | (w >> 4)",
                "lax.clz(w)", "w.astype('bfloat16') * 0.1", "w.astype('int4')",
            ),
            ("int8", "uint8"),
        )
        + rows(
            "lambda x, y: (x.astype('{0}') @ y.astype('{0}')).astype('float32') @@ n(64, 128), n(128, 96)",
            ("float8_e4m3fn", "float8_e5m2", "bfloat16", "int8"),
        )
        + rows(
            (
                "lambda x, y: lax.dot_general(x.astype('{0}'), y.astype('{0}'), ((({1}),) * 2, ((), ())), "
                "preferred_element_type='float32') @@ n(96, 96), n(96, 96)"
            ),
            ("float8_e4m3fn", "bfloat16", "float16"), ("0,", "1,"),
        )
        + each(
            (
                "lambda k, x: jnp.floor(x * 16 + random.uniform(k, x.shape)).astype('int8')",
                (
                    "lambda k, x: lax.bitcast_convert_type(lax.bitcast_convert_type(x, 'uint32') + (random.bits(k, x.shape) "
                    ">> 16) & 0xffff0000, 'float32')"
                ),
            ),
            "key, n(300, 200)",
        )
    )


def graphs():
    edges = "i({0}, {1}), jnp.sort(i({0}, {1}))"
    one = edges.format("500", "4000")
    return (
        each(("graph_convolution", "grad(lambda *a: graph_convolution(*a) ** 2, (0, 1))"), "n(500, 16), n(16, 32), " + one)
        + each(
            ("graph_attention", "grad(lambda *a: graph_attention(*a) ** 2, (0, 1, 2))"),
            "n(500, 16), n(16, 8), n(2, 8), " + one,
        )
        + rows(
            "lambda x, s, t: {0} @@ n(500, 16), " + one,
            (
                "jax.ops.segment_max(x[s], t, 500)", "jax.ops.segment_sum(nn.relu(x[s] - x[t]), t, 500)", "x[s] * x[t]",
                "(x[s] * x[t]).sum(1)", "segment_softmax(x[s, 0], t, 500)", "jnp.zeros((500, 500)).at[s, t].add(1) @ x",
                "jnp.concatenate([x[s], x[t], x[s] - x[t]], 1)",
                "jax.ops.segment_sum(x[s], t, 500, indices_are_sorted=True)", "jnp.linalg.norm(x[s] - x[t], axis=1)",
                "jnp.zeros(500).at[t].add(1.)[s]",
                "lax.fori_loop(0, 10, lambda _, v: 0.15 + 0.85 * jax.ops.segment_sum(v[s], t, 500), x[:, 0])",
                "lax.fori_loop(0, 10, lambda _, v: v.at[t].min(v[s] + 1), x[:, 0])",
                "jax.ops.segment_sum(x, jnp.sort(t[:500] % 20), 20)",
            ),
        )
        + rows(
            "grad(lambda x, s, t: {0}) @@ n(500, 16), " + one,
            (
                "jax.ops.segment_max(x[s], t, 500)", "(x[s] - x[t]) ** 2", "segment_softmax(x[s, 0], t, 500)[:9]",
                "jnp.linalg.norm(x[s] - x[t] + 0.1, axis=1)",
            ),
        )
        + each(
            (
                "lambda x: neighbours(x, 8)", "lambda x: (x[neighbours(x, 8)] - x[:, None]).max(1)",
                "lambda x: farthest_points(x, 32)", "lambda x: jnp.sqrt(jnp.maximum(squared_distances(x, x), 0))",
                "lambda x: (squared_distances(x, x) < 1).sum(1)", "lambda x: jnp.sort(squared_distances(x, x), 1)[:, :5]",
                "grad(lambda x: squared_distances(x, x).min(1))",
            ),
            "n(400, 3)",
        )
        + each(("floyd_warshall",), "abs(n(60, 60))")
        + each(
            (
                "lambda a: jnp.min(a[:, :, None] + a[None], 1)", "lambda a: a / a.sum(1, keepdims=True)",
                "lambda a: jnp.diag(a.sum(1)) - a", "lambda a: lax.rsqrt(a.sum(1))[:, None] * a * lax.rsqrt(a.sum(1))",
            ),
            "abs(n(120, 120))",
        )
        + each(
            ("lambda m, v: m @ v", "lambda m, v: m.T @ v"),
            "sparse.BCOO.fromdense(n(300, 300) * (n(300, 300, seed=1) > 1.5)), n(300)",
            "sparse.BCOO.fromdense(n(300, 300) * (n(300, 300, seed=1) > 1.5)), n(300, 16)",
            "sparse.BCSR.fromdense(n(300, 300) * (n(300, 300, seed=1) > 1.5)), n(300, 16)",
        )
        + rows(
            "lambda x, y: {0} @@ n(60, 60) * (n(60, 60, seed=1) > 1), n(60, 60) * (n(60, 60, seed=2) > 1)",
            (
                "(sparse.BCOO.fromdense(x, nse=900) @ sparse.BCOO.fromdense(y, nse=900)).todense()",
                "sparse.BCOO.fromdense(x, nse=900).T.todense()",
                "(sparse.BCOO.fromdense(x, nse=900) + sparse.BCOO.fromdense(y, nse=900)).todense()",
                "sparse.BCOO.fromdense(x, nse=900).sum(1).todense()",
                "sparse.bcoo_multiply_dense(sparse.BCOO.fromdense(x, nse=900), y[0]).todense()",
                "sparse.BCOO.fromdense(x, nse=900).sum_duplicates(nse=900).data",
            ),
        )
    )


PARTS = (language, recurrences, losses, normalizations, optimizers, quantization, graphs)
