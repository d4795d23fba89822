import AirframeCore
import AirframeEncoding
import AirframeSerialization
import AirframeTestSupport
import Foundation
import Testing

@Suite("Forms", .timeLimit(.minutes(1)))
struct FormTests {
    @Test(
        "parts that are appended while the request is made and adapted are sent",
        .enabled(if: Peers.areExpected),
        arguments: TestedEngine.allCases,
        [UInt64?.none, 0, 1_000_000]
    )
    func lateParts(engine: TestedEngine, threshold: UInt64?) async throws {
        let form = MultipartFormData()
        let convertible = Filling(form: form, url: try hangar("/post"))
        let adapter = Adapter { request, _, completion in
            form.append(Data("adapted".utf8), withName: "b")
            completion(.success(request))
        }
        let session = engine.session(interceptor: Interceptor(adapters: [adapter]))
        let request =
            if let threshold {
                session.upload(multipartFormData: form, with: convertible, usingThreshold: threshold)
            } else {
                session.upload(multipartFormData: form, with: convertible)
            }
        let echoed = try await request.validate().serializingDecodable(Echoed.self).value
        #expect(echoed.form == ["a": "made", "b": "adapted"])
    }

    private struct Filling: URLRequestConvertible {
        let form: MultipartFormData
        let url: String

        func asURLRequest() throws -> URLRequest {
            form.append(Data("made".utf8), withName: "a")
            return try URLRequest(url: url, method: .post)
        }
    }

    @Test("a missing file is bodyPartFileNotReachableWithError")
    func missingFile() {
        let url = URL(fileURLWithPath: "/nonexistent/photo.png")
        let form = MultipartFormData()
        form.append(url, withName: "photo")
        let error = #expect(throws: AFError.self) { try form.encode() }
        guard case .multipartEncodingFailed(.bodyPartFileNotReachableWithError(let place, let beneath)) = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(place == url && (beneath as? CocoaError)?.code == .fileReadNoSuchFile)
    }

    @Test(
        "an object and a list under one key are both sent, sorted like other pairs, whichever comes first",
        arguments: [false, true])
    func objectAndList(isListFirst: Bool) throws {
        let text: String = try URLEncodedFormEncoder().encode(Both(isListFirst: isListFirst))
        #expect(text == "key%5B%5D=1&key%5B%5D=2&key%5Bname%5D=value")
        let unsorted = URLEncodedFormEncoder(alphabetizeKeyValuePairs: false)
        let declared: String = try unsorted.encode(Both(isListFirst: isListFirst))
        #expect(declared == "key%5Bname%5D=value&key%5B%5D=1&key%5B%5D=2")
    }

    private struct Both: Encodable {
        enum Key: String, CodingKey { case key, name }
        let isListFirst: Bool

        func encode(to encoder: any Encoder) throws {
            var root = encoder.container(keyedBy: Key.self)
            if isListFirst { try encodeList(&root) }
            var object = root.nestedContainer(keyedBy: Key.self, forKey: .key)
            try object.encode("value", forKey: .name)
            if !isListFirst { try encodeList(&root) }
        }

        private func encodeList(_ root: inout KeyedEncodingContainer<Key>) throws {
            var list = root.nestedUnkeyedContainer(forKey: .key)
            try list.encode(1)
            try list.encode(2)
        }
    }
}
