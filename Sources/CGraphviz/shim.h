#ifndef LIFESTATS_GRAPHVIZ_SHIM_H
#define LIFESTATS_GRAPHVIZ_SHIM_H

#if __has_include(<gvc.h>)
#include <gvc.h>
#else
#include <graphviz/gvc.h>
#endif

// The length parameter of gvRenderData has changed its type; Swift calls this instead.

static inline int lifestats_render(GVC_t *context, graph_t *graph, const char *format, char **data, size_t *length) {
    return _Generic(&gvRenderData,
        int (*)(GVC_t *, graph_t *, const char *, char **, unsigned int *): ({
            unsigned int count = 0;
            int code = ((int (*)(GVC_t *, graph_t *, const char *, char **, unsigned int *))gvRenderData)(
                context, graph, format, data, &count);
            *length = count;
            code;
        }),
        default: ({
            size_t count = 0;
            int code = ((int (*)(GVC_t *, graph_t *, const char *, char **, size_t *))gvRenderData)(
                context, graph, format, data, &count);
            *length = count;
            code;
        }));
}

#endif
