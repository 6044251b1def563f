"""A ResNet and a GPT, small enough for a test, and training steps of theirs. Parameters come from a generator of the
host, so they are the same whatever device the model goes to."""
import torch
import torch.nn.functional as F
from torch import nn


def initialize(module, seed=0):
    """Random parameters that don't depend on the device; scales of norms are 1, biases 0."""
    generator = torch.Generator().manual_seed(seed)
    for parameter in module.parameters():
        if parameter.dim() > 1:
            spread = parameter[0].numel() ** -0.5
            parameter.data = torch.randn(parameter.shape, generator=generator) * spread
    for part in module.modules():
        if getattr(part, "bias", None) is not None:
            part.bias.data.zero_()
    return module


class Residual(nn.Module):
    """A residual block of two convolutions."""

    def __init__(self, inputs, outputs, stride):
        super().__init__()
        self.first = nn.Conv2d(inputs, outputs, 3, stride, 1, bias=False)
        self.first_norm = nn.BatchNorm2d(outputs)
        self.second = nn.Conv2d(outputs, outputs, 3, 1, 1, bias=False)
        self.second_norm = nn.BatchNorm2d(outputs)
        self.around = nn.Sequential(nn.Conv2d(inputs, outputs, 1, stride, bias=False), nn.BatchNorm2d(outputs)) \
            if inputs != outputs else nn.Identity()

    def forward(self, x):
        y = F.relu(self.first_norm(self.first(x)))
        return F.relu(self.second_norm(self.second(y)) + self.around(x))


class ResNet(nn.Module):
    def __init__(self, width=16, blocks=2, classes=10):
        super().__init__()
        stages = [Residual(width << max(0, (i - 1) // blocks), width << (i // blocks), 1 + (i % blocks == 0 and i > 0))
                  for i in range(3 * blocks)]
        self.stem = nn.Conv2d(3, width, 3, 1, 1, bias=False)
        self.norm, self.stages = nn.BatchNorm2d(width), nn.Sequential(*stages)
        self.head = nn.Linear(4 * width, classes)

    def forward(self, x):
        x = F.max_pool2d(F.relu(self.norm(self.stem(x))), 2)
        return self.head(self.stages(x).mean((2, 3)))


class Block(nn.Module):
    """Attention over earlier tokens, then two linear maps."""

    def __init__(self, width, heads):
        super().__init__()
        self.heads = heads
        self.norm, self.norm2 = nn.LayerNorm(width), nn.LayerNorm(width)
        self.qkv, self.out = nn.Linear(width, 3 * width), nn.Linear(width, width)
        self.up, self.down = nn.Linear(width, 4 * width), nn.Linear(4 * width, width)

    def forward(self, x):
        q, k, v = (t.unflatten(2, (self.heads, -1)).transpose(1, 2) for t in self.qkv(self.norm(x)).chunk(3, 2))
        y = F.scaled_dot_product_attention(q, k, v, is_causal=True)
        x = x + self.out(y.transpose(1, 2).flatten(2))
        return x + self.down(F.gelu(self.up(self.norm2(x))))


class GPT(nn.Module):
    def __init__(self, tokens=64, length=32, width=64, heads=4, layers=2):
        super().__init__()
        self.token, self.place = nn.Embedding(tokens, width), nn.Embedding(length, width)
        self.blocks = nn.ModuleList(Block(width, heads) for _ in range(layers))
        self.norm, self.head = nn.LayerNorm(width), nn.Linear(width, tokens, bias=False)

    def forward(self, ids):
        x = self.token(ids) + self.place(torch.arange(ids.shape[1], device=ids.device))
        for block in self.blocks:
            x = block(x)
        return self.head(self.norm(x))


def resnet_data(batch, seed=7):
    """Images whose class is the pattern added to noise, so that there is something to learn."""
    generator = torch.Generator().manual_seed(seed)
    patterns, labels = torch.randn(10, 3, 32, 32, generator=generator), torch.arange(batch) % 10
    return torch.randn(batch, 3, 32, 32, generator=generator) + patterns[labels], labels


def gpt_data(batch, length=32, tokens=64):
    """Rows that count with different increments, so that earlier tokens determine the next one."""
    row = torch.arange(batch)[:, None]
    ids = (torch.arange(length + 1)[None] * (row % 7 + 1) + row) % tokens
    return ids[:, :-1], ids[:, 1:]


def resnet_trainer(device, batch=16, **sizes):
    model = initialize(ResNet(**sizes)).to(device)
    x, y = (t.to(device) for t in resnet_data(batch))
    optimizer = torch.optim.SGD(model.parameters(), lr=0.02, momentum=0.9)
    return model, optimizer, lambda: F.cross_entropy(model(x), y)


def gpt_trainer(device, batch=16, length=32, **sizes):
    model = initialize(GPT(length=length, **sizes)).to(device)
    x, y = (t.to(device) for t in gpt_data(batch, length))
    optimizer = torch.optim.AdamW(model.parameters(), lr=2e-3)
    return model, optimizer, lambda: F.cross_entropy(model(x).flatten(0, 1), y.flatten())


def train(trainer, steps, sync, after=lambda step: None):
    """Losses of the steps."""
    _, optimizer, forward = trainer
    losses = []
    for step in range(steps):
        optimizer.zero_grad()
        loss = forward()
        loss.backward()
        optimizer.step()
        sync()
        losses.append(loss.detach())
        after(step)
    return torch.stack(losses)
