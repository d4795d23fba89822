import AirframeLogging
import Foundation
import Logging
import Synchronization

/// Keeps what is logged.
final class LogCollector: Sendable {
    struct Entry: Sendable {
        let level: Logger.Level
        let message: String
        let metadata: Logger.Metadata

        /// The whole entry as a handler could write it.
        var text: String { "\(level) \(message) \(metadata)" }

        subscript(key: String) -> String? { metadata[key].map { "\($0)" } }
    }

    // Guards what was logged.
    private let collected = Mutex<[Entry]>([])

    var entries: [Entry] { collected.withLock { $0 } }
    func entries(_ level: Logger.Level) -> [Entry] { entries.filter { $0.level == level } }

    /// A logger that is collected.
    ///
    /// - Parameters:
    ///   - level: Its level.
    ///   - metadata: Its metadata.
    ///   - provider: The provider of additional metadata.
    ///   - beforeEach: Called before a line is taken.
    func logger(
        _ level: Logger.Level,
        metadata: Logger.Metadata = [:],
        provider: Logger.MetadataProvider? = nil,
        beforeEach: (@Sendable () -> Void)? = nil
    ) -> Logger {
        Logger(label: "test") { _ in
            Handler(
                collector: self,
                beforeEach: beforeEach,
                logLevel: level,
                metadata: metadata,
                metadataProvider: provider
            )
        }
    }

    private struct Handler: LogHandler {
        let collector: LogCollector
        let beforeEach: (@Sendable () -> Void)?
        var logLevel: Logger.Level
        var metadata: Logger.Metadata
        var metadataProvider: Logger.MetadataProvider?

        subscript(metadataKey key: String) -> Logger.MetadataValue? {
            get { metadata[key] }
            set { metadata[key] = newValue }
        }

        func log(event: LogEvent) {
            beforeEach?()
            let all = metadata.merging(event.metadata ?? [:]) { $1 }
            let entry = Entry(level: event.level, message: event.message.description, metadata: all)
            collector.collected.withLock { $0.append(entry) }
        }
    }
}

/// Keeps the lines of a sink.
final class LineCollector: Sendable {
    // Guards the lines.
    private let collected = Mutex<[String]>([])

    var lines: [String] { collected.withLock { $0 } }
    var sink: LineSink { LineSink { line in self.collected.withLock { $0.append(line) } } }
}
