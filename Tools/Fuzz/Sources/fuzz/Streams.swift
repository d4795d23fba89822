internal import AirframeSerialization
internal import Foundation

/// Parses the bytes as server-sent events, whole and in pieces.
@_cdecl("fuzzEvents")
func fuzzEvents(_ data: UnsafePointer<UInt8>?, _ count: Int) -> Int32 {
    let bytes = Data(UnsafeBufferPointer(start: data, count: count))
    // Formatted by hand: descriptions by reflection would take most of the fuzzer's time.
    let describe = { (event: ServerSentEvent) in event.event + "\n" + event.id + "\n" + event.data }
    compare(bytes, ServerSentEventParser(), describe)
    compare(bytes, ServerSentEventParser(maximumLength: 20), describe)
    return 0
}

/// Parses the bytes as lines and as streams of JSON, whole and in pieces.
@_cdecl("fuzzStreams")
func fuzzStreams(_ data: UnsafePointer<UInt8>?, _ count: Int) -> Int32 {
    let bytes = Data(UnsafeBufferPointer(start: data, count: count))
    compare(bytes, LineParser()) { $0 }
    compare(bytes, NDJSONFraming(), text)
    compare(bytes, NDJSONFraming(maximumLength: 9), text)
    compare(bytes, JSONSequenceFraming(), text)
    compare(bytes, JSONSequenceFraming(maximumLength: 9), text)
    compare(bytes, JSONArrayFraming(), text)
    compare(bytes, JSONArrayFraming(maximumLength: 9), text)
    return 0
}

private func text(_ element: Result<Data, StreamParsingError>) -> String {
    switch element {
    case .success(let data): data.base64EncodedString()
    case .failure(let error): "\(error)"
    }
}

private func compare<Parser: ByteStreamParser>(
    _ bytes: Data,
    _ parser: Parser,
    _ describe: (Parser.Element) -> String
) {
    let whole = transcript(bytes, cuts: [], parser, describe)
    let pieces = cuts(of: Array(bytes), seed: seed(of: Array(bytes)))
    for cuts in [Array(0..<bytes.count), pieces] {
        let part = transcript(bytes, cuts: cuts, parser, describe)
        hold(part == whole, "\(Parser.self) in pieces:\n\(part)\nwhole:\n\(whole)")
    }
}

private func transcript<Parser: ByteStreamParser>(
    _ bytes: Data,
    cuts: [Int],
    _ parser: Parser,
    _ describe: (Parser.Element) -> String
) -> [String] {
    var parser = parser
    var elements: [Parser.Element] = []
    var end = "end"
    do throws(StreamParsingError) {
        var start = 0
        for cut in cuts + [bytes.count] {
            try parser.push(bytes[start..<cut], into: &elements)
            start = cut
        }
        try parser.finish(into: &elements)
    } catch {
        end = "\(error)"
    }
    return elements.map(describe) + [end]
}
