internal import AirframeSocket
internal import Transcripts

/// Parses the bytes as a response, and checks that neither the division into pieces nor earlier responses on the
/// connection change the result.
@_cdecl("fuzzResponses")
func fuzzResponses(_ data: UnsafePointer<UInt8>?, _ count: Int) -> Int32 {
    let bytes = Array(UnsafeBufferPointer(start: data, count: count))
    // The kind of request is derived from the bytes, so that an input consists of a response only.
    let seed = seed(of: bytes)
    let kind = [HTTP1RequestKind.ordinary, .ordinary, .head, .connect, .upgrade][Int(seed % 5)]
    let cuts = cuts(of: bytes, seed: seed)
    for limits in [HTTP1Limits(), small] {
        let whole = Transcript(of: bytes, to: kind, limits: limits)
        for (name, cuts) in [("byte by byte", Array(0..<count)), ("in pieces", cuts)] {
            let part = Transcript(of: bytes, cuts: cuts, to: kind, limits: limits)
            hold(part == whole, "\(kind), \(name):\n\(part)\nwhole:\n\(whole)")
        }
        let response = Array(bytes.prefix(whole.consumed))
        for others in pasts(of: response, seed: seed) {
            let later = Transcript(of: bytes, to: kind, limits: limits, after: others)
            hold(later == whole, "\(kind), after \(others.count) others:\n\(later)\nat first:\n\(whole)")
        }
        hold(whole.consumed <= count && whole.body.count <= count, "the output is longer than the input:\n\(whole)")
        hold(whole.failure == nil || !whole.isComplete, "both whole and wrong:\n\(whole)")
    }
    return 0
}

/// Earlier responses on the connection: the same, and variants with one changed byte or line.
private func pasts(of response: [UInt8], seed: UInt64) -> [[[UInt8]]] {
    guard let place = response.indices.randomElement(seed) else { return [] }
    var changed = response
    changed[place] = UInt8(truncatingIfNeeded: seed >> 56)
    let lines = response.split(separator: 10, omittingEmptySubsequences: false)
    var shortened = lines
    if let line = lines.indices.dropFirst().randomElement(seed) { shortened.remove(at: line) }
    let shorter = Array(shortened.joined(separator: [10]))
    return [
        [response], [response, response, response], [changed], [changed, changed, changed], [shorter],
        [response, shorter],
        [response, response, changed],
    ]
}

extension Collection where Index == Int {
    /// Returns an element chosen by `seed`.
    fileprivate func randomElement(_ seed: UInt64) -> Element? {
        isEmpty ? nil : self[startIndex + Int((seed >> 8) % UInt64(count))]
    }
}

/// Limits that short inputs reach.
private let small = HTTP1Limits(
    statusLine: 32,
    fieldLine: 32,
    head: 96,
    fieldCount: 3,
    informationalCount: 1,
    chunkLine: 16,
    trailer: 48
)

/// Returns a number derived from the bytes, so that runs of one input are equal.
func seed(of bytes: [UInt8]) -> UInt64 {
    bytes.reduce(0xCBF2_9CE4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
}

/// Offsets at which to divide the input, up to 15 bytes apart.
func cuts(of bytes: [UInt8], seed: UInt64) -> [Int] {
    var state = seed
    var cuts: [Int] = []
    var place = 0
    while true {
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        place += max(1, Int(state >> 60))
        guard place <= bytes.count else { return cuts }
        cuts.append(place)
    }
}
