#if canImport(Darwin)
    extension FileSystem {
        /// Renames a file, unless a file with the new name exists; returns false on failure.
        ///
        /// A second link that is removed would invalidate connections of Apple's SQLite that were opened meanwhile.
        package static func moveExclusively(_ path: String, to other: String) -> Bool {
            unsafe renamex_np(path, other, UInt32(RENAME_EXCL)) == 0
        }
    }
#else
    extension FileSystem {
        /// Renames a file, unless a file with the new name exists; returns false on failure.
        package static func moveExclusively(_ path: String, to other: String) -> Bool {
            guard unsafe link(path, other) == 0 else { return false }
            remove(path)
            return true
        }
    }
#endif
