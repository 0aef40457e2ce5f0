import CMappingSQLite
import ObjectMapping

/// SQL functions of the package, for queries only: the schema of a file does not use them.
///
/// Texts are folded and matched, and decimals compared, by the code that evaluates queries in memory.
enum StoreFunctions {
    /// The collation of decimals.
    static let decimal = "mappingkit_decimal"
    /// The function `mappingkit_fold(text, folding)`.
    static let fold = "mappingkit_fold"
    /// The function `mappingkit_like(text, pattern)`.
    static let like = "mappingkit_like"
    /// The function `mappingkit_matches(text, pattern, folding)`.
    static let matches = "mappingkit_matches"
    /// The function `mappingkit_value(values, index)` of ``PackedValues``.
    static let value = "mappingkit_value"
    /// The function `mappingkit_count(list)`.
    static let count = "mappingkit_count"
    /// The function `mappingkit_contains(list, element, isDecimal)`.
    static let contains = "mappingkit_contains"

    static func register(in database: SQLiteDatabase) {
        unsafe sqlite3_create_collation_v2(
            database.handle, decimal, SQLITE_UTF8, nil,
            { _, count, first, otherCount, second in
                let a = unsafe UnsafeRawBufferPointer(start: first, count: Int(count))
                let b = unsafe UnsafeRawBufferPointer(start: second, count: Int(otherCount))
                return unsafe Int32(DecimalText.compare(a, b))
            }, nil)
        register(fold, 2, in: database) { call in
            guard let text = call.text(0) else { return }
            call.setResult(.text(call.folding(1).fold(text)))
        }
        register(like, 2, in: database) { call in
            guard let text = call.text(0), let pattern = call.text(1) else { return }
            call.setMatch(text, .like, pattern, [])
        }
        register(matches, 3, in: database) { call in
            guard let text = call.text(0), let pattern = call.text(1) else { return }
            call.setMatch(text, .matches, pattern, call.folding(2))
        }
        register(value, 2, in: database) { call in call.setResult(call.packedValue(0, at: call.integer(1))) }
        register(count, 1, in: database) { call in
            guard let count = call.text(0).flatMap(ListText.count) else { return }
            call.setResult(.integer(Int64(count)))
        }
        register(contains, 3, in: database) { call in
            guard let list = call.text(0), let element = call.text(1) else { return }
            call.setResult(.integer(ListText.contains(list, element, isDecimal: call.integer(2) != 0) ? 1 : 0))
        }
    }

    /// Registers a function; if `body` does not set a result, it is null.
    private static func register(
        _ name: String, _ count: Int32, in database: SQLiteDatabase, _ body: @escaping (FunctionCall) -> Void
    ) {
        let function = unsafe Unmanaged.passRetained(Function(body)).toOpaque()
        // SQLite releases the function with the connection, or immediately if it cannot be registered.
        unsafe sqlite3_create_function_v2(
            database.handle, name, count, SQLITE_UTF8 | SQLITE_DETERMINISTIC, function,
            { context, _, values in
                guard let data = unsafe sqlite3_user_data(context) else { return }
                let function = unsafe Unmanaged<Function>.fromOpaque(data).takeUnretainedValue()
                function.body(unsafe FunctionCall(context: context, values: values, patterns: function.patterns))
            }, nil, nil,
            { data in
                if let data = unsafe data { unsafe Unmanaged<Function>.fromOpaque(data).release() }
            })
    }

    private final class Function {
        let body: (FunctionCall) -> Void
        let patterns = TextPatterns()

        init(_ body: @escaping (FunctionCall) -> Void) { self.body = body }
    }
}

/// A call of an SQL function.
///
/// Safe: it is passed only to the body of a function, which does not store it; SQLite checks types, and the bodies use
/// only registered arguments.
@safe private struct FunctionCall {
    let context: OpaquePointer?
    let values: UnsafeMutablePointer<OpaquePointer?>?
    let patterns: TextPatterns

    private func column(_ index: Int) -> SQLiteColumn { unsafe SQLiteColumn(value: values?[index]) }

    /// Returns a text argument; `nil` for null.
    func text(_ index: Int) -> String? {
        let column = column(index)
        return column.kind == .null ? nil : column.text
    }

    func integer(_ index: Int) -> Int { Int(truncatingIfNeeded: column(index).integer) }

    func folding(_ index: Int) -> TextFolding { TextFolding(rawValue: UInt8(truncatingIfNeeded: integer(index))) }

    /// Returns a value of packed values.
    func packedValue(_ index: Int, at position: Int) -> StoredValue {
        unsafe PackedValues.value(at: position, in: column(index).bytes)
    }

    func setResult(_ value: StoredValue) {
        // SQLITE_TRANSIENT, a macro that Swift cannot import: the bytes are copied.
        let copy = unsafe unsafeBitCast(-1, to: sqlite3_destructor_type.self)
        switch value {
        case .null: break
        case .integer(let value): unsafe sqlite3_result_int64(context, value)
        case .real(let value): unsafe sqlite3_result_double(context, value)
        case .text(var text):
            text.withUTF8 { bytes in
                let start = unsafe UnsafeRawPointer(bytes.baseAddress)?.assumingMemoryBound(to: CChar.self)
                unsafe sqlite3_result_text64(context, start, UInt64(bytes.count), copy, UInt8(SQLITE_UTF8))
            }
        // A null pointer would be NULL, not the empty blob.
        case .blob([]): unsafe sqlite3_result_zeroblob(context, 0)
        case .blob(let blob):
            unsafe blob.withUnsafeBytes {
                unsafe sqlite3_result_blob64(context, $0.baseAddress, UInt64($0.count), copy)
            }
        }
    }

    func setMatch(_ text: String, _ test: QueryTextTest, _ pattern: String, _ folding: TextFolding) {
        do {
            let pattern = try patterns.pattern(test, pattern, folding)
            setResult(.integer(pattern.matches(text) ? 1 : 0))
        } catch {
            unsafe sqlite3_result_error(context, error.message, -1)
        }
    }
}
