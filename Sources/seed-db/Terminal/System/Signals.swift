import Seeder
import Synchronization

/// Makes writes beyond a limit of size or to a closed pipe fail instead of ending the process.
func ignoreFileSignals() {
    signal(SIGXFSZ, SIG_IGN)
    signal(SIGPIPE, SIG_IGN)
}

/// Lets SIGINT, SIGTERM and the end of a terminal stop a build tidily; a second one ends the process at once.
func catchInterruptions() {
    for number in [SIGINT, SIGTERM, SIGHUP] {
        var action = sigaction()
        // Who started the process ignoring the signal wants it ignored.
        guard unsafe sigaction(number, nil, &action) == 0, !action.isIgnored else { continue }
        action = sigaction()
        action.setHandler { interruptingSignal.store($0, ordering: .relaxed) }
        action.sa_flags = Int32(bitPattern: UInt32(truncatingIfNeeded: SA_RESETHAND))
        unsafe sigaction(number, &action, nil)
    }
}
