import Foundation

/// A service of the phone that only some programs have: those whose apps use it, because its module is linked then.
///
/// The libraries that such a module brings would cost every program time at its start.
package protocol LinkedService: SendableMetatype {
    /// Starts the service for the apps of this process. Called once, before the first app is launched.
    static func start() throws
    /// Called each time when an app was launched and its initialiser has returned.
    static func launched(_ app: any AppUnderTest, as running: RunningApp, on phone: Phone) async
}

extension LinkedService {
    package static func start() throws {}
    package static func launched(_ app: any AppUnderTest, as running: RunningApp, on phone: Phone) async {}
}

/// The services that this program has.
enum LinkedServices {
    /// `MODULE.TYPE`.
    private static let names = ["HILURLLoading.URLLoading", "UIKit.ApplicationCalls"]
    private static let all = names.compactMap { NSClassFromString($0) as? any LinkedService.Type }

    /// Starts them all, once. A failure is reported again at each later call.
    static func start() throws { try outcome.get() }

    private static let outcome = Result {
        for service in all { try service.start() }
    }

    static func launched(_ app: any AppUnderTest, as running: RunningApp, on phone: Phone) async {
        for service in all { await service.launched(app, as: running, on: phone) }
    }
}
