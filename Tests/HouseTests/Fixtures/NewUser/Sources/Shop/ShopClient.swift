import AirframeCore
import AirframeSerialization

/// A client of a shop's API.
public struct ShopClient: Sendable {
    /// Something that the shop sells.
    public struct Item: Codable, Equatable, Sendable {
        /// Its number.
        public var id: Int
        /// What it is called.
        public var name: String

        /// Describes an item.
        public init(id: Int, name: String) {
            self.id = id
            self.name = name
        }
    }

    private let session: Session
    private let base: String

    /// Creates a client that sends its requests through `session`.
    public init(session: Session, base: String = "https://shop.test") {
        self.session = session
        self.base = base
    }

    /// The item of that number.
    public func item(_ id: Int) async throws -> Item {
        try await session.request("\(base)/items/\(id)").validate().serializingDecodable(Item.self).value
    }

    /// The names of all items.
    public func names() async throws -> [String] {
        try await session.request("\(base)/items").validate().serializingDecodable([Item].self).value.map(\.name)
    }
}

extension RequestInterceptor where Self == Interceptor {
    /// Asks a shop that is busy again, a little later each time.
    public static var patient: Interceptor {
        let retrier = Retrier { request, _, _, completion in
            completion(request.retryCount < 4 ? .retryWithDelay(Double(1 << request.retryCount)) : .doNotRetry)
        }
        return Interceptor(retriers: [retrier])
    }
}
