"""blocks.py: snippets of the long tail that were written before any of them was measured, part one: blocks of models,
decoding, losses, optimizers, products, formats of few bits. PARTS are functions that return names of snippets."""
from snippets import each, rows


def decoding():
    weights = "n(256, 256, scale=.05), n(256, 64, scale=.05), n(256, 64, scale=.05), n(256, 256, scale=.05), "
    weights += "n(256, 688, scale=.05), n(688, 256, scale=.05), n(256, 688, scale=.05)"
    half = weights.replace("scale=.05", "scale=.05, dtype='bfloat16'")
    return (
        each(
            ("llama_layer", "grad(llama_layer)", "lambda *a: lax.fori_loop(0, 3, lambda _, x: llama_layer(x, *a[1:]), a[0])"),
            "n(65, 256), " + weights,
        )
        + each(("llama_layer",), "n(65, 256, dtype='bfloat16'), " + half, "n(1, 256), " + weights)
        + each(("lambda x, *w: vmap(lambda x: llama_layer(x, *w))(x)",), "n(3, 33, 256), " + weights)
        + each(("cached_step",), "n(4, 8, 32), n(4, 2, 32), n(4, 2, 32), n(4, 300, 2, 32), n(4, 300, 2, 32), i(300, 4)")
        + each(("cached_step",), "n(1, 8, 64), n(1, 8, 64), n(1, 8, 64), n(1, 1024, 8, 64), n(1, 1024, 8, 64), i(1000, 1)")
        + each(
            ("cached_step",),
            (
                "n(2, 8, 64, dtype='bfloat16'), n(2, 4, 64, dtype='bfloat16'), n(2, 4, 64, dtype='bfloat16'), n(2, 777, 4, 64, "
                "dtype='bfloat16'), n(2, 777, 4, 64, dtype='bfloat16'), i(777, 2)"
            ),
        )
        + each(("paged_attention",), "n(8, 64), n(200, 16, 64), i(200, 8, 20), i(320, 8)")
        + each(
            ("speculative", "lambda k, p, q, t: vmap(lambda k: speculative(k, p, q, t))(random.split(k, 16))"),
            "key, nn.softmax(n(6, 32000)), nn.softmax(n(6, 32000, seed=1)), i(32000, 6)",
        )
        + each(("min_p", "lambda k, x: vmap(min_p)(random.split(k, 4), x)"), "key, n(4, 50257)")
        + each(("repetition_penalty",), "n(4, 32000), i(32000, 4, 200)")
        + each(("beam_step",), "n(3, 4), nn.log_softmax(n(3, 4, 10007))")
        + each(
            ("lambda s, x: lax.fori_loop(0, 9, lambda _, s: beam_step(s, x)[0], s)",), "n(3, 4), nn.log_softmax(n(3, 4, 1009))",
        )
        + each(("mixtral", "grad(mixtral)"), "n(61, 96), n(96, 4), n(4, 96, 160), n(4, 160, 96), n(4, 96, 160)")
        + each(("switch_dispatch", "grad(switch_dispatch)"), "n(200, 64), n(64, 8)")
        + each(("rwkv", "grad(rwkv)"), "n(100, 96), n(100, 96), n(100, 96), abs(n(96)), n(96)")
        + each(("mamba", "grad(mamba)"), "n(130, 48), n(48, 128), n(4, 64), n(64, 80), n(64, 8), n(64, 48)")
        + each(("vmap(vmap(retention))",), "n(2, 4, 100, 24), n(2, 4, 100, 24), n(2, 4, 100, 24)")
        + each(("delta_rule", "grad(delta_rule)"), "n(80, 32), n(80, 32) * .1, n(80, 48), nn.sigmoid(n(80))")
        + each(("hyena", "grad(hyena)"), "n(500, 33), n(500, 33)")
        + each(("lambda t: relative_bias(200, t)", "grad(lambda t: relative_bias(100, t) ** 2)"), "n(32, 8)")
        + each(
            (
                "lambda x: lax.scan(lambda s, t: (jnp.roll(s, -1, 0).at[-1].set(t), s.mean(0)), jnp.zeros((16, 64)), x)[1]",
                "lambda x: nn.softmax(x / 0.7)[:, ::-1].cumsum(1)", "lambda x: jnp.take(x, jnp.argsort(-x[0])[:50], axis=1)",
                "lambda x: (lambda l: l - l.max(-1, keepdims=True))(30 * jnp.tanh(x / 30))",
            ),
            "n(200, 64)",
        )
        + each(("lambda e, t: e[t] * 8. @ e.T",), "n(1009, 64), i(1009, 2, 17)")
        + each(("grad(lambda e, t: jnp.tanh(e[t]) @ e.T)",), "n(1009, 64), i(1009, 2, 17)")
    )


