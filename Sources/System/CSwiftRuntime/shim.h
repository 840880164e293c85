/* Information of Swift's runtime and the C library about a running program. */
#pragma once
#define _GNU_SOURCE
#include <dlfcn.h>
#include <execinfo.h>
#include <stdint.h>

/* From now on called with each error that Swift throws as `any Error`, before it is caught (`Errors.cpp` of Swift's runtime).
   It may be called on any thread, and must throw nothing. */
void _swift_setWillThrowHandler(void (*handler)(void *error));

/* The file of the program or library at an address, and the start of that file in memory; 0 if there is none. */
static inline uintptr_t base_of(const void *address) {
    Dl_info info;
    return dladdr(address, &info) ? (uintptr_t)info.dli_fbase : 0;
}
