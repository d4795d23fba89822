public import Foundation

/// The style of ``ConsoleLogger``: colours and characters.
public struct ConsoleStyle: Sendable, Hashable {
    /// Whether lines have colours (the escape sequences of ECMA-48).
    public var usesColours: Bool
    /// Whether marks and bars use characters beyond ASCII.
    public var usesUnicode: Bool
    /// The width of a bar of phases, in columns.
    public var barWidth: Int
    /// The width of a line with a bar, in columns. The legend of a wider line has its own line. `nil`, the
    /// default, for no limit.
    public var lineWidth: Int?

    /// Creates a style.
    ///
    /// - Parameters:
    ///   - usesColours: Whether lines have colours.
    ///   - usesUnicode: Whether marks and bars use characters beyond ASCII.
    ///   - barWidth: The width of a bar of phases, in columns.
    ///   - lineWidth: The width of a line with a bar, in columns; `nil` for no limit.
    public init(usesColours: Bool, usesUnicode: Bool, barWidth: Int = 40, lineWidth: Int? = nil) {
        self.usesColours = usesColours
        self.usesUnicode = usesUnicode
        self.barWidth = barWidth
        self.lineWidth = lineWidth
    }

    /// No colours and only ASCII: for files and simple terminals.
    public static let plain = ConsoleStyle(usesColours: false, usesUnicode: false)

    /// Returns the style that suits a sink and the environment.
    ///
    /// A terminal gets colours, unless `NO_COLOR` is set to a non-empty value or `TERM` is `dumb`. Unicode is used if
    /// the locale's encoding is UTF-8.
    ///
    /// - Parameters:
    ///   - sink: The sink for lines.
    ///   - environment: The environment variables.
    public static func automatic(
        for sink: LineSink,
        environment: [String: String] = ProcessInfo.processInfo.environment
    ) -> ConsoleStyle {
        let refusesColours = !(environment["NO_COLOR"] ?? "").isEmpty || environment["TERM"] == "dumb"
        let locale = ["LC_ALL", "LC_CTYPE", "LANG"].lazy.compactMap { environment[$0] }.first { !$0.isEmpty } ?? ""
        let encoding = locale.lowercased().filter { $0 != "-" }
        return ConsoleStyle(usesColours: sink.isTerminal && !refusesColours, usesUnicode: encoding.contains("utf8"))
    }

    /// Returns `text` in a colour, if the style has colours.
    func paint(_ text: String, _ colour: Colour) -> String {
        usesColours && !text.isEmpty ? "\u{1B}[\(colour.rawValue)m\(text)\u{1B}[0m" : text
    }

    /// The colours by their codes.
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
