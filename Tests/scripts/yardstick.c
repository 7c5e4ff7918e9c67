/* A bare multi-row insert: what SQLite alone needs for the rows of an existing table.
 *
 * usage: yardstick SOURCE.db TABLE OUT.db wal|off
 *
 * Reads all rows of TABLE into memory, untimed; then creates the same columns without constraints in OUT.db and
 * inserts the rows, 200 to a statement, in one transaction. Prints the seconds from the first insert to the commit
 * and the number of rows.
 */
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { rows_per_statement = 200, most_columns = 64 };

static void fail(sqlite3 *db, const char *what) {
    fprintf(stderr, "yardstick: %s: %s\n", what, db ? sqlite3_errmsg(db) : "out of memory");
    exit(2);
}

static double now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + (double)time.tv_nsec / 1e9;
}

static void run(sqlite3 *db, const char *sql) {
    if (sqlite3_exec(db, sql, NULL, NULL, NULL) != SQLITE_OK) fail(db, sql);
}

static sqlite3_stmt *insert(sqlite3 *db, int columns, int rows) {
    size_t size = 64 + (size_t)rows * (4 + 2 * (size_t)columns);
    char *sql = malloc(size), *end = sql;
    if (!sql) fail(NULL, "insert");
    end += sprintf(end, "insert into bare values ");
    for (int row = 0; row < rows; row++) {
        *end++ = row ? ',' : ' ';
        *end++ = '(';
        for (int column = 0; column < columns; column++) {
            if (column) *end++ = ',';
            *end++ = '?';
        }
        *end++ = ')';
    }
    *end = 0;
    sqlite3_stmt *statement = NULL;
    if (sqlite3_prepare_v2(db, sql, -1, &statement, NULL) != SQLITE_OK) fail(db, "prepare insert");
    free(sql);
    return statement;
}

int main(int count, char **arguments) {
    if (count != 5) {
        fprintf(stderr, "usage: yardstick SOURCE.db TABLE OUT.db wal|off\n");
        return 64;
    }
    sqlite3 *source = NULL, *out = NULL;
    if (sqlite3_open_v2(arguments[1], &source, SQLITE_OPEN_READONLY, NULL) != SQLITE_OK) fail(source, arguments[1]);
    char sql[4096];
    snprintf(sql, sizeof sql, "select * from \"%s\"", arguments[2]);
    sqlite3_stmt *read = NULL;
    if (sqlite3_prepare_v2(source, sql, -1, &read, NULL) != SQLITE_OK) fail(source, arguments[2]);
    int columns = sqlite3_column_count(read);
    if (columns > most_columns) fail(NULL, "too many columns");

    char create[4096] = "create table bare (";
    for (int column = 0; column < columns; column++) {
        char part[128];
        snprintf(part, sizeof part, "%sc%d integer%s", column ? ", " : "", column, column ? "" : " primary key");
        strcat(create, part);
    }
    strcat(create, ")");

    size_t rows = 0, room = 1 << 16;
    sqlite3_int64 *values = malloc(room * (size_t)columns * sizeof *values);
    unsigned char *nulls = malloc(room * (size_t)columns);
    while (sqlite3_step(read) == SQLITE_ROW) {
        if (rows == room) {
            room *= 2;
            values = realloc(values, room * (size_t)columns * sizeof *values);
            nulls = realloc(nulls, room * (size_t)columns);
        }
        if (!values || !nulls) fail(NULL, "read");
        for (int column = 0; column < columns; column++) {
            size_t place = rows * (size_t)columns + (size_t)column;
            nulls[place] = sqlite3_column_type(read, column) == SQLITE_NULL;
            values[place] = sqlite3_column_int64(read, column);
        }
        rows++;
    }
    sqlite3_finalize(read);
    sqlite3_close(source);

    if (sqlite3_open(arguments[3], &out) != SQLITE_OK) fail(out, arguments[3]);
    if (strcmp(arguments[4], "wal") == 0) {
        run(out, "pragma journal_mode = wal");
        run(out, "pragma synchronous = normal");
    } else {
        run(out, "pragma journal_mode = off");
        run(out, "pragma synchronous = off");
    }
    run(out, create);
    double start = now();
    run(out, "begin");
    size_t done = 0;
    while (done < rows) {
        int now_rows = rows - done < rows_per_statement ? (int)(rows - done) : rows_per_statement;
        static sqlite3_stmt *statement = NULL;
        static int prepared = 0;
        if (prepared != now_rows) {
            sqlite3_finalize(statement);
            statement = insert(out, columns, now_rows);
            prepared = now_rows;
        }
        int parameter = 1;
        for (size_t place = done * (size_t)columns; place < (done + (size_t)now_rows) * (size_t)columns; place++) {
            if (nulls[place]) sqlite3_bind_null(statement, parameter++);
            else sqlite3_bind_int64(statement, parameter++, values[place]);
        }
        if (sqlite3_step(statement) != SQLITE_DONE) fail(out, "insert");
        sqlite3_reset(statement);
        done += (size_t)now_rows;
    }
    run(out, "commit");
    if (strcmp(arguments[4], "wal") == 0) run(out, "pragma wal_checkpoint(truncate)");
    printf("%.4f %zu\n", now() - start, rows);
    free(values);
    free(nulls);
    return 0;
}
