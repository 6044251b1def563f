"""The network of the table of versions in PyTorch, and its digits as tensors."""
import torch

import digits


def network():
    torch.manual_seed(0)
    inner = digits.SIZE // 4
    return torch.nn.Sequential(
        torch.nn.Conv2d(1, 8, 3, padding=1), torch.nn.ReLU(), torch.nn.MaxPool2d(2),
        torch.nn.Conv2d(8, 16, 3, padding=1), torch.nn.ReLU(), torch.nn.MaxPool2d(2),
        torch.nn.Flatten(), torch.nn.Linear(inner * inner * 16, 64), torch.nn.ReLU(), torch.nn.Linear(64, 10))


def tensors(device, count, seed):
    images, labels = digits.make(count, seed)
    return torch.from_numpy(images)[:, None].to(device), torch.from_numpy(labels.astype("int64")).to(device)
