internal import AirframeJSON
internal import Foundation

/// Decodes the bytes as JSON, as any value and as a record, and encodes what was decoded. Foundation's decoder and
/// encoder have to have the same results.
@_cdecl("fuzzJSON")
func fuzzJSON(_ data: UnsafePointer<UInt8>?, _ count: Int) -> Int32 {
    let bytes = Data(UnsafeBufferPointer(start: data, count: count))
    compare(JSONAny.self, bytes) { $0.text }
    compare(JSONRecord.self, bytes) { $0.text }
    return 0
}

private func compare<Value: Codable>(_ type: Value.Type, _ bytes: Data, _ text: (Value) -> String) {
    let fast = Result { try FastJSONDecoder().decode(type, from: bytes) }
    let foundation = Result { try JSONDecoder().decode(type, from: bytes) }
    let (ours, theirs) = (description(fast, text), description(foundation, text))
    hold(ours == theirs, "\(ours)\nFoundation:\n\(theirs)")
    if case .success(let value) = fast { compareEncoded(value) }
}

private func compareEncoded(_ value: some Encodable) {
    let foundation = JSONEncoder()
    foundation.outputFormatting = .sortedKeys
    var fast = FastJSONEncoder()
    fast.outputFormatting = .sortedKeys
    let ours = description(Result { try fast.encode(value) }) { String(decoding: $0, as: UTF8.self) }
    let theirs = description(Result { try foundation.encode(value) }) { String(decoding: $0, as: UTF8.self) }
    hold(ours == theirs, "\(ours)\nFoundation encodes:\n\(theirs)")
}

private func description<Value>(_ result: Result<Value, any Error>, _ text: (Value) -> String) -> String {
    switch result {
    case .success(let value): text(value)
    case .failure(let error): "\(error)"
    }
}
