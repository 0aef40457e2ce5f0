extension Payload {
    /// Calls a closure with the payload; records that it reads are persisted, and keep their part of the text.
    func readRecords<Value>(
        _ read: (Payload) throws(MappingError) -> Value
    ) throws(MappingError) -> Value {
        let result = KnownAttributes.$response.withValue(text) {
            Result { () throws(MappingError) in try read(self) }
        }
        return try result.get()
    }
}
