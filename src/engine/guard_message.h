/* SPDX-License-Identifier: MIT
 *
 * Inside guard.c: a message that a handler of a fatal signal writes. Only what such a handler may
 * do: write(2), and functions of ours without memory. A message is put together first, so that it
 * is not mixed with what others write. */
#ifndef HK_ENGINE_GUARD_MESSAGE_H
#define HK_ENGINE_GUARD_MESSAGE_H

#include <hk/base.h>

#include <errno.h>
#include <unistd.h>

typedef struct message {
    char text[8192];
    size_t size;
} message;

static inline void add(message *m, const char *text) {
    for (; *text && m->size < sizeof m->text - 8; text++)
        m->text[m->size++] = *text;
}

/* Every line but the first is indented. */
static inline void add_lines(message *m, const char *text) {
    for (; *text && m->size < sizeof m->text - 8; text++) {
        m->text[m->size++] = *text;
        if (*text == '\n')
            add(m, "    ");
    }
}

/* As JSON. Names are UTF-8 already; control characters are not worth an escape here. */
static inline void add_quoted(message *m, const char *text) {
    add(m, "\"");
    for (; *text && m->size < sizeof m->text - 64; text++) {
        if (*text == '"' || *text == '\\' || *text == '\n')
            add(m, "\\");
        m->text[m->size++] = *text == '\n' ? 'n' : (unsigned char)*text < ' ' ? ' ' : *text;
    }
    add(m, "\"");
}

static inline void put(message *m, int fd) {
    for (size_t done = 0; done < m->size;) {
        ssize_t n = write(fd, m->text + done, m->size - done);
        if (n <= 0 && errno != EINTR)
            return;
        done += n > 0 ? (size_t)n : 0;
    }
}

/* Ends the text. A name must not command the terminal. */
static inline void clean(message *m) {
    m->text[m->size] = '\0';
    for (size_t i = 0; i < m->size; i++)
        if ((unsigned char)m->text[i] < ' ' || m->text[i] == 0x7f)
            m->text[i] = ' ';
}

#endif
