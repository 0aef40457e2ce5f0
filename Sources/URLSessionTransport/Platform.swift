// On Linux this folder is a module of its own, because Foundation's networking doubles the memory of a process: who
// does not import it does not pay. On Apple platforms it is a part of RequestQueue, without this file.
@_exported public import Foundation
@_exported public import FoundationNetworking
@_exported public import RequestQueue

@_exported import SystemCalls

#if canImport(VisibleMutex)
    @_exported import VisibleMutex

    // Only under the thread sanitizer, which does not see the locks of Swift's own.
    typealias Mutex<Value: ~Copyable> = VisibleMutex<Value>
#endif
