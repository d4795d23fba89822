#if canImport(Glibc)
    package import Glibc
#elseif canImport(Musl)
    package import Musl
#elseif canImport(Darwin)
    package import Darwin
#endif

extension FileRegion {
    /// Opens the file for an upload, without blocking: a named pipe would block until another process opens it.
    ///
    /// The caller closes the descriptor.
    ///
    /// - Returns: The descriptor and the time of the last modification.
    /// - Throws: ``TransportError/Code/bodyFailed`` for a file that cannot be opened or is not a regular one,
    ///   ``TransportError/Code/bodyLengthMismatch`` for one that is too short.
    package func openRegularFile(for origin: Origin) throws(TransportError) -> (descriptor: Int32, modified: timespec) {
        // Checked before the file is opened: opening a device can have side effects.
        var status = stat()
        guard stat(path, &status) == 0 else { throw openFailure("cannot be opened: \(Self.text(errno))", origin) }
        try checkKind(status, origin)
        let flags = O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY
        #if canImport(Glibc)
            let descriptor = Glibc.open(path, flags)
        #elseif canImport(Musl)
            let descriptor = Musl.open(path, flags)
        #else
            let descriptor = Darwin.open(path, flags)
        #endif
        guard descriptor >= 0 else { throw openFailure("cannot be opened: \(Self.text(errno))", origin) }
        do throws(TransportError) {
            guard fstat(descriptor, &status) == 0 else {
                throw openFailure("cannot be read: \(Self.text(errno))", origin)
            }
            // The path may name another file by now.
            try checkKind(status, origin)
            let (end, overflow) = offset.addingReportingOverflow(length)
            guard !overflow, Int64(status.st_size) >= end else {
                throw lengthMismatch(Int64(status.st_size) - offset, origin, .notSent)
            }
        } catch {
            close(descriptor)
            throw error
        }
        #if canImport(Darwin)
            return (descriptor, status.st_mtimespec)
        #else
            return (descriptor, status.st_mtim)
        #endif
    }

    /// Returns the error for a file of `count` bytes that is shorter than the region.
    package func lengthMismatch(
        _ count: Int64,
        _ origin: Origin,
        _ processing: TransportError.Processing
    ) -> TransportError {
        let place = offset > 0 ? " from byte \(offset) on" : ""
        return TransportError(
            .bodyLengthMismatch,
            phase: .requestBody,
            processing: processing,
            message: "the file \(path) has \(max(0, count)) bytes\(place); \(length) were announced",
            origin: origin
        )
    }

    private func checkKind(_ status: stat, _ origin: Origin) throws(TransportError) {
        let kind: String
        switch status.st_mode & S_IFMT {
        case S_IFREG: return
        case S_IFIFO: kind = "a named pipe"
        case S_IFDIR: throw openFailure("is a directory", origin)
        case S_IFSOCK: kind = "a socket"
        default: kind = "a device"
        }
        throw openFailure("is \(kind), whose length is unknown; send its content as a stream", origin)
    }

    private func openFailure(_ message: String, _ origin: Origin) -> TransportError {
        TransportError(
            .bodyFailed,
            phase: .requestBody,
            processing: .notSent,
            message: "the file \(path) of the request's body \(message)",
            origin: origin
        )
    }

    private static func text(_ code: Int32) -> String { strerror(code).map { String(cString: $0) } ?? "error \(code)" }
}
