// Exports the modules that it combines, so that one import is sufficient.
@_exported public import ObjectMapping
@_exported public import RequestQueue
