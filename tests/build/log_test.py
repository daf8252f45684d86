#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""What FMUs say: wild pointers and formats, the last lines of failures, categories, the log file."""
import json
import pathlib

import support
from support import Case, code

CATEGORIES = '<Category name="talk"/><Category name="licence"/><Category name="logStatusError"/>'


def say(fmi, status, category, *words, environment=None, name=None):
    """C that logs; the first of WORDS is the format, all are C."""
    status = f"({'fmi' if fmi == 1 else f'fmi{fmi}'}Status){status}"
    if fmi == 3:
        return f"x->log({environment or 'x->e'}, {status}, {category}, {words[0]});"
    if fmi == 2:
        return f"x->f->logger({environment or 'x->f->componentEnvironment'}, {name or 'x->name'}, {status}, {category}, {', '.join(words)});"
    return f"x->f.logger({environment or 'x'}, {name or 'x->name'}, {status}, {category}, {', '.join(words)});"


FAIL = {1: "return fmiError;", 2: "return fmi2Error;", 3: "return fmi3Error;"}


class LogTest(Case):
    def talking(self, fmi, **parts):
        return self.source_fmu(fmi, {"grow.c": code(fmi, **parts)}, categories=CATEGORIES if fmi != 1 else "")

    def run_it(self, fmu, *words, status=0, **environment):
        self.record(fmu, "--build", "-q", *words, status=status, **environment)
        return self.said

    def test_wild_pointers(self):
        """Environments, names, categories and texts that point nowhere end nothing."""
        for fmi in (1, 2, 3):
            for wild in ("(char *)1", "(char *)0x7f0000000000", "(char *)-1", "NULL", "(char *)0xdead0000beef0000"):
                step = say(fmi, 0, '"talk"', f"({wild})") + say(fmi, 0, wild, '"text with %d"', "3") + \
                    say(fmi, 0, '"talk"', '"from elsewhere"', environment=f"(void *)({wild})")
                if fmi < 3:
                    step += say(fmi, 0, '"talk"', '"named"', name=wild)
                said = self.run_it(self.talking(fmi, STEP=step), "--fmi-logging")
                if wild != "NULL":
                    self.assertIn("[grow] talk: (a text that cannot be read)", said)
                self.assertIn("from elsewhere", said)
                self.assertIn("text with", said)

    def test_status_and_unterminated(self):
        """A status that FMI does not know; a text without an end before a page that is not there."""
        head = "#define _GNU_SOURCE\n#include <sys/mman.h>\n"
        edge = "char *p = (char *)mmap(0, 8192, 3, 0x22, -1, 0); munmap(p + 4096, 4096); memset(p, 'z', 4096);"
        for fmi in (1, 2, 3):
            said = self.run_it(self.talking(fmi, HEAD=head, STEP="{" + edge + say(fmi, 77, '"talk"', "p + 4000") + "}"),
                               "--fmi-logging")
            self.assertIn("[grow] talk: " + "z" * 96, said)

    def test_formats(self):
        """printf, as far as it is right; nothing is written, nothing crashes where it is wrong."""
        for fmi in (1, 2):
            step = say(fmi, 0, '"talk"', r'"%s|%5d|%-5i|%05.1f|%g|%lu|%lld|%x|%c|%%|%.2s|%*d|%zu|%hhd|%e|%Lf|%5.3s|"',
                       '"a"', "42", "-7", "3.25", "0.1", "5UL", "-6LL", "255", "'c'", '"xyz"', "4", "9", "(size_t)8", "300",
                       "1.0", "2.5L", '"abcdef"')
            said = self.run_it(self.talking(fmi, STEP=step), "--fmi-logging")
            self.assertIn("[grow] talk: a|   42|-7   |003.2|0.1|5|-6|ff|c|%|xy|   9|8|44|1.000000e+00|2.500000|  abc|", said)
            for wrong in (['"%s %s %s %s %s %s %s %s %s"'], ['"%s"', "(char *)1"], ['"%n"', "(int *)0"], ['"%n"', "&victim"],
                          ['"%999999999d"', "1"], ['"%*d"', "2000000000", "1"], ['"100% y"'], ['"%"'], ['"%l"'], ['"%s" "' + "%s" * 300 + '"'],
                          ['"%ls"', 'L"wide"'], ['"%.3s"', "nothing"], ['"%f %f %f"'], ['"%5$d"', "1"], ['"%p"', "(void *)1"],
                          ['"%2000000000s"', '"a"'], ['"%.*s"', "-5", '"ok"'], ['"%zz"'], ['"%-+ #0-+ #0-+d"', "1"]):
                step = "{ static int victim = 7; char nothing[3] = {'a', 'b', 'c'};" + say(fmi, 0, '"talk"', *wrong) + \
                    say(fmi, 0, '"talk"', '"victim %d"', "victim") + "(void)nothing; }"
                said = self.run_it(self.talking(fmi, STEP=step), "--fmi-logging")
                self.assertIn("victim 7", said, wrong)

    def test_long_messages(self):
        """The log file has a message of 100 kB whole and one of 3 MB up to 1 MiB, with a mark; what is shown is cut
        earlier, with a mark, too."""
        for fmi in (1, 2, 3):
            step = "static int said; if (!said++) { static char text[3000001]; memset(text, 'z', 3000000); text[100000] = 0;"
            step += say(fmi, 0, '"talk"', "text") + "text[100000] = 'z'; memset(text + 1048574, '\\xc3', 1);"
            step += "memset(text + 1048575, '\\xa4', 1);" + say(fmi, 0, '"talk"', "text") + "}"
            if fmi < 3:
                step += "if (said == 1) { static char more[1100000]; memset(more, 'y', 1099999);"
                step += say(fmi, 0, '"talk"', '"%s|%d"', "more", "12") + "}"
            said = self.run_it(self.talking(fmi, STEP=step), "--fmi-logging", "--log-file", "log.jsonl")
            texts = [json.loads(line)["message"] for line in (self.folder / "log.jsonl").read_text().splitlines()]
            texts = [text for text in texts if len(text) > 1000]
            self.assertEqual(texts[0], "z" * 100000)
            self.assertEqual(texts[1], "z" * 1048574 + "\u00e4 [cut, 1951424 bytes more]")
            if fmi < 3:
                self.assertEqual(texts[2], "y" * 1048576 + " [cut, 51426 bytes more]")
            shown = [line for line in said.splitlines() if "zzz" in line or "yyy" in line]
            self.assertEqual(len(shown), len(texts))
            self.assertTrue(shown[0].endswith("z [cut, 92000 bytes more]"), shown[0][-60:])

    def test_last_lines(self):
        """A failure tells the last ten lines, the gravest among them, and no line twice."""
        for fmi in (1, 2, 3):
            lines = "".join(say(fmi, 0, '"talk"', f'"line {i}"') for i in range(30))
            step = say(fmi, 3, '"licence"', r'"licence server\n  host: nowhere\n  port: 27000\n"') + lines + \
                say(fmi, 0, '"talk"', '"same"') * 5 + FAIL[fmi]
            said = self.run_it(self.talking(fmi, STEP=step), status=4)
            block = said.split("it said:\n")[1].splitlines()
            self.assertEqual(block[:2], ["      port: 27000", "    ..."])
            self.assertEqual(block[2:12], [f"    line {i}" for i in range(21, 30)] + ["    same"], said)
            self.assertEqual(said.count("error["), 1)
            short = say(fmi, 3, '"licence"', r'"licence server\n  host: nowhere\n  \x1b[31mport\n"') + FAIL[fmi]
            said = self.run_it(self.talking(fmi, STEP=short), status=4)
            self.assertIn("; it said:\n    licence server\n      host: nowhere\n       [31mport\n", said)
            one = say(fmi, 3, '"licence"', '"no licence"') + FAIL[fmi]
            said = self.run_it(self.talking(fmi, STEP=one), status=4)
            self.assertRegex(said.splitlines()[0], r"returned Error.*; it said: no licence$")
            said = self.run_it(self.talking(fmi, STEP=short), "--json", status=4)
            text = [json.loads(line) for line in said.splitlines() if "HK0503" in line and "text" in line][0]["text"]
            self.assertTrue(text.endswith("; it said:\nlicence server\n  host: nowhere\n   [31mport"), text)

    def test_last_lines_of_the_making(self):
        """What is said while the instance is made, which then is refused, and before a crash."""
        for fmi in (1, 2, 3):
            words = say(fmi, 0, '"licence"', '"looking for the licence"') + say(fmi, 3, '"licence"', '"it has expired"')
            said = self.run_it(self.talking(fmi, INSTANTIATE=words + "return NULL;"), status=4)
            self.assertIn("returned NULL at t = 0 s; it said:\n    looking for the licence\n    it has expired\n", said)
            for place in ("INSTANTIATE", "STEP"):
                said = self.run_it(self.talking(fmi, **{place: words + "*(volatile int *)8 = 1;"}), status=4)
                self.assertRegex(said, r"crashed \(invalid memory access\) in \w+ at t = 0 s; it said:\n"
                                       r"    looking for the licence\n    it has expired\n  hint")
            said = self.run_it(self.talking(fmi, STEP=words + "*(volatile int *)8 = 1;"), "--json", status=4)
            for line in (said + self.said_out).splitlines():
                json.loads(line)
            self.assertIn(r"it said:\nlooking for the licence\nit has expired", said)

    def test_lines_stay(self):
        """Lines of one message stay lines, indented; commands for the terminal go."""
        for fmi in (1, 2, 3):
            said = self.run_it(self.talking(fmi, INSTANTIATE=say(fmi, 0, '"talk"', r'"one\r\n\ttwo\x1b[2J\nthree\n\n"')),
                               "--fmi-logging")
            self.assertIn("[grow] talk: one\n     two [2J\n    three\n", said)
            raw = r'"C1 \xc2\x9b" "31m, raw \xff\x9b" "31m, \xc3\xa4"'
            said = self.run_it(self.talking(fmi, STEP=say(fmi, 3, '"talk"', raw) + FAIL[fmi]), "--fmi-logging", status=4)
            self.assertRegex(said, r"\[grow\] talk: C1 +31m, raw [?�]+31m, ä\n")
            self.assertRegex(said, r"; it said:(\n    made.*\n   )? C1 +31m, raw [?�]+31m, ä\n")

    def test_categories(self):
        """Messages of the chosen categories; an unknown one is an error that lists them."""
        for fmi in (2, 3):
            head = "static char asked[200];"
            debug = f'for (size_t i = 0; i < n; i++) strcat(strcat(asked, categories[i]), ",");'
            step = say(fmi, 0, '"talk"', '"chatter"') + say(fmi, 0, '"licence"', '"granted"') + \
                say(fmi, 0, '"licence"', "asked") + say(fmi, 0, '"other"', '"undeclared"')
            text = code(fmi, HEAD=head, STEP=step).replace("->loud = on;", "->loud = on; " + debug)
            fmu = self.source_fmu(fmi, {"grow.c": text}, categories=CATEGORIES)
            said = self.run_it(fmu, "--log-category", "licence")
            self.assertIn("[grow] licence: granted", said)
            self.assertIn("[grow] licence: licence,\n", said)
            self.assertNotIn("chatter", said)
            said = self.run_it(fmu, "--log-category", "licence", "--log-category", "talk")
            self.assertIn("[grow] licence: talk,licence,\n", said)
            self.assertIn("chatter", said)
            self.assertNotIn("undeclared", said)
            said = self.run_it(fmu, "--log-category", "lisence", status=2)
            self.assertIn("no FMU has the log category 'lisence'", said)
            self.assertIn("there are: talk, licence, logStatusError", said)
        said = self.run_it(self.talking(1), "--log-category", "talk", status=2)
        self.assertIn("no FMU here names categories", said)

    def test_log_file(self):
        """All messages with time, instance, status and category, one object per line; more than are shown."""
        for fmi in (1, 2, 3):
            odd = r'"\"quoted\"\n\ttab \x1b[31m \xff\xfe , ; end"'
            step = "if (t > 0.9) {" + say(fmi, 1, '"talk"', odd) + "}" + \
                "for (int i = 0; i < 50; i++) {" + say(fmi, 0, '"talk"', '"many"') + "}"
            fmu = self.talking(fmi, STEP=step)
            said = self.run_it(fmu, "--log-file", "log.jsonl")
            self.assertNotIn("many", said)
            raw = (self.folder / "log.jsonl").read_bytes()
            self.assertFalse([b for b in raw if b < 32 and b != 10])
            rows = [json.loads(line) for line in raw.decode("utf-8").splitlines()]
            self.assertEqual(len([r for r in rows if r["message"] == "many"]), 16 * 50)
            self.assertEqual(set(rows[0]), {"time", "instance", "status", "category", "message"})
            self.assertEqual((rows[0]["time"], rows[0]["instance"], rows[0]["category"], rows[0]["status"]), (0, "grow", "talk", "OK"))
            late = [r for r in rows if r["status"] == "Warning"]
            self.assertEqual([r["time"] for r in late], [1 + 0.125 * i for i in range(8)])
            self.assertTrue(late[0]["message"].startswith('"quoted"\n\ttab '))
            said = self.record(fmu, "--build", "--log-file", "log.jsonl") and self.said
            self.assertIn("logged     log.jsonl", said)
        # what was said before a crash is there
        fmu = self.talking(2, STEP=say(2, 0, '"talk"', '"last words"') + "*(volatile int *)8 = 1;")
        self.run_it(fmu, "--log-file", "crash.jsonl", status=4)
        rows = [json.loads(line) for line in (self.folder / "crash.jsonl").read_text().splitlines()]
        self.assertEqual(rows[-1]["message"], "last words")
        # and it is refused where it cannot be
        self.run_it(fmu, "--log-file", "no/such/x.jsonl", status=3)
        self.run_it(fmu, "--log-file", "-", status=2)
        self.run_it(fmu, "--log-file", "out.csv", status=2)
        self.run_it(fmu, "--log-file", fmu, status=2)

    def test_step_finished(self):
        """NULL where nothing is asynchronous, a function where the FMU says that it runs so."""
        for fmi, callbacks in ((1, "f."), (2, "f->")):
            tell = say(fmi, 0, '"talk"', '"finished %d"', f"{callbacks}stepFinished != NULL")
            for flags, expected in (("", 0), ('canRunAsynchronuously="false"', 0), ('canRunAsynchronuously="true"', 1)):
                fmu = self.source_fmu(fmi, {"grow.c": code(fmi, INSTANTIATE=tell)}, attributes=flags)
                self.assertIn(f"finished {expected}", self.run_it(fmu, "--fmi-logging"))

    def test_simulations(self):
        """A simulation shows messages, too, and refuses the file with the reason."""
        self.talking(2, STEP=say(2, 0, '"talk"', '"played"'))
        self.hocket("build", "grow2.fmu", "-o", "grow.fmu", "-q")
        (self.folder / "s.simulation").write_text(SIMULATION)
        (self.folder / "s.system").write_text(SYSTEM)
        said = self.hocket("run", "s.simulation", "--fmi-logging", "-o", "logs")
        self.assertIn("[g] talk: played", said)
        said = self.hocket("run", "s.simulation", "--log-file", "x.jsonl", "-o", "logs", status=2)
        self.assertIn("--log-file is not for simulations", said)


SYSTEM = """system s {
  composite top {
    leaf g : "grow.fmu" { period 1/8 s; }
  }
}
"""
SIMULATION = """Simulation s (s)
system s;
simulationTime [0, 1]:1/8;
scenarios {
  Scenario one
  begin { "s.top.g.k" = 2; }
}
"""

if __name__ == "__main__":
    support.main()
