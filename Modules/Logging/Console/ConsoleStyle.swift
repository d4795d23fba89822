public import Foundation

/// How ``ConsoleLogger`` writes for a person: with colours or without, in Unicode or ASCII.
public struct ConsoleStyle: Sendable, Hashable {
    /// Whether there are colours (the escape sequences of ECMA-48).
    public var usesColours: Bool
    /// Whether marks and bars are drawn with characters beyond ASCII.
    public var usesUnicode: Bool
    /// The width of a bar of phases, in columns.
    public var barWidth: Int

    /// Makes a style.
    public init(usesColours: Bool, usesUnicode: Bool, barWidth: Int = 40) {
        self.usesColours = usesColours
        self.usesUnicode = usesUnicode
        self.barWidth = barWidth
    }

    /// No colours, nothing but ASCII: for files and for terminals that can do no more.
    public static let plain = ConsoleStyle(usesColours: false, usesUnicode: false)

    /// The style that suits a sink and the environment.
    ///
    /// There are colours on a terminal, unless `NO_COLOR` is set to anything but nothing, or `TERM` is `dumb`. There is Unicode
    /// where the locale's encoding is UTF-8.
    ///
    /// - Parameters:
    ///   - sink: Where lines go.
    ///   - environment: The variables to go by.
    public static func automatic(
        for sink: LineSink,
        environment: [String: String] = ProcessInfo.processInfo.environment
    ) -> ConsoleStyle {
        let refusesColours = !(environment["NO_COLOR"] ?? "").isEmpty || environment["TERM"] == "dumb"
        let locale = ["LC_ALL", "LC_CTYPE", "LANG"].lazy.compactMap { environment[$0] }.first { !$0.isEmpty } ?? ""
        let encoding = locale.lowercased().filter { $0 != "-" }
        return ConsoleStyle(usesColours: sink.isTerminal && !refusesColours, usesUnicode: encoding.contains("utf8"))
    }

    /// `text` in a colour, where there are colours.
    func paint(_ text: String, _ colour: Colour) -> String {
        usesColours && !text.isEmpty ? "\u{1B}[\(colour.rawValue)m\(text)\u{1B}[0m" : text
    }

    /// The colours that are used, by their codes.
    enum Colour: String {
        case dim = "2"
        case bold = "1"
        case red = "31"
        case green = "32"
        case yellow = "33"
        case blue = "34"
        case magenta = "35"
        case cyan = "36"
        case white = "37"
    }
}
