/* SPDX-License-Identifier: MIT */
#include "report/page_parts.h"
#include "report/show.h"

#include <math.h>

/* Pictures bring their own style with them, whose classes are for the whole page: here is none of
 * their names. */
static const char style[] =
    ":root{color-scheme:light dark}\n"
    "body{font:15px/1.45 -apple-system,'Segoe UI',Roboto,'Helvetica Neue',Arial,'Liberation Sans',"
    "'DejaVu Sans',sans-serif;max-width:62rem;margin:2rem auto;padding:0 1rem;color:#1b1f24;"
    "background:#fff}\n"
    "h1{font-size:1.7rem;margin:0 0 .6rem}h2{font-size:1.3rem;margin:2.2rem 0 .6rem;border-bottom:"
    "1px solid #c4cad0}h3{font-size:1.05rem;margin:1.6rem 0 .4rem}\n"
    "table{border-collapse:collapse;margin:.6rem 0 1.2rem;font-size:.87rem}\n"
    "caption{text-align:left;font-weight:600;padding:.2rem 0}\n"
    "th,td{border-bottom:1px solid #e1e5e9;padding:.2rem .7rem .2rem 0;text-align:left;"
    "vertical-align:top;overflow-wrap:anywhere}\n"
    "th,td.word{white-space:nowrap}\n"
    "td.num{text-align:right;font-variant-numeric:tabular-nums;white-space:nowrap}\n"
    "tr.over td{background:#f4f6f8;font-weight:600}\n"
    "td.holds{color:#1a7f37}td.breaks{color:#b42318;font-weight:600}td.open{color:#8a5a00}\n"
    "code{font-size:.87rem;overflow-wrap:anywhere}\n"
    "figure{margin:.8rem 0;break-inside:avoid}figcaption{font-size:.87rem;color:#57606a}\n"
    "figure svg{max-width:100%;height:auto}figure.many "
    "path.s:not(.dot):not(.key){stroke-width:.8}\n"
    "@media (prefers-color-scheme:dark){body{color:#c9d1d9;background:#14181d}h2{border-color:#"
    "47505b}th,td{border-color:#252b33}tr.over td{background:#1b2027}td.holds{color:#57d077}"
    "td.breaks{color:#ff8f85}td.open{color:#f7bd4a}figcaption{color:#9aa4af}}\n"
    "@media print{body{font-size:10pt;margin:0;max-width:none}h2,h3,caption{break-after:avoid}"
    "tr{break-inside:avoid}thead{display:table-header-group}}\n"
    "@page{margin:15mm}\n";

void hk_html_tag(hk_html *t, const char *tag) {
    hk_svg_put(t, "<");
    hk_svg_put(t, tag);
    hk_svg_put(t, ">");
}

void hk_html_words(hk_html *t, const char *tag, const char *words) {
    hk_html_tag(t, tag);
    hk_svg_escaped(t, words);
    hk_svg_put(t, "</");
    hk_svg_put(t, tag);
    hk_svg_put(t, ">\n");
}

void hk_html_cell(hk_html *t, const char *words) {
    hk_svg_put(t, "<td>");
    hk_svg_escaped(t, words ? words : "");
    hk_svg_put(t, "</td>");
}

void hk_html_number(hk_html *t, hk_arena *arena, double value) {
    enum { DIGITS = 6 };
    hk_svg_put(t, "<td class=\"num\">");
    if (isnan(value)) {
        hk_svg_put(t, "\u2013</td>");
        return;
    }
    hk_svg_put(t, "<data value=\"");
    hk_svg_put(t, hk_show_f64(arena, value));
    hk_svg_put(t, "\">");
    hk_svg_put(t, hk_show_rounded(arena, value, DIGITS));
    hk_svg_put(t, "</data></td>");
}

void hk_html_table(hk_html *t, const char *caption, const char *const *headings) {
    hk_svg_put(t, "<table>\n");
    hk_html_words(t, "caption", caption);
    hk_svg_put(t, "<thead><tr>");
    for (; *headings; headings++) {
        hk_svg_put(t, "<th scope=\"col\">");
        hk_svg_escaped(t, *headings);
        hk_svg_put(t, "</th>");
    }
    hk_svg_put(t, "</tr></thead>\n<tbody>\n");
}

void hk_html_table_end(hk_html *t) {
    hk_svg_put(t, "</tbody></table>\n");
}

void hk_html_begin(hk_html *t, const char *title) {
    hk_svg_put(t, "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
                  "<meta name=\"viewport\" content=\"width=device-width\">\n");
    hk_html_words(t, "title", title);
    hk_svg_put(t, "<style>\n");
    hk_svg_put(t, style);
    hk_svg_put(t, "</style>\n</head>\n<body>\n");
    hk_html_words(t, "h1", title);
}

void hk_html_end(hk_html *t) {
    hk_svg_put(t, "</body>\n</html>\n");
}
