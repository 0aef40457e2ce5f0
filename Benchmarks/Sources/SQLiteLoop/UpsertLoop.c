#include "UpsertLoop.h"

#include <sqlite3.h>
#include <stdlib.h>
#include <string.h>

enum { STATEMENTS = 8 };

struct upsert_file {
    sqlite3 *database;
    sqlite3_stmt *statements[STATEMENTS];
};

typedef struct {
    int type, size;
    union {
        int64_t integer;
        double real;
        char *text;
    } as;
} value;

struct upsert_rows {
    size_t columns, count;
    value *values;
};

int upsert_file_open(const char *path, upsert_file **opened) {
    upsert_file *file = calloc(1, sizeof *file);
    *opened = file;
    int code = sqlite3_open_v2(path, &file->database, SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX, NULL);
    if (code) return code;
    return upsert_file_run(
        file, "PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; PRAGMA foreign_keys = OFF; "
              "PRAGMA cache_size = -8192");
}

void upsert_file_close(upsert_file *file) {
    for (int index = 0; index < STATEMENTS; index++) sqlite3_finalize(file->statements[index]);
    sqlite3_close(file->database);
    free(file);
}

int upsert_file_run(upsert_file *file, const char *sql) { return sqlite3_exec(file->database, sql, NULL, NULL, NULL); }

// Returns the compiled statement of a text.
static int statement_of(upsert_file *file, const char *sql, sqlite3_stmt **found) {
    for (int index = 0; index < STATEMENTS; index++) {
        sqlite3_stmt **statement = &file->statements[index];
        if (!*statement) {
            int code = sqlite3_prepare_v2(file->database, sql, -1, statement, NULL);
            if (code) return code;
        }
        *found = *statement;
        if (!strcmp(sqlite3_sql(*statement), sql)) return 0;
    }
    return SQLITE_FULL;
}

static value read_value(sqlite3_stmt *statement, int column) {
    value read = {.type = sqlite3_column_type(statement, column)};
    switch (read.type) {
    case SQLITE_INTEGER: read.as.integer = sqlite3_column_int64(statement, column); break;
    case SQLITE_FLOAT: read.as.real = sqlite3_column_double(statement, column); break;
    case SQLITE_TEXT: {
        const unsigned char *text = sqlite3_column_text(statement, column);
        read.size = sqlite3_column_bytes(statement, column);
        read.as.text = memcpy(malloc((size_t)read.size + 1), text, (size_t)read.size + 1);
        break;
    }
    }
    return read;
}

int upsert_file_read(upsert_file *file, const char *sql, const char *text, size_t size, upsert_rows **rows) {
    upsert_rows *read = calloc(1, sizeof *read);
    *rows = read;
    sqlite3_stmt *statement;
    int code = sqlite3_prepare_v2(file->database, sql, -1, &statement, NULL);
    if (code) return code;
    sqlite3_bind_text64(statement, 1, text, size, SQLITE_STATIC, SQLITE_UTF8);
    read->columns = (size_t)sqlite3_column_count(statement);
    size_t capacity = 0;
    while ((code = sqlite3_step(statement)) == SQLITE_ROW) {
        if (read->count == capacity) {
            capacity = capacity ? capacity * 2 : 64;
            read->values = realloc(read->values, capacity * read->columns * sizeof(value));
        }
        for (size_t column = 0; column < read->columns; column++)
            read->values[read->count * read->columns + column] = read_value(statement, (int)column);
        read->count++;
    }
    sqlite3_finalize(statement);
    return code == SQLITE_DONE ? 0 : code;
}

size_t upsert_rows_count(const upsert_rows *rows) { return rows->count; }

void upsert_rows_free(upsert_rows *rows) {
    for (size_t index = 0; index < rows->count * rows->columns; index++)
        if (rows->values[index].type == SQLITE_TEXT) free(rows->values[index].as.text);
    free(rows->values);
    free(rows);
}

int upsert_file_write(upsert_file *file, const char *sql, const upsert_rows *rows) {
    sqlite3_stmt *statement;
    int code = statement_of(file, sql, &statement);
    const value *next = rows->values;
    for (size_t row = 0; !code && row < rows->count; row++) {
        for (int column = 1; column <= (int)rows->columns; column++, next++) {
            switch (next->type) {
            case SQLITE_INTEGER: sqlite3_bind_int64(statement, column, next->as.integer); break;
            case SQLITE_FLOAT: sqlite3_bind_double(statement, column, next->as.real); break;
            case SQLITE_TEXT: sqlite3_bind_text(statement, column, next->as.text, next->size, SQLITE_STATIC); break;
            default: sqlite3_bind_null(statement, column);
            }
        }
        sqlite3_step(statement);
        code = sqlite3_reset(statement);
    }
    return code;
}

// FNV-1a.
static void add(uint64_t *checksum, const void *bytes, size_t count) {
    for (const unsigned char *byte = bytes; count--; byte++) *checksum = (*checksum ^ *byte) * 0x100000001b3;
}

int upsert_file_checksum(upsert_file *file, const char *sql, uint64_t *checksum) {
    sqlite3_stmt *statement;
    int code = sqlite3_prepare_v2(file->database, sql, -1, &statement, NULL);
    if (code) return code;
    int columns = sqlite3_column_count(statement);
    while ((code = sqlite3_step(statement)) == SQLITE_ROW) {
        for (int column = 0; column < columns; column++) {
            int type = sqlite3_column_type(statement, column);
            add(checksum, &type, sizeof type);
            const unsigned char *text = sqlite3_column_text(statement, column);
            if (text) add(checksum, text, (size_t)sqlite3_column_bytes(statement, column));
        }
    }
    sqlite3_finalize(statement);
    return code == SQLITE_DONE ? 0 : code;
}
