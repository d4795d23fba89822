/// A layer that adds stored cookies to requests, and lists them where a request is described.
package protocol StoredCookieSource: TransportLayer {
    /// Returns the cookies that the layer would add to `request`, each as in a `Cookie` field (`name=value`). This does
    /// not count as a use of the cookies.
    func storedCookies(for request: TransportRequest) -> [String]
}
