/* SPDX-License-Identifier: MIT */
#include "csv_file.h"
#include "csv_number.h"

#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* The first cell of a column that is not a number. */
typedef struct csv_word {
    const char *text; /* NULL: there is none */
    size_t line;
} csv_word;

struct csv_file {
    char *path;
    char *text;   /* all of the file; names and units point into it */
    char **names; /* of the columns */
    char **units;
    csv_word *words; /* of the columns */
    size_t columns, rows, room;
    double *numbers; /* row by row */
    size_t *lines;
    char separator;
};

int hk_auv_fail(words *why, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(why->text, sizeof why->text, format, arguments);
    va_end(arguments);
    return HK_STEP_FAILED;
}

void hk_auv_csv_free(void *data) {
    csv_file *file = data;
    if (!file)
        return;
    free(file->path);
    free(file->text);
    free(file->names);
    free(file->units);
    free(file->words);
    free(file->numbers);
    free(file->lines);
    free(file);
}

/* ---- the file as text ---- */

enum { LARGEST = 1 << 30 };

static char *path_of(const char *folder, const hk_bytes *name) {
    const char *base = name->data;
    bool absolute = *base == '/' || !folder || !*folder || strcmp(folder, ".") == 0;
    size_t size = strlen(base) + (absolute ? 0 : strlen(folder) + 1) + 1;
    char *path = malloc(size);
    if (path)
        snprintf(path, size, "%s%s%s", absolute ? "" : folder, absolute ? "" : "/", base);
    return path;
}

/* NULL: WHY says why. What is not a file, like a pipe, could be waited for without end. */
static FILE *open_file(const char *path, words *why) {
    int descriptor = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
    struct stat about;
    if (descriptor < 0 || fstat(descriptor, &about) != 0) {
        hk_auv_fail(why, "'%s' cannot be opened: %s", path, strerror(errno));
    } else if (!S_ISREG(about.st_mode)) {
        hk_auv_fail(why, "'%s' is %s, not a file", path,
                    S_ISDIR(about.st_mode) ? "a folder" : "a device or a pipe");
    } else {
        FILE *file = fdopen(descriptor, "rb");
        if (file)
            return file;
        hk_auv_fail(why, "'%s': there is no memory left", path);
    }
    if (descriptor >= 0)
        close(descriptor);
    return NULL;
}

/* All of FILE with a NUL behind it; NULL: WHY says why. */
static char *text_of(FILE *file, const char *path, words *why) {
    size_t room = 4096, size = 0;
    char *text = malloc(room);
    while (text) {
        size += fread(text + size, 1, room - size - 1, file);
        if (size + 1 < room)
            break;
        char *more = room < LARGEST ? realloc(text, room *= 2) : NULL;
        if (!more) {
            free(text);
            hk_auv_fail(why, "'%s' is larger than a table may be (1 GiB)", path);
            return NULL;
        }
        text = more;
    }
    if (text && (ferror(file) || memchr(text, 0, size))) {
        hk_auv_fail(why, "'%s' %s", path,
                    ferror(file) ? "cannot be read" : "has a NUL byte: it is not a text");
        free(text);
        return NULL;
    }
    if (text)
        text[size] = 0;
    return text;
}

/* ---- lines and cells ---- */

/* A text of several lines whose last one has no end is cut off: what it ends with may be half a
 * number, which nobody would see. */
static bool is_cut(const char *text) {
    const char *last = strrchr(text, '\n');
    return last && last[1];
}

/* Cuts the line at *AT off and moves *AT behind it; NULL: there is none left. */
static char *next_line(char **at) {
    char *line = *at;
    if (!*line)
        return NULL;
    char *end = strchr(line, '\n');
    size_t length = end ? (size_t)(end - line) : strlen(line);
    *at = line + length + (end != NULL);
    line[length] = 0;
    if (length && line[length - 1] == '\r')
        line[length - 1] = 0;
    return line;
}

static char *trim(char *text) {
    text += strspn(text, " \t");
    size_t length = strlen(text);
    while (length && (text[length - 1] == ' ' || text[length - 1] == '\t'))
        text[--length] = 0;
    if (length > 1 && *text == '"' && text[length - 1] == '"') {
        text[length - 1] = 0;
        text++;
    }
    return text;
}

/* Cuts the cell at *AT off; NULL: there is none left. */
static char *next_cell(char **at, char separator) {
    char *cell = *at;
    if (!cell)
        return NULL;
    char *from = cell + strspn(cell, " ");
    char *quoted = *from == '"' ? strchr(from + 1, '"') : NULL; /* a separator may be inside */
    char *end = strchr(quoted ? quoted : cell, separator);
    if (end)
        *end = 0;
    *at = end ? end + 1 : NULL;
    return trim(cell);
}

