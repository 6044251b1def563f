"""Whole models through PyTorch/XLA: trained step by step, compiled by torch.compile, and what PyTorch/XLA says about itself
then. Cases for torch_runner.py."""
import torch
import torch.nn.functional as F

from torch_cases import case, sync, values
from torch_models import GPT, gpt_data, gpt_trainer, initialize, resnet_data, resnet_trainer, train


def losses(device, make, steps):
    return train(make(device), steps, lambda: sync(device))


# Rounding is all that differs: 50 steps of AdamW keep six digits; batch norm over few images multiplies it.
@case(rtol=1e-5, atol=1e-5)
def gpt_50_steps(device):
    return [losses(device, gpt_trainer, 50)]


@case(rtol=2e-2, atol=2e-3)
def resnet_50_steps(device):
    curve = losses(device, resnet_trainer, 50)
    return [curve[:10], curve]


@case(rtol=1e-3, atol=1e-3)
def resnet_first_steps(device):
    return [losses(device, resnet_trainer, 4)]


@case
def metrics(device):
    """Compiles (of a batch that no other case has) and executions are counted, steps after the second compile nothing, and nothing falls back to the host."""
    if device.type == "cpu":
        return [torch.tensor([True] * 4)]
    import torch_xla
    import torch_xla.core.xla_model as xm
    import torch_xla.debug.metrics as met
    torch_xla.sync()
    met.clear_all()
    counts = []

    def samples(name):
        return (met.metric_data(name) or [0])[0]
    for make in (gpt_trainer, resnet_trainer):
        train(make(device, batch=12), 5, torch_xla.sync, lambda step: counts.append(samples("CompileTime")))
    xm.wait_device_ops()
    report = met.metrics_report()
    fallbacks = [name for name in met.counter_names() if name.startswith("aten::")]
    if fallbacks:
        raise AssertionError(f"the host computed {fallbacks}")
    return [torch.tensor(["Metric: CompileTime" in report, "Metric: ExecuteTime" in report,
                          samples("ExecuteTime") >= 10, counts[2] == counts[4] and counts[7] == counts[9]])]


@case(rtol=1e-4, atol=1e-5)
def compiled_inference(device):
    model, ids = initialize(GPT()).to(device).eval(), gpt_data(4)[0].to(device)
    if device.type == "xla":
        torch._dynamo.reset()
        model = torch.compile(model, backend="openxla")
    with torch.no_grad():
        return [model(ids), model(ids), model(ids.flip(0))]


@case(rtol=1e-4, atol=1e-5)
def compiled_training_step(device):
    model, optimizer, _ = gpt_trainer(device)
    ids, wanted = (t.to(device) for t in gpt_data(16))

    def step(x, y):
        optimizer.zero_grad()
        loss = F.cross_entropy(model(x).flatten(0, 1), y.flatten())
        loss.backward()
        optimizer.step()
        return loss
    if device.type == "xla":
        torch._dynamo.reset()
        step = torch.compile(step, backend="openxla")
    return [step(ids, wanted).detach() for _ in range(4)]


@case(rtol=1e-3, atol=1e-3)
def compiled_forward_lazy_backward(device):
    model, optimizer, _ = resnet_trainer(device)
    x, y = (t.to(device) for t in resnet_data(16))
    forward = model
    if device.type == "xla":
        torch._dynamo.reset()
        forward = torch.compile(model, backend="openxla")
    found = []
    for _ in range(3):
        optimizer.zero_grad()
        loss = F.cross_entropy(forward(x), y)
        loss.backward()
        optimizer.step()
        sync(device)
        found.append(loss.detach())
    return found


@case(rtol=1e-4, atol=1e-5)
def torch_xla_compile(device):
    model, optimizer, loss_of = gpt_trainer(device)

    def step():
        optimizer.zero_grad()
        loss = loss_of()
        loss.backward()
        optimizer.step()
        return loss
    if device.type == "xla":
        import torch_xla
        step = torch_xla.compile(step, full_graph=True)
    return [step().detach() for _ in range(3)]


@case(rtol=3e-2, atol=6e-2)
def autocast_gpt(device):
    model, ids = initialize(GPT()).to(device), gpt_data(4)[0].to(device)
    with torch.autocast(device.type, dtype=torch.bfloat16):
        y = model(ids)
    assert y.dtype == torch.bfloat16
    y.float().square().mean().backward()
    return [y.float(), *[parameter.grad for parameter in model.parameters()]]


@case
def random_state(device):
    """Restoring the generator state reproduces the numbers; otherwise they differ."""
    if device.type == "cpu":
        return [torch.tensor([True, False, True, False])]
    import torch_xla.core.xla_model as xm
    xm.set_rng_state(11)
    state = xm.get_rng_state()
    draws = [F.dropout(torch.ones(64, device=device), 0.5) + torch.randn(64, device=device) for _ in range(2)]
    first, second = (x.cpu() for x in draws)
    xm.set_rng_state(state)
    again = (F.dropout(torch.ones(64, device=device), 0.5) + torch.randn(64, device=device)).cpu()
    after = xm.get_rng_state()
    return [torch.tensor([torch.equal(first, again), torch.equal(first, second), state == 11, after == state])]


@case(rtol=1e-5, atol=1e-5)
def mark_step(device):
    """Values asked for in the middle of a graph, work in place, and views of what is changed."""
    x = values(4, 6).to(device)
    y = x * 2
    middle = float(y.sum())
    y += middle
    view = y[1:3]
    view.mul_(3)
    if device.type == "xla":
        import torch_xla.core.xla_model as xm
        xm.mark_step()
        xm.wait_device_ops()
    return [y, view, x, torch.tensor(middle)]
