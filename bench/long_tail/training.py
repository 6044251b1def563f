"""training.py: snippets of the long tail: decoding, layers, losses, optimizers. They, mechanics.py and
functions.py were written when all other rows had been tuned on, and before any of these was measured. PARTS are
functions that return names of snippets."""
from snippets import each, rows


def language():
    caches = "n({0}, 192), n({0}, {1}, 6, 32), n({0}, {1}, 6, 32), 77, " + ", ".join(["n(192, 192, scale=.07)"] * 4)
    heads = "n(2, 61, 4, 16), n(2, 61, 4, 16, seed=1), n(2, 61, 4, 16, seed=2)"
    half = heads.replace("16)", "16, dtype='bfloat16')").replace("16, seed", "16, dtype='bfloat16', seed")
    latent = "n(83, 96), n(96, 24, scale=.1), n(24, 96, scale=.2), n(24, 96, scale=.2), n(96, 96, scale=.1)"
    chunks = "n(45, 32), n(160, 32), n(160, 24)"
    choice = "n(150, 48), n(48, 6), n(6, 48, 96, scale=.1), n(6, 96, 48, scale=.1)"
    return (
        each(("decode_layer",), caches.format(1, 512), caches.format(7, 200))
        + each(
            ("lambda x, k, v, t, *w: lax.fori_loop(0, 5, lambda s, c: decode_layer(*c, t + s, *w), (x, k, v))",),
            caches.format(3, 128),
        )
        + each(("greedy_loop",), "n(1003, 64), n(64, 64, scale=.1), i(1003, 5)", "n(8191, 96), n(96, 96, scale=.1), i(1003, 1)")
        + each(("half_rotary", "grad(lambda x: half_rotary(x) ** 2)"), "n(2, 77, 6, 32)", "n(1, 300, 4, 64, dtype='bfloat16')")
        + each(("complex_rotary", "grad(lambda x: complex_rotary(x) * x)"), "n(99, 6, 48)")
        + each(("soft_capped",), heads, half)
        + each(("grad(soft_capped, (0, 1, 2))", "jax.checkpoint(soft_capped)"), heads)
        + each(("sink_attention", "grad(sink_attention, (0, 3))"), "n(67, 4, 24), n(67, 4, 24), n(67, 4, 24), n(4)")
        + each(("vmap(latent_attention, (0,) + (None,) * 4)",), latent.replace("n(83", "n(2, 83"))
        + each(("latent_attention", "grad(latent_attention, (0, 1, 4))"), latent)
        + each(("chunked_attention", "grad(chunked_attention)"), chunks)
        + each(("vmap(vmap(chunked_attention))",), "n(2, 3, 33, 16), n(2, 3, 96, 16), n(2, 3, 96, 16)")
        + each(("typical",), "key, n(2, 32000)", "key, n(17, 512)")
        + each(("block_fp8",), "n(48, 256), n(256, 96)", "n(1, 512), n(512, 300)")
        + each(("weight_only_int8",), "n(1, 512, dtype='bfloat16'), i(127, 512, 768).astype('int8'), n(768)")
        + each(("weight_only_int8",), "n(33, 200, dtype='bfloat16'), i(127, 200, 304).astype('int8'), n(304)")
        + each(("dynamic_int8",), "n(19, 256), (i(255, 256, 200) - 127).astype('int8')")
        + each(("lora", "grad(lora, (2, 3))"), "n(50, 200), n(200, 160), n(200, 8), n(8, 160)")
        + each(("expert_choice", "grad(expert_choice, (0, 2))"), choice)
        + each(("multi_token_loss", "grad(multi_token_loss, (0, 1))"), "n(70, 64), n(3001, 64), i(3001, 70)")
        + each(("chunked_cross_entropy", "grad(chunked_cross_entropy, (0, 1))"), "n(64, 48), n(2003, 48), i(2003, 64)")
        + each(("preference_loss", "grad(preference_loss)"), "n(501), n(501, seed=1), n(501, seed=2), n(501, seed=3)")
        + each(
            ("group_advantage", "grad(group_advantage, 1)"),
            "n(5, 8), -abs(n(5, 8, 99)), -abs(n(5, 8, 99, seed=1)), i(2, 5, 8, 99)",
        )
    )


