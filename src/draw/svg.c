/* SPDX-License-Identifier: MIT */
#include "draw/svg.h"

#include "base/memory.h"
#include "base/number.h"
#include "draw/lettering.h"

#include <string.h>

const char hk_svg_style[] =
    ".bg{fill:#fff}\n"
    "text{fill:#3b4148;font-family:-apple-system,'Segoe UI',Roboto,'Helvetica Neue',Arial,"
    "'Liberation Sans','DejaVu Sans',sans-serif;font-size:12px}\n"
    ".h{font-size:16px;font-weight:600;fill:#1b1f24}\n"
    ".k{font-size:11px;fill:#656d76}\n"
    ".l{font-weight:600}.tiny{font-size:10px;fill:#656d76}\n"
    ".ok{fill:#1a7f37}.bad{fill:#b42318}\n"
    ".halo{paint-order:stroke;stroke:#fff;stroke-width:3px;stroke-linejoin:round}\n"
    ".g{stroke:#e9ecef;stroke-width:1;fill:none}\n"
    ".z{stroke:#c4cad0;stroke-width:1;fill:none}\n"
    ".a{stroke:#8c959f;stroke-width:1;fill:none}\n"
    ".s{fill:none;stroke-width:1.6;stroke-linejoin:round;stroke-linecap:round}\n"
    ".key{stroke-width:2.4}.dot{stroke-width:5}\n"
    ".limit{fill:none;stroke:#b42318;stroke-width:1.2;stroke-dasharray:6 3}\n"
    ".event{fill:none;stroke:#656d76;stroke-width:1;stroke-dasharray:2 3}\n"
    ".broken{fill:none;stroke:#b42318;stroke-width:2;stroke-linecap:round}\n"
    ".band{stroke:none;fill-opacity:.2}\n"
    ".c0{stroke:#0072b2}.c1{stroke:#d55e00}.c2{stroke:#009e73}.c3{stroke:#cc79a7}"
    ".c4{stroke:#e69f00}.c5{stroke:#56b4e9}.c6{stroke:#4b3ca8}.c7{stroke:#6e7781}\n"
    ".f0{fill:#0072b2}.f1{fill:#d55e00}.f2{fill:#009e73}.f3{fill:#cc79a7}"
    ".f4{fill:#e69f00}.f5{fill:#56b4e9}.f6{fill:#4b3ca8}.f7{fill:#6e7781}\n"
    ".d1{stroke-dasharray:7 4}.d2{stroke-dasharray:2 4}.d3{stroke-dasharray:9 4 2 4}\n"
    ".b{stroke-width:1.2;fill-opacity:.22}\n"
    ".r{fill:#f4f6f8}.nest{fill:#57606a;fill-opacity:.05;stroke:#b6bec7;stroke-width:1}\n"
    ".w{stroke:#57606a;stroke-width:1.1;fill:none}.w2{stroke-dasharray:3 3}\n"
    ".plate{fill:#fff;fill-opacity:.85}.e{stroke-width:1.1;fill:none}.t{fill:#57606a}.n{pointer-"
    "events:none}\n";

const char hk_svg_dark[] =
    "@media (prefers-color-scheme:dark){\n"
    ".bg,.plate{fill:#14181d}.halo{stroke:#14181d}text{fill:#c9d1d9}.h{fill:#f0f3f6}.k,.tiny{fill:#"
    "9aa4af}"
    "\n"
    ".ok{fill:#57d077}.bad{fill:#ff8f85}.limit,.broken{stroke:#ff8f85}.event{stroke:#9aa4af}\n"
    ".g{stroke:#252b33}.z{stroke:#47505b}.a{stroke:#6e7681}\n"
    ".c0{stroke:#4db2f0}.c1{stroke:#ff8b4d}.c2{stroke:#35cfa2}.c3{stroke:#eca3cd}"
    ".c4{stroke:#f7bd4a}.c5{stroke:#96d7ff}.c6{stroke:#a99cff}.c7{stroke:#b3bbc4}\n"
    ".f0{fill:#4db2f0}.f1{fill:#ff8b4d}.f2{fill:#35cfa2}.f3{fill:#eca3cd}"
    ".f4{fill:#f7bd4a}.f5{fill:#96d7ff}.f6{fill:#a99cff}.f7{fill:#b3bbc4}\n"
    ".r{fill:#1b2027}.nest{fill:#c9d1d9;stroke:#47505b}.w{stroke:#adb6c0}.t{fill:#adb6c0}\n"
    "}\n";

void hk_svg_bytes(hk_svg *t, const char *data, size_t size) {
    if (t->cap - t->size < size) {
        t->cap = 2 * (t->size + size);
        t->data = hk_realloc(t->data, t->cap);
    }
    memcpy(t->data + t->size, data, size);
    t->size += size;
}

void hk_svg_put(hk_svg *t, const char *words) {
    hk_svg_bytes(t, words, strlen(words));
}

void hk_svg_int(hk_svg *t, int64_t value) {
    char digits[HK_NUMBER_MAX];
    hk_svg_bytes(t, digits, hk_write_i64(value, digits));
}

void hk_svg_tenths(hk_svg *t, int64_t tenths) {
    if (tenths < 0)
        hk_svg_put(t, "-");
    tenths = tenths < 0 ? -tenths : tenths;
    hk_svg_int(t, tenths / 10);
    if (tenths % 10) {
        hk_svg_put(t, ".");
        hk_svg_int(t, tenths % 10);
    }
}

static void put_escaped(hk_svg *t, const char *words, bool lines) {
    while (*words) {
        size_t length = lines && *words == '\n' ? 1 : hk_text_char(words);
        if (*words == '<')
            hk_svg_put(t, "&lt;");
        else if (*words == '>')
            hk_svg_put(t, "&gt;");
        else if (*words == '&')
            hk_svg_put(t, "&amp;");
        else
            hk_svg_bytes(t, length ? words : "?", length ? length : 1);
        words += length ? length : 1;
    }
}

void hk_svg_escaped(hk_svg *t, const char *words) {
    put_escaped(t, words, false);
}

void hk_svg_lines(hk_svg *t, const char *words) {
    put_escaped(t, words, true);
}

void hk_svg_shape(hk_svg *t, const char *format, const int64_t *numbers) {
    for (; *format; format++) {
        if (*format == '#')
            hk_svg_int(t, *numbers++);
        else
            hk_svg_bytes(t, format, 1);
    }
}
