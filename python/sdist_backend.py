"""The build backend of the source archive (PEP 517): `pip install gantry_pjrt-VERSION.tar.gz` runs `make wheel`, which needs
Debian 12 and, for missing packages, root."""
import glob
import os
import shutil
import subprocess


def build_wheel(wheel_directory, config_settings=None, metadata_directory=None):
    subprocess.run(["make", "wheel"], check=True, env={name: value for name, value in os.environ.items() if name != "PYTHONPATH"})
    wheel, = glob.glob("build/dist/gantry_pjrt-*.whl")
    return os.path.basename(shutil.copy(wheel, wheel_directory))


def build_sdist(sdist_directory, config_settings=None):
    raise RuntimeError("scripts/release.py makes the source archive")
