/* The yardstick of `make bench`: the least that any program must do that turns a dense log into a SQLite database.
 *
 * usage: yardstick OUT.db LOG...
 *
 * Finds the app delegate's callback in each line of NSLog's layout, parses pid and time, and stores one row of four
 * integers for each: file, pid, callback, time in nanoseconds. 200 rows to a statement, one transaction, WAL. Prints the
 * number of rows.
 */
#define _GNU_SOURCE
#include <fcntl.h>
#include <sqlite3.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { rows_per_statement = 200, columns = 4, chunk = 1 << 20 };

static const char *const names[] = {
    "willFinishLaunchingWithOptions", "didFinishLaunchingWithOptions", "applicationDidBecomeActive",
    "applicationWillResignActive", "applicationDidEnterBackground", "applicationWillEnterForeground",
    "applicationWillTerminate",
};
static size_t lengths[sizeof names / sizeof *names];

static sqlite3 *db;
static sqlite3_stmt *insert;
static sqlite3_int64 waiting[rows_per_statement * columns];
static int count;
static long long total;

static void fail(const char *what) {
    fprintf(stderr, "yardstick: %s: %s\n", what, db ? sqlite3_errmsg(db) : "failed");
    exit(2);
}

static void run(const char *sql) {
    if (sqlite3_exec(db, sql, NULL, NULL, NULL) != SQLITE_OK) fail(sql);
}

static sqlite3_stmt *prepare(int rows) {
    char sql[64 + rows_per_statement * 16], *end = sql + sprintf(sql, "insert into event values ");
    for (int row = 0; row < rows; row++) end += sprintf(end, "%s(?,?,?,?)", row ? "," : "");
    sqlite3_stmt *statement = NULL;
    if (sqlite3_prepare_v2(db, sql, -1, &statement, NULL) != SQLITE_OK) fail(sql);
    return statement;
}

static void flush(sqlite3_stmt *statement, int rows) {
    for (int value = 0; value < rows * columns; value++) sqlite3_bind_int64(statement, value + 1, waiting[value]);
    if (sqlite3_step(statement) != SQLITE_DONE) fail("insert");
    sqlite3_reset(statement);
    total += rows;
    count = 0;
}

static int digits(const char *text, int length) {
    int number = 0;
    for (int place = 0; place < length; place++) number = number * 10 + (text[place] - '0');
    return number;
}

/* Days since 1970 of a Gregorian date. */
static int64_t days(int year, int month, int day) {
    year -= month <= 2;
    int era = year / 400, of_era = year - era * 400;
    int of_year = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1;
    return era * 146097LL + of_era * 365LL + of_era / 4 - of_era / 100 + of_year - 719468;
}

static int64_t time_of(const char *line, const char *end) {
    int64_t seconds = days(digits(line, 4), digits(line + 5, 2), digits(line + 8, 2)) * 86400
        + digits(line + 11, 2) * 3600 + digits(line + 14, 2) * 60 + digits(line + 17, 2);
    int64_t fraction = 0, unit = 1000000000;
    const char *at = line + 20;
    for (; at < end && *at >= '0' && *at <= '9'; at++) fraction = fraction * 10 + (*at - '0'), unit /= 10;
    if (at + 5 <= end && (*at == '+' || *at == '-'))
        seconds -= (*at == '-' ? -1 : 1) * (digits(at + 1, 2) * 3600 + digits(at + 3, 2) * 60);
    return seconds * 1000000000 + fraction * unit;
}

static int callback_in(const char *at, const char *end) {
    for (; at < end; at++) {
        if (*at != 'a' && *at != 'd' && *at != 'w') continue;
        for (int name = 0; name < (int)(sizeof names / sizeof *names); name++)
            if ((size_t)(end - at) >= lengths[name] && memcmp(at, names[name], lengths[name]) == 0) return name;
    }
    return -1;
}

static void read_line(int file, const char *line, const char *end) {
    if (end - line < 24 || line[19] != '.') return;
    const char *bracket = memchr(line + 20, '[', (size_t)(end - line) - 20);
    if (!bracket) return;
    int pid = 0;
    const char *at = bracket + 1;
    for (; at < end && *at >= '0' && *at <= '9'; at++) pid = pid * 10 + (*at - '0');
    int callback = callback_in(at, end);
    if (callback < 0) return;
    sqlite3_int64 *row = waiting + count * columns;
    row[0] = file;
    row[1] = pid;
    row[2] = callback;
    row[3] = time_of(line, end);
    if (++count == rows_per_statement) flush(insert, count);
}

static void read_file(int file, const char *path) {
    static char bytes[chunk + (1 << 16)];
    int descriptor = open(path, O_RDONLY);
    if (descriptor < 0) fail(path);
    size_t kept = 0;
    ssize_t got;
    while ((got = read(descriptor, bytes + kept, chunk)) > 0) {
        const char *end = bytes + kept + got, *line = bytes, *next;
        while ((next = memchr(line, '\n', (size_t)(end - line)))) {
            read_line(file, line, next);
            line = next + 1;
        }
        kept = (size_t)(end - line);
        if (kept > 1 << 16) kept = 0;
        memmove(bytes, line, kept);
    }
    read_line(file, bytes, bytes + kept);
    close(descriptor);
}

int main(int argument_count, char **arguments) {
    if (argument_count < 3) {
        fprintf(stderr, "usage: yardstick OUT.db LOG...\n");
        return 64;
    }
    for (size_t name = 0; name < sizeof names / sizeof *names; name++) lengths[name] = strlen(names[name]);
    if (sqlite3_open(arguments[1], &db) != SQLITE_OK) fail(arguments[1]);
    run("pragma journal_mode = wal; pragma synchronous = normal;"
        "create table event (file integer, pid integer, callback integer, time integer); begin");
    insert = prepare(rows_per_statement);
    for (int file = 2; file < argument_count; file++) read_file(file - 2, arguments[file]);
    if (count) {
        sqlite3_stmt *rest = prepare(count);
        flush(rest, count);
        sqlite3_finalize(rest);
    }
    sqlite3_finalize(insert);
    run("commit");
    sqlite3_close(db);
    printf("%lld\n", total);
    return 0;
}
