import Foundation
import HILPOSIX
import Synchronization

/// Where the apps of this process have their files: Foundation's folders, user defaults and main bundle are those of the
/// app that is running (P10).
///
/// A process has one, because Foundation has: a worker, which runs one scenario, makes it. Tests with many phones in one
/// process make none, and their apps share the user's own folders, as before.
package final class AppHome: Sendable {
    /// The main bundle cannot be made.
    struct Refusal: Error, CustomStringConvertible {
        let description: String
    }

    private struct State {
        /// The app that is running, or ran last.
        var app: String?
        /// The user defaults of the apps that are not running, by bundle identifier.
        var defaults: [String: [String: Any]] = [:]
        /// The paths of the bundles that were made: an app may be launched with another Info.plist.
        var bundles: [AppBundle: String] = [:]
    }

    /// The process's; nil before ``use(_:)``.
    private static let shared = Mutex<AppHome?>(nil)
    package static var current: AppHome? { shared.withLock { $0 } }

    /// The domain of `UserDefaults.standard`. Source: Core Foundation, CFPreferences.h, `kCFPreferencesCurrentApplication`.
    private static let domain = "kCFPreferencesCurrentApplication"

    /// The folder of all apps.
    package let folder: String
    /// A link to the folder of the app that is running. Its path never changes, because variables of the environment
    /// have it, and as an app may store a path of a file for its next launch.
    private var home: String { "\(folder)/home" }
    private let state = Mutex(State())

    private init(_ folder: String) { self.folder = folder }

    /// The variables that say where Foundation has its folders, and those folders.
    ///
    /// Core Foundation reads some of them before `main`, for user defaults and cookies. So whoever starts a process with
    /// apps sets them: otherwise all processes share the files in the user's own folder.
    package static func variables(in folder: String) -> [(name: String, path: String)] {
        let home = "\(folder)/home"
        return [
            ("CFFIXED_USER_HOME", home), ("XDG_CACHE_HOME", "\(home)/Library/Caches"), ("TMPDIR", "\(home)/tmp"),
            ("XDG_DATA_HOME", "\(home)/Library/Application Support"),
            // Of all apps, because a group's defaults are of all its apps.
            ("XDG_CONFIG_HOME", "\(folder)/preferences"),
        ]
    }

    /// Keeps the files of all apps of this process in a folder from now on. Programs that this process starts do not see
    /// it.
    ///
    /// - Parameter folder: An empty folder, which somebody else removes.
    package static func use(_ folder: String) throws {
        let new = AppHome(folder)
        try new.link(to: "none")
        try FileManager.default.createDirectory(atPath: "\(folder)/preferences", withIntermediateDirectories: true)
        for (name, path) in variables(in: folder) {
            if getenv(name).map({ String(cString: $0) }) == path {
                OwnEnvironment.adopt(name)
            } else {
                OwnEnvironment.set(name, to: path)
            }
        }
        shared.withLock { $0 = new }
    }

    /// Gives the process's folders, user defaults and main bundle to an app that is launched.
    func enter(_ app: RunningApp) throws {
        try state.withLock { state in
            let defaults = UserDefaults.standard
            if let last = state.app { state.defaults[last] = defaults.persistentDomain(forName: Self.domain) }
            let identifier = app.bundle.identifier
            try link(to: name(of: identifier))
            defaults.setPersistentDomain(state.defaults[identifier] ?? [:], forName: Self.domain)
            state.defaults[identifier] = nil
            state.app = identifier
            let path = "\(folder)/\(name(of: identifier))-\(state.bundles.count).app"
            try MainBundle.become(state.bundles[app.bundle] ?? path, of: app)
            if state.bundles[app.bundle] == nil { state.bundles[app.bundle] = path }
        }
    }

    /// Deletes the files and user defaults of an app that is not running.
    func delete(_ identifier: String) throws {
        try state.withLock { state in
            state.defaults[identifier] = nil
            if state.app == identifier {
                UserDefaults.standard.setPersistentDomain([:], forName: Self.domain)
                state.app = nil
                try link(to: "none")
            }
            let path = "\(folder)/\(name(of: identifier))"
            if FileManager.default.fileExists(atPath: path) { try FileManager.default.removeItem(atPath: path) }
        }
    }

    /// The name of an app's folder: an identifier is a text by the scenario, which may have a slash.
    private func name(of identifier: String) -> String {
        "app-" + (identifier.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? "")
    }

    /// Makes a folder with the parts of an app's container, and lets the link lead there.
    private func link(to name: String) throws {
        for part in ["Documents", "Library/Caches", "Library/Application Support", "Library/Preferences", "tmp"] {
            try FileManager.default.createDirectory(
                atPath: "\(folder)/\(name)/\(part)", withIntermediateDirectories: true)
        }
        // A new link over the old one, so that no other thread finds none.
        let new = "\(home).new"
        try FileManager.default.createSymbolicLink(atPath: new, withDestinationPath: name)
        guard rename(new, home) == 0 else {
            throw SystemError(code: errno, action: "giving the app its folder \(folder)/\(name)")
        }
    }
}
