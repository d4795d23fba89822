import AirframeTestSupport
import Foundation

/// A case of the public suite for HTTP caches, in the form of its file.
struct SuiteCase: Sendable, Decodable {
    let id: String
    let name: String
    let kind: String?
    let requests: [SuiteStep]
    let cdn_only: Bool?
    let browser_skip: Bool?
    let browser_only: Bool?
    let depends_on: [String]?

    /// Whether the case is about a private cache.
    var isForPrivateCaches: Bool { cdn_only != true && browser_skip != true }
    /// Whether the case is about a shared cache.
    var isForSharedCaches: Bool { cdn_only != true && browser_only != true }

    var importance: String { kind ?? "required" }

    /// All cases, or `nil` if the file does not exist.
    static let all: [SuiteCase]? = {
        struct Suite: Decodable { let tests: [SuiteCase] }
        guard let data = ConformanceFile.contents("cache-tests.json") else { return nil }
        return try? JSONDecoder().decode([Suite].self, from: data).flatMap(\.tests)
    }()
}

/// One request of a case, and the origin's response.
struct SuiteStep: Sendable, Decodable {
    let request_method: String?
    let request_headers: [[SuiteValue]]?
    let request_body: String?
    let query_arg: String?
    let filename: String?
    let cache: String?
    let pause_after: Bool?
    let disconnect: Bool?
    let magic_ims: Bool?
    let magic_locations: Bool?
    let rfc850date: [String]?
    let interim_responses: [[SuiteValue]]?
    let response_pause: Int?
    let response_status: [SuiteValue]?
    let response_headers: [[SuiteValue]]?
    let response_body: SuiteValue?
    let expected_type: String?
    let expected_status: SuiteValue?
    let expected_method: String?
    let expected_request_headers: [SuiteValue]?
    let expected_request_headers_missing: [SuiteValue]?
    let expected_response_headers: [SuiteValue]?
    let expected_response_headers_missing: [SuiteValue]?
    let expected_response_text: SuiteValue?
    let expected_interim_responses: [[SuiteValue]]?
    let check_body: Bool?
    let setup: Bool?
    let setup_tests: [String]?

    /// Whether a failure of `check` means that the case could not be set up, and not that the cache failed.
    func isSetup(_ check: String) -> Bool { setup == true || setup_tests?.contains(check) == true }
}

/// A value in a case.
enum SuiteValue: Sendable, Decodable, Hashable {
    case text(String)
    case number(Int)
    case flag(Bool)
    case list([SuiteValue])
    case null

    init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        if container.decodeNil() {
            self = .null
        } else if let flag = try? container.decode(Bool.self) {
            self = .flag(flag)
        } else if let number = try? container.decode(Int.self) {
            self = .number(number)
        } else if let text = try? container.decode(String.self) {
            self = .text(text)
        } else {
            self = .list(try container.decode([SuiteValue].self))
        }
    }

    var text: String? { if case .text(let text) = self { text } else { nil } }
    var number: Int? { if case .number(let number) = self { number } else { nil } }
    var list: [SuiteValue]? { if case .list(let list) = self { list } else { nil } }
}
