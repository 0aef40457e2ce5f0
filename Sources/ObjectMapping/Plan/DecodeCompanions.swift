/// What takes part in a decode beside the plan.
///
/// Only decodes that use one of them have any.
final class DecodeCompanions {
    // Exclusivity unchecked: they belong to one decode and no access outlasts a call.
    /// Where models are registered, if the plan does that.
    @safe @exclusivity(unchecked) fileprivate(set) var session: SessionDecode?
    /// What receives the steps of the decode for an explanation.
    @safe @exclusivity(unchecked) fileprivate(set) var trace: Trace?
    /// The memory of a model that existed before the decode: values that it has already are not written.
    @safe @exclusivity(unchecked) fileprivate(set) var updated: Memory?
}

extension PlanReader {
    var session: SessionDecode? {
        get { companions?.session }
        set { if newValue != nil || companions != nil { accompanied().session = newValue } }
    }

    var trace: Trace? {
        get { companions?.trace }
        set { if newValue != nil || companions != nil { accompanied().trace = newValue } }
    }

    var updated: Memory? {
        get { companions?.updated }
        set { if newValue != nil || companions != nil { accompanied().updated = newValue } }
    }

    private mutating func accompanied() -> DecodeCompanions {
        if let companions { return companions }
        let new = DecodeCompanions()
        companions = new
        return new
    }
}
