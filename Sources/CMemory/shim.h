#ifndef LIFESTATS_MEMORY_SHIM_H
#define LIFESTATS_MEMORY_SHIM_H

#include <stdint.h>
#include <stdlib.h>
#ifdef __GLIBC__
#include <malloc.h>
#endif
#ifdef __linux__
#include <sys/mman.h>
#include <unistd.h>
#endif

// Keeps the heap small. Buffers of 128 KiB and more go back to the system as soon as they are free: glibc raises its
// threshold for that with every large buffer that is freed, and then keeps the batches of an ingest, a fifth of its peak.
// Threads share two heaps, or each would keep what another could use; with a single one they wait for each other. Swift's
// module of glibc leaves malloc.h out; other systems need no telling.
static inline void lifestats_keep_heap_small(void) {
#ifdef __GLIBC__
    mallopt(M_MMAP_THRESHOLD, 128 << 10);
    mallopt(M_ARENA_MAX, 2);
#endif
}

// Gives back the memory that holds the code which has run so far. What runs again is mapped again from the file; what only
// the start needed is not. Code is never written to, so nothing is lost.
static inline void lifestats_drop_code(void) {
#ifdef __linux__
    extern const char __executable_start, etext;
    uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE);
    uintptr_t start = (uintptr_t)&__executable_start / page * page, end = (uintptr_t)&etext / page * page;
    madvise((void *)start, end - start, MADV_DONTNEED);
#endif
}

#endif