def vision():
    return (
        each(("vit_block", "grad(vit_block)"), "n(2, 50, 64), n(64, 192), n(64, 64), n(64, 256), n(256, 64)")
        + each(("window_attention", "grad(window_attention)"), "n(28, 28, 48)")
        + each(("convnext", "grad(convnext)"), "n(1, 20, 20, 32), n(7, 7, 1, 32), n(32, 128), n(128, 32), n(32)")
        + each(("squeeze_excite", "grad(squeeze_excite)"), "n(2, 15, 17, 64), n(64, 16), n(16, 64)")
        + each(("unet", "grad(unet)"), "n(2, 24, 24, 8), n(3, 3, 8, 16), n(3, 3, 16, 16), n(3, 3, 24, 8), abs(n(2))")
        + each(
            ("lambda k, x, e: ddpm_step(k, x, e, 500, jnp.linspace(1e-4, .02, 1000))",),
            "key, n(2, 32, 32, 3), n(2, 32, 32, 3)",
        )
        + each(("ddim", "lambda x, w: vmap(lambda x: ddim(x[None], w, 5))(x)"), "n(40, 24), n(24, 24, scale=.2)")
        + each(("vector_quantize",), "n(400, 16), n(128, 16)")
        + each(("grad(lambda x, c: vector_quantize(x, c)[0] ** 2)",), "n(400, 16), n(128, 16)")
        + each(
            ("elbo", "lambda k, *a: jax.grad(partial(elbo, k), (1, 2))(*a)"),
            "key, jnp.clip(abs(n(50, 200)), 0, 1), n(200, 32), n(16, 200)",
        )
        + each(("message_passing",), "n(200, 24), n(900, 8), i(200, 900), i(200, 900)[::-1], n(56, 24), n(48, 24)")
        + each(
            ("grad(lambda w, *a: message_passing(*a[:4], w, a[4])[0])",),
            "n(56, 24), n(200, 24), n(900, 8), i(200, 900), i(200, 900)[::-1], n(48, 24)",
        )
        + each(("schnet", "grad(schnet, 1)"), "n(150, 16), n(150, 3), i(150, 1200), i(150, 1200)[::-1], n(20, 16), n(16, 16)")
        + each(("lambda x, w: nn.relu(nerf_encode(x) @ w)",), "n(1001, 3), n(39, 64)")
        + each(("nerf_encode", "vmap(jax.jacfwd(nerf_encode))"), "n(1001, 3)")
        + each(("volume_render", "grad(volume_render)"), "n(200, 48), n(200, 48, 3), abs(n(200, 48))")
        + each(
            (
                "lambda x: lax.reduce_window(x, -jnp.inf, lax.max, (1, 3, 3, 1), (1, 2, 2, 1), 'SAME')",
                "lambda x: x.reshape(2, 14, 2, 14, 2, 24).mean((2, 4))",
                "lambda x: jnp.concatenate([x.mean((1, 2)), x.max((1, 2))], -1)",
                "lambda x: x.reshape(2, 28, 28, 4, 6).swapaxes(3, 4).reshape(2, 28, 28, 24)",
                "lambda x: x.reshape(2, -1, 24) @ x.reshape(2, -1, 24).swapaxes(1, 2)[..., :50]",
                "lambda x: jnp.einsum('bhwc,bhwd->bcd', x, x) / 784", "grad(lambda x: jnp.einsum('bhwc,bhwd->bcd', x, x) ** 2)",
            ),
            "n(2, 28, 28, 24)",
        )
    )


