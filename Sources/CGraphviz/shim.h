#ifndef LIFESTATS_GRAPHVIZ_SHIM_H
#define LIFESTATS_GRAPHVIZ_SHIM_H

#include <gvc.h>

// `Agdirected` is a mutable C global, which Swift's language mode 6 does not let one read.
static inline Agdesc_t lifestats_directed(void) { return Agdirected; }

// The length parameter of gvRenderData changed its type between Graphviz versions.
static inline int lifestats_render(GVC_t *context, graph_t *graph, const char *format, char **data, size_t *length) {
    return _Generic(&gvRenderData,
        int (*)(GVC_t *, graph_t *, const char *, char **, unsigned int *): 
            ({ unsigned int n = 0; int r = ((int (*)(GVC_t *, graph_t *, const char *, char **, unsigned int *))gvRenderData)(context, graph, format, data, &n); *length = n; r; }),
        default:
            ({ size_t n = 0; int r = ((int (*)(GVC_t *, graph_t *, const char *, char **, size_t *))gvRenderData)(context, graph, format, data, &n); *length = n; r; }));
}

#endif
