/// The modules that a source imports, and the additional ones of its copy.
struct ModuleImports {
    /// An Apple module that this phone lacks.
    struct Missing {
        var name: String
        /// Of the import, counted from 1.
        var line: Int
        /// The compiler's message.
        var text: String
    }

    private(set) var missing: [Missing] = []
    /// Whether the source makes selectors or names their type.
    var usesSelectors = false
    private var names: Set<String> = []
    private var usesCombine = false
    private var usesSecurity = false
    private var usesURLLoading = false

    /// Names that Foundation brings from Combine on Apple's systems.
    private static let ofCombine: Set = [
        "ObservableObject", "Published", "AnyCancellable", "PassthroughSubject", "CurrentValueSubject", "AnyPublisher",
        "autoconnect", "dataTaskPublisher", "DataTaskPublisher",
    ]
    /// Prefixes of the names that Foundation brings from Security on Apple's systems.
    private static let ofSecurity = ["kSec", "SecItem", "SecRandom"]
    /// Names of Foundation that are in FoundationNetworking on Linux; others begin with `URLSession`.
    private static let ofURLLoading: Set = [
        "URLRequest", "NSURLRequest", "NSMutableURLRequest", "URLResponse", "HTTPURLResponse", "CachedURLResponse",
        "URLCache", "URLCredential", "URLCredentialStorage", "URLProtectionSpace", "URLProtocol", "URLProtocolClient",
        "URLAuthenticationChallenge", "HTTPCookie", "HTTPCookieStorage",
    ]
    /// Substitutes for modules that Linux lacks.
    private static let substitutes = [
        // Most sources take from it what Foundation has: CGFloat, CGPoint, CGSize, CGRect.
        "CoreGraphics": "Foundation", "Darwin": "Glibc", "ObjectiveC": "HILFoundation",
    ]
    /// Apple modules that are not simulated.
    private static let notSimulated: Set = [
        "ActivityKit", "AppIntents", "AppKit", "AVFoundation", "AVKit", "BackgroundTasks", "CallKit", "CarPlay",
        "Charts", "CloudKit", "Cocoa", "Contacts", "CoreData", "CoreImage", "CoreLocation", "CoreMotion", "CoreNFC",
        "CoreSpotlight", "CoreTelephony", "DeviceCheck", "DeviceDiscoveryExtension", "ExposureNotification",
        "ExternalAccessory", "HealthKit", "HomeKit", "Intents", "IOBluetooth", "IOKit", "LocalAuthentication",
        "MapKit", "Matter", "MatterSupport", "MessageUI", "MultipeerConnectivity", "NearbyInteraction", "Photos",
        "PhotosUI", "PushKit", "SafariServices", "StoreKit", "SwiftData", "UserNotifications", "VisionKit",
        "WatchConnectivity", "WatchKit", "WebKit", "WiFiAware", "WiFiInfrastructure", "WidgetKit",
    ]

    /// Notes an import.
    ///
    /// - Parameter isCertain: Whether an iPhone compiles it, whichever modules exist.
    /// - Returns: The module to import instead; nil for the same. What the phone lacks is imported by the copy's head, if it
    ///   exists, because many sources use nothing of it.
    mutating func add(_ name: String, line: Int, isCertain: Bool) -> String? {
        names.insert(name)
        if isCertain, Self.notSimulated.contains(name), !missing.contains(where: { $0.name == name }) {
            missing.append(
                Missing(
                    name: name, line: line,
                    text: "\(name) is not simulated: if this file uses it, leave the file out of the target, or put "
                        + "what needs it into `#if canImport(\(name))`"))
        }
        return missing.contains { $0.name == name } && isCertain ? "Foundation" : Self.substitutes[name]
    }

    /// Notes a module that the app's bridging header imports for every source.
    mutating func noteFromBridgingHeader(_ name: String) { names.insert(name) }

    /// The module that Linux has for one; its own name if it has another one for none.
    static func substitute(for name: String) -> String { substitutes[name] ?? name }

    /// Whether the phone lacks an Apple module.
    static func isMissing(_ name: String) -> Bool { notSimulated.contains(name) }

    /// Notes a word outside of the imports.
    mutating func read(_ word: String) {
        if Self.ofCombine.contains(word) { usesCombine = true }
        if Self.ofURLLoading.contains(word) || word.hasPrefix("URLSession") { usesURLLoading = true }
        if Self.ofSecurity.contains(where: word.hasPrefix) { usesSecurity = true }
    }

    /// The copy's additional imports, in order.
    var addition: [String] {
        var addition: [String] = []
        if usesSelectors { addition.append("HILSelectors") }
        if !names.isEmpty { addition.append("HILFoundation") }
        if usesURLLoading { addition.append("HILURLLoading") }
        if usesCombine, !names.isEmpty, names.isDisjoint(with: ["Combine", "SwiftUI"]) { addition.append("Combine") }
        if usesSecurity, !names.isEmpty, !names.contains("Security") { addition.append("Security") }
        return addition
    }
}
