import AirframeCommandLine
import AirframeHAR
import Foundation
import Testing

@Suite("The inspector's screen", .timeLimit(.minutes(1)))
struct InspectorModelTests {
    private func entry(_ number: Int, _ status: Int, _ method: String = "GET", time: Double = 5) -> HAR.Entry {
        HAR.Entry(
            startedDateTime: Date(timeIntervalSince1970: 0), time: time,
            request: HAR.Request(method: method, url: "https://api.test/\(number)"),
            response: HAR.Response(
                status: status, content: HAR.Content(size: 7, mimeType: "application/json", text: #"{"n":1}"#)),
            timings: HAR.Timings(send: 1, wait: 3, receive: 1))
    }

    private func model(_ count: Int) -> InspectorModel {
        var model = InspectorModel()
        for number in 1...count {
            model.start(id: UInt64(number), method: "GET", url: "https://api.test/\(number)")
            model.finish(id: UInt64(number), entry(number, number % 3 == 0 ? 500 : 200))
        }
        return model
    }

    @Test("keys are parsed from the sequences of terminals")
    func keys() {
        let keys = InspectorKey.keys(in: Array("\u{1B}[A\u{1B}OBj\r\u{7F}\u{1B}[5~é\u{1B}\u{1}".utf8))
        #expect(keys == [.up, .down, .character("j"), .enter, .backspace, .pageUp, .character("é"), .escape])
    }

    @Test("the newest exchange is chosen until another one is")
    func choice() {
        var model = model(5)
        #expect(model.chosenExchange?.id == 5)
        #expect(model.press(.up, page: 10) == .none)
        #expect(model.chosenExchange?.id == 4)
        model.start(id: 6, method: "GET", url: "u")
        #expect(model.chosenExchange?.id == 4, "a new one does not move the choice")
        _ = model.press(.last, page: 10)
        model.start(id: 7, method: "GET", url: "u")
        #expect(model.chosenExchange?.id == 7)
        _ = model.press(.first, page: 10)
        #expect(model.chosenExchange?.id == 1)
    }

    @Test("a filter is typed, applied and removed")
    func filtering() {
        var model = model(6)
        for key in [
            .character("/"), .character("5"), .character("x"), .character("y"), .backspace, .character("x"), .enter,
        ]
            as [InspectorKey]
        { _ = model.press(key, page: 10) }
        #expect(model.shown.map(\.id) == [3, 6])
        _ = model.press(.escape, page: 10)
        #expect(model.shown.count == 6)
    }

    @Test("details are scrolled no further than they go, and left")
    func details() {
        var model = model(1)
        _ = model.press(.enter, page: 5)
        for _ in 0..<100 { _ = model.press(.pageDown, page: 5) }
        let lines = InspectorScreen(style: .plain).lines(&model, width: 60, height: 7)
        #expect(lines.count == 7)
        #expect(lines.contains { $0.contains("total") }, "\(lines)")
        _ = model.press(.escape, page: 5)
        #expect(model.view == .list)
    }

    @Test("q quits, e exports the shown requests, c removes the finished ones")
    func actions() {
        var model = model(3)
        #expect(model.press(.character("e"), page: 5) == .export)
        #expect(model.archive.entries.count == 3)
        #expect(model.press(.character("q"), page: 5) == .quit)
        _ = model.press(.character("c"), page: 5)
        #expect(model.exchanges.isEmpty)
    }

    @Test("the screen has exactly its size, whatever that is", arguments: [(20, 3), (80, 24), (200, 60), (5, 2)])
    func size(width: Int, height: Int) {
        var model = model(50)
        model.program = "program (1)"
        let lines = InspectorScreen(style: .plain).lines(&model, width: width, height: height)
        #expect(lines.count == max(3, height))
        #expect(lines.dropFirst().allSatisfy { $0.count <= max(width, 60) })
    }

    @Test("texts of a program add no lines to the screen")
    func forgedLines() {
        var model = InspectorModel()
        model.program = "program\n(1)"
        model.start(id: 1, method: "GET\n", url: "https://api.test/\n2")
        let lines = InspectorScreen(style: .plain).lines(&model, width: 80, height: 5)
        #expect(lines.allSatisfy { !$0.contains("\n") }, "\(lines)")
    }

    @Test(
        "a filter's words must all match",
        arguments: [
            ("", true), ("500", true), ("5xx", true), ("2xx", false), ("failed", true), ("POST", true), ("GET", false),
            (">10", true), (">100", false), ("api.TEST", true), ("!api", false), ("POST 5xx api", true), ("!2xx", true),
        ]
    )
    func filter(words: String, matches: Bool) {
        let exchange = InspectedExchange(
            id: 1, method: "POST", url: "https://api.test/1", entry: entry(1, 500, "POST", time: 50))
        #expect(ExchangeFilter(words).matches(exchange) == matches)
    }

    @Test("thousands of exchanges do not grow without a bound")
    func bound() {
        var model = InspectorModel()
        for number in 0..<20_000 { model.start(id: UInt64(number), method: "GET", url: "u") }
        #expect(model.exchanges.count <= 10_000)
        #expect(model.exchanges.last?.id == 19_999)
    }
}
