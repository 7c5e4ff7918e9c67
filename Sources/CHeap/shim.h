#ifndef LIFESTATS_HEAP_SHIM_H
#define LIFESTATS_HEAP_SHIM_H

#include <stdlib.h>
#ifdef __GLIBC__
#include <malloc.h>
#endif

// Gives buffers of 128 KiB and more back to the system as soon as they are free. glibc raises its threshold for that
// with every large buffer that is freed, and then keeps the batches of an ingest: a fifth of its peak. Swift's module
// of glibc leaves malloc.h out; other systems need no telling.
static inline void lifestats_return_large_buffers(void) {
#ifdef __GLIBC__
    mallopt(M_MMAP_THRESHOLD, 128 << 10);
#endif
}

#endif
