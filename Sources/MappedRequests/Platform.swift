// What the module joins comes with it: one import is enough.
@_exported public import ObjectMapping
@_exported public import RequestQueue
