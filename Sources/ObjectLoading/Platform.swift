// Exports the modules that it combines, so that one import is sufficient.
@_exported public import MappedRequests
@_exported public import ObjectStore
