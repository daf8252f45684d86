# SPDX-License-Identifier: MIT
"""What the tests of records share: systems to run, and records as other programs read them."""
import pathlib
import sys
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "support"))
from hocket_case import Case, call, environment, main, wait_until  # noqa: E402,F401

try:
    import scipy.io
except ImportError:
    scipy = None
try:
    import h5py
except ImportError:
    h5py = None

needs_scipy = unittest.skipUnless(scipy, "scipy is not there: pip install scipy")
needs_h5py = unittest.skipUnless(h5py, "h5py is not there: pip install h5py")

WAVE = """system wave {
  composite c {
    leaf s : hk.Sine { frequency 100 Hz; param amplitude = 2; }
    leaf g : hk.Gain { frequency 50 Hz; param gain = 3; }
    link s.y -> g.u;
  }
}
"""


def attributes(of):
    """The attributes of an object of an HDF5 file. h5py gives texts of a fixed length as bytes."""
    words = lambda value: value.decode() if isinstance(value, bytes) else value
    return {name: [words(v) for v in value] if getattr(value, "ndim", 0) else words(value)
            for name, value in of.attrs.items()}


class Records(Case):
    def has_hdf5(self):
        """False: this hocket was built without it."""
        self.write("probe.system", WAVE)
        done = self.hocket("run", "probe.system", "--stop-time", "0.1", "-q", "-o", "probe.h5", exit=None)
        if done.returncode and "without HDF5" in done.stderr:
            return False
        self.assertEqual(done.returncode, 0, done.stderr)
        return True

    def mat(self, name, **options):
        """Names, units and values of a MAT-file as scipy reads it."""
        m = scipy.io.loadmat(self.folder / name, **options)
        columns = lambda matrix: ["".join(c).strip() for c in zip(*m[matrix])]
        return columns("name"), columns("description"), m
