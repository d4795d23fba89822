import AirframeCore
import AirframeFoundation
import Foundation
import FoundationNetworking

// A request of FoundationNetworking's, converted without a session.
if let url = URL(string: "https://api.test/") {
    print(FoundationNetworking.URLRequest(url: url).airframe as Any)
}
