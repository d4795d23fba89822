import AirframeJSON
import Foundation
import Testing

/// Encodes the same value with both encoders and compares the output or the errors.
enum EncoderDifferential {
    /// Whether dictionaries with the same members have the same order. `make endure` sees to that.
    private static let hashesAreFixed = ProcessInfo.processInfo.environment["SWIFT_DETERMINISTIC_HASHING"] != nil

    static func check<Value: Encodable>(
        _ value: Value,
        _ configure: (JSONEncoder) -> Void = { _ in },
        sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
        for formatting in [JSONEncoder.OutputFormatting.sortedKeys, [], [.sortedKeys, .withoutEscapingSlashes]] {
            let foundation = JSONEncoder()
            foundation.outputFormatting = formatting
            configure(foundation)
            let fast = try #require(FastJSONEncoder(foundation))
            let isSorted = foundation.outputFormatting.contains(.sortedKeys)
            let ours = outcome(isSorted: isSorted) { try fast.encode(value) }
            let theirs = outcome(isSorted: isSorted) { try foundation.encode(value) }
            // Of several errors in a dictionary, the first in the order of hashes is thrown, which differs from one
            // dictionary to the next unless the process has fixed it.
            if ours.isFailure, theirs.isFailure, !hashesAreFixed { continue }
            #expect(ours == theirs, sourceLocation: sourceLocation)
        }
    }

    /// The text of a value, or of the error.
    private struct Encoded: Equatable {
        let text: String
        var isFailure = false
    }

    private static func outcome(isSorted: Bool, _ encode: () throws -> Data) -> Encoded {
        do {
            let text = String(decoding: try encode(), as: UTF8.self)
            return Encoded(text: isSorted ? text : CanonicalJSON.text(text))
        } catch {
            return Encoded(text: String(describing: error), isFailure: true)
        }
    }
}
