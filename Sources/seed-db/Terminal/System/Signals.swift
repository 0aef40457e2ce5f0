import Dispatch
import Seeder
import Synchronization

/// Makes writes to a closed pipe or beyond a size limit fail, instead of terminating the process.
func ignoreFileSignals() {
    signal(SIGXFSZ, SIG_IGN)
    signal(SIGPIPE, SIG_IGN)
}

/// The pipe by which signals wake the thread that limits the time until the process ends; -1 without one.
private let wakeUp = Atomic<Int32>(-1)

/// Stops a build cleanly on SIGINT, SIGTERM and hangup.
///
/// A build that does not stop within three seconds, or before a second signal, is abandoned: its temporary files are
/// removed, and the process ends.
func handleInterruptions() {
    startWatching()
    for number in [SIGINT, SIGTERM, SIGHUP] {
        var action = sigaction()
        // A signal that the parent process ignores stays ignored.
        guard unsafe sigaction(number, nil, &action) == 0, !action.isIgnored else { continue }
        action = sigaction()
        action.setHandler { number in
            // The interrupted call reports its error after the handler.
            let code = errno
            interruptingSignal.store(number, ordering: .relaxed)
            var byte: UInt8 = 0
            _ = unsafe write(wakeUp.load(ordering: .relaxed), &byte, 1)
            errno = code
        }
        unsafe sigaction(number, &action, nil)
    }
}

private func startWatching() {
    var ends: [Int32] = [-1, -1]
    guard unsafe pipe(&ends) == 0 else { return }
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    wakeUp.store(ends[1], ordering: .relaxed)
    let input = ends[0]
    DispatchQueue.global().async {
        // Signals must interrupt the calls of the build, not those of this thread.
        var signals = sigset_t()
        unsafe sigfillset(&signals)
        _ = unsafe pthread_sigmask(SIG_BLOCK, &signals, nil)
        var byte: UInt8 = 0
        guard unsafe read(input, &byte, 1) == 1 else { return }
        var second = pollfd(fd: input, events: Int16(POLLIN), revents: 0)
        _ = unsafe poll(&second, 1, 3000)
        guard let error = abandonBuilds() else { return }
        printError(text(of: error))
        _exit(error.kind.exitStatus)
    }
}
