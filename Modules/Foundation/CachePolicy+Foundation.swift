internal import AirframeCore
internal import Foundation
internal import FoundationNetworking

// Converted by name: FoundationNetworking's raw values on Linux differ from those on Apple's platforms.

extension AirframeCore.URLRequest.CachePolicy {
    var foundation: FoundationNetworking.URLRequest.CachePolicy {
        switch self {
        case .useProtocolCachePolicy: .useProtocolCachePolicy
        case .reloadIgnoringLocalCacheData: .reloadIgnoringLocalCacheData
        case .returnCacheDataElseLoad: .returnCacheDataElseLoad
        case .returnCacheDataDontLoad: .returnCacheDataDontLoad
        case .reloadIgnoringLocalAndRemoteCacheData: .reloadIgnoringLocalAndRemoteCacheData
        case .reloadRevalidatingCacheData: .reloadRevalidatingCacheData
        }
    }

    init(_ policy: FoundationNetworking.URLRequest.CachePolicy) {
        let all: [Self] = [
            .reloadIgnoringLocalCacheData, .returnCacheDataElseLoad, .returnCacheDataDontLoad,
            .reloadIgnoringLocalAndRemoteCacheData, .reloadRevalidatingCacheData,
        ]
        self = all.first { $0.foundation == policy } ?? .useProtocolCachePolicy
    }
}
