/// Values for layers, apart from a request: what a request's author sets before there is a `TransportRequest`.
///
/// Two of them are equal when they are the same object: the values are of any type, and need not be comparable.
package final class LayerValues: Sendable, Hashable {
    let values: [ObjectIdentifier: any Sendable]

    private init(_ values: [ObjectIdentifier: any Sendable]) { self.values = values }

    /// `base` with a value under `key` added or replaced.
    package convenience init<Key: TransportRequestKey>(
        _ base: LayerValues?,
        setting value: Key.Value,
        for key: Key.Type
    ) {
        self.init((base?.values ?? [:]).merging([ObjectIdentifier(key): value]) { $1 })
    }

    /// The values of both; those of `overrides` take precedence.
    package static func merging(_ base: LayerValues?, _ overrides: LayerValues?) -> LayerValues? {
        guard let base, let overrides else { return base ?? overrides }
        return LayerValues(base.values.merging(overrides.values) { $1 })
    }

    /// The value that was set under `key`, if any was.
    package func stored<Key: TransportRequestKey>(_ key: Key.Type) -> Key.Value? {
        guard let value = values[ObjectIdentifier(key)] else { return nil }
        return value as? Key.Value
    }

    /// The value under `key`.
    package func value<Key: TransportRequestKey>(for key: Key.Type) -> Key.Value {
        guard let value = values[ObjectIdentifier(key)] else { return Key.defaultValue }
        return value as? Key.Value ?? Key.defaultValue
    }

    package static func == (left: LayerValues, right: LayerValues) -> Bool { left === right }

    package func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}
