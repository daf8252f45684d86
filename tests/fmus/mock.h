/* SPDX-License-Identifier: MIT
 *
 * What the mocks of all versions share: an FMU that does nothing but watch. It knows the state that
 * it is in by the standard, writes down every call, and whether that state allows it. There is one
 * instance at a time. */
#ifndef HK_TEST_MOCK_H
#define HK_TEST_MOCK_H

#include "../support/mock_book.h"

#include <stddef.h>
#include <string.h>

/* The states that allow a function. */
typedef struct mock_rule {
    const char *function, *states;
} mock_rule;

static mock_book book;

/* It is about values, and not about states or steps. */
static bool exchanges(const char *function) {
    return !strstr(function, "tate") && !strstr(function, "Status");
}

static bool allows(const mock_rule *rules, const char *function) {
    while (rules->function && strcmp(rules->function, function) != 0)
        rules++;
    bool gets = strncmp(function, "Get", 3) == 0 && exchanges(function);
    return rules->function && book.state && strchr(rules->states, book.state) &&
           !(gets && book.state == 'C' && book.set_since_step);
}

/* A call begins; false: it may not be made, and returns Error. */
static bool enter(const mock_rule *rules, const char *function) {
    bool allowed = allows(rules, function);
    book.calls++;
    book.newest = function;
    book.illegal += !allowed;
    return allowed;
}

/* All states are saved between two steps: that is where they lead back to. */
static char restored(void) {
    return strchr("FEKRTX", book.state) ? 'C' : book.state;
}

/* A call that does nothing else, and leads to STATE unless that is 0. */
static int plain_call(const mock_rule *rules, const char *function, char state) {
    enum { OK, ERROR = 3 };
    if (!enter(rules, function))
        return ERROR;
    if (state)
        book.state = state;
    if (strncmp(function, "Set", 3) == 0 && exchanges(function) && book.state == 'C')
        book.set_since_step = true;
    return OK;
}

/* FMI 3.0 has no state for a step that was discarded: it was not made. */
static int make_step(const mock_rule *rules, int version) {
    enum { OK, DISCARD = 2, ERROR, FATAL, PENDING };
    if (!enter(rules, "DoStep"))
        return ERROR;
    book.set_since_step = false;
    switch (book.next) {
    case DISCARD:
        book.state = version == 3 ? 'C' : book.ends ? 'E' : 'F';
        break;
    case ERROR:
        book.state = 'X';
        break;
    case FATAL:
        book.state = 'Z';
        break;
    case PENDING:
        book.state = 'P';
        break;
    default:
        break;
    }
    return book.next;
}

#define MOCK_EXPORT __attribute__((visibility("default")))
MOCK_EXPORT mock_book *mock_open(void);
MOCK_EXPORT bool mock_allows(const char *function);

#define MOCK_DOORS(rules)                                                                          \
    mock_book *mock_open(void) {                                                                   \
        return &book;                                                                              \
    }                                                                                              \
    bool mock_allows(const char *function) {                                                       \
        return allows(rules, function);                                                            \
    }

#endif
