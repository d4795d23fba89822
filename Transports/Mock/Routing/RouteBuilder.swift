/// Collects routes from a block, in their order, with `if`, `for` and groups.
@resultBuilder
public enum RouteBuilder {
    /// One route.
    public static func buildExpression(_ route: Route) -> [Route] { [route] }
    /// Several routes.
    public static func buildExpression(_ routes: [Route]) -> [Route] { routes }
    /// Combines the routes of consecutive statements.
    public static func buildBlock(_ parts: [Route]...) -> [Route] { parts.flatMap { $0 } }
    /// The routes of an `if` without `else`.
    public static func buildOptional(_ routes: [Route]?) -> [Route] { routes ?? [] }
    /// The routes of the first branch.
    public static func buildEither(first routes: [Route]) -> [Route] { routes }
    /// The routes of the second branch.
    public static func buildEither(second routes: [Route]) -> [Route] { routes }
    /// The routes of a loop.
    public static func buildArray(_ parts: [[Route]]) -> [Route] { parts.flatMap { $0 } }
}
