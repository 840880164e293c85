import Foundation

/// A service of the phone that only some programs have: those whose apps use it, because its module is linked then.
///
/// The libraries that such a module brings would cost every program time at its start.
package protocol LinkedService {
    /// Starts the service for the apps of this process. Called once, before the first app is launched.
    static func start() throws
}

/// The services that this program has.
enum LinkedServices {
    /// `MODULE.TYPE`.
    private static let names = ["HILURLLoading.URLLoading"]

    /// Starts them all, once. A failure is reported again at each later call.
    static func start() throws { try outcome.get() }

    private static let outcome = Result {
        for name in names { try (NSClassFromString(name) as? any LinkedService.Type)?.start() }
    }
}
