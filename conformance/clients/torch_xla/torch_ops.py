"""PyTorch's operators one at a time, forward and backward, in several types each: cases for torch_runner.py.

A row names an operator and what it takes. Numbers come from the host's generator, the same for every device; gradients
are taken with random cotangents. Types an operator does not take in PyTorch, or in PyTorch/XLA, are not in its row."""
import torch
import torch.nn.functional as F

from torch_cases import CASES, values

F32, BF16, F16, F64 = torch.float32, torch.bfloat16, torch.float16, torch.float64
I64, I32, U8, BOOL, C64 = torch.int64, torch.int32, torch.uint8, torch.bool, torch.complex64
FLOATS, ALL = (F32, BF16, F16), (F32, BF16, F16, I64, BOOL)
NUMBERS, INTEGERS = (F32, BF16, F16, I64), (I64, I32, U8)


def numbers(dtype, shape=(3, 5), seed=0, positive=False, unit=False):
    """Finite numbers away from discontinuities; unit: between -0.9 and 0.9."""
    x = values(*shape, seed=seed) * 2
    if unit:
        x = x.tanh() * 0.9
    if positive:
        x = x.abs() + 0.25
    if dtype == BOOL:
        return x > 0
    if not dtype.is_floating_point and not dtype.is_complex:
        x = (x * 4).round() + (positive and 1)
        return (x.abs() if dtype == U8 else x).to(dtype)
    return x.to(dtype)


def run(device, function, dtypes, inputs):
    """Results for each type, then gradients where the type has them."""
    results = []
    for dtype in dtypes:
        given = [x.to(device) if isinstance(x, torch.Tensor) else x for x in inputs(dtype)]
        wanted = [x.requires_grad_() for x in given if isinstance(x, torch.Tensor) and x.is_floating_point()]
        outputs = function(*given)
        outputs = outputs if isinstance(outputs, (tuple, list)) else [outputs]
        results += [y.detach() for y in outputs]
        smooth = [y for y in outputs if y.requires_grad]
        if smooth and wanted and dtype != F16:
            cotangents = [values(*y.shape, seed=9 + i).to(y.dtype).to(device) for i, y in enumerate(smooth)]
            gradients = torch.autograd.grad(smooth, wanted, cotangents, allow_unused=True)
            results += [g for g in gradients if g is not None]
    return results


def row(name, function, dtypes, inputs, rtol=1e-5, atol=1e-5):
    CASES.append((f"op_{name}", lambda device: run(device, function, dtypes, inputs), {"rtol": rtol, "atol": atol}))


def rows(names, dtypes, inputs, where=torch, **tolerance):
    for name in names.split():
        row(name, getattr(where, name), dtypes, inputs, **tolerance)


def one(**kind):
    return lambda dtype: [numbers(dtype, **kind)]


def two(**kind):
    return lambda dtype: [numbers(dtype, **kind), numbers(dtype, **dict(kind, seed=1, shape=(5,)))]


# ---- elementwise ----
rows("abs neg square sign relu", NUMBERS, one())
rows("isnan isinf isfinite", NUMBERS, one())
rows("logical_not", ALL, one())
rows("exp expm1 sin cos tan sinh cosh tanh sigmoid erf erfc atan asinh", FLOATS, one(), atol=2e-5)
rows("exp2 sinc logit", (F32,), one(unit=True), atol=2e-5)
rows("acos asin atanh erfinv", (F32, BF16), one(unit=True), atol=2e-5)
rows("log log2 log10 log1p sqrt rsqrt reciprocal", FLOATS, one(positive=True), atol=2e-5)
rows("lgamma digamma", (F32,), one(positive=True), rtol=1e-4, atol=1e-4)
row("acosh", torch.acosh, (F32, BF16), lambda dtype: [numbers(dtype, positive=True) + 1], atol=2e-5)
rows("floor ceil round trunc frac", FLOATS, one())
rows("bitwise_not", (*INTEGERS, BOOL), one())
rows("deg2rad rad2deg", (F32,), one())
rows("nan_to_num", FLOATS, lambda dtype: [numbers(dtype) / (numbers(dtype, seed=3) > 0).to(dtype)])
rows("gelu silu mish softplus softsign hardtanh relu6 hardswish hardsigmoid leaky_relu elu selu celu logsigmoid tanhshrink "
     "softshrink hardshrink", (F32, BF16), one(), where=F, atol=2e-5)
