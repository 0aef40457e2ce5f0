#if canImport(UIKit) && !os(watchOS)
    import UIKit

    /// Tells a life cycle what becomes of the application, and asks for time while requests go on in the background.
    @MainActor final class UIKitLifecycle {
        private let lifecycle: ApplicationLifecycle
        private var task = UIBackgroundTaskIdentifier.invalid

        private init(_ lifecycle: ApplicationLifecycle) { self.lifecycle = lifecycle }

        /// Begins soon, on the main thread; the observers keep it for as long as the application runs.
        nonisolated static func drive(_ lifecycle: ApplicationLifecycle) {
            guard !isExtension else { return }
            Task { @MainActor in UIKitLifecycle(lifecycle).observe() }
        }

        /// An extension has no application; the system suspends it without notice.
        private nonisolated static var isExtension: Bool { Bundle.main.bundlePath.hasSuffix(".appex") }

        /// Found by its name, as extensions may not be compiled with the property; nil in an extension.
        private var application: UIApplication? {
            Self.isExtension ? nil : UIApplication.value(forKeyPath: "sharedApplication") as? UIApplication
        }

        private func observe() {
            let center = NotificationCenter.default
            // Without a queue they are called on the thread that posts, which is the main one.
            center.addObserver(forName: UIApplication.didEnterBackgroundNotification, object: nil, queue: nil) { _ in
                MainActor.assumeIsolated { self.enterBackground() }
            }
            center.addObserver(forName: UIApplication.willEnterForegroundNotification, object: nil, queue: nil) { _ in
                MainActor.assumeIsolated { self.enterForeground() }
            }
            if application?.applicationState == .background { enterBackground() }
        }

        private func enterBackground() {
            // The system counts the time from here: it ends what is not ended by then.
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
