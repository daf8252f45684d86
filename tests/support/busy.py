# SPDX-License-Identifier: MIT
"""Other programs that are busy while something is tested: stress-ng where it is installed, else endless loops."""
import contextlib
import os
import shutil
import subprocess
import sys


@contextlib.contextmanager
def busy(count=None):
    """COUNT processes (default: one more than there are processors) compute until the block ends."""
    count = count or (os.cpu_count() or 1) + 1
    stress = shutil.which("stress-ng")
    if stress and subprocess.run([stress, "--version"], capture_output=True, check=False).returncode == 0:
        words = [[stress, "--quiet", "--cpu", str(count)]]
    else:
        words = [[sys.executable, "-c", "while True: pass"]] * count
    running = [subprocess.Popen(each, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) for each in words]
    try:
        yield
    finally:
        for process in running:
            process.terminate()  # stress-ng ends what it has started
        for process in running:
            process.wait()