def learning():
    return (
        each(("triplet", "grad(triplet)"), "n(100, 32), n(100, 32, seed=1), n(100, 32, seed=2)")
        + each(("hardest_triplet", "grad(hardest_triplet)"), "n(100, 16), i(10, 100)")
        + each(("arc_face", "jax.grad(arc_face, 1)"), "n(60, 64), n(64, 500), i(500, 60)")
        + each(("dice", "grad(dice)"), "n(3, 60, 61), 1. * (n(3, 60, 61) > 0)")
        + each(("barlow_twins", "jax.grad(barlow_twins)"), "n(128, 48), n(128, 48, seed=1)")
        + each(("ppo", "jax.grad(ppo)"), "n(5003), n(5003, seed=1), n(5003), n(5003), n(5003)")
        + each(
            (
                (
                    "lambda v, r, p: vmap(v_trace)(v[:16000].reshape(160, 100), r[:16000].reshape(160, 100), "
                    "p[:16000].reshape(160, 100))"
                ),
            ),
            "n(16001), n(16001), abs(n(16001))",
        )
        + each(("v_trace",), "n(200), n(200), abs(n(200))")
        + each(("quantile_huber", "jax.grad(quantile_huber)"), "n(32, 51), n(32, 51, seed=1)")
        + each(("categorical_projection",), "nn.softmax(n(64, 51)), n(64)")
        + each(("puct",), "abs(n(1000, 9)), n(1000, 9), nn.softmax(n(1000, 9))")
        + each(("rms_prop",), "n(300, 401), n(300, 401), abs(n(300, 401))", "n(7), n(7), abs(n(7))")
        + each(("lamb",), "n(300, 401), n(300, 401), n(300, 401), abs(n(300, 401))")
        + each(("shampoo",), "n(24, 40), definite(0, 24), definite(0, 40)")
        + each(("sam", "lambda w, x, y: lax.fori_loop(0, 10, lambda _, w: sam(w, x, y), w)"), "n(20), n(500, 20), n(500)")
        + each(("sophia",), "n(20, 10), n(500, 20), i(10, 500), key")
        + each(("mlp_training",), "n(8, 32), n(32, 1), n(100, 8), n(100, 1)", "n(64, 256), n(256, 10), n(128, 64), n(128, 10)")
        + each(("maml",), "n(9, 5), n(8, 20, 9), n(8, 20)")
        + each(("lambda k, w: evolution(k, w, lambda w: (jnp.sin(w) * w).sum())",), "key, n(100)")
        + each(
            ("lambda p, y: -jnp.mean(y * jnp.log(p + 1e-7) + (1 - y) * jnp.log(1 - p + 1e-7))",),
            "nn.sigmoid(n(9999)), 1. * (n(9999) > 0)",
        )
        + each(
            (
                "lambda x, y: jnp.abs(x - y).mean()",
                "lambda x, y: jnp.where(abs(x - y) < 1, .5 * (x - y) ** 2, abs(x - y) - .5).mean()",
                "lambda x, y: (nn.softmax(x) * (nn.log_softmax(x) - nn.log_softmax(y))).sum(-1).mean()",
                "lambda x, y: 1 - (x * y).sum(1) / jnp.linalg.norm(x, axis=1) / jnp.linalg.norm(y, axis=1)",
                "lambda x, y: jnp.log(jnp.cosh(x - y)).mean()", "grad(lambda x, y: jnp.log(jnp.cosh(x - y)))",
                "lambda x, y: (x.argmax(1) == y.argmax(1)).mean()",
                "lambda x, y: jnp.zeros((101, 101)).at[x.argmax(1), y.argmax(1)].add(1)",
                "grad(lambda x, y: nn.log_softmax(x * 3)[jnp.arange(300), y.argmax(1)])",
                "lambda x, y: jnp.corrcoef(x, y, rowvar=False)[:101, 101:]",
                "lambda x, y: 1 - ((x - y) ** 2).sum() / ((y - y.mean()) ** 2).sum()",
            ),
            "n(300, 101), n(300, 101, seed=1)",
        )
        + each(
            (
                "lambda t: __import__('optax').adamw(1e-3).update(t, __import__('optax').adamw(1e-3).init(t), t)",
                "lambda t: __import__('optax').global_norm(t)",
                "lambda t: __import__('optax').adafactor(1e-3).update(t, __import__('optax').adafactor(1e-3).init(t), t)",
                "lambda t: __import__('optax').contrib.muon(1e-3).update(t, __import__('optax').contrib.muon(1e-3).init(t), t)",
                "lambda t: __import__('optax').lbfgs().init(t)",
                "lambda t: __import__('optax').novograd(1e-3).update(t, __import__('optax').novograd(1e-3).init(t), t)",
                (
                    "lambda t: __import__('optax').chain(__import__('optax').clip_by_global_norm(1.), "
                    "__import__('optax').sgd(.1, .9)).init(t)"
                ),
            ),
            "{str(k): n(30 + k, 40, seed=k) for k in range(8)}",
        )
        + each(
            (
                "lambda x, y: __import__('optax').ctc_loss(x, jnp.zeros((4, 50)), y, jnp.zeros((4, 12)))",
                "grad(lambda x, y: __import__('optax').ctc_loss(x, jnp.zeros((4, 50)), y, jnp.zeros((4, 12))))",
            ),
            "n(4, 50, 30), i(29, 4, 12) + 1",
        )
        + each(
            (
                "lambda x, y: __import__('optax').losses.poly_loss_cross_entropy(x, nn.one_hot(y, 101))",
                "lambda x, y: __import__('optax').losses.sigmoid_focal_loss(x, nn.one_hot(y, 101))",
            ),
            "n(300, 101), i(101, 300)",
        )
    )


