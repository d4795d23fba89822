import Glibc
import Testing

@testable import AirframeWire

@Suite("The local end of a socket", .timeLimit(.minutes(1)))
struct LocalBindingTests {
    @Test(
        "an address or an interface of the other family differs from one that cannot be used",
        arguments: [
            (LocalBinding.Refusal(part: .address, code: EAFNOSUPPORT), true),
            (LocalBinding.Refusal(part: .interface, code: EADDRNOTAVAIL), true),
            (LocalBinding.Refusal(part: .address, code: EADDRNOTAVAIL), false),
            (LocalBinding.Refusal(part: .address, code: EINVAL), false),
            (LocalBinding.Refusal(part: .interface, code: ENODEV), false),
            (LocalBinding.Refusal(part: .interface, code: EPERM), false),
        ]
    )
    func otherFamily(refusal: LocalBinding.Refusal, isOfOtherFamily: Bool) {
        #expect(refusal.isOfOtherFamily == isOfOtherFamily)
    }
}
