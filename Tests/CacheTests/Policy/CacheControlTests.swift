import AirframeCache
import Testing

@Suite("Cache-Control", .timeLimit(.minutes(1)))
struct CacheControlTests {
    @Test("several directives name fields together, and one without names applies to the response (RFC 9111 §5.2.2.4)")
    func names() {
        let control = CacheControl([#"no-cache="A, b", private=c"#, #"no-cache="c", private"#])
        #expect(control.noCache == .fields(["a", "b", "c"]))
        #expect(control.isPrivate == .response)
    }

    @Test("directives that name more than 100 fields apply to the response")
    func limit() {
        let names = (1...100).map { "x\($0)" }
        let hundred = #"no-cache="\#(names.joined(separator: ","))""#
        #expect(CacheControl([hundred]).noCache == .fields(Set(names)))
        #expect(CacheControl([hundred, "no-cache=x1"]).noCache == .fields(Set(names)))
        #expect(CacheControl([hundred, "no-cache=y"]).noCache == .response)
    }

    @Test("the work is not the product of the numbers of directives and names")
    func cost() {
        let names = (0..<50_000).map { "x\($0)" }.joined(separator: ",")
        let control = CacheControl([#"no-cache="\#(names)""#, String(repeating: "no-cache=a,", count: 50_000)])
        #expect(control.noCache == .response)
    }
}
