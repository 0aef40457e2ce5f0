import Dispatch
import Seeder
import Synchronization

/// Makes writes to a closed pipe or beyond a size limit fail, instead of terminating the process.
func ignoreFileSignals() {
    signal(SIGXFSZ, SIG_IGN)
    signal(SIGPIPE, SIG_IGN)
}

/// The number of signals so far.
private let signalCount = Atomic(0)

/// Stops a build cleanly on SIGINT, SIGTERM and hangup.
///
/// A build that does not stop within three seconds, or before a second signal, is abandoned: its temporary files are
/// removed, and the process ends.
func handleInterruptions() {
    // The handler must not initialize it.
    signalCount.store(0, ordering: .relaxed)
    for number in [SIGINT, SIGTERM, SIGHUP] {
        var action = sigaction()
        // A signal that the parent process ignores stays ignored.
        guard unsafe sigaction(number, nil, &action) == 0, !action.isIgnored else { continue }
        action = sigaction()
        action.setHandler { number in
            interruptingSignal.store(number, ordering: .relaxed)
            signalCount.wrappingAdd(1, ordering: .relaxed)
        }
        unsafe sigaction(number, &action, nil)
    }
    DispatchQueue.global().async(execute: abandonLateBuilds)
}

/// Waits for signals; it polls, because a signal handler can only change atomics.
private func abandonLateBuilds() {
    let interval: UInt32 = 50_000
    var waited = 0
    while signalCount.load(ordering: .relaxed) < 2, waited < 3_000_000 {
        usleep(interval)
        if signalCount.load(ordering: .relaxed) > 0 { waited += Int(interval) }
    }
    guard let error = abandonBuilds() else { return }
    printError(text(of: error))
    _exit(error.kind.exitStatus)
}
