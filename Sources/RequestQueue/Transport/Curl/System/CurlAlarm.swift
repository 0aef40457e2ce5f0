#if CURL
    import CMappingCurl

    /// Wakes a transport's thread.
    ///
    /// `curl_multi_wakeup` would have to be called under the lock of the inbox, so that the handle still exists; the
    /// thread that wakes then waits for that lock. Whoever rings retains this descriptor instead.
    final class CurlAlarm: Sendable {
        private let descriptor: Int32

        /// Returns `nil` if the system has no free descriptors.
        init?() {
            descriptor = eventfd(0, Int32(EFD_CLOEXEC | EFD_NONBLOCK))
            if descriptor < 0 { return nil }
        }

        deinit { _ = mk_curl_close_socket(descriptor) }

        /// Ends the current or the next wait.
        func ring() { _ = eventfd_write(descriptor, 1) }

        /// Waits for an event of libcurl's sockets, its timer or the alarm, but at most a number of milliseconds.
        func wait(with multi: UnsafeMutableRawPointer, milliseconds: Int32) {
            var event = curl_waitfd(fd: descriptor, events: Int16(CURL_WAIT_POLLIN), revents: 0)
            unsafe curl_multi_poll(multi, &event, 1, milliseconds, nil)
            var count: eventfd_t = 0
            if event.revents != 0 { _ = unsafe eventfd_read(descriptor, &count) }
        }
    }
#endif
