#if canImport(UIKit) && !os(watchOS)
    import UIKit

    /// Reports the state of the application to a life cycle, and requests background time while requests continue.
    @MainActor final class UIKitLifecycle {
        private let lifecycle: ApplicationLifecycle
        private var task = UIBackgroundTaskIdentifier.invalid

        private init(_ lifecycle: ApplicationLifecycle) { self.lifecycle = lifecycle }

        /// Starts asynchronously on the main thread; the notification observers retain the object.
        nonisolated static func drive(_ lifecycle: ApplicationLifecycle) {
            guard !isExtension else { return }
            Task { @MainActor in UIKitLifecycle(lifecycle).observe() }
        }

        /// An extension has no application; the system suspends it without notice.
        private nonisolated static var isExtension: Bool { Bundle.main.bundlePath.hasSuffix(".appex") }

        /// Found by name, because code with the property cannot be compiled for extensions; `nil` in an extension.
        private var application: UIApplication? {
            Self.isExtension ? nil : UIApplication.value(forKeyPath: "sharedApplication") as? UIApplication
        }

        private func observe() {
            let center = NotificationCenter.default
            // Without a queue the blocks are called on the posting thread, which is the main thread.
            center.addObserver(forName: UIApplication.didEnterBackgroundNotification, object: nil, queue: nil) { _ in
                MainActor.assumeIsolated { self.enterBackground() }
            }
            center.addObserver(forName: UIApplication.willEnterForegroundNotification, object: nil, queue: nil) { _ in
                MainActor.assumeIsolated { self.enterForeground() }
            }
            if application?.applicationState == .background { enterBackground() }
        }

        private func enterBackground() {
            // The background time starts here: the system terminates the process if the task is not ended in time.
            if task == .invalid, let application {
                task = application.beginBackgroundTask(withName: "RequestQueue") {
                    MainActor.assumeIsolated {
                        self.lifecycle.expireBackgroundTime()
                        self.endTask()
                    }
                }
            }
            lifecycle.enterBackground()
            lifecycle.whenIdle { Task { @MainActor in if self.lifecycle.isInBackground { self.endTask() } } }
        }

        private func enterForeground() {
            lifecycle.enterForeground()
            endTask()
        }

        private func endTask() {
            guard task != .invalid else { return }
            application?.endBackgroundTask(task)
            task = .invalid
        }
    }
#endif
