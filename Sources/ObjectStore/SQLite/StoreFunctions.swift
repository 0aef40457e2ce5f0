/// SQL functions of the package, for queries only: the schema of a file uses none of them.
enum StoreFunctions {
    static func register(in database: SQLiteDatabase) {}
}