static bool skipped(const char *line) {
    line += strspn(line, " \t");
    return !*line || *line == '#';
}

/* ---- the first line ---- */

static char separator_of(const char *line) {
    return strchr(line, ',') ? ',' : strchr(line, ';') ? ';' : strchr(line, '\t') ? '\t' : ',';
}

/* "depth [m]": the name and the unit; "": none. */
static void split_unit(char *cell, char **ret_name, char **ret_unit) {
    size_t length = strlen(cell);
    char *open = strrchr(cell, '[');
    *ret_name = cell;
    *ret_unit = cell + length;
    if (!open || length == 0 || cell[length - 1] != ']')
        return;
    cell[length - 1] = 0;
    *open = 0;
    *ret_unit = trim(open + 1);
    *ret_name = trim(cell);
}

static bool read_names(csv_file *file, char *line, words *why, size_t number) {
    file->separator = separator_of(line);
    size_t room = 1;
    for (const char *c = line; *c; c++)
        room += *c == file->separator;
    file->names = calloc(room, sizeof *file->names);
    file->units = calloc(room, sizeof *file->units);
    file->words = calloc(room, sizeof *file->words);
    if (!file->names || !file->units || !file->words)
        return hk_auv_fail(why, "'%s': there is no memory left", file->path), false;
    for (char *at = line, *cell; (cell = next_cell(&at, file->separator));) {
        split_unit(cell, &file->names[file->columns], &file->units[file->columns]);
        const char *name = file->names[file->columns];
        if (!*name)
            return hk_auv_fail(why, "%s:%zu: the name of column %zu is empty", file->path, number,
                               file->columns + 1),
                   false;
        if (hk_auv_csv_find(file, name) >= 0)
            return hk_auv_fail(why, "%s:%zu: two columns are called '%s'", file->path, number,
                               name),
                   false;
        file->columns++;
    }
    return true;
}

/* ---- rows ---- */

static bool is_missing(const char *cell) {
    static const char *const marks[] = {"", "-", "nan", "NaN", "NAN", "NA", "null"};
    for (size_t i = 0; i < COUNT(marks); i++)
        if (strcmp(cell, marks[i]) == 0)
            return true;
    return false;
}

/* Which a word does not; most cells are numbers. */
static bool begins_number(const char *cell) {
    cell += *cell == '-';
    return *cell >= '0' && *cell <= '9';
}

/* Also "true" and "false", and the letters that logs use for valid: y, n, A, V. */
static bool read_cell(const char *cell, double *ret_number) {
    static const struct {
        const char *text;
        double number;
    } words_for[] = {{"true", 1},  {"True", 1},  {"y", 1}, {"A", 1},
                     {"false", 0}, {"False", 0}, {"n", 0}, {"V", 0}};
    if (!begins_number(cell) && is_missing(cell)) {
        *ret_number = NAN;
        return true;
    }
    for (size_t i = 0; !begins_number(cell) && i < COUNT(words_for); i++)
        if (strcmp(cell, words_for[i].text) == 0) {
            *ret_number = words_for[i].number;
            return true;
        }
    return !*csv_number(cell, ret_number) && isfinite(*ret_number);
}

/* A number and nothing else, which most cells are: it is taken where it is, and *AT is then behind
 * it, as next_cell does it. */
static bool take_number(char **at, char separator, double *ret_number) {
    char *cell = *at;
    if (!cell || !begins_number(cell))
        return false;
    char *end = cell + (csv_number(cell, ret_number) - cell);
    if ((*end && *end != separator) || !isfinite(*ret_number))
        return false;
    *at = *end ? end + 1 : NULL;
    return true;
}

static bool make_room(csv_file *file) {
    if (file->rows < file->room)
        return true;
    size_t room = file->room ? 2 * file->room : 64;
    double *numbers = realloc(file->numbers, room * file->columns * sizeof *numbers);
    if (numbers)
        file->numbers = numbers;
    size_t *lines = realloc(file->lines, room * sizeof *lines);
    if (lines)
        file->lines = lines;
    file->room = numbers && lines ? room : file->room;
    return numbers && lines;
}

