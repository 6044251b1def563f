"""PyTorch programs for torch_runner.py. A case is a function of the device that returns tensors; the expected ones come
from the same function on PyTorch's own CPU. `case(rtol=..., atol=...)` loosens the comparison."""
import torch
import torch.nn.functional as F

CASES = []


def case(function=None, *, rtol=1e-5, atol=1e-5):
    def add(f):
        CASES.append((f.__name__, f, {"rtol": rtol, "atol": atol}))
        return f
    return add(function) if function else add


def values(*shape, seed=0, dtype=torch.float32):
    """The same random numbers for every device."""
    return torch.randn(shape, generator=torch.Generator().manual_seed(seed)).to(dtype)


def sync(device):
    if device.type == "xla":
        import torch_xla
        torch_xla.sync()


def load(module, seed=1):
    """Parameters that don't depend on the device."""
    for i, parameter in enumerate(module.parameters()):
        parameter.data = values(*parameter.shape, seed=seed + i) * 0.2
    return module


@case
def add_one(device):
    return [values(4, 8).to(device) + 1]


@case
def layouts(device):
    x = values(3, 8, 5).to(device)
    y = x.permute(2, 0, 1) * 2
    sync(device)
    return [y, y.t() if y.dim() == 2 else y.transpose(0, 2), x.to(torch.float64).mT.contiguous(), x[:, ::2, 1:3]]


@case
def dtypes(device):
    x = values(16).to(device) * 10
    kinds = (torch.float64, torch.float16, torch.bfloat16, torch.int8, torch.int32, torch.int64, torch.bool)
    return [x.to(kind) for kind in kinds] + [x.to(torch.complex64) * 2j, (x > 0).to(torch.uint8)]


@case
def linear_sgd(device):
    model = load(torch.nn.Sequential(torch.nn.Linear(8, 16), torch.nn.Tanh(), torch.nn.Linear(16, 3))).to(device)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1, momentum=0.9)
    x, y = values(32, 8).to(device), (torch.arange(32) % 3).to(device)
    losses = []
    for _ in range(6):
        optimizer.zero_grad()
        loss = F.cross_entropy(model(x), y)
        loss.backward()
        optimizer.step()
        sync(device)
        losses.append(loss.detach())
    return losses + [parameter.detach() for parameter in model.parameters()]


@case
def linear_adam(device):
    model = load(torch.nn.Linear(8, 4)).to(device)
    optimizer = torch.optim.AdamW(model.parameters(), lr=0.01)
    x = values(16, 8).to(device)
    for _ in range(4):
        optimizer.zero_grad()
        model(x).square().mean().backward()
        optimizer.step()
        sync(device)
    return [parameter.detach() for parameter in model.parameters()]


@case(rtol=1e-4, atol=1e-4)
def conv_bn_pool(device):
    model = load(torch.nn.Sequential(
        torch.nn.Conv2d(3, 8, 3, padding=1), torch.nn.BatchNorm2d(8), torch.nn.ReLU(), torch.nn.MaxPool2d(2),
        torch.nn.Conv2d(8, 8, 3, stride=2, groups=4), torch.nn.AvgPool2d(2))).to(device)
    x = values(4, 3, 16, 16).to(device).requires_grad_()
    y = model(x)
    y.square().sum().backward()
    sync(device)
    return [y, x.grad] + [p.grad for p in model.parameters()] + [b.float() for b in model.buffers()]


@case(rtol=1e-4, atol=1e-4)
def conv_transpose(device):
    x, w = values(2, 4, 7, 7).to(device).requires_grad_(), values(4, 6, 3, 3, seed=2).to(device).requires_grad_()
    y = F.conv_transpose2d(x, w, stride=2, padding=1, output_padding=1)
    z = F.conv1d(values(2, 4, 20).to(device), values(6, 4, 3, seed=3).to(device), dilation=2)
    y.sin().sum().backward()
    return [y, z, x.grad, w.grad]


@case(rtol=1e-4, atol=1e-4)
def attention(device):
    table = torch.nn.Embedding(50, 32)
    block = torch.nn.TransformerEncoderLayer(32, 4, 64, dropout=0.0, batch_first=True)
    load(table), load(block, 5)
    table, block = table.to(device), block.to(device)
    tokens = (torch.arange(24).reshape(2, 12) * 7 % 50).to(device)
    y = block(table(tokens))
    y.square().mean().backward()
    sync(device)
    return [y, table.weight.grad] + [p.grad for p in block.parameters()]


@case
def scan(device):
    if device.type == "xla":
        from torch_xla.experimental.scan import scan as scan_on
        carry, outputs = scan_on(lambda c, x: (c * 0.5 + x, c * x), torch.ones(8, device=device), values(5, 8).to(device))
        return [carry, outputs]
    carry, outputs = torch.ones(8), []
    for x in values(5, 8):
        outputs.append(carry * x)
        carry = carry * 0.5 + x
    return [carry, torch.stack(outputs)]


@case
def while_loop(device):
    """torch_xla makes numbers other than 0 and 1 parameters, which its loops do not support."""
    if device.type == "xla":
        import torch_xla.experimental.fori_loop                # registers while_loop for xla tensors
        from torch._higher_order_ops.while_loop import while_loop as loop
        count, x = loop(lambda i, x: i > 0, lambda i, x: (i - 1, x.sin() + x),
                        (torch.tensor(10, device=device), values(4).to(device)))
        return [count, x]
    x = values(4)
    for _ in range(10):
        x = x.sin() + x
    return [torch.tensor(0), x]


