internal import AirframeTransport
internal import HTTPTypes

extension ConformanceCase {
    /// HTTP/1.1 responses that are cut after each of their bytes. Only the framing makes a response complete (RFC 9112
    /// §6.3, §8).
    static let cuts: [ConformanceCase] = [
        cut(
            .length, "cut.each-byte", "a response with a length is complete with its last byte and not earlier",
            "HTTP/1.1 200 OK\r\nX-A: b\r\nContent-Length: 5\r\n\r\nhello"),
        cut(
            .chunked, "cut.each-byte", "a chunked response is complete with the line that ends its trailer section",
            "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2;a=b\r\nhe\r\n3\r\nllo\r\n0\r\nX-T: 1\r\n\r\n",
            mayLackLineFeed: true),
        cut(
            .length, "cut.each-byte.until-close",
            "a response that ends with its connection is complete at any byte after its head",
            "HTTP/1.1 200 OK\r\nX-A: b\r\n\r\nhello", wholeFrom: "HTTP/1.1 200 OK\r\nX-A: b\r\n\r\n".utf8.count),
        cut(
            .informational, "cut.each-byte", "an informational response that is cut at any byte is not a final one",
            "HTTP/1.1 103 Early Hints\r\nX-A: b\r\n\r\nHTTP/1.1 204 No Content\r\nX-A: b\r\n\r\n"),
    ]

    private static func cut(
        _ group: ConformanceGroup,
        _ name: String,
        _ title: String,
        _ text: String,
        wholeFrom count: Int? = nil,
        mayLackLineFeed: Bool = false
    ) -> ConformanceCase {
        let all = Array(text.utf8)
        let whole = count ?? all.count
        return ConformanceCase(
            group, name, title,
            peer: PeerScenario(
                connections: (0...all.count).map { [.readRequest, .sendBytes(Array(all.prefix($0))), .close] }
            )
        ) { trial in
            for count in 0...all.count {
                let outcome = await trial.exchange(trial.request(.post))
                // The last chunk ends the body (RFC 9112 §8); without the last line feed it is either.
                if mayLackLineFeed, count == all.count - 1 { continue }
                trial.judgeCut(outcome, isWhole: count >= whole, "after \(count) of \(all.count) bytes")
            }
            let connections = trial.peer.connections.count
            trial.expect(connections == all.count + 1, "\(connections) connections were made")
        }
    }
}
