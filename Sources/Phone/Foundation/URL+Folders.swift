import Foundation

/// The folders of the app that is running, as Apple's Foundation names them; Linux's has only some of these.
extension URL {
    /// The folder for documents.
    public static var documentsDirectory: URL { folder(.documentDirectory, "Documents") }
    /// The folder for files that the app can make again.
    public static var cachesDirectory: URL { folder(.cachesDirectory, "Library/Caches") }
    /// The folder for files that the person does not see.
    public static var applicationSupportDirectory: URL {
        folder(.applicationSupportDirectory, "Library/Application Support")
    }
    /// The folder of the app's other folders, except the one for documents.
    public static var libraryDirectory: URL { URL.homeDirectory.appendingPathComponent("Library", isDirectory: true) }

    private static func folder(_ directory: FileManager.SearchPathDirectory, _ name: String) -> URL {
        FileManager.default.urls(for: directory, in: .userDomainMask).first
            ?? URL.homeDirectory.appendingPathComponent(name, isDirectory: true)
    }
}
