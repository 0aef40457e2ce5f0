// The files of RequestQueue in `Transport/URLSession` as a separate module, for tests on Linux: Foundation's networking
// doubles the memory of a process, so RequestQueue does not link it there. On Apple platforms, this module is empty.
#if URLSESSION
    @_exported public import Foundation
    @_exported public import FoundationNetworking
    @_exported public import RequestQueue

    @_exported import MappingSystemCalls

    #if canImport(VisibleMutex)
        @_exported import VisibleMutex

        // Only under the thread sanitizer, which does not see the locks of Swift's own.
        typealias Mutex<Value: ~Copyable> = VisibleMutex<Value>
    #endif
#endif
