/// What a person does where a scenario launches an app.
struct LaunchActs {
    /// The versions of each app that the scenario launches.
    private let versions: [String: Set<String>]
    /// The version of each app that was opened last; nil inside if it has none.
    private var opened: [String: String?] = [:]

    init(_ items: [RehearsedItem]) {
        versions = items.reduce(into: [:]) { versions, item in
            if case .launched(let app, let version?) = item { versions[app, default: []].insert(version) }
        }
    }

    /// The act for the next launch.
    mutating func act(toOpen app: String, version: String?) -> String {
        defer { opened[app] = .some(version) }
        guard let last = opened[app] else {
            guard let version, (versions[app] ?? []).count > 1 else { return "open the app \(app)" }
            return "install version \(version) of the app \(app), and open it"
        }
        guard let version, version != last else { return "close the app \(app), and open it again" }
        return "update the app \(app) to version \(version), and open it"
    }
}
