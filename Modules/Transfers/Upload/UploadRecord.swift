internal import Foundation

/// The state that a later process needs to continue an upload.
struct UploadRecord: Codable, Sendable {
    /// A part with its own upload resource: the whole, or one of several parts that are concatenated.
    struct Part: Codable, Sendable {
        let start: Int64
        let length: Int64
        /// The upload resource; `nil` before its creation.
        var location: URL?
        /// The bytes that the server has acknowledged.
        var offset: Int64 = 0
    }

    /// The interop version of the server, or the one to try next before the server has responded.
    var version = DraftVersion.six
    var parts: [Part]
    /// The file that is uploaded; `nil` for content in memory.
    var mark: FileMark?
    /// Whether the server has the whole upload.
    var isComplete = false

    /// Creates the record of an upload that has not begun.
    init(length: Int64, parts count: Int = 1, mark: FileMark? = nil) {
        // There are never more parts than bytes.
        let count = Int64(max(1, min(Int64(count), max(1, length))))
        let share = length / count
        parts = (0..<count).map { index in
            Part(start: index * share, length: index == count - 1 ? length - index * share : share)
        }
        self.mark = mark
    }

    /// Decodes a record; `nil` if it is not usable.
    init?(reading data: Data?) {
        guard let data, let read = try? JSONDecoder().decode(UploadRecord.self, from: data), !read.parts.isEmpty,
            read.parts.allSatisfy({ $0.start >= 0 && $0.length >= 0 && $0.offset >= 0 && $0.offset <= $0.length })
        else { return nil }
        self = read
    }

    var encoded: Data? { try? JSONEncoder().encode(self) }
    /// The bytes that the server has acknowledged.
    var completed: Int64 { parts.reduce(0) { $0 + $1.offset } }
    var length: Int64 { parts.reduce(0) { $0 + $1.length } }

    /// Removes the upload resource of a part, which the server no longer has.
    mutating func forgetPart(_ index: Int) {
        parts[index].location = nil
        parts[index].offset = 0
    }
}
