import AirframeWebSocketProtocol
import Foundation
import Testing

@Suite("Incremental UTF-8 (RFC 3629)", .timeLimit(.minutes(1)))
struct UTF8Tests {
    @Test(
        "a sequence is accepted or rejected as by Swift, whole and byte by byte",
        arguments: [
            "", "41", "c3a9", "e282ac", "f09f9880", "f48fbfbf", "ed9fbf", "ee8080", "c2", "c080", "c1bf", "e08080",
            "e09fbf", "eda080", "edbfbf", "f08080af", "f08fbfbf", "f4908080", "f5808080", "ff", "80", "e28241", "41c3",
            "4142434445464748ff", "4142434445464748c3a9", "41424344454647c3a9",
        ])
    func judges(digits: String) {
        let bytes = hex(digits)
        let isValid = String(validating: bytes, as: UTF8.self) != nil
        var whole = UTF8Validator()
        let isWholeAccepted = whole.accept(bytes) && whole.isComplete
        #expect(isWholeAccepted == isValid)
        var slow = UTF8Validator()
        let isSlowAccepted = bytes.allSatisfy { slow.accept(Data([$0])) } && slow.isComplete
        #expect(isSlowAccepted == isValid)
    }

    @Test("an invalid byte is detected before the rest arrives (RFC 6455 §8.1)")
    func failsFast() {
        var validator = UTF8Validator()
        let (begins, goesOn) = (validator.accept(hex("cebae1bdb9cf83cebcceb5")), validator.accept(hex("f490")))
        #expect(begins && !goesOn)
    }
}