row("threshold", lambda x: F.threshold(x, 0.1, 20), FLOATS, one())
row("gelu_tanh", lambda x: F.gelu(x, approximate="tanh"), (F32, BF16), one(), atol=2e-5)
rows("add sub mul maximum minimum", NUMBERS, two())
rows("eq ne lt le gt ge", ALL, two())
rows("logical_and logical_or logical_xor", ALL, two())
rows("bitwise_and bitwise_or bitwise_xor", (*INTEGERS, BOOL), two())
rows("bitwise_left_shift", (I64, I32), lambda dtype: [numbers(dtype), numbers(dtype, seed=1).abs() % 8])
rows("div true_divide", (F32, I64), two(positive=True))
row("div_trunc", lambda x, y: torch.div(x, y, rounding_mode="trunc"), (F32, I64), two(positive=True))
row("div_floor", lambda x, y: torch.div(x, y, rounding_mode="floor"), (F32, I64), two(positive=True))
row("floor_divide", lambda x, y: x.detach() // y.detach(), (F32, I64, I32),
    lambda dtype: [numbers(dtype), numbers(dtype, seed=1, shape=(5,), positive=True)])
rows("fmod remainder", (F32, I64, I32), lambda dtype: [numbers(dtype), numbers(dtype, seed=1, shape=(5,), positive=True)], atol=2e-5)
rows("pow", (F32, F64), two(positive=True), rtol=1e-4)
rows("atan2 hypot logaddexp logaddexp2 copysign xlogy", (F32,), two(positive=True), atol=2e-5)
row("lerp", lambda x, y: torch.lerp(x, y, 0.3), FLOATS, two())
row("addcmul", lambda x, y: torch.addcmul(x, x, y, value=0.5), FLOATS, two())
row("addcdiv", lambda x, y: torch.addcdiv(x, x, y, value=0.5), FLOATS, two(positive=True))
row("clamp", lambda x: torch.clamp(x, -1, 2), NUMBERS, one())
row("clamp_tensor", lambda x, y: torch.clamp(x, y - 1, y + 1), (F32, I64), two())
row("where", lambda x, y: torch.where(x > y, x, y), ALL[:-1], two())
row("masked_fill", lambda x: x.masked_fill(x > 0, 1), NUMBERS, one())
row("rsub", lambda x: 3 - x, NUMBERS, one())
row("heaviside", lambda x, y: torch.heaviside(x.detach(), y.detach()), (F32,), two())
row("casts", lambda x: [x.to(d) for d in (F32, F64, F16, BF16, I64, I32, torch.int8, U8, BOOL)], (F32, I64, BOOL), one(positive=True))

# ---- complex ----
row("complex_parts", lambda x: [x.abs(), x.angle(), x.real, x.imag], (C64,), lambda dtype: [torch.complex(values(3, 5), values(3, 5, seed=1))])
row("complex_arithmetic", lambda x: [x * x, x / (x + 2), x.conj() * x, x.exp(), x.sum(), (x == x.conj())], (C64,),
    lambda dtype: [torch.complex(values(3, 5), values(3, 5, seed=1))])
row("complex_isclose", lambda x, y: torch.isclose(x, torch.complex(y.real, x.imag), rtol=0.1), (C64,),
    lambda dtype: [torch.complex(values(3, 5), values(3, 5, seed=1)), torch.complex(values(3, 5), values(3, 5, seed=2))])
row("fft", lambda x: [torch.fft.fft(x), torch.fft.fft(x, dim=0), torch.fft.ifft(x)],
    (C64,), lambda dtype: [torch.complex(values(4, 8), values(4, 8, seed=1))], atol=1e-4)

