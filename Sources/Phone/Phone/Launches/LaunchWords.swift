/// The words in a record for the launch of an app.
package enum LaunchWords {
    /// They begin with this.
    package static let start = "was launched"
    private static let beforeVersion = ", version "

    /// - Parameters:
    ///   - version: The app's version; nil if its Info.plist has none.
    ///   - reason: Why the phone launched it by itself, in the background; nil if the person opened it.
    static func words(version: String?, reason: LaunchReason?) -> String {
        start + (version.map { beforeVersion + $0 } ?? "") + (reason.map { " in the background for \($0)" } ?? "")
    }

    /// The version of an app that the person opened, from the words of its launch; nil if they have none.
    package static func version(in words: String) -> String? {
        let before = start + beforeVersion
        return words.hasPrefix(before) ? String(words.dropFirst(before.count)) : nil
    }

    /// Whether the phone launched the app by itself.
    package static func isInBackground(_ words: String) -> Bool { words.contains(" in the background for ") }
}
