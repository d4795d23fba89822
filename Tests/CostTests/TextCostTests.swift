import AirframeTransport
import Foundation
import HTTPTypes
import Testing

@testable import AirframeCore
@testable import AirframeLayers
@testable import AirframeMock

@Suite("Cost of redaction, URLs and queries", .timeLimit(.minutes(2)), .serialized)
struct TextCostTests {
    /// Pieces that are hard for one rule or the other when they are repeated.
    private static let pieces = [
        "a=b&", "token=x&", "?", "#", ";", "://", "http://", "//a:b@", "@", ":", "a:", "/", "a%3Db%26", "%25", "\"",
        "\\\"",
        "{\"a\":", "{\"token\":", "[", "\"a\":\"http://u:p@h/\",", "\"\\\"a\\\":1\",", "<", "<http://u:p@h/>;", " ",
        "é", "&",
        "=", "token=", "\"token\" ", "\"token\":", "a b",
    ]

    private static let redactions: [CostCase] = pieces.map { piece in
        CostCase("redaction of \(piece.debugDescription)", size: 1000) { count in
            let text = String.repeating(piece, count)
            let policy = RedactionPolicy.standard
            return {
                consume(policy.url(text))
                consume(policy.json(text))
                consume(policy.form(text))
                consume(policy.sentence(text))
                consume(policy.value(text, of: "Link"))
                consume(policy.value(text, of: .location))
            }
        }
    }

    private static let others: [CostCase] = [
        CostCase("redaction of many fields") { count in
            var fields = HTTPFields()
            for index in 0..<count {
                fields.append(HTTPField(name: try #require(HTTPField.Name("X-Field-\(index)")), value: "token=a"))
            }
            return { consume(RedactionPolicy.standard.redacted(fields)) }
        },
        CostCase("a query") { count in
            let text = (0..<count).map { "a\($0)=%20" }.joined(separator: "&")
            return { consume(QueryItem.parse(text)) }
        },
        CostCase("queries that are compared in any order") { count in
            let items = (0..<count).map { QueryItem(name: "a\($0)", value: "b") }
            let reversed = Array(items.reversed())
            return { consume(ReplayedEntry.matches(items, reversed, inOrder: false)) }
        },
        CostCase("a file name of a server's", size: 20_000) { count in
            let names = ["a", "/", "\\", ".", " ", "\u{301}", "\u{202E}", "\u{1F469}\u{200D}", "a.", "a/.", "\u{7}"]
                .flatMap { piece in
                    let text = String.repeating(piece, count)
                    return [text, "a" + text, text + "a", text + ".tar.gz"]
                }
            return { for name in names { consume(SafeFilename(name)) } }
        },
        CostCase("a location with many dots", size: 1000) { count in
            let head = HTTPRequest(method: .get, scheme: "http", authority: "a.test", path: "/")
            let locations = ["a/../", "./", "../", "//", "a/"].map { String.repeating($0, count) }
            return {
                for location in locations {
                    let response = HTTPResponse(status: .found, headerFields: [.location: location])
                    consume(Redirect(response, answering: head, by: { RedirectRules() }))
                }
            }
        },
    ]

    @Test("redaction", arguments: redactions)
    func redaction(_ item: CostCase) throws { try item.check() }

    @Test("the rest", arguments: others)
    func other(_ item: CostCase) throws { try item.check() }
}
