import HIL
import Security

/// An app that keeps what it knows of its accessory: a key in the keychain, its name in user defaults and files.
@MainActor
final class KeepingApp: AppUnderTest {
    nonisolated static var bundle: AppBundle { GadgetApp.bundle }
    let kept = KeptThings()

    init() async throws {}

    /// What it does first after each launch.
    ///
    /// - Parameter checksMark: Whether it deletes the keys of an earlier installation: user defaults lack its mark then.
    func begin(checksMark: Bool) {
        if checksMark, !UserDefaults.standard.bool(forKey: "wasLaunched") { kept.forgetKey() }
        UserDefaults.standard.set(true, forKey: "wasLaunched")
    }
}

/// Another app with the same code.
@MainActor
final class OtherKeepingApp: AppUnderTest {
    nonisolated static var bundle: AppBundle {
        AppBundle(identifier: "com.example.others", folder: GadgetApp.bundle.resources)
    }
    let kept = KeptThings()

    init() async throws {}
}

/// What the app that is running keeps.
struct KeptThings {
    private let item: [String: Any] = [
        kSecClass as String: kSecClassGenericPassword, kSecAttrService as String: "lamp",
        kSecAttrAccount as String: "key",
    ]

    /// The folders in which an app keeps files.
    private var folders: [URL] {
        let kinds: [FileManager.SearchPathDirectory] = [
            .documentDirectory, .cachesDirectory, .applicationSupportDirectory,
        ]
        return kinds.compactMap { FileManager.default.urls(for: $0, in: .userDomainMask).first }
            + [FileManager.default.temporaryDirectory]
    }

    /// Keeps a name and a key.
    func keep(_ name: String, key: String) throws {
        UserDefaults.standard.set(name, forKey: "name")
        for folder in folders { try Data(name.utf8).write(to: folder.appendingPathComponent("lamp.txt")) }
        let new = item.merging([kSecValueData as String: Data(key.utf8)]) { $1 }
        guard SecItemAdd(new as CFDictionary, nil) == errSecSuccess else { throw CocoaError(.fileWriteUnknown) }
    }

    /// The names in user defaults and in files.
    var names: [String] {
        let files = folders.compactMap {
            try? String(contentsOf: $0.appendingPathComponent("lamp.txt"), encoding: .utf8)
        }
        return files + [UserDefaults.standard.string(forKey: "name")].compactMap { $0 }
    }

    /// The key; nil for none.
    var key: String? {
        var found: CFTypeRef?
        let query = item.merging([kSecReturnData as String: true]) { $1 }
        guard SecItemCopyMatching(query as CFDictionary, &found) == errSecSuccess else { return nil }
        return (found as? Data).map { String(decoding: $0, as: UTF8.self) }
    }

    func forgetKey() { SecItemDelete(item as CFDictionary) }
}
