/// What happens between a store and its remote.
public enum RemoteEvent: Sendable {
    /// A fetch is about to be sent.
    case willFetch(RemoteFetch)
    /// The objects of a fetch are in the file, or it failed.
    case didFetch(RemoteFetch, Result<[ObjectID], any Error>)
    /// The values of an object, or the objects of one of its relationships, are about to be read.
    case willLoad(ObjectID, relationship: String?)
    /// The values of an object, or the objects of one of its relationships, are in the file, or the read failed.
    case didLoad(ObjectID, relationship: String?, Result<[ObjectID], any Error>)
    /// A change is about to be sent.
    case willSave(RemoteChange)
    /// A change has an outcome.
    case didSave(RemoteChange, ObjectOutcome)
    /// Objects were removed because a complete answer did not have them; in a dry run, they would have been.
    case didPrune([ObjectID], isDryRun: Bool)
    /// Nothing was removed, although the policy of a fetch asks for it: such as because it has conditions, or because the remote
    /// does not declare its answer as complete.
    case didNotPrune(RemoteFetch, PruningReport.Refusal)
    /// Nothing was removed, because a complete answer did not have too many objects.
    case didRefusePruning(count: Int, of: Int)
}
