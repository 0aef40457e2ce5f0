/// What a store does after its last element.
package enum FinishingStage: Sendable {
    case indexing, wiring
}
