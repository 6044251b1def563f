#!/usr/bin/env python3
"""torchax's row of the table of versions, with the wheel on the path: PyTorch on JAX, which finds Gantry by itself."""
import jax
import torch
import torchax
from torchax import interop

import digits
from torch_digits import network, tensors

torchax.enable_globally()


def loss_of(model):
    def loss(weights, images, labels):
        return torch.nn.functional.cross_entropy(torch.func.functional_call(model, weights, (images,)), labels)
    return loss


def jitted_step(model):
    def step(weights, velocity, images, labels):
        loss, gradient = interop.jax_value_and_grad(loss_of(model))(weights, images, labels)
        velocity = {name: 0.9 * velocity[name] + gradient[name] for name in weights}
        return {name: weights[name] - digits.LEARNING_RATE * velocity[name] for name in weights}, velocity, loss
    return interop.jax_jit(step)


def train():
    model = network().to("jax")
    weights = dict(model.named_parameters())
    velocity = {name: torch.zeros_like(weight) for name, weight in weights.items()}
    images, labels = tensors("jax", 2048, 1)
    step = jitted_step(model)
    for batch in digits.batches(len(labels)):
        chosen = torch.from_numpy(batch).to("jax")
        weights, velocity, loss = step(weights, velocity, images[chosen], labels[chosen])
    images, labels = tensors("jax", 256, 2)
    right = torch.func.functional_call(model, weights, (images,)).argmax(dim=1) == labels
    accuracy = float(right.float().mean())
    assert accuracy >= digits.ACCURACY, f"accuracy {accuracy}, loss {float(loss)}"
    return f"accuracy {accuracy:.3f}"


def donation():
    add = interop.jax_jit(lambda x, y: x + y, kwargs_for_jax_jit={"donate_argnums": (0,)})
    x, y = torch.zeros(512, 512).to("jax"), torch.ones(512, 512).to("jax")
    for _ in range(3):
        old = x.jax()
        x = add(x, y)
        assert old.is_deleted(), "the donated array is still there"
    assert float(x[0, 0]) == 3.0


if __name__ == "__main__":
    version = jax.devices()[0].client.platform_version
    print(f"torchax {torchax.__version__}, torch {torch.__version__}, JAX {jax.__version__} on {version}", flush=True)
    assert "gantry" in version, "JAX does not use Gantry"
    digits.report({"train": train, "callbacks": None, "donation": donation, "sharded arrays": None})