def contractions():
    texts = (
        "abc,abd->acd @@ n(17, 29, 13), n(17, 29, 11)", "ijkl,klm->ijm @@ n(5, 6, 7, 8), n(7, 8, 9)",
        "ab,bc,cd->ad @@ n(31, 33), n(33, 35), n(35, 29)", "bij,bkj->bik @@ n(65, 9, 31), n(65, 11, 31)",
        "i,j,k->ijk @@ n(21), n(23), n(25)", "aij,ajk,akl->ail @@ n(100, 4, 4), n(100, 4, 4), n(100, 4, 4)",
        "nhwc,hwcd->nd @@ n(9, 5, 5, 8), n(5, 5, 8, 12)", "bthd,bshd->bhts @@ n(2, 31, 3, 16), n(2, 37, 3, 16)",
        "ij,ij->i @@ n(999, 33), n(999, 33)", "bnm,bm->bn @@ n(33, 65, 129), n(33, 129)", "xy,xz->yz @@ n(5001, 7), n(5001, 9)",
        "abcde,ce->abd @@ n(3, 4, 5, 6, 7), n(5, 7)", "pqr,rqs->ps @@ n(21, 22, 23), n(23, 22, 24)",
        "ij,jk,ik-> @@ n(51, 53), n(53, 57), n(51, 57)", "kij,kj->i @@ n(40, 30, 20), n(40, 20)",
        "bqd,bkd->qbk @@ n(5, 33, 16), n(5, 35, 16)", "a,ab,b-> @@ n(301), n(301, 299), n(299)",
    )
    pairs = [text.split(" @@ ") for text in texts]
    return (
        [f"lambda *x: jnp.einsum('{text}', *x) @@ {shapes}" for text, shapes in pairs]
        + [f"grad(lambda *x: jnp.einsum('{text}', *x) ** 2) @@ {shapes}" for text, shapes in pairs[::2]]
        + each(
            (
                "lambda a, b: jnp.tensordot(a, b, 2)", "lambda a, b: jnp.inner(a[0], b[:, :, 0])",
                "lambda a, b: lax.dot_general(a, b, (((1, 2), (0, 1)), ((), ())))",
            ),
            "n(19, 33, 20), n(33, 20, 27)",
        )
        + each(
            ("jnp.kron", "lambda a, b: jnp.kron(a, b).sum(0)", "jnp.outer", "lambda a, b: jnp.vdot(a[:, :5], b.T)"),
            "n(31, 17), n(5, 31)",
        )
        + each(
            (
                "lambda x, y: lax.dot_general(x, y, (((1,), (0,)), ((), ())), preferred_element_type='int32')",
                "lambda x, y: lax.dot_general(x, y, (((1,), (0,)), ((), ())), preferred_element_type='float32') * 0.01",
            ),
            "i(255, 65, 200).astype('int8'), i(255, 200, 77).astype('int8')",
            "i(255, 65, 200).astype('uint8'), i(255, 200, 77).astype('uint8')",
        )
        + rows(
            "lambda x, y: x @ y @@ i(9, 45, 67).astype('{0}'), i(9, 67, 51).astype('{0}')",
            ("uint32", "int16", "uint8", "bool"),
        )
        + rows(
            "f64: lambda x, y: jnp.einsum('{0}', x, y) @@ n(9, 33, 41, dtype='{1}'), n(9, 41, 29, dtype='{1}')",
            ("bij,bjk->bik", "bij,cjk->bcik", "bij,bjk->ik"), ("float64", "complex128"),
        )
        + rows("lambda x, y: x @ y.T @@ n({0}, dtype='complex64'), n({0}, dtype='complex64')", ("33, 47", "3, 3", "200, 201"))
        + rows(
            "lambda x, w: (x.astype('{0}') @ w.astype('{0}')).astype('float32') @@ n(33, 128), n(128, 65)",
            ("float8_e4m3fn", "float8_e5m2", "float8_e4m3fnuz", "float8_e5m2fnuz", "float8_e4m3", "float8_e3m4"),
        )
    )


