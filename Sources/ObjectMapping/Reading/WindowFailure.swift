/// Why a window has no more of its text.
enum WindowFailure: Error {
    /// The text is given bit by bit, and more of it must be given first.
    case starved
    /// What must be kept fills all the memory that there may be.
    case full
}