def layers():
    couplings = "n(133, 14), n(4, 7, 32, scale=.3), n(4, 32, 14, scale=.3)"
    return (
        each(("minimal_gru",), "n(201, 48), n(48, 48), n(48, 48)")
        + each(("grad(minimal_gru)",), "n(40, 48), n(48, 48), n(48, 48)")
        + each(("peephole", "grad(peephole, 1)"), "n(31, 5, 18), n(42, 96, scale=.1), n(3, 24)")
        + each(("causal_tcn", "grad(causal_tcn, (0, 1))"), "n(3, 150, 20), n(4, 3, 20, 20, scale=.1)")
        + each(("instance_norm", "grad(lambda *a: instance_norm(*a) ** 2)"), "n(2, 21, 23, 12), n(12), n(12)")
        + each(("weight_standardized", "grad(weight_standardized, 1)"), "n(2, 15, 17, 10), n(3, 3, 10, 14)")
        + each(("spectral_norm", "grad(spectral_norm)"), "n(130, 75), n(130)")
        + each(
            ("residual_block", "grad(residual_block, (0, 1, 2))"),
            "n(2, 12, 20, 20), n(24, 12, 3, 3, scale=.1), n(24, 24, 3, 3, scale=.1), n(24, 12, 1, 1)",
        )
        + each(
            ("inverted_bottleneck", "grad(inverted_bottleneck, (0, 2))"),
            "n(2, 14, 14, 12), n(1, 1, 12, 72), n(3, 3, 1, 72), n(1, 1, 72, 12)",
        )
        + each(
            ("mixer", "grad(mixer)"),
            "n(3, 49, 40), n(49, 24, scale=.1), n(24, 49, scale=.1), n(40, 160, scale=.1), n(160, 40, scale=.1)",
        )
        + each(("fourier_layer", "grad(fourier_layer)"), "n(3, 150, 12), n(16, 12, 12, dtype='complex64')")
        + each(("kan_layer", "grad(kan_layer)"), "n(200, 7, scale=.4), n(7, 9, 8), jnp.linspace(-1.7, 1.7, 12)")
        + each(("real_nvp", "grad(real_nvp, (1, 2))"), couplings)
        + each(("neural_ode", "grad(neural_ode)"), "n(6, 32, scale=.3), n(32, 6, scale=.3), n(40, 6)")
        + each(("physics_informed", "grad(physics_informed, (0, 1))"), "n(2, 20), n(20, 1), n(150, 2)")
        + each(("contrastive_supervised", "grad(contrastive_supervised)"), "n(120, 33), i(9, 120)")
        + each(("lovasz", "grad(lovasz)"), "n(2500), i(2, 2500)")
        + each(("spearman_loss", "grad(spearman_loss)"), "n(150), n(150, seed=1)")
        + each(("maximum_mean_discrepancy", "grad(maximum_mean_discrepancy)"), "n(140, 9), n(111, 9, seed=1)")
    )


def training():
    regression = "n(13, 30, scale=.3), n(30, 2, scale=.2), n(101, 13), n(101, 2)"
    whole = "adam(1e-2) adamax(1e-2) nadam(1e-2) radam(1e-2) yogi(1e-2) adabelief(1e-2) rmsprop(1e-2) novograd(1e-3) "
    whole += "adadelta(.5)"
    single = "lamb(1e-3) lars(1e-2) sm3(1e-2) adan(1e-2) amsgrad(1e-3) fromage(1e-2) contrib.prodigy(1.) contrib.dadapt_adamw()"
    fitted = "n(25), n(300, 25), jnp.sign(n(300))"
    return (
        rows("partial(optax_steps, optax.{0}) @@ {1}", whole.split(), (regression,))
        + rows("partial(one_update, optax.{0}) @@ n(77, 51), n(51), n(3, 5, 7), n(1)", single.split())
        + rows(
            "partial(one_update, optax.{0}) @@ n(200, 300), n(300), n(300, 31)",
            ("adamw(1e-3)", "adafactor(1e-3)", "contrib.muon(1e-2)"),
        )
        + each(
            (
                "lambda *a: one_update(optax.chain(optax.clip_by_global_norm(1.), optax.adamw(1e-3)), *a)",
                (
                    "lambda *a: one_update(optax.chain(optax.centralize(), optax.add_noise(.1, .5, 0), optax.sgd(.1, .9, "
                    "True)), *a)"
                ),
                "lambda *a: optax.global_norm(a)", "lambda *a: optax.tree.vdot(a, a)",
            ),
            "n(71, 53), n(53), n(53, 31), n(31)",
        )
        + rows(
            "lambda x, y: optax.losses.{0} @@ n(59, 37), abs(n(59, 37, seed=1))",
            (
                "huber_loss(x, y)", "log_cosh(x, y)", "cosine_distance(x, y)", "sigmoid_binary_cross_entropy(x, y > 1)",
                "poly_loss_cross_entropy(x, nn.softmax(y))", "kl_divergence(nn.log_softmax(x), nn.softmax(y))",
                "hinge_loss(x, jnp.sign(y - 1))",
                "sigmoid_focal_loss(x, y > 1)", "sparsemax_loss(x, y > 1)", "ranking_softmax_loss(x, y)",
                "ntxent(x, jnp.arange(59) // 2)",
            ),
        )
        + rows(
            "grad(lambda x, y: optax.losses.{0}) @@ n(59, 37), i(2, 59, 37)",
            ("sigmoid_focal_loss(x, y)", "ranking_softmax_loss(x, y)"),
        )
        + each(("hessian_free",), fitted)
        + each(("per_example_clipped",), "n(11, 16), n(16, 3), n(70, 11), n(70, 3)")
        + each(("tangent_kernel", "grad(tangent_kernel)"), "n(9, 20), n(20, 1), n(60, 9)")
        + each(("stochastic_average",), "key, n(25), n(300, 25), n(300)")
        + each(("gumbel_straight_through",), "key, n(201, 31)")
        + each(("grad(lambda l, k: gumbel_straight_through(k, l) * jnp.arange(31.))",), "n(201, 31), key")
        + each(("augment",), "key, n(5, 32, 32, 3)")
        + each(("temporal_difference", "grad(temporal_difference)"), "n(60, 16), n(60, 16), i(2, 60, 16)")
        + each(("vmap(squashed_policy, (None, 0, 0))",), "key, n(3, 50, 6), n(3, 50, 6)")
        + each(("squashed_policy",), "key, n(256, 6), n(256, 6)")
    )


PARTS = (language, layers, training)