def few_bits():
    return (
        rows(
            "lambda x: x.astype('{0}').astype('float32') - x @@ n(65, 129)",
            ("float8_e4m3fn", "float8_e8m0fnu", "float8_e5m2fnuz", "float4_e2m1fn"),
        )
        + each(
            (
                "lambda x, s: (x.astype('float32') * s[:, None]).astype('bfloat16')",
                "lambda x, s: x.astype('int32').sum(1) * s",
                (
                    "lambda x, s: (x.astype('float32').reshape(128, 8, 32) * s[:, None, None]).reshape(128, 256) @ "
                    "jnp.ones((256, 64))"
                ),
                "lambda x, s: jnp.clip(x.astype('int32') * 3, -128, 127).astype('int8')",
                "lambda x, s: (x << 4 | (x >> 4 & 15))", "lambda x, s: jnp.stack([x & 15, x >> 4], -1).reshape(128, 512)",
                "lambda x, s: x.astype('int4').astype('int8') * x",
                "lambda x, s: nn.relu(x).astype('int32') @ x.T.astype('int32')", "lambda x, s: abs(x).max(1) * 0.01",
                "lambda x, s: lax.population_count(x ^ x[::-1]).astype('int32').sum(1)",
                "lambda x, s: jnp.bitwise_xor.reduce(x, 1)",
                "lambda x, s: (x.astype('float16') * s[:, None].astype('float16')).sum(0)",
            ),
            "(i(255, 128, 256) - 128).astype('int8'), n(128)",
        )
        + each(
            (
                "lambda x: (lambda s: (jnp.round(x / s), s))(abs(x).max(-1, keepdims=True) / 127)",
                (
                    "lambda x: (lambda s: jnp.round(x / s).astype('int8'))(abs(x).reshape(64, -1, 32).max(-1).repeat(32, -1) / "
                    "127)"
                ),
                "lambda x: (lambda b: jnp.exp2(jnp.floor(jnp.log2(b))))(abs(x).reshape(64, -1, 32).max(-1))",
                (
                    "lambda x: jnp.array([-1., -.7, -.5, -.3, 0, .2, .4, .8])[jnp.argmin(abs(x[..., None] - jnp.linspace(-1, "
                    "1, 8)), -1)]"
                ),
                "lambda x: jnp.searchsorted(jnp.linspace(-2, 2, 15), x).astype('uint8')",
                "lambda x: jnp.packbits(x > 0, axis=-1)", "lambda x: jnp.sign(x) * abs(x).mean(1, keepdims=True)",
                "grad(lambda x: (x + lax.stop_gradient(jnp.round(x * 8) / 8 - x)) ** 2)",
                (
                    "lambda x: jnp.where(abs(x) >= jnp.sort(abs(x).reshape(-1, 4), -1)[:, 2:3].repeat(4, 1).reshape(64, 512), "
                    "x, 0)"
                ),
                "lambda x: jnp.ldexp(*jnp.frexp(x))", "lambda x: jnp.nextafter(x, 9.)",
                "lambda x: (x.view('int32') + 0x8000 >> 16).astype('int16').view('bfloat16')",
                "lambda x: x.astype('float16').view('uint16') & 0x7fff", "lambda x: jnp.modf(x)[0] + jnp.trunc(x)",
                "lambda x: jnp.signbit(x) ^ (x > 1)",
            ),
            "n(64, 512)",
        )
        + each(
            ("jnp.unpackbits", "lambda x: jnp.unpackbits(x).reshape(-1, 8)[:, ::-1] @ (1 << jnp.arange(8))"),
            "i(256, 5001).astype('uint8')",
        )
    )


PARTS = (decoding, vision, learning, contractions, few_bits)
