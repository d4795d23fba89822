extension HAR {
    /// Why an archive cannot be read: in which entry, at which field, and what is wrong with it.
    public struct ReadingError: Error, Sendable, Hashable, CustomStringConvertible {
        /// The way to the field, as `jq` would take it: `log.entries[12].response.status`. Empty when the text is no
        /// JSON.
        public private(set) var path: String
        /// What is wrong, in words.
        public let message: String

        package init(_ message: String) {
            path = ""
            self.message = message
        }

        /// The error, seen from the object around the one that it was found in.
        package func within(_ name: String) -> ReadingError {
            var error = self
            if path.isEmpty {
                error.path = name
            } else {
                error.path = path.first == "[" ? "\(name)\(path)" : "\(name).\(path)"
            }
            return error
        }

        /// The error of an entry, seen from the archive.
        package func inEntry(_ index: Int) -> ReadingError {
            within("[\(index)]").within("entries").within("log")
        }

        /// The error of a response's content, seen from the entry.
        package func inResponseContent() -> ReadingError { within("content").within("response") }

        /// One sentence.
        public var description: String {
            path.isEmpty ? "the HAR cannot be read: \(message)" : "the HAR cannot be read at \(path): \(message)"
        }
    }
}
