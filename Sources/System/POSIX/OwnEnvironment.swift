import Glibc
import Synchronization

/// Environment variables that only this process sees, for a library that can be configured only by them.
///
/// The programs that it starts get the earlier values.
package enum OwnEnvironment {
    /// The earlier value of each variable; nil if it was not set.
    private static let before = Mutex<[String: String?]>([:])

    /// Sets a variable. Other threads may read the environment meanwhile, but not change it.
    package static func set(_ name: String, to value: String) {
        before.withLock { before in
            let old = getenv(name).map { String(cString: $0) }
            if before[name] == nil { before.updateValue(old, forKey: name) }
            setenv(name, value, 1)
        }
    }

    /// Remembers the earlier value of a variable that this process was started with: its own programs get that one.
    ///
    /// For a library that reads the environment before `main`: whoever starts the process gives it ``entries(_:_:)``.
    package static func adopt(_ name: String) {
        before.withLock { before in
            let old = getenv(kept(name)).map { String(cString: $0) }
            before.updateValue(old, forKey: name)
            unsetenv(kept(name))
        }
    }

    /// The entries for the environment of a program that is to have its own value of a variable from its start.
    ///
    /// The program calls ``adopt(_:)``, so that the programs that it starts get the earlier value.
    package static func entries(_ name: String, _ value: String) -> [String] {
        ["\(name)=\(value)"] + (getenv(name).map { ["\(kept(name))=\(String(cString: $0))"] } ?? [])
    }

    /// The variable that has the earlier value of another one.
    private static func kept(_ name: String) -> String { "HIL_BEFORE_\(name)" }

    /// The environment of a program that this process starts.
    ///
    /// - Parameter wanted: `NAME=value` strings, made by the caller, perhaps from this process's environment.
    static func environment(of wanted: [String]?) -> [String]? {
        before.withLock { before in
            guard !before.isEmpty else { return wanted }
            return (wanted ?? current).compactMap { entry in
                let name = String(entry.prefix { $0 != "=" })
                // A value that the caller set for the program stays.
                guard let old = before[name], let now = getenv(name), entry == "\(name)=\(String(cString: now))" else {
                    return entry
                }
                return old.map { "\(name)=\($0)" }
            }
        }
    }

    private static var current: [String] {
        var entries: [String] = []
        var next = environ
        while let entry = next.pointee {
            entries.append(String(cString: entry))
            next += 1
        }
        return entries
    }
}
