"""whole_models_torch.py: the models of whole_models.py in PyTorch's eager mode ("torch"), or exported to ONNX Runtime ("onnx"). Attention
is PyTorch's own function, and images are channels last, which is PyTorch's faster layout on CPUs."""
import sys
import tempfile

import whole_models_side as side

side.bind(sys.argv[2])
import torch
import torch.nn.functional as F
from torch import nn

torch.manual_seed(0)
PROVIDERS = ["CPUExecutionProvider"]


# ---- GPT-2 --------------------------------------------------------------------------------------------------------------
class Block(nn.Module):
    def __init__(self, width, heads):
        super().__init__()
        self.heads = heads
        self.n1, self.n2 = nn.LayerNorm(width), nn.LayerNorm(width)
        self.qkv, self.out = nn.Linear(width, 3 * width), nn.Linear(width, width)
        self.up, self.down = nn.Linear(width, 4 * width), nn.Linear(4 * width, width)

    def forward(self, x):
        batch, length, width = x.shape
        q, k, v = (t.view(batch, length, self.heads, -1).transpose(1, 2) for t in self.qkv(self.n1(x)).split(width, -1))
        mixed = F.scaled_dot_product_attention(q, k, v, is_causal=True).transpose(1, 2).reshape(batch, length, width)
        x = x + self.out(mixed)
        return x + self.down(F.gelu(self.up(self.n2(x)), approximate="tanh"))


class Gpt(nn.Module):
    def __init__(self, layers, width, heads, words, places, **_):
        super().__init__()
        self.words, self.places = nn.Embedding(words, width), nn.Embedding(places, width)
        self.blocks = nn.ModuleList(Block(width, heads) for _ in range(layers))
        self.norm = nn.LayerNorm(width)
        for module in self.modules():
            if isinstance(module, (nn.Linear, nn.Embedding)):
                nn.init.normal_(module.weight, std=0.02)

    def forward(self, tokens):
        x = self.words(tokens) + self.places.weight[:tokens.shape[1]]
        for layer in self.blocks:
            x = layer(x)
        return F.linear(self.norm(x), self.words.weight)


# ---- ResNet-50 ----------------------------------------------------------------------------------------------------------
def conv(a, b, size, stride=1):
    return nn.Conv2d(a, b, size, stride, (size - 1) // 2, bias=False)


class Bottleneck(nn.Module):
    def __init__(self, features, width, stride, first):
        super().__init__()
        self.body = nn.Sequential(conv(features, width, 1), nn.BatchNorm2d(width), nn.ReLU(True),
                                  conv(width, width, 3, stride), nn.BatchNorm2d(width), nn.ReLU(True),
                                  conv(width, 4 * width, 1), nn.BatchNorm2d(4 * width))
        self.short = nn.Sequential(conv(features, 4 * width, 1, stride), nn.BatchNorm2d(4 * width)) if first else nn.Identity()

    def forward(self, x):
        return F.relu(self.body(x) + self.short(x))


def resnet50():
    layers, features = [conv(3, 64, 7, 2), nn.BatchNorm2d(64), nn.ReLU(True), nn.MaxPool2d(3, 2, 1)], 64
    for blocks, width, stride in side.STAGES:
        for i in range(blocks):
            layers.append(Bottleneck(features, width, stride if i == 0 else 1, i == 0))
            features = 4 * width
    return nn.Sequential(*layers, nn.AdaptiveAvgPool2d(1), nn.Flatten(), nn.Linear(features, side.CLASSES))


# ---- the sides ----------------------------------------------------------------------------------------------------------
def inputs_of(model, dtype):
    if model.startswith("GPT"):
        tokens = torch.randint(0, side.GPT["words"], (side.GPT["batch"], side.GPT["length"] + 1))
        return tokens[:, :-1].contiguous(), tokens[:, 1:].reshape(-1)
    images = torch.randn(side.IMAGES, 3, side.SIZE, side.SIZE, dtype=dtype)
    return images.to(memory_format=torch.channels_last), torch.randint(0, side.CLASSES, (side.IMAGES,))


def module_of(model, what, dtype):
    module = Gpt(**side.GPT) if model.startswith("GPT") else resnet50().to(memory_format=torch.channels_last)
    return module.to(dtype).train(what != "forward")


def eager(model, what, dtype):
    module, (x, labels) = module_of(model, what, dtype), inputs_of(model, dtype)
    if what == "forward":
        def forward():
            with torch.inference_mode():
                return module(x)
        return forward
    optimizer = torch.optim.SGD(module.parameters(), lr=1e-3) if what == "train" else None

    def step():
        module.zero_grad(set_to_none=True)
        logits = module(x)
        F.cross_entropy(logits.reshape(-1, logits.shape[-1]).float(), labels).backward()
        if optimizer:
            optimizer.step()
    return step


def onnx_runtime(model, what, dtype):
    import onnxruntime
    if what != "forward":
        raise ValueError("not a row of this side")
    module, (x, _) = module_of(model, what, dtype), inputs_of(model, dtype)
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = torch.get_num_threads()
    with tempfile.TemporaryDirectory() as folder:
        with torch.inference_mode(False), torch.no_grad():
            torch.onnx.export(module, (x,), folder + "/model.onnx", input_names=["x"], output_names=["y"], opset_version=17, dynamo=False)
        session = onnxruntime.InferenceSession(folder + "/model.onnx", options, PROVIDERS)
    value = onnxruntime.OrtValue.ortvalue_from_numpy(x.contiguous().numpy())
    return lambda: session.run_with_ort_values(["y"], {"x": value})


def make(model, what, kind):
    dtype = {"f32": torch.float32, "bf16": torch.bfloat16}[kind]
    return (eager if sys.argv[1] == "torch" else onnx_runtime)(model, what, dtype)


side.serve(make)
