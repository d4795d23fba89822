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
    /// Writes an archive entry by entry: each is in the file when ``append(_:)`` returns, and the file is a whole archive
    /// then. Memory does not grow with the number of entries, and a process that is killed loses none that was written.
    ///
    /// An entry goes over the closing brackets of the archive, with new ones behind it, in one write.
    public final class Writer: Sendable {
        private enum State {
            /// Entries go to this offset of the descriptor: that of the closing brackets.
            case open(descriptor: Int32, end: Int64, count: Int)
            case closed(count: Int)
        }

        private static let closing = "\n]}}\n"

        /// The file.
        public let file: URL

        // Guards the place of the closing brackets, and with it the file behind the descriptor.
        private let state: Mutex<State>

        /// Makes a file with an archive without entries; what was there is lost. Only its owner can read it.
        ///
        /// - Parameters:
        ///   - file: The file.
        ///   - log: What the archive says of itself; its entries are written too.
        /// - Throws: ``WritingError`` when the file cannot be made.
        public init(file: URL, log: Log) throws(WritingError) {
            self.file = file
            let descriptor = open(file.path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
            guard descriptor >= 0 else { throw WritingError(file, "cannot be made", errno) }
            var head = log
            head.entries = []
            // The array of entries is the last member: its brackets, and those around it, are all that is taken off.
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

        /// The number of entries that were written.
        public var entryCount: Int {
            state.withLock { state in
                switch state {
                case .open(_, _, let count), .closed(let count): count
                }
            }
        }

        /// Writes an entry. Any number of callers may do so at once.
        ///
        /// - Throws: ``WritingError`` when the file cannot be written, and once it is closed. The entries before stay
        ///   readable.
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
                    // A full disk may have taken half of it: the archive is closed where it was.
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
        /// - Throws: ``WritingError`` when the system says at last that it could not write.
        public func close() throws(WritingError) {
            let failure = state.withLock { state -> Int32? in
                guard case .open(let descriptor, _, let count) = state else { return nil }
                state = .closed(count: count)
                return Self.closeDescriptor(descriptor) == 0 ? nil : errno
            }
            if let failure { throw WritingError(file, "cannot be closed", failure) }
        }

        /// Gives the file another name; what has that name already is lost.
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

        // MARK: The system

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

    /// Why an archive cannot be written.
    public struct WritingError: Error, Sendable, CustomStringConvertible {
        /// The file.
        public let file: URL
        /// What happened, in the system's words where it has some.
        public let message: String

        init(_ file: URL, _ message: String, _ code: Int32?) {
            self.file = file
            self.message = code.map { "\(message): \(String(cString: strerror($0)))" } ?? message
        }

        /// One sentence.
        public var description: String { "the HAR file \(file.path) \(message)" }
    }
}