static bool read_row(csv_file *file, char *line, words *why, size_t number) {
    if (!make_room(file))
        return hk_auv_fail(why, "'%s': there is no memory left", file->path), false;
    double *row = file->numbers + file->rows * file->columns;
    size_t column = 0;
    for (char *at = line, *cell; at; column++) {
        if (column < file->columns && take_number(&at, file->separator, &row[column]))
            continue;
        cell = next_cell(&at, file->separator);
        if (column == file->columns)
            return hk_auv_fail(why, "%s:%zu: there are more cells than the %zu columns", file->path,
                               number, file->columns),
                   false;
        if (read_cell(cell, &row[column]))
            continue;
        row[column] = NAN; /* a mistake if somebody uses the column */
        if (!file->words[column].text)
            file->words[column] = (csv_word){cell, number};
    }
    if (column < file->columns)
        return hk_auv_fail(why, "%s:%zu: there are %zu cells and %zu columns: is the file cut off?",
                           file->path, number, column, file->columns),
               false;
    file->lines[file->rows++] = number;
    return true;
}

static bool read_lines(csv_file *file, words *why) {
    char *at = file->text;
    if (strncmp(at, "\xef\xbb\xbf", 3) == 0)
        at += 3;
    bool cut = is_cut(at);
    char *line;
    for (size_t number = 1; (line = next_line(&at)); number++) {
        if (cut && !*at)
            return hk_auv_fail(why,
                               "%s:%zu: the last line does not end: the file is cut off, or lacks "
                               "its last line break",
                               file->path, number),
                   false;
        if (skipped(line))
            continue;
        if (!(file->names ? read_row(file, line, why, number)
                          : read_names(file, line, why, number)))
            return false;
    }
    if (!file->names)
        return hk_auv_fail(why, "'%s' is empty: its first line names the columns", file->path),
               false;
    if (!file->rows)
        return hk_auv_fail(why, "'%s' has no rows", file->path), false;
    return true;
}

csv_file *hk_auv_csv_read(const char *folder, const hk_bytes *name, words *why) {
    if (!name->size || !*(const char *)name->data) {
        hk_auv_fail(why, "there is no name of a file");
        return NULL;
    }
    csv_file *file = calloc(1, sizeof *file);
    char *path = file ? path_of(folder, name) : NULL;
    if (!path) {
        free(file);
        hk_auv_fail(why, "there is no memory left");
        return NULL;
    }
    file->path = path;
    FILE *stream = open_file(path, why);
    file->text = stream ? text_of(stream, path, why) : NULL;
    if (stream)
        fclose(stream);
    if (file->text && read_lines(file, why))
        return file;
    hk_auv_csv_free(file);
    return NULL;
}

/* ---- what is in it ---- */

/* NAME is WANTED, of LENGTH, or ends with a dot and it. */
static bool means(const char *name, const char *wanted, size_t length) {
    size_t size = strlen(name);
    if (size < length || strncmp(name + size - length, wanted, length) != 0)
        return false;
    return size == length || name[size - length - 1] == '.';
}

bool hk_auv_csv_means(const char *name, const char *names) {
    for (const char *at = names; *at;) {
        size_t length = strcspn(at, " ");
        if (means(name, at, length))
            return true;
        at += length + strspn(at + length, " ");
    }
    return false;
}

size_t hk_auv_csv_rows(const csv_file *file) {
    return file->rows;
}

size_t hk_auv_csv_columns(const csv_file *file) {
    return file->columns;
}

int hk_auv_csv_find(const csv_file *file, const char *name) {
    for (size_t i = 0; i < file->columns; i++)
        if (strcmp(file->names[i], name) == 0)
            return (int)i;
    return -1;
}

const char *hk_auv_csv_name(const csv_file *file, size_t column) {
    return file->names[column];
}

const char *hk_auv_csv_unit(const csv_file *file, size_t column) {
    return file->units[column];
}

int hk_auv_csv_use(const csv_file *file, size_t column, words *why) {
    const csv_word *word = &file->words[column];
    return word->text ? hk_auv_fail(why, "%s:%zu: '%.40s' in column '%s' is not a number",
                                    file->path, word->line, word->text, file->names[column])
                      : HK_STEP_OK;
}

void hk_auv_csv_names(const csv_file *file, char *text, size_t size) {
    size_t length = 0;
    *text = 0;
    for (size_t i = 0; i < file->columns && length + 1 < size; i++) {
        snprintf(text + length, size - length, "%s'%s'", i ? ", " : "", file->names[i]);
        length = strlen(text);
    }
    if (length + 1 == size && size > 4)
        memcpy(text + size - 4, "...", 4);
}

double hk_auv_csv_number(const csv_file *file, size_t row, size_t column) {
    return file->numbers[row * file->columns + column];
}

size_t hk_auv_csv_line(const csv_file *file, size_t row) {
    return file->lines[row];
}

const char *hk_auv_csv_path(const csv_file *file) {
    return file->path;
}
