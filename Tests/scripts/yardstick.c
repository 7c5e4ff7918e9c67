/* A bare multi-row insert: what SQLite alone needs for the rows of existing tables.
 *
 * usage: yardstick SOURCE.db OUT.db wal|off TABLE...
 *
 * For each TABLE: reads all rows into memory, untimed; then creates the same columns without constraints in OUT.db and
 * inserts the rows, 200 to a statement, in one transaction. Prints the seconds from the first insert to the commit and
 * the number of rows, both for all tables together.
 */
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { rows_per_statement = 200, most_columns = 64 };

/* One value: an integer, or the place and length of a text; a length of -1 says integer, -2 NULL. */
struct value {
    sqlite3_int64 number;
    int length;
};

/* The rows of one table. */
struct rows {
    struct value *values;
    char *text;
    size_t count, room, text_length, text_room;
    int columns;
};

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

static sqlite3_stmt *insert(sqlite3 *db, const char *table, int columns, int rows) {
    size_t size = 256 + (size_t)rows * (4 + 2 * (size_t)columns);
    char *sql = malloc(size), *end = sql;
    if (!sql) fail(NULL, "insert");
    end += snprintf(end, 256, "insert into \"%s\" values ", table);
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

static void *grown(void *memory, size_t size) {
    void *larger = realloc(memory, size);
    if (!larger) fail(NULL, "read");
    return larger;
}

static struct rows read_rows(sqlite3 *source, const char *table) {
    char sql[512];
    snprintf(sql, sizeof sql, "select * from \"%s\"", table);
    sqlite3_stmt *read = NULL;
    if (sqlite3_prepare_v2(source, sql, -1, &read, NULL) != SQLITE_OK) fail(source, table);
    struct rows rows = {.columns = sqlite3_column_count(read)};
    if (rows.columns > most_columns) fail(NULL, "too many columns");
    while (sqlite3_step(read) == SQLITE_ROW) {
        if (rows.count == rows.room) {
            rows.room = rows.room ? rows.room * 2 : 1 << 12;
            rows.values = grown(rows.values, rows.room * (size_t)rows.columns * sizeof *rows.values);
        }
        for (int column = 0; column < rows.columns; column++) {
            struct value *value = &rows.values[rows.count * (size_t)rows.columns + (size_t)column];
            switch (sqlite3_column_type(read, column)) {
            case SQLITE_NULL: *value = (struct value){0, -2}; break;
            case SQLITE_INTEGER: *value = (struct value){sqlite3_column_int64(read, column), -1}; break;
            default: {
                const unsigned char *text = sqlite3_column_text(read, column);
                int length = sqlite3_column_bytes(read, column);
                while (rows.text_length + (size_t)length > rows.text_room) {
                    rows.text_room = rows.text_room ? rows.text_room * 2 : 1 << 16;
                    rows.text = grown(rows.text, rows.text_room);
                }
                memcpy(rows.text + rows.text_length, text, (size_t)length);
                *value = (struct value){(sqlite3_int64)rows.text_length, length};
                rows.text_length += (size_t)length;
            }
            }
        }
        rows.count++;
    }
    sqlite3_finalize(read);
    return rows;
}

/* Whether the first column alone is the key of a table. */
static int has_plain_key(sqlite3 *source, const char *table) {
    sqlite3_stmt *ask = NULL;
    const char *sql = "select sum(pk) = 1 and max(pk * (cid = 0) * (type = 'INTEGER')) from pragma_table_info(?)";
    if (sqlite3_prepare_v2(source, sql, -1, &ask, NULL) != SQLITE_OK) fail(source, sql);
    sqlite3_bind_text(ask, 1, table, -1, SQLITE_STATIC);
    int answer = sqlite3_step(ask) == SQLITE_ROW && sqlite3_column_int(ask, 0);
    sqlite3_finalize(ask);
    return answer;
}

static void create(sqlite3 *out, const char *table, int columns, int has_key) {
    char sql[4096];
    const char *first = has_key ? "c0 integer primary key" : "c0";
    int length = snprintf(sql, sizeof sql, "create table \"%s\" (%s", table, first);
    for (int column = 1; column < columns; column++)
        length += snprintf(sql + length, sizeof sql - (size_t)length, ", c%d", column);
    snprintf(sql + length, sizeof sql - (size_t)length, ")");
    run(out, sql);
}

static void insert_all(sqlite3 *out, const char *table, const struct rows *rows) {
    sqlite3_stmt *statement = NULL;
    int prepared = 0;
    for (size_t done = 0; done < rows->count;) {
        int now_rows = rows->count - done < rows_per_statement ? (int)(rows->count - done) : rows_per_statement;
        if (prepared != now_rows) {
            sqlite3_finalize(statement);
            statement = insert(out, table, rows->columns, now_rows);
            prepared = now_rows;
        }
        const struct value *value = &rows->values[done * (size_t)rows->columns];
        for (int parameter = 1; parameter <= now_rows * rows->columns; parameter++, value++) {
            if (value->length == -1) sqlite3_bind_int64(statement, parameter, value->number);
            else if (value->length == -2) sqlite3_bind_null(statement, parameter);
            else sqlite3_bind_text(statement, parameter, rows->text + value->number, value->length, SQLITE_STATIC);
        }
        if (sqlite3_step(statement) != SQLITE_DONE) fail(out, "insert");
        sqlite3_reset(statement);
        done += (size_t)now_rows;
    }
    sqlite3_finalize(statement);
}

int main(int count, char **arguments) {
    if (count < 5) {
        fprintf(stderr, "usage: yardstick SOURCE.db OUT.db wal|off TABLE...\n");
        return 64;
    }
    int is_wal = strcmp(arguments[3], "wal") == 0;
    sqlite3 *source = NULL, *out = NULL;
    if (sqlite3_open_v2(arguments[1], &source, SQLITE_OPEN_READONLY, NULL) != SQLITE_OK) fail(source, arguments[1]);
    if (sqlite3_open(arguments[2], &out) != SQLITE_OK) fail(out, arguments[2]);
    run(out, "pragma page_size = 16384");
    run(out, is_wal ? "pragma journal_mode = wal" : "pragma journal_mode = off");
    run(out, is_wal ? "pragma synchronous = normal" : "pragma synchronous = off");
    double seconds = 0;
    size_t total = 0;
    for (int place = 4; place < count; place++) {
        struct rows rows = read_rows(source, arguments[place]);
        create(out, arguments[place], rows.columns, has_plain_key(source, arguments[place]));
        double start = now();
        run(out, "begin");
        insert_all(out, arguments[place], &rows);
        run(out, "commit");
        if (is_wal) run(out, "pragma wal_checkpoint(truncate)");
        seconds += now() - start;
        total += rows.count;
        free(rows.values);
        free(rows.text);
    }
    printf("%.4f %zu\n", seconds, total);
    return 0;
}
