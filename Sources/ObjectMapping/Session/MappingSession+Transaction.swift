extension MappingSession {
    /// Runs several decodes that succeed or fail together: connections are made after the last one.
    func transaction<Value>(_ body: () throws(MappingError) -> Value) throws(MappingError) -> Value {
        let outer = transaction
        let decode = SessionDecode(self)
        transaction = decode
        let result = Result { () throws(MappingError) in try body() }
        transaction = outer
        switch result {
        case .success: decode.commit()
        case .failure: decode.rollback()
        }
        return try result.get()
    }
}
