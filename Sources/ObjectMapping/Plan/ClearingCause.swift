/// Why a property may be cleared.
enum ClearingCause {
    /// Its key is there, with null.
    case null
    /// Its key is not there.
    case absence
}