# ---- reductions and scans ----
for dims, keep in ((None, False), (1, False), ((0, 2), True)):
    tag = "" if dims is None else "_dims" if isinstance(dims, tuple) else "_dim"
    given = {} if dims is None else {"dim": dims, "keepdim": keep}
    row("sum" + tag, lambda x, g=given: torch.sum(x, **g), ALL, one(shape=(3, 4, 5)), atol=1e-4)
    row("mean" + tag, lambda x, g=given: torch.mean(x, **g), (F32, BF16), one(shape=(3, 4, 5)))
    row("var" + tag, lambda x, g=given: torch.var(x, **g), (F32,), one(shape=(3, 4, 5)))
    row("std" + tag, lambda x, g=given: torch.std(x, **g), (F32,), one(shape=(3, 4, 5)))
    row("norm" + tag, lambda x, g=given: torch.linalg.vector_norm(x, **g), (F32,), one(shape=(3, 4, 5)))
    if not isinstance(dims, tuple):
        row("prod" + tag, lambda x, g=given: torch.prod(x, **g), (F32, I64), one(shape=(3, 4, 5), unit=True), rtol=1e-4)
        row("argmax" + tag, lambda x, g=given: [torch.argmax(x, **g), torch.argmin(x, **g)], (F32, BF16), one(shape=(3, 4, 5)))
        row("any" + tag, lambda x, g=given: [torch.any(x, **g), torch.all(x, **g)], ALL, one(shape=(3, 4, 5)))
    if dims is not None:
        row("amax" + tag, lambda x, g=given: [torch.amax(x, **g), torch.amin(x, **g)], NUMBERS, one(shape=(3, 4, 5)))
        row("logsumexp" + tag, lambda x, g=given: torch.logsumexp(x, **g), (F32,), one(shape=(3, 4, 5)))
row("max_dim", lambda x: [*torch.max(x, 1), *torch.min(x, 0)], (F32,), one())
rows("cumsum cumprod", (F32, I64), lambda dtype: [numbers(dtype, unit=True), 1])
rows("logcumsumexp", (F32,), lambda dtype: [numbers(dtype), 1])
row("cummax", lambda x: [*torch.cummax(x, 1), *torch.cummin(x, 0)], (F32,), one())
row("median", lambda x: torch.median(x, 1)[0], (F32, I64), one())
row("kthvalue", lambda x: torch.kthvalue(x, 2, 1), (F32,), one())
row("topk", lambda x: [*x.topk(3), *x.topk(2, 0, False)], (F32, BF16), one())
row("sort", lambda x: [*torch.sort(x, stable=True), *torch.sort(x, dim=0, descending=True, stable=True)], (F32, BF16, I64), one())
row("argsort", lambda x: torch.argsort(x, stable=True), (F32, I64), one())
row("softmax", lambda x: [x.softmax(1), x.log_softmax(0)], (F32, BF16), one())
row("bincount", lambda x: torch.bincount(x.flatten().abs(), minlength=20)[:20], (I64,), one())
row("count_nonzero", torch.count_nonzero, (F32, I64), one())
row("diff", torch.diff, NUMBERS, one())
row("trapezoid", torch.trapezoid, (F32,), one())

