import HIL

/// An app that was deleted and is installed again still finds its accessory's old key in the keychain, and takes itself
/// for set up. A mark in its user defaults, which are deleted with the app, would tell it.
///
/// Report: https://github.com/oblador/react-native-keychain/issues/87
let newInstallationStartsAnew = Scenario(
    "An app that was deleted and is installed again starts anew, because it minds what is left in the keychain",
    .tags("field"), .covers("P8", "P10"), over: AppVersion.axis
) { lab, version in
    let all = 5  // User defaults and four folders.
    var app = try await lab.phone.launch(KeepingApp.self)
    lab.expect(Bundle.main.bundleIdentifier, equals: "com.example.gadgets", "the main bundle is the app's")
    lab.expect(
        Bundle.main.object(forInfoDictionaryKey: "CFBundleName") as? String, equals: "Gadgets",
        "and has its property list")
    lab.expect(Bundle.main.url(forResource: "gadget@2x", withExtension: "png") != nil, "and its resources")
    app.begin(checksMark: version == .mended)
    lab.expect(app.kept.names.isEmpty && app.kept.key == nil, "nothing is left from an earlier scenario")
    try app.kept.keep("Lamp 7", key: "old")

    app = try await lab.phone.launch(KeepingApp.self)
    app.begin(checksMark: version == .mended)
    lab.expect(app.kept.names, equals: Array(repeating: "Lamp 7", count: all), "a relaunch keeps names")
    lab.expect(app.kept.key, equals: "old", "and the key")

    var other = try await lab.phone.launch(OtherKeepingApp.self)
    lab.expect(Bundle.main.bundleIdentifier, equals: "com.example.others", "another app has another bundle")
    lab.expect(other.kept.names.isEmpty && other.kept.key == nil, "and sees nothing of the first")
    try other.kept.keep("Lamp 8", key: "other")

    lab.phone.notifications.deleteApp(KeepingApp.bundle.identifier)
    app = try await lab.phone.launch(KeepingApp.self)
    lab.expect(app.kept.names, equals: [], "user defaults and files are deleted with the app")
    lab.expect(app.kept.key, equals: "old", "the key is not")
    app.begin(checksMark: version == .mended)
    try await lab.expect(version, "the app starts anew") { app.kept.key == nil }

    other = try await lab.phone.launch(OtherKeepingApp.self)
    lab.expect(other.kept.names, equals: Array(repeating: "Lamp 8", count: all), "the other app keeps its own names")
    lab.expect(other.kept.key, equals: "other", "and its own key")
}
