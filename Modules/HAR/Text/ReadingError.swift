extension HAR {
    /// An error of reading an archive, with the entry, the field and the reason.
    public struct ReadingError: Error, Sendable, Hashable, CustomStringConvertible {
        /// The path of the field in the notation of `jq`: `log.entries[12].response.status`. Empty if the text is not
        /// JSON.
        public private(set) var path: String
        /// The reason.
        public let message: String

        package init(_ message: String) {
            path = ""
            self.message = message
        }

        /// Returns the error with the name of the enclosing object.
        package func within(_ name: String) -> ReadingError {
            var error = self
            if path.isEmpty {
                error.path = name
            } else {
                error.path = path.first == "[" ? "\(name)\(path)" : "\(name).\(path)"
            }
            return error
        }

        /// Returns the error of an entry with its place in the archive.
        package func inEntry(_ index: Int) -> ReadingError {
            within("[\(index)]").within("entries").within("log")
        }

        /// Returns the error of a response's content with its place in the entry.
        package func inResponseContent() -> ReadingError { within("content").within("response") }

        /// One sentence.
        public var description: String {
            path.isEmpty ? "the HAR cannot be read: \(message)" : "the HAR cannot be read at \(path): \(message)"
        }
    }
}
