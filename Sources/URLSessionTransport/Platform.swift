// On Linux this folder is a separate module, because importing Foundation's networking doubles the memory of a process.
// On Apple platforms it is a part of RequestQueue, without this file.
@_exported public import Foundation
@_exported public import FoundationNetworking
@_exported public import RequestQueue

@_exported import SystemCalls

#if canImport(VisibleMutex)
    @_exported import VisibleMutex

    // Only with the thread sanitizer, which does not support the locks of the standard library.
    typealias Mutex<Value: ~Copyable> = VisibleMutex<Value>
#endif
