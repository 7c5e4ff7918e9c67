// Loads libarchive and Graphviz when a function of theirs is called for the first time. They bring twenty libraries with
// them, whose loading takes a third of the time in which a short command ends, and most commands need neither.
//
// Each function here has the name and type of the real one, finds it, and passes the call on. On other systems the
// libraries are linked as usual.
#ifdef __linux__
#define _GNU_SOURCE
#include <archive.h>
#include <archive_entry.h>
#include <dlfcn.h>
#include <graphviz/gvc.h>
#include <stdio.h>
#include <stdlib.h>

static void *found(const char *library, const char *function) {
    void *handle = dlopen(library, RTLD_LAZY | RTLD_GLOBAL);
    void *address = handle ? dlsym(handle, function) : NULL;
    if (address) return address;
    fprintf(stderr, "lifestats: cannot load a library: %s. Install it, or build lifestats again.\n", dlerror());
    _Exit(2);
}

// The address is looked up by each thread that finds none; all find the same.
#define LATE(library, result, name, parameters, arguments) \
    result name parameters { \
        static result(*_Atomic function) parameters; \
        if (!function) function = (result(*) parameters)found(library, #name); \
        return function arguments; \
    }

#define ARCHIVE "libarchive.so.13"
#define FROM_ARCHIVE(result, name) LATE(ARCHIVE, result, name, (struct archive * archive), (archive))
#define FROM_ENTRY(result, name) LATE(ARCHIVE, result, name, (struct archive_entry * entry), (entry))

LATE(ARCHIVE, struct archive *, archive_read_new, (void), ())
FROM_ARCHIVE(int, archive_read_free)
FROM_ARCHIVE(int, archive_read_support_format_7zip)
FROM_ARCHIVE(int, archive_read_support_format_empty)
FROM_ARCHIVE(int, archive_read_support_format_gnutar)
FROM_ARCHIVE(int, archive_read_support_format_raw)
FROM_ARCHIVE(int, archive_read_support_format_tar)
FROM_ARCHIVE(int, archive_read_support_format_zip)
FROM_ARCHIVE(int, archive_format)
FROM_ARCHIVE(const char *, archive_error_string)
LATE(ARCHIVE, int, archive_read_append_filter, (struct archive * archive, int code), (archive, code))
LATE(ARCHIVE, la_int64_t, archive_filter_bytes, (struct archive * archive, int filter), (archive, filter))
LATE(
    ARCHIVE, int, archive_read_open_filename, (struct archive * archive, const char *name, size_t size),
    (archive, name, size))
LATE(
    ARCHIVE, int, archive_read_open,
    (struct archive * archive, void *data, archive_open_callback *opened, archive_read_callback *read,
     archive_close_callback *closed),
    (archive, data, opened, read, closed))
LATE(
    ARCHIVE, int, archive_read_next_header, (struct archive * archive, struct archive_entry **entry), (archive, entry))
LATE(
    ARCHIVE, int, archive_read_data_block,
    (struct archive * archive, const void **bytes, size_t *count, la_int64_t *start), (archive, bytes, count, start))
FROM_ENTRY(__LA_MODE_T, archive_entry_filetype)
FROM_ENTRY(const char *, archive_entry_hardlink)
FROM_ENTRY(const char *, archive_entry_hardlink_utf8)
FROM_ENTRY(const char *, archive_entry_pathname)
FROM_ENTRY(const char *, archive_entry_pathname_utf8)
FROM_ENTRY(const char *, archive_entry_symlink)
FROM_ENTRY(int, archive_entry_is_encrypted)

// The library got another number when a parameter of gvRenderData changed its type.
#define GRAPHVIZ \
    _Generic(&gvRenderData, \
        int (*)(GVC_t *, graph_t *, const char *, char **, unsigned int *): "libgvc.so.6", default: "libgvc.so.7")
typedef __typeof__(_Generic(
    &gvRenderData,
    int (*)(GVC_t *, graph_t *, const char *, char **, unsigned int *): (unsigned int)0, default: (size_t)0)) length_t;

LATE(GRAPHVIZ, GVC_t *, gvContext, (void), ())
LATE(GRAPHVIZ, int, gvFreeContext, (GVC_t * context), (context))
LATE(GRAPHVIZ, int, gvLayout, (GVC_t * context, graph_t *graph, const char *engine), (context, graph, engine))
LATE(GRAPHVIZ, int, gvFreeLayout, (GVC_t * context, graph_t *graph), (context, graph))
LATE(
    GRAPHVIZ, int, gvRenderData,
    (GVC_t * context, graph_t *graph, const char *format, char **data, length_t *length),
    (context, graph, format, data, length))
LATE(GRAPHVIZ, void, gvFreeRenderData, (char *data), (data))
LATE(GRAPHVIZ, Agraph_t *, agmemread, (const char *text), (text))
LATE(GRAPHVIZ, int, agclose, (Agraph_t * graph), (graph))
LATE(GRAPHVIZ, agerrlevel_t, agseterr, (agerrlevel_t level), (level))
LATE(GRAPHVIZ, char *, aglasterr, (void), ())

#endif
