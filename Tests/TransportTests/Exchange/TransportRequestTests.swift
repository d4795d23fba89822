import AirframeTransport
import HTTPTypes
import Testing

private enum Rate: TransportRequestKey {
    static let defaultValue = 0.5
}

private enum Other: TransportRequestKey {
    static let defaultValue = 0.5
}

private enum Hint: TransportRequestKey {
    static let defaultValue: Int? = 7
}

private enum Hook: TransportRequestKey {
    typealias Value = (@Sendable (Int) async -> Int)?
    static var defaultValue: Value { nil }
}

@Suite("The values that a request carries for layers", .timeLimit(.minutes(1)))
struct TransportRequestTests {
    private var request: TransportRequest {
        TransportRequest(HTTPRequest(method: .get, scheme: "http", authority: "api.test", path: "/"))
    }

    @Test("are their defaults until they are set")
    func defaults() {
        #expect(request[Rate.self] == 0.5)
        #expect(request[Hint.self] == 7, "also where the value is optional and its default is not nil")
        #expect(request[Hook.self] == nil)
    }

    @Test("are kept apart by their keys")
    func keys() {
        var request = request
        request[Rate.self] = 0.1
        #expect(request[Rate.self] == 0.1)
        #expect(request[Other.self] == 0.5)
        request[Other.self] = 0.2
        request[Rate.self] = 0.3
        #expect(request[Rate.self] == 0.3)
        #expect(request[Other.self] == 0.2)
        #expect(request[Hint.self] == 7)
    }

    @Test("can be set to nil where they are optional")
    func optionals() {
        var request = request
        request[Hint.self] = nil
        #expect(request[Hint.self] == nil)
        request[Hint.self] = 9
        #expect(request[Hint.self] == 9)
    }

    @Test("can be closures")
    func closures() async {
        var request = request
        request[Hook.self] = { $0 + 1 }
        #expect(await request[Hook.self]?(1) == 2)
    }

    @Test("belong to one copy of a request")
    func values() {
        let original = request
        var copy = original
        copy[Rate.self] = 1
        #expect(original[Rate.self] == 0.5)
        #expect(copy[Rate.self] == 1)
    }
}
