#ifndef LIFESTATS_GRAPHVIZ_SHIM_H
#define LIFESTATS_GRAPHVIZ_SHIM_H

#include <gvc.h>

// The string parameters of cgraph are not const in every Graphviz version, and the length parameter of gvRenderData
// changed its type; Swift calls these instead.

static inline char *lifestats_get(void *object, const char *attribute) {
    return agget(object, (char *)attribute);
}

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

// Runs the renderer that writes positions into the attributes of the graph, and throws its text away.
static inline int lifestats_attach_positions(GVC_t *context, graph_t *graph) {
    return gvRender(context, graph, "dot", NULL);
}

#endif
