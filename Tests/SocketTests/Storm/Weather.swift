/// A fault of a request or of a connection, drawn from a seed so that a run can be repeated.
enum Weather: CaseIterable {
    case answer
    case answerAndAnnounceClose
    case answerThenClose
    case answerThenCloseLater
    case answerThenEndDirection
    case answerThenReset
    case answerWithoutReadingContent
    case answerWithoutReadingContentThenClose
    case answerInPieces
    case close
    case reset
    case endDirection
    case closeAfterInformation
    case closeWithinHead
    case closeWithinContent
    case resetWithinContent
    case stall
    case stallWithinContent
    case nonsense

    /// The number of occurrences in a thousand requests. All other requests get a plain response.
    private var share: Int {
        switch self {
        case .answer: 0
        case .answerThenCloseLater: 60
        case .answerThenClose, .answerThenReset, .answerThenEndDirection, .close, .reset: 30
        case .stall, .stallWithinContent: 3
        default: 12
        }
    }

    /// Returns the weather for a request when it is read for the `attempt`th time.
    static func forRequest(_ id: Int, attempt: Int, seed: UInt64) -> Weather {
        var draw = Int(mix(seed, UInt64(id), UInt64(attempt)) % 1000)
        for weather in allCases {
            draw -= weather.share
            if draw < 0 { return weather }
        }
        return .answer
    }

    /// Returns the weather for a connection before it is read.
    static func forConnection(_ index: Int, seed: UInt64) -> Weather {
        switch mix(seed, UInt64(index), .max) % 100 {
        case 0: .close
        case 1: .reset
        case 2: .endDirection
        default: .answer
        }
    }

    /// Returns a pseudorandom number derived from the arguments (SplitMix64).
    static func mix(_ seed: UInt64, _ first: UInt64, _ second: UInt64) -> UInt64 {
        var state = seed
        for value in [first, second] {
            state = (state ^ value) &+ 0x9E37_79B9_7F4A_7C15
            state = (state ^ (state >> 30)) &* 0xBF58_476D_1CE4_E5B9
            state = (state ^ (state >> 27)) &* 0x94D0_49BB_1331_11EB
            state ^= state >> 31
        }
        return state
    }
}