@case
def topk_sort(device):
    x = values(4, 33).to(device)
    top = x.topk(5)
    low = x.topk(3, dim=0, largest=False)
    ordered = x.sort(descending=True, stable=True)
    return [*top, *low, *ordered, x.argsort(0), x.median(1).values, x.kthvalue(3, 1).values]


@case(atol=1e-4)
def reductions(device):
    x = values(6, 7, 5).to(device)
    return [x.cumsum(1), x.cumprod(2), x.sum((0, 2)), x.mean(), x.var(1), x.std(0), x.argmax(1), x.amin((0, 1)), x.norm(),
            x.softmax(1), x.logsumexp(2), x.prod(0), (x > 0).any(1), (x > -9).all(), x.max(2).values, x.cummax(1).values]


@case
def indexing(device):
    x, rows = values(10, 6).to(device), torch.tensor([3, 1, 4, 1, 5]).to(device)
    y = x.clone()
    y[rows] = 0.0
    z = x.clone()
    z.index_add_(0, rows, values(5, 6, seed=4).to(device))
    put = torch.zeros(10, 6, device=device).scatter_add(0, (torch.arange(30) % 10).reshape(5, 6).to(device), x[:5])
    return [x[rows], y, z, put, x.gather(1, (torch.arange(60) % 6).reshape(10, 6).to(device)), x.index_select(1, rows),
            x[2:8, 1:-1], x.masked_fill(x > 0, -1.0), torch.where(x > 0, x, -x), x.flip(0), x.roll(2, 1), x.tril(), x.diag(),
            torch.cat([x, x], 1), torch.stack([x, -x]), F.pad(x, (1, 2, 0, 3)), F.one_hot(rows, 7), x.unfold(0, 3, 2)]


@case
def elementwise(device):
    x = values(40).to(device)
    p = x.abs() + 0.1
    return [x.exp(), p.log(), p.log1p(), x.expm1(), p.sqrt(), p.rsqrt(), x.sin(), x.cos(), x.tan(), x.tanh(), x.sigmoid(),
            x.erf(), F.gelu(x), F.silu(x), F.softplus(x), x.atan2(p), x.sinh(), x.asinh(), x.atan(), x.floor(), x.ceil(), x.round(),
            x.trunc(), x.sign(), x.fmod(0.7), x.remainder(0.7), p.pow(1.7), x.clamp(-0.5, 0.5), x.isfinite(), x.lerp(p, 0.3)]


@case
def integers(device):
    x = (torch.arange(-20, 20) * 7).to(device)
    y = (torch.arange(40) % 9 + 1).to(device)       # no x >> 1: torch_xla divides, which rounds differently
    return [x + y, x // y, x % y, x & y, x | y, x ^ y, ~x, x << 2, x * y, x.abs(), x.clamp(-5, 5), x == y, x < y,
            x.cumsum(0), x.sum(), x.to(torch.int32) * 3]


@case(rtol=1e-3, atol=1e-3)
def linear_algebra(device):
    a = values(3, 6, 6).to(device)
    s = a @ a.mT + 6 * torch.eye(6, device=device)
    lower = torch.linalg.cholesky(s)
    solved = torch.linalg.solve_triangular(lower, values(3, 6, 2, seed=7).to(device), upper=False)
    return [a @ a, torch.einsum("bij,bkj->ik", a, a), torch.baddbmm(s, a, a), lower, solved, torch.outer(a[0, 0], a[1, 1])]


@case(rtol=1e-4, atol=1e-4)
def recurrent(device):
    cell, h = load(torch.nn.GRUCell(6, 10)).to(device), torch.zeros(3, 10, device=device)
    for x in values(5, 3, 6).to(device):
        h = cell(x, h)
    h.sum().backward()
    return [h] + [p.grad for p in cell.parameters()]


@case(rtol=2e-2, atol=2e-2)
def autocast(device):
    model = load(torch.nn.Linear(32, 32)).to(device)
    x = values(8, 32).to(device)
    with torch.autocast(device.type, dtype=torch.bfloat16):
        y = F.relu(model(x)) @ model.weight.t()
    return [y.float()]


@case
def norms(device):
    x = values(4, 6, 8).to(device).requires_grad_()
    y = F.layer_norm(x, (8,)) + F.group_norm(x, 3) + F.normalize(x, dim=1)
    y.cos().sum().backward()
    return [y, x.grad]


@case(atol=0.05)
def random_moments(device):
    """Other numbers on every device, of the same distribution."""
    torch.manual_seed(3)
    if device.type == "xla":
        import torch_xla
        torch_xla.manual_seed(3)
    normal, uniform = torch.randn(40000, device=device), torch.rand(40000, device=device)
    dropped = F.dropout(torch.ones(40000, device=device), 0.25)
    whole = torch.randint(0, 10, (40000,), device=device).float()
    return [normal.mean(), normal.std(), uniform.mean(), uniform.std(), (uniform < 0).any(), (uniform >= 1).any(),
            dropped.mean(), (dropped == 0).float().mean(), dropped.max(), whole.mean() / 10, whole.min(), whole.max(),
            torch.bernoulli(uniform).mean()]


@case
def random_order(device):
    """A permutation has every number once, and is almost never the identity."""
    order = torch.randperm(500, device=device)
    return [order.sort()[0], (order == torch.arange(500, device=device)).sum() < 20]


@case
def dynamic_sizes(device):
    x = values(5, 5).to(device)
    return [x[x > 0].sum(), (x > 0).sum(), torch.nonzero(x > 0).sum(0)]


@case
def large_constant(device):
    table = torch.arange(5000, dtype=torch.float32).to(device)
    return [(table.reshape(50, 100).t() * 2).sum(0), table.view(100, 50)[7]]
