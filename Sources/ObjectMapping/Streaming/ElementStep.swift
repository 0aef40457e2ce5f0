/// What a step of an `ElementReader` came to.
enum ElementStep {
    /// A model, which is to be taken.
    case made
    case rejected(RejectedElement)
    /// More of a text that is given bit by bit is needed.
    case starved
    case end
}