# ---- shapes and indices ----
INDEX = torch.tensor([2, 0, 1, 2])
rows("t ravel flatten", ALL, one())
row("permute", lambda x: x.permute(2, 0, 1).contiguous(), ALL, one(shape=(2, 3, 4)))
row("reshape", lambda x: x.reshape(5, -1), ALL, one())
row("expand", lambda x: x[:, None].expand(3, 2, 5), ALL, one())
row("repeat", lambda x: [x.repeat(2, 3), x.tile(2, 1), x.repeat_interleave(2, 1)], ALL, one())
row("cat", lambda x, y: [torch.cat([x, x], 1), torch.stack([x, -x if x.dtype != BOOL else x]), torch.hstack([x, x])], ALL, two())
row("split", lambda x: [*x.split(2, 1), *x.chunk(2, 0), *x.unbind(0)], ALL, one())
row("slice", lambda x: [x[1:, ::2], x[..., -1], x[1], x[:, None, 2:4]], ALL, one())
row("index_select", lambda x: x.index_select(0, INDEX.to(x.device)), ALL, one())
row("gather", lambda x: torch.gather(x, 0, INDEX.to(x.device)[:, None].expand(4, 5)), ALL, one())
row("take_along_dim", lambda x: torch.take_along_dim(x, INDEX.to(x.device)[:, None], 0), ALL, one())
row("index", lambda x: [x[INDEX.to(x.device)], x[INDEX.to(x.device), INDEX.to(x.device)], x[:, INDEX.to(x.device)]], ALL, one())
row("index_put", lambda x: x.index_put((INDEX.to(x.device)[:2],), x[:2]), ALL, one())
row("index_add", lambda x: x.index_add(0, INDEX.to(x.device), x[INDEX.to(x.device)]), (F32, I64), one())
row("index_copy", lambda x: x.index_copy(0, INDEX.to(x.device)[:3], x.flip(0)), (F32, I64), one())
row("index_fill", lambda x: x.index_fill(0, INDEX.to(x.device)[:2], 7), NUMBERS, one())
row("scatter", lambda x: x.scatter(1, INDEX.to(x.device)[None, :3].expand(3, 3), x[:, 2:]), ALL, one())
row("scatter_add", lambda x: x.scatter_add(1, INDEX.to(x.device)[None].expand(3, 4), x[:, 1:]), (F32, I64), one())
row("scatter_reduce", lambda x: x.scatter_reduce(1, INDEX.to(x.device)[None].expand(3, 4), x[:, 1:], "amax"), (F32,), one())
row("flip", lambda x: [x.flip(0), x.flip(0, 1), x.fliplr(), x.rot90()], ALL, one())
row("roll", lambda x: [x.roll(1), x.roll((1, -2), (0, 1))], ALL, one())
row("tril", lambda x: [x.tril(), x.triu(1), x.tril(-1)], NUMBERS, one())
row("diagonal", lambda x: [x.diagonal(), x.diag(), torch.diag_embed(x), x.diagonal(1)], NUMBERS, one())
row("trace", lambda x: x[:, :3].trace(), (F32, I64), one())
row("unfold", lambda x: x.unfold(1, 3, 2), ALL, one())
row("pad", lambda x: F.pad(x, (1, 2, 0, 1)), NUMBERS, one())
row("pad_modes", lambda x: [F.pad(x, (1, 2), mode="reflect"), F.pad(x, (2, 1), mode="replicate")], (F32,), one(shape=(2, 3, 5)))
row("meshgrid", lambda x: torch.meshgrid(x[0], x[1, :2], indexing="ij"), (F32, I64), one())
row("searchsorted", lambda x: torch.searchsorted(x.sort(1).values, x), (F32,), one())
row("bucketize", lambda x: torch.bucketize(x, torch.tensor([-1.0, 0.0, 1.0], device=x.device)), (F32,), one())
row("factories", lambda x: [torch.zeros_like(x), torch.ones_like(x), torch.full_like(x, 3), torch.eye(3, 4, dtype=x.dtype, device=x.device),
    torch.arange(7, dtype=x.dtype, device=x.device), torch.tril_indices(3, 4, device=x.device)], (F32, I64), one())
row("linspace", lambda x: [torch.linspace(-1, 2, 7, device=x.device), torch.logspace(0, 1, 4, device=x.device)], (F32,), one())
row("one_hot", lambda x: F.one_hot(x.abs() % 9, 9), (I64,), one())

# ---- products ----
MATRICES = lambda dtype: [numbers(dtype, (4, 6)), numbers(dtype, (6, 3), 1)]
BATCHES = lambda dtype: [numbers(dtype, (2, 4, 6)), numbers(dtype, (2, 6, 3), 1)]
rows("mm matmul", (F32, BF16, F64), MATRICES, atol=1e-4)
rows("bmm", (F32, BF16), BATCHES, atol=1e-4)
row("matmul_i64", torch.matmul, (I64, I32), MATRICES)
row("mv", lambda a, b: [torch.mv(a, b[:, 0]), torch.dot(a[0], b[:, 0]), torch.outer(a[0], b[0])], (F32,), MATRICES, atol=1e-4)
row("addmm", lambda a, b: torch.addmm(b[:4], a, b, beta=0.5, alpha=2), (F32, BF16), MATRICES, atol=1e-4)
row("baddbmm", lambda a, b: torch.baddbmm(b[:, :4], a, b), (F32, BF16), BATCHES, atol=1e-4)
row("einsum", lambda a, b: [torch.einsum("bij,bjk->ik", a, b), torch.einsum("bij,bjk->bki", a, b)], (F32,), BATCHES, atol=1e-4)
row("tensordot", lambda a, b: torch.tensordot(a, b, ([0, 2], [0, 1])), (F32,), BATCHES, atol=1e-4)
row("cdist", lambda a: torch.cdist(a, a.flip(0) + 3), (F32,), lambda dtype: [numbers(dtype, (4, 6))], rtol=1e-3, atol=1e-3)
row("cross", lambda a: torch.linalg.cross(a[:, :3], a[:, 3:]), (F32,), lambda dtype: [numbers(dtype, (4, 6))])
row("kron", lambda a, b: torch.kron(a, b[:2]), (F32,), MATRICES)
row("linalg", lambda a: [torch.linalg.cholesky(a @ a.mT + 4 * torch.eye(6, device=a.device)), torch.linalg.matrix_power(a, 3)],
    (F32,), lambda dtype: [numbers(dtype, (2, 6, 6), unit=True)], rtol=1e-3, atol=1e-3)
