import Foundation
import HILPhone

/// Settings that customize the display of the accessory picker.
open class ASPickerDisplaySettings: NSObject, NSCopying, @unchecked Sendable {  // As in Apple's SDK.
    /// How long the picker searches for accessories.
    public struct DiscoveryTimeout: RawRepresentable, Sendable, Hashable {
        /// The time in seconds; infinite if only the app ends the discovery.
        public var rawValue: TimeInterval

        public init(rawValue: TimeInterval) { self.rawValue = rawValue }

        /// About 60 seconds.
        public static let short = DiscoveryTimeout(rawValue: 60)
        /// About two minutes.
        public static let medium = DiscoveryTimeout(rawValue: 120)
        /// About five minutes.
        public static let long = DiscoveryTimeout(rawValue: 300)
        /// Until the app calls ``ASAccessorySession/finishPickerDiscovery(completionHandler:)``.
        public static let unbounded = DiscoveryTimeout(rawValue: .infinity)
    }

    /// Options offered by the accessory picker.
    public struct Options: OptionSet, Sendable, Hashable {
        public let rawValue: UInt
        public init(rawValue: UInt) { self.rawValue = rawValue }

        /// Gives each discovered accessory to the app instead of showing it. The app gets `accessoryDiscovered` and
        /// then calls ``ASAccessorySession/updatePicker(showing:completionHandler:)``.
        public static let filterDiscoveryResults = Options(rawValue: 1 << 0)
    }

    /// Custom options for the picker.
    public var options: Options = []
    private var chosenTimeout: DiscoveryTimeout?

    /// New settings with the default values.
    public class var `default`: ASPickerDisplaySettings { ASPickerDisplaySettings() }

    public override init() {}

    /// The timeout of the picker; 30 seconds if it is not set.
    public var discoveryTimeout: DiscoveryTimeout {
        get { chosenTimeout ?? DiscoveryTimeout(rawValue: 30) }
        set { chosenTimeout = newValue }
    }

    var model: SetupSession.PickerSettings {
        SetupSession.PickerSettings(timeout: timeout, filtersResults: options.contains(.filterDiscoveryResults))
    }

    private var timeout: SetupSession.Timeout {
        guard let seconds = chosenTimeout?.rawValue else { return .standard }
        return seconds.isFinite ? .limited(.seconds(max(0, seconds))) : .unbounded
    }

    public func copy(with zone: NSZone? = nil) -> Any {
        let copy = ASPickerDisplaySettings()
        copy.chosenTimeout = chosenTimeout
        copy.options = options
        return copy
    }
}
