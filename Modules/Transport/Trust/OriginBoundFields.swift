package import HTTPTypes

/// The names of the fields that a request carries for its origin only. A redirect to another origin removes them,
/// besides the fields that the rules for redirects name.
package enum OriginBoundFields: TransportRequestKey {
    package static var defaultValue: Set<HTTPField.Name> { [] }
}
