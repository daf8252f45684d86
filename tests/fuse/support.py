# SPDX-License-Identifier: MIT
"""What the tests of fused code share: compilers, plugins of their own, and a run beside a fused run."""
import pathlib
import shutil
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "support"))
from hocket_case import SLOW, Case, main, slow  # noqa: E402,F401  (for the tests)

# A component in C: a gain whose numbers go through libm, so that the last bit tells who computed it.
LEAF = """
#include <hk/unit.h>
#include <math.h>
/*HEAD*/
typedef struct wave { double u, y, rate, power, scale; } wave;
static int wave_step(void *self, double t, double h) {
    wave *x = self;
    /*STEP*/
    x->y = x->u * 0.5 + x->scale * sinh(x->rate * t) * exp(-x->rate) + pow(1.0 + x->rate, x->power) * h;
    return HK_STEP_OK;
}
static const hk_port wave_ports[] = {
    HK_PORT(wave, u, HK_INPUT, HK_TYPE_F64, .start = "0"),
    HK_PORT(wave, y, HK_OUTPUT, HK_TYPE_F64, .depends_on = "u"),
    HK_PORT(wave, rate, HK_PARAMETER, HK_TYPE_F64, .start = "0.3"),
    HK_PORT(wave, power, HK_PARAMETER, HK_TYPE_F64, .start = "1.7"),
    HK_PORT(wave, scale, HK_PARAMETER, HK_TYPE_F64, .start = "1"),
};
static const hk_unit_type wave_type = {HK_UNIT_TYPE(wave), .ports = wave_ports, .port_count = 5, .step = wave_step};
static const hk_unit_type *const types[] = {&wave_type, 0};
const hk_unit_type *const *hk_plugin(void) { return types; }
"""


def leaf(**parts):
    """LEAF with its marks HEAD and STEP replaced."""
    text = LEAF
    for mark, words in parts.items():
        text = text.replace(f"/*{mark}*/", words)
    return text


def compilers():
    """Those that are here: the fused run must have the same bytes with each."""
    return [cc for cc in ("gcc", "clang") if shutil.which(cc)]


class FuseCase(Case):
    """A cache of its own, and runs in pairs."""

    def setUp(self):
        super().setUp()
        self.cache = self.folder / "cache"
        self.environment = {"XDG_CACHE_HOME": str(self.cache)}

    def run_hocket(self, *words, exit=0, **added):
        return self.hocket(*words, exit=exit, **(self.environment | added))

    def entries(self):
        """The fused libraries in the cache."""
        return sorted((self.cache / "hocket" / "fmu").glob("built-*"))

    def plugin(self, text, name="wave", folder="code"):
        """A plugin of one source, built as a user builds it."""
        code = self.folder / folder
        code.mkdir(exist_ok=True)
        (code / f"{name}.c").write_text(text, encoding="utf-8")
        library = self.folder / f"{name}.so"
        self.hocket("build", code, "-o", library, "-q", CC="gcc")
        return library

    def chain(self, count, library="wave.so", name="chain", step="0.01"):
        """A system of COUNT components in a row."""
        rate = round(1 / float(step))
        leaves = "".join(f'    leaf c{i} : "{library}#wave" {{ frequency {rate} Hz; }}\n' for i in range(count))
        links = "".join(f"    link c{i}.y -> c{i + 1}.u;\n" for i in range(count - 1))
        return self.write(f"{name}.system", f"system {name} {{\n  composite all {{\n{leaves}{links}  }}\n}}\n")

    def record(self, *words, fused=False, exit=0, name="record.csv", **added):
        """The bytes of a record, and what was said."""
        path = self.folder / name
        path.unlink(missing_ok=True)
        done = self.run_hocket("run", *words, "-o", path, *(["--fused"] if fused else []), exit=exit, **added)
        return (path.read_bytes() if path.exists() else None), done.stderr

    def assert_same(self, *words, **added):
        """Interpreted and fused: one record."""
        plain, _ = self.record(*words)
        fused, said = self.record(*words, fused=True, **added)
        self.assertEqual(plain, fused, f"{words} {added}")
        return plain, said
