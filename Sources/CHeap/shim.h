#ifndef LIFESTATS_HEAP_SHIM_H
#define LIFESTATS_HEAP_SHIM_H

#include <stdlib.h>
#ifdef __GLIBC__
#include <malloc.h>
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

#endif
