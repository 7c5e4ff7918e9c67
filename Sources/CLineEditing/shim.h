#ifndef LIFESTATS_LINE_EDITING_SHIM_H
#define LIFESTATS_LINE_EDITING_SHIM_H

#include <histedit.h>
#include <langinfo.h>
#include <locale.h>
#include <stdio.h>
#include <string.h>
#ifdef __APPLE__
#include <xlocale.h>
#endif

// Swift cannot call the variadic functions of libedit, and takes stdin and stdout for unsafe global variables.

// An editor on the terminal of standard input and output. Text is UTF-8 on this thread, whatever the environment says.
static inline EditLine *lifestats_editor(void) {
    // The user's locale, that of glibc, that of macOS.
    const char *const names[] = {"", "C.UTF-8", "UTF-8"};
    for (int i = 0; i < 3; i++) {
        locale_t locale = newlocale(LC_CTYPE_MASK, names[i], (locale_t)0);
        if (locale) uselocale(locale);
        if (strcmp(nl_langinfo(CODESET), "UTF-8") == 0) break;
    }
    EditLine *editor = el_init("lifestats", stdin, stdout, stderr);
    if (!editor) return NULL;
    el_set(editor, EL_EDITOR, "emacs");
    el_set(editor, EL_SIGNAL, 1);
    // Ctrl-C is a key, not a signal.
    el_set(editor, EL_SETTY, "-d", "-isig", (char *)NULL);
    return editor;
}

static inline void lifestats_set_prompt(EditLine *editor, char *(*prompt)(EditLine *)) {
    el_set(editor, EL_PROMPT, prompt);
}

static inline void lifestats_set_history(EditLine *editor, History *lines, int most) {
    HistEvent event;
    history(lines, &event, H_SETSIZE, most);
    history(lines, &event, H_SETUNIQUE, 1);
    el_set(editor, EL_HIST, history, lines);
}

static inline void lifestats_add_line(History *lines, const char *line) {
    HistEvent event;
    history(lines, &event, H_ENTER, line);
}

static inline void lifestats_add_command(
    EditLine *editor, const char *name, unsigned char (*command)(EditLine *, int)) {
    el_set(editor, EL_ADDFN, name, name, command);
}

static inline void lifestats_bind(EditLine *editor, const char *key, const char *command) {
    el_set(editor, EL_BIND, key, command, (char *)NULL);
}

#endif
