import Foundation
import RequestQueue
import TestSupport

/// Prints the reports of observers of some hosts, as `milliseconds host state`, until it is killed; as the user nobody,
/// if it is root, because observers need no privileges.
func watch(_ hosts: some Sequence<String>) async {
    if getuid() == 0 {
        let nobody: uid_t = 65534
        guard setgroups(0, nil) == 0, setgid(nobody) == 0, setuid(nobody) == 0 else {
            print("still root")
            exit(1)
        }
    }
    print("uid \(getuid())")
    let parent = getppid()
    await withTaskGroup(of: Void.self) { group in
        // A test that was killed cannot terminate this process.
        group.addTask {
            while getppid() == parent, (try? await Task.sleep(for: .seconds(1))) != nil {}
            exit(1)
        }
        for host in hosts {
            let changes = ReachabilityObserver(host: host).changes
            group.addTask {
                for await state in changes {
                    print(monotonicMilliseconds(), host, state)
                    fflush(nil)
                }
            }
        }
    }
}
