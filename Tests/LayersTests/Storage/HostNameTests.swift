import AirframeLayers
import Testing

@Suite("Host names of stored state", .timeLimit(.minutes(1)))
struct HostNameTests {
    @Test("a name is followed by its parent domains, longest first")
    func ancestors() {
        #expect(Array(HostName.withAncestors("a.b.test")) == ["a.b.test", "b.test", "test"])
        #expect(Array(HostName.withAncestors("test")) == ["test"])
    }

    @Test("a name that is too long for a host has no parent domains (RFC 3986 §3.2.2)")
    func length() {
        let longest = String(repeating: "a.", count: 127) + "a"
        #expect(Array(HostName.withAncestors(longest)).count == 128)
        #expect(Array(HostName.withAncestors("a" + longest)) == [Substring("a" + longest)])
    }
}