row("inverse", lambda a: torch.linalg.inv(a + 4 * torch.eye(6, device=a.device)), (F32,),
    lambda dtype: [numbers(dtype, (6, 6), unit=True)], rtol=1e-3, atol=1e-3)
row("spectra", lambda a: [torch.linalg.svdvals(a), torch.linalg.eigvalsh(a + a.mT), torch.linalg.qr(a).R.abs()], (F32,),
    lambda dtype: [numbers(dtype, (6, 6))], rtol=1e-3, atol=1e-3)

# ---- layers ----
IMAGES = one(shape=(2, 4, 9, 9))
SIGNALS = one(shape=(2, 4, 12))
WEIGHT = dict(rtol=1e-4, atol=1e-4)


def kernels(*shape):
    return lambda dtype: [numbers(dtype, (2, 4) + (9,) * (len(shape) - 2)), numbers(dtype, shape, 1)]


row("conv1d", lambda x, w: F.conv1d(x, w, padding=1, stride=2), (F32, BF16), kernels(6, 4, 3), **WEIGHT)
row("conv2d", lambda x, w: F.conv2d(x, w, padding=1), (F32, BF16), kernels(6, 4, 3, 3), **WEIGHT)
row("conv2d_options", lambda x, w: F.conv2d(x, w, stride=2, padding=2, dilation=2, groups=2), (F32,), kernels(6, 2, 3, 3), **WEIGHT)
row("conv2d_depthwise", lambda x, w: F.conv2d(x, w, groups=4), (F32,), kernels(4, 1, 3, 3), **WEIGHT)
row("conv3d", lambda x, w: F.conv3d(x, w), (F32,), kernels(3, 4, 3, 3, 3), rtol=1e-3, atol=1e-3)
row("conv_transpose1d", lambda x, w: F.conv_transpose1d(x, w, stride=2), (F32,), kernels(4, 6, 3), **WEIGHT)
row("conv_transpose2d", lambda x, w: F.conv_transpose2d(x, w, stride=2, padding=1, output_padding=1), (F32,), kernels(4, 6, 3, 3), **WEIGHT)
row("linear", F.linear, (F32, BF16), lambda dtype: [numbers(dtype, (2, 3, 6)), numbers(dtype, (4, 6), 1), numbers(dtype, (4,), 2)], **WEIGHT)
row("bilinear", F.bilinear, (F32,), lambda dtype: [numbers(dtype, (3, 4)), numbers(dtype, (3, 5), 1), numbers(dtype, (2, 4, 5), 2)], **WEIGHT)
row("max_pool", lambda x: [F.max_pool2d(x, 3, 2, 1), F.max_pool2d(x, 2)], (F32, BF16), IMAGES)
row("max_pool1d", lambda x: F.max_pool1d(x, 3, 2), (F32,), SIGNALS)
row("avg_pool", lambda x: [F.avg_pool2d(x, 3, 2), F.avg_pool2d(x, 2, padding=1, count_include_pad=False)], (F32,), IMAGES)
row("avg_pool1d", lambda x: F.avg_pool1d(x, 3, 1), (F32,), SIGNALS)
row("adaptive_pool", lambda x: [F.adaptive_avg_pool2d(x, 3), F.adaptive_avg_pool2d(x, 1), F.adaptive_max_pool2d(x, 3)], (F32,), IMAGES)
row("interpolate", lambda x: [F.interpolate(x, scale_factor=2, mode="nearest"), F.interpolate(x, (5, 7), mode="bilinear", align_corners=True)],
    (F32,), IMAGES, **WEIGHT)
