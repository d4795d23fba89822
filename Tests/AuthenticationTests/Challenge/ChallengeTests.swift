import AirframeAuthentication
import Testing

/// Values of WWW-Authenticate fields, and the challenges in them as `scheme(token68 or sorted parameters)`.
private let challenges: [([String], [String])] = [
    (["Basic realm=\"x\""], ["Basic(realm=x)"]),
    (["Basic realm=x"], ["Basic(realm=x)"]),
    (["basic REALM = \"a b\" , charset=\"UTF-8\""], ["basic(charset=UTF-8,realm=a b)"]),
    (["Basic"], ["Basic()"]),
    ([""], []),
    ([" , ,, "], []),
    (["Negotiate"], ["Negotiate()"]),
    (["Negotiate YII="], ["Negotiate(YII=)"]),
    (["NTLM TlRMTVNTUAAC+/.~=="], ["NTLM(TlRMTVNTUAAC+/.~==)"]),
    (["Negotiate abc, Basic realm=\"x\""], ["Negotiate(abc)", "Basic(realm=x)"]),
    (
        ["Newauth realm=\"apps\", type=1, title=\"Login to \\\"apps\\\"\", Basic realm=\"simple\""],
        ["Newauth(realm=apps,title=Login to \"apps\",type=1)", "Basic(realm=simple)"]
    ),
    (
        ["Digest realm=\"a,b\", nonce=\"n=1, Basic realm=z\", qop=\"auth,auth-int\", Basic realm=\"c\""],
        ["Digest(nonce=n=1, Basic realm=z,qop=auth,auth-int,realm=a,b)", "Basic(realm=c)"]
    ),
    (["Digest realm=\"a\", nonce=\"1\"", "Basic realm=\"b\""], ["Digest(nonce=1,realm=a)", "Basic(realm=b)"]),
    (["Basic realm=\"x\",,Digest nonce=\"1\","], ["Basic(realm=x)", "Digest(nonce=1)"]),
    (["Basic, Digest nonce=\"1\""], ["Basic()", "Digest(nonce=1)"]),
    (["Basic realm=\"a\\\\b\\\"c\""], ["Basic(realm=a\\b\"c)"]),
    (["Basic realm=\"\""], ["Basic(realm=)"]),
    (["Basic realm=\"first\", realm=\"second\""], ["Basic(realm=first)"]),
    (["Basic realm=two words"], ["Basic(realm=two words)"]),
    (["Basic realm='x'"], ["Basic(realm='x')"]),
    (["Basic realm=\"ä\""], ["Basic(realm=ä)"]),
    // A malformed part does not affect the others.
    (["Basic realm=\"no end"], ["Basic()"]),
    (["realm=\"x\", Basic realm=\"y\""], ["Basic(realm=y)"]),
    (["Basic realm=\"y\", =, nonce=1"], ["Basic(nonce=1,realm=y)"]),
    (["Basic realm=, charset=UTF-8"], ["Basic(charset=UTF-8)"]),
    (["@@@, Basic realm=\"y\""], ["Basic(realm=y)"]),
    (["\"quoted, text\", Basic realm=\"y\""], ["Basic(realm=y)"]),
    (["Basic realm=\"x\\"], ["Basic()"]),
]

@Suite("Challenges (RFC 9110 §11.3 and §11.6.1)", .timeLimit(.minutes(1)))
struct ChallengeTests {
    @Test("are parsed from one or several fields, without malformed parts", arguments: challenges)
    private func reads(values: [String], expected: [String]) {
        let read = AuthenticationChallenge.challenges(in: values).map { challenge in
            let parameters = challenge.parameters.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" }
            return "\(challenge.scheme)(\(challenge.token68 ?? parameters.joined(separator: ",")))"
        }
        #expect(read == expected)
    }

    @Test("are parsed from arbitrary bytes without a trap or an endless loop")
    func survives() {
        var seed: UInt64 = 1
        let alphabet = Array("Basic Digest=\",\\ \tnonce=realm\u{e4}@;/+~")
        for _ in 0..<20_000 {
            var text = ""
            seed = seed &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            for step in 0..<Int(seed >> 58) {
                text.append(alphabet[Int((seed >> (step % 40)) % UInt64(alphabet.count))])
            }
            let read = AuthenticationChallenge.challenges(in: [text])
            #expect(read.allSatisfy { !$0.scheme.isEmpty })
        }
    }
}
