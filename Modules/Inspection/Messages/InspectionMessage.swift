package import AirframeHAR
package import Foundation

/// A line on the socket between an inspected program and its viewer.
///
/// Lines are JSON (RFC 8259), each ended by a line feed. The program sends them; the viewer sends nothing.
package enum InspectionMessage: Sendable, Hashable {
    /// The first line, with the program and the version of this format.
    case hello(Program)
    /// An exchange began.
    case started(Start)
    /// An exchange ended. Its secrets are redacted.
    case finished(id: UInt64, entry: HAR.Entry)
    /// The history has been sent.
    case current

    /// The inspected program.
    package struct Program: Codable, Sendable, Hashable {
        /// The version of the format: 1.
        package var version: Int
        /// The program's name.
        package var name: String
        /// The number of its process.
        package var process: Int32

        package init(version: Int = 1, name: String, process: Int32) {
            self.version = version
            self.name = name
            self.process = process
        }
    }

    /// The beginning of an exchange.
    package struct Start: Codable, Sendable, Hashable {
        /// The number of the exchange.
        package var id: UInt64
        /// The method.
        package var method: String
        /// The URL without secrets.
        package var url: String
        /// The start of the exchange.
        package var date: Date

        package init(id: UInt64, method: String, url: String, date: Date) {
            self.id = id
            self.method = method
            self.url = url
            self.date = date
        }
    }

    private struct Finished: Codable {
        var id: UInt64
        var entry: HAR.Entry
    }

    /// Returns the message as a line, with its line feed.
    ///
    /// - Throws: Any error of encoding the message.
    package func line() throws -> Data {
        let encoder = JSONEncoder()
        encoder.dateEncodingStrategy = .secondsSince1970
        encoder.outputFormatting = [.withoutEscapingSlashes]
        var data: Data
        switch self {
        case .hello(let program): data = try encoder.encode(["hello": program])
        case .started(let start): data = try encoder.encode(["started": start])
        case .finished(let id, let entry): data = try encoder.encode(["finished": Finished(id: id, entry: entry)])
        case .current: data = try encoder.encode(["current": true])
        }
        data.append(UInt8(ascii: "\n"))
        return data
    }

    /// Parses a line without its line feed; `nil` for an unknown kind of message.
    ///
    /// - Throws: An error for a malformed line.
    package init?(line: Data) throws {
        struct Envelope: Decodable {
            var hello: Program?
            var started: Start?
            var finished: Finished?
            var current: Bool?
        }
        let decoder = JSONDecoder()
        decoder.dateDecodingStrategy = .secondsSince1970
        let envelope = try decoder.decode(Envelope.self, from: line)
        if let program = envelope.hello {
            self = .hello(program)
        } else if let start = envelope.started {
            self = .started(start)
        } else if let finished = envelope.finished {
            self = .finished(id: finished.id, entry: finished.entry)
        } else if envelope.current == true {
            self = .current
        } else {
            return nil
        }
    }
}
