import AirframeTransport
import Testing

@Suite struct IntegerConversionTests {
    @Test func extremesKeepTheirValues() {
        #expect(Int(Int32.min) == -2_147_483_648 && Int(Int32.max) == 2_147_483_647)
        #expect(Int(Int64.min) == .min && Int(Int64.max) == .max)
        #expect(Int(UInt8.max) == 255 && Int(UInt16.max) == 65_535 && Int(UInt32.max) == 4_294_967_295)
        #expect(Int(UInt64(Int.max)) == .max)
        #expect(Int16(Int32(Int16.min)) == .min && Int16(Int32(Int16.max)) == .max)
        #expect(Int32(UInt16.max) == 65_535)
        #expect(Int32(Int(Int32.min)) == .min && Int32(Int(Int32.max)) == .max)
        #expect(Int32(UInt32(Int32.max)) == .max)
        #expect(Int64(Int.min) == .min && Int64(UInt8.max) == 255)
        #expect(UInt(Int32.max) == 2_147_483_647)
        #expect(UInt8(Int(UInt8.max)) == .max && UInt8(Int(UInt8.min)) == .min && UInt8(UInt32(UInt8.max)) == .max)
        #expect(UInt16(UInt8.max) == 255 && UInt16(Int32(UInt16.max)) == .max)
        #expect(UInt32(UInt8.max) == 255 && UInt32(Int(UInt32.max)) == .max && UInt32(Int32.max) == 2_147_483_647)
        #expect(UInt64(UInt8.max) == 255 && UInt64(UInt32.max) == 4_294_967_295 && UInt64(UInt.max) == .max)
        #expect(UInt64(Int.max) == 9_223_372_036_854_775_807 && UInt64(Int64.max) == 9_223_372_036_854_775_807)
    }

    @Test(.timeLimit(.minutes(1))) func whatIsTooLargeTraps() async {
        await #expect(processExitsWith: .failure) { _ = Int(UInt64.max) }
        await #expect(processExitsWith: .failure) { _ = Int16(Int32(Int16.max) + 1) }
        await #expect(processExitsWith: .failure) { _ = Int32(Int(Int32.max) + 1) }
        await #expect(processExitsWith: .failure) { _ = Int32(UInt32.max) }
        await #expect(processExitsWith: .failure) { _ = UInt8(256 as Int) }
        await #expect(processExitsWith: .failure) { _ = UInt8(256 as UInt32) }
        await #expect(processExitsWith: .failure) { _ = UInt16(65_536 as Int32) }
        await #expect(processExitsWith: .failure) { _ = UInt32(Int(UInt32.max) + 1) }
    }

    @Test(.timeLimit(.minutes(1))) func whatIsTooSmallTraps() async {
        await #expect(processExitsWith: .failure) { _ = Int16(Int32(Int16.min) - 1) }
        await #expect(processExitsWith: .failure) { _ = Int32(Int(Int32.min) - 1) }
        await #expect(processExitsWith: .failure) { _ = UInt(-1 as Int32) }
        await #expect(processExitsWith: .failure) { _ = UInt8(-1 as Int) }
        await #expect(processExitsWith: .failure) { _ = UInt16(-1 as Int32) }
        await #expect(processExitsWith: .failure) { _ = UInt32(-1 as Int) }
        await #expect(processExitsWith: .failure) { _ = UInt32(-1 as Int32) }
        await #expect(processExitsWith: .failure) { _ = UInt64(-1 as Int) }
        await #expect(processExitsWith: .failure) { _ = UInt64(-1 as Int64) }
    }
}
