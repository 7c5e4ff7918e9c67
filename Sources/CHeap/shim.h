#ifndef LIFESTATS_HEAP_SHIM_H
#define LIFESTATS_HEAP_SHIM_H

#include <stdlib.h>
#ifdef __GLIBC__
#include <malloc.h>
#endif

// Gives buffers of 128 KiB and more back to the system as soon as they are free. glibc raises its threshold for that
// with every large buffer that is freed, and then keeps the batches of an ingest: a fifth of its peak. Two arenas in
// place of one for each thread: what one thread frees is there for the others. Swift's module of glibc leaves malloc.h
// out; other systems need no telling.
static inline void lifestats_keep_heap_small(void) {
#ifdef __GLIBC__
    mallopt(M_MMAP_THRESHOLD, 128 << 10);
    mallopt(M_ARENA_MAX, 2);
#endif
}

#endif
