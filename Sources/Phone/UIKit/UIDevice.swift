import Foundation

/// The kind of device that runs an app.
public enum UIUserInterfaceIdiom: Int, Sendable {
    case unspecified = -1
    case phone, pad, tv, carPlay
    case mac = 5
    case vision = 6
}

/// The simulated phone, as apps see it.
@preconcurrency @MainActor
public final class UIDevice: NSObject {
    public static let current = UIDevice()

    private override init() {}

    /// As iOS gives it to apps that may not know the person's name for it.
    public let name = "iPhone"
    public let model = "iPhone"
    public let localizedModel = "iPhone"
    public let systemName = "iOS"
    /// The newest release whose frameworks are simulated.
    public let systemVersion = "26.2"
    public let userInterfaceIdiom = UIUserInterfaceIdiom.phone
    /// The same in all apps of one vendor, and new with each run.
    public let identifierForVendor: UUID? = UUID()
}