row("pixel_shuffle", lambda x: [F.pixel_shuffle(x, 2), F.pixel_unshuffle(x[..., :8, :8], 2)], (F32,), IMAGES)
row("fold", lambda x: [F.unfold(x, 3), F.fold(F.unfold(x, 3), (9, 9), 3)], (F32,), IMAGES, **WEIGHT)
row("grid_sample", lambda x: F.grid_sample(x, x[:, :2].permute(0, 2, 3, 1) / 4, align_corners=False), (F32,), IMAGES, **WEIGHT)
row("batch_norm", lambda x: F.batch_norm(x, None, None, training=True), (F32,), IMAGES, **WEIGHT)
row("batch_norm_eval", lambda x: F.batch_norm(x, x.mean((0, 2, 3)).detach(), x.var((0, 2, 3)).detach()), (F32,), IMAGES, **WEIGHT)
row("layer_norm", lambda x: F.layer_norm(x, (9,)), (F32, BF16), IMAGES, **WEIGHT)
row("group_norm", lambda x: [F.group_norm(x, 2), F.instance_norm(x)], (F32,), IMAGES, **WEIGHT)
row("rms_norm", lambda x: F.rms_norm(x, (9,)), (F32,), IMAGES, **WEIGHT)
row("local_response_norm", lambda x: F.local_response_norm(x, 3), (F32,), IMAGES, **WEIGHT)
row("normalize", lambda x: F.normalize(x, dim=1), (F32,), IMAGES)
row("cosine_similarity", lambda x: F.cosine_similarity(x, x.flip(0)), (F32,), IMAGES)
row("pairwise_distance", lambda x: F.pairwise_distance(x, x + 1), (F32,), IMAGES)
row("embedding", lambda w: F.embedding(INDEX.to(w.device), w), FLOATS, one())
row("embedding_bag", lambda w: F.embedding_bag(INDEX.to(w.device).reshape(2, 2), w, mode="sum"), (F32,), one())
row("attention", lambda x: F.scaled_dot_product_attention(x, x.flip(2), x * 0.5), (F32,), one(shape=(2, 3, 6, 8)), **WEIGHT)
row("attention_causal", lambda x: F.scaled_dot_product_attention(x, x.flip(2), x, is_causal=True), (F32,), one(shape=(2, 3, 6, 8)), **WEIGHT)
row("glu", F.glu, (F32,), SIGNALS)
row("prelu", F.prelu, (F32,), lambda dtype: [numbers(dtype), numbers(dtype, (1,), 1)])

# ---- losses ----
LABELS = torch.tensor([1, 4, 0])
rows("mse_loss l1_loss smooth_l1_loss huber_loss", (F32,), lambda dtype: [numbers(dtype), numbers(dtype, seed=1)], where=F)
rows("binary_cross_entropy_with_logits", (F32,), lambda dtype: [numbers(dtype), numbers(dtype, seed=1).sigmoid()], where=F)
row("binary_cross_entropy", lambda x: F.binary_cross_entropy(x.sigmoid(), (x > 0).to(x.dtype)), (F32,), one())
row("cross_entropy", lambda x: [F.cross_entropy(x, LABELS.to(x.device)), F.cross_entropy(x, LABELS.to(x.device), label_smoothing=0.1),
    F.cross_entropy(x, LABELS.to(x.device), reduction="none", ignore_index=4)], (F32, BF16), one())
row("nll_loss", lambda x: F.nll_loss(x.log_softmax(1), LABELS.to(x.device)), (F32,), one())
row("kl_div", lambda x: F.kl_div(x.log_softmax(1), x.flip(0).softmax(1), reduction="batchmean"), (F32,), one())
row("poisson_nll_loss", lambda x: F.poisson_nll_loss(x, x.detach().abs()), (F32,), one())
row("margin_losses", lambda x: [F.hinge_embedding_loss(x, x.detach().sign()), F.soft_margin_loss(x, x.detach().sign()),
    F.triplet_margin_loss(x, x.flip(0), x.roll(1, 1))], (F32,), one())

# ---- sizes that are known at run time only ----
row("masked_scatter", lambda x, y: x.masked_scatter(x > 0, y), (F32, I64), lambda dtype: [numbers(dtype), numbers(dtype, seed=1)])
row("masked_select", lambda x: x.masked_select(x > 0), (F32, I64, BF16), one())
row("nonzero", lambda x: [torch.nonzero(x > 0), torch.unique(x.detach())], (F32, I64), one())
row("empty", lambda x: [x[:0].take(torch.zeros(0, 2, dtype=I64, device=x.device)), x[:, :0].sum(1), torch.cat([x, x[:0]]), x[:0] @ x[:, :0]],
    (F32,), one(shape=(4, 4)))
