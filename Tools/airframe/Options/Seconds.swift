import ArgumentParser

/// A number of seconds from the command line: from 0 to a billion, 31 years.
///
/// `Double` takes `inf`, `nan` and `1e40` too, and `Duration.seconds(_:)` traps on these.
struct Seconds: ExpressibleByArgument {
    let duration: Duration

    init(_ duration: Duration) { self.duration = duration }

    init?(argument: String) {
        guard let seconds = Double(argument), (0...1e9).contains(seconds) else { return nil }
        duration = .seconds(seconds)
    }

    /// The number, for options in seconds.
    var count: Double { Double(duration.attoseconds) / 1e18 }

    var defaultValueDescription: String { "\(duration)" }
}
