// SPDX-License-Identifier: MIT
//
// Deeds of animals that are written in C++.
#include "animal.h"

#include <stdexcept>
#include <thread>

namespace {

int do_throw(animal *) {
    throw std::runtime_error("nobody catches this");
}

int do_throw_thread(animal *) {
    std::thread([] { throw std::runtime_error("nobody catches this"); }).join();
    return 0;
}

int do_throw_number(animal *) {
    throw 42;
}

// A thread that is neither joined nor detached where its handle ends.
int do_forgotten_thread(animal *) {
    std::thread forgotten([] {});
    return 0;
}

struct crashes {
    int value = 1;
    ~crashes() { *static_cast<volatile int *>(nullptr) = value; }
};
thread_local crashes late;

// An object of the thread, which crashes when the thread ends.
int do_thread_local(animal *a) {
    std::thread([] { late.value = 2; }).join();
    return a->n < 0;
}

} // namespace

extern "C" const animal_deed hostile_throws[] = {
    {"throw", do_throw},
    {"throw_thread", do_throw_thread},
    {"throw_number", do_throw_number},
    {"forgotten_thread", do_forgotten_thread},
    {"thread_local", do_thread_local},
    {nullptr, nullptr},
};
