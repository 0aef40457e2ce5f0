import Seeder
import Synchronization

/// Makes writes to a closed pipe or beyond a size limit fail, instead of terminating the process.
func ignoreFileSignals() {
    signal(SIGXFSZ, SIG_IGN)
    signal(SIGPIPE, SIG_IGN)
}

/// Stops a build cleanly on SIGINT, SIGTERM and hangup; a second signal terminates the process immediately.
func handleInterruptions() {
    for number in [SIGINT, SIGTERM, SIGHUP] {
        var action = sigaction()
        // A signal that the parent process ignores stays ignored.
        guard unsafe sigaction(number, nil, &action) == 0, !action.isIgnored else { continue }
        action = sigaction()
        action.setHandler { interruptingSignal.store($0, ordering: .relaxed) }
        action.sa_flags = Int32(bitPattern: UInt32(truncatingIfNeeded: SA_RESETHAND))
        unsafe sigaction(number, &action, nil)
    }
}
