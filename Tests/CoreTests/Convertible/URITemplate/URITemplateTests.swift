import Foundation
import Testing

@testable import AirframeCore

@Suite("URI templates (RFC 6570)", .timeLimit(.minutes(1)))
struct URITemplateTests {
    /// A case of the public suite.
    struct Case: CustomTestStringConvertible, Sendable {
        let group: String
        let template: String
        let values: [String: URITemplateValue]
        /// The valid expansions; none if the template must be rejected.
        let expected: [String]

        var testDescription: String { "\(group): \(template)" }
    }

    @Test("every case of the public suite", arguments: try cases())
    func suite(_ example: Case) throws {
        if example.expected.isEmpty {
            #expect(throws: URITemplateError.self) { try URITemplate(example.template).expand(example.values) }
        } else {
            #expect(example.expected.contains(try URITemplate(example.template).expand(example.values)))
        }
    }

    @Test("the suite is complete")
    func count() throws {
        #expect(try Self.cases().count == 252)
    }

    @Test("a template converts to a URL, and values cannot leave their expression")
    func url() throws {
        let url = URITemplateURL.template("https://api.test/users/{id}{?q}", ["id": "../admin", "q": "a&b=c"])
        #expect(try url.asURL().absoluteString == "https://api.test/users/..%2Fadmin?q=a%26b%3Dc")
        let template = try URITemplate("https://api.test/{x}{?y,x,z*}")
        #expect(template.variableNames == ["x", "y", "z"])
        #expect(
            try template(["y": 1.5, "x": true, "z": ["a", "b"]]).asURL().absoluteString
                == "https://api.test/true?y=1.5&x=true&z=a&z=b")
    }

    @Test("an invalid template fails with the rule that it violates")
    func invalid() {
        #expect(throws: URITemplateError(template: "/{=a}", reason: .reservedOperator("="))) {
            try URITemplate("/{=a}")
        }
        #expect(throws: URITemplateError(template: "/{a", reason: .unclosedExpression)) {
            try URITemplateURL.template("/{a").asURL()
        }
        #expect(
            "\(URITemplateError(template: "/{}", reason: .emptyExpression))"
                == "the URI template \"/{}\" is invalid: an expression names no variable")
    }

    // MARK: The suite

    private static func cases() throws -> [Case] {
        let folder = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "URITemplates")
        return try ["spec-examples", "spec-examples-by-section", "extended-tests", "negative-tests"].flatMap { name in
            let data = try Data(contentsOf: folder.appending(path: "\(name).json"))
            return try JSONDecoder().decode([String: Group].self, from: data).sorted { $0.key < $1.key }.flatMap {
                key, group in
                group.testcases.map {
                    Case(group: key, template: $0.template, values: group.values, expected: $0.expected)
                }
            }
        }
    }
}

/// A group of the suite's cases.
private struct Group: Decodable {
    struct Example: Decodable {
        let template: String
        let expected: [String]

        init(from decoder: any Decoder) throws {
            var container = try decoder.unkeyedContainer()
            template = try container.decode(String.self)
            if let text = try? container.decode(String.self) {
                expected = [text]
            } else if let texts = try? container.decode([String].self) {
                expected = texts
            } else {
                expected = []
            }
        }
    }

    let variables: [String: Value]
    let testcases: [Example]

    var values: [String: URITemplateValue] { variables.compactMapValues(\.value) }

    struct Value: Decodable {
        let value: URITemplateValue?

        init(from decoder: any Decoder) throws {
            let container = try decoder.singleValueContainer()
            if container.decodeNil() {
                value = nil
            } else if let text = try? container.decode(String.self) {
                value = .string(text)
            } else if let number = try? container.decode(Int.self) {
                value = URITemplateValue(number)
            } else if let number = try? container.decode(Double.self) {
                value = URITemplateValue(number)
            } else if let items = try? container.decode([String].self) {
                value = .list(items)
            } else {
                // JSON objects are unordered; the suite accepts every order of keys, or has one key.
                let pairs = try container.decode([String: String].self).sorted { $0.key < $1.key }
                value = .pairs(pairs.map { URITemplateValue.Pair($0.key, $0.value) })
            }
        }
    }
}
