public import FoundationEssentials
internal import Synchronization

#if canImport(Glibc)
    internal import Glibc
#elseif canImport(Musl)
    internal import Musl
#elseif canImport(Darwin)
    internal import Darwin
#endif

extension HAR {
    /// Writes an archive entry by entry. When ``append(_:)`` returns, the entry is in the file and the file is a
    /// complete archive. Memory does not grow with the number of entries, and a process that is killed loses no
    /// written entry.
    ///
    /// Each write replaces the closing brackets of the archive by an entry and new brackets.
    public final class Writer: Sendable {
        private enum FileState {
            /// The offset of the closing brackets, where the next entry is written.
            case open(descriptor: Int32, end: Int64, count: Int)
            case closed(count: Int)
        }

        private static let closing = "\n]}}\n"

        /// The file.
        public let file: URL

        // Guards the offset of the closing brackets and the file.
        private let state: Mutex<FileState>

        /// Creates a file with an empty archive, readable by its owner only. An existing file is replaced.
        ///
        /// - Parameters:
        ///   - file: The file.
        ///   - log: The members of the archive. Its entries are written too.
        /// - Throws: ``WritingError`` if the file cannot be created.
        public init(file: URL, log: Log) throws(WritingError) {
            self.file = file
            let descriptor = open(file.path, O_WRONLY | O_CREAT | O_CLOEXEC, 0o600)
            guard descriptor >= 0 else { throw WritingError(file, "cannot be made", errno) }
            guard Writer.restrict(descriptor) else {
                let code = errno
                _ = Writer.closeDescriptor(descriptor)
                throw WritingError(file, "cannot be made readable by its owner only", code)
            }
            var head = log
            head.entries = []
            // The array of entries is the last member, so that only its bracket and those around it are removed.
            var text = [UInt8](head.data)
            text.removeLast("]}}".utf8.count)
            state = Mutex(.open(descriptor: descriptor, end: Int64(text.count), count: 0))
            do throws(WritingError) {
                try Self.write(text + Self.closing.utf8, to: descriptor, at: 0, file)
            } catch {
                try close()
                throw error
            }
            for entry in log.entries { try append(entry) }
        }

        deinit {
            state.withLock { state in
                if case .open(let descriptor, _, _) = state { _ = Self.closeDescriptor(descriptor) }
            }
        }

        /// The number of written entries.
        public var entryCount: Int {
            state.withLock { state in
                switch state {
                case .open(_, _, let count), .closed(let count): count
                }
            }
        }

        /// Writes an entry. Any number of tasks may write concurrently.
        ///
        /// - Throws: ``WritingError`` if the file cannot be written or is closed. Earlier entries stay readable.
        public func append(_ entry: Entry) throws(WritingError) {
            var writer = TextWriter()
            writer.raw("\n")
            writer.object { entry.write(to: &$0) }
            let text = writer.bytes
            try state.withLock { state throws(WritingError) in
                guard case .open(let descriptor, let end, let count) = state else {
                    throw WritingError(file, "was closed before an entry of \(entry.request.method) was written", nil)
                }
                let comma = count > 0 ? [UInt8(ascii: ",")] : []
                do throws(WritingError) {
                    try Self.write(comma + text + Self.closing.utf8, to: descriptor, at: end, file)
                } catch {
                    // A full disk may have taken half of the entry: the archive is closed again where it ended.
                    try? Self.write(Array(Self.closing.utf8), to: descriptor, at: end, file)
                    ftruncate(descriptor, off_t(end) + off_t(Self.closing.utf8.count))
                    throw error
                }
                let written = Int64(comma.count + text.count)
                state = .open(descriptor: descriptor, end: end + written, count: count + 1)
            }
        }

        /// Closes the file. Calling it again does nothing.
        ///
        /// - Throws: ``WritingError`` if the system reports a write error at the end.
        public func close() throws(WritingError) {
            let failure = state.withLock { state -> Int32? in
                guard case .open(let descriptor, _, let count) = state else { return nil }
                state = .closed(count: count)
                return Self.closeDescriptor(descriptor) == 0 ? nil : errno
            }
            if let failure { throw WritingError(file, "cannot be closed", failure) }
        }

        /// Renames the file. An existing file with that name is replaced.
        package func rename(to other: URL) throws(WritingError) {
            guard other != file else { return }
            #if canImport(Glibc)
                let result = Glibc.rename(file.path, other.path)
            #elseif canImport(Musl)
                let result = Musl.rename(file.path, other.path)
            #else
                let result = Darwin.rename(file.path, other.path)
            #endif
            guard result == 0 else { throw WritingError(file, "cannot be renamed to \(other.path)", errno) }
        }

        // MARK: System calls

        private static func write(
            _ bytes: [UInt8],
            to descriptor: Int32,
            at offset: Int64,
            _ file: URL
        ) throws(WritingError) {
            var done = 0
            while done < bytes.count {
                let count = bytes.withUnsafeBytes { buffer in
                    pwrite(
                        descriptor,
                        buffer.baseAddress.map { $0 + done },
                        buffer.count - done,
                        off_t(offset) + off_t(done)
                    )
                }
                if count > 0 {
                    done += count
                } else if count == 0 || errno != EINTR {
                    throw WritingError(file, "cannot be written", count == 0 ? ENOSPC : errno)
                }
            }
        }

        /// Restricts a regular file to its owner and empties it. The mode of `open` does not apply to an
        /// existing file. A file keeps its content if its mode cannot be changed.
        private static func restrict(_ descriptor: Int32) -> Bool {
            var status = stat()
            guard fstat(descriptor, &status) == 0 else { return false }
            guard status.st_mode & S_IFMT == S_IFREG else { return true }
            return fchmod(descriptor, 0o600) == 0 && ftruncate(descriptor, 0) == 0
        }

        private static func closeDescriptor(_ descriptor: Int32) -> Int32 {
            #if canImport(Glibc)
                Glibc.close(descriptor)
            #elseif canImport(Musl)
                Musl.close(descriptor)
            #else
                Darwin.close(descriptor)
            #endif
        }
    }

    /// An error of writing an archive.
    public struct WritingError: Error, Sendable, CustomStringConvertible {
        /// The file.
        public let file: URL
        /// A message, with the system's description if there is one.
        public let message: String

        init(_ file: URL, _ message: String, _ code: Int32?) {
            self.file = file
            self.message = code.map { "\(message): \(String(cString: strerror($0)))" } ?? message
        }

        /// One sentence.
        public var description: String { "the HAR file \(file.path) \(message)" }
    }
}
