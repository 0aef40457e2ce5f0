/// The stages after the last element.
package enum FinishingStage: Sendable {
    case indexing, wiring
}
