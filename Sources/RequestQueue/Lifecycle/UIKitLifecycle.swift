#if canImport(UIKit) && !os(watchOS)
    import UIKit

    /// Reports the state of the application to a life cycle, and requests background time while requests continue.
    @MainActor final class UIKitLifecycle {
        private let lifecycle: ApplicationLifecycle
        private var task = UIBackgroundTaskIdentifier.invalid
        private init(_ lifecycle: ApplicationLifecycle) { self.lifecycle = lifecycle }

        /// Starts asynchronously on the main thread; the notification observers retain the object.
        nonisolated static func drive(_ lifecycle: ApplicationLifecycle) {
            Task { @MainActor in UIKitLifecycle(lifecycle).observe() }
        }

        /// Found by name, because extensions cannot compile `shared`; `nil` there: they are suspended without notice.
        private var application: UIApplication? {
            guard !Bundle.main.bundlePath.hasSuffix(".appex") else { return nil }
            return UIApplication.value(forKeyPath: "sharedApplication") as? UIApplication
        }

        private func observe() {
            follow(UIApplication.didEnterBackgroundNotification, enterBackground)
            // An app that was launched in the background can become active without the first of these notifications.
            for name in [UIApplication.willEnterForegroundNotification, UIApplication.didBecomeActiveNotification] {
                follow(name) {
                    self.lifecycle.enterForeground()
                    self.endTask()
                }
            }
            if application?.applicationState == .background { enterBackground() }
        }

        private func follow(_ name: Notification.Name, _ handle: @escaping @MainActor () -> Void) {
            // Without a queue the block is called on the posting thread, which is the main thread.
            _ = NotificationCenter.default.addObserver(forName: name, object: nil, queue: nil) { _ in
                MainActor.assumeIsolated(handle)
            }
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

        private func endTask() {
            if task != .invalid { application?.endBackgroundTask(task) }
            task = .invalid
        }
    }
#endif
