import Foundation
import RadioModel

/// A mistake in an app's use of AccessorySetupKit that the phone can see while the app runs.
///
/// Each becomes a warning with its rule and a way to fix it. Source: the mistakes and the checklist of the guide to
/// AccessorySetupKit.
enum Mistake: Sendable {
    /// The app used a session before it called `activate(on:eventHandler:)`.
    case usedBeforeActivation
    case activatedTwice
    case usedAfterInvalidation
    case centralBeforeMigration
    /// The app connects to an accessory that was removed from it.
    case connectedAfterRemoval(UUID)
    /// The app is a peripheral, although it declares Bluetooth for AccessorySetupKit.
    case publishesWithSetup
    /// The app advertises by a second peripheral manager.
    case secondAdvertisement

    /// The Info.plist refers to a build setting that the app's bundle does not give.
    case missingBuildSetting(String)

    /// The app uses the local network, and its Info.plist does not say why.
    case noLocalNetworkUsage
    /// The app looks for services of a type, or offers one, that its Info.plist does not declare.
    case undeclaredService(String)
    /// The app's URL session speaks HTTP without TLS to a host by a name that the Info.plist does not allow.
    case insecureLoad(host: String)
    /// The app sends a datagram to several hosts, and its entitlements do not allow that.
    case noMulticastEntitlement(String)

    /// The phone joins a network whose encryption is not secure.
    case weakSecurity(String, WiFiSecurity)

    var rule: String {
        switch self {
        case .weakSecurity: "W19"
        case .noLocalNetworkUsage, .undeclaredService: "W8"
        case .insecureLoad: "W14"
        case .noMulticastEntitlement: "W15"
        case .missingBuildSetting: "P1"
        case .usedBeforeActivation, .activatedTwice: "K16"
        case .usedAfterInvalidation: "K8"
        case .centralBeforeMigration: "M3"
        case .connectedAfterRemoval: "A5"
        case .publishesWithSetup, .secondAdvertisement: "C22"
        }
    }

    var text: String {
        switch self {
        case .weakSecurity(let ssid, let security):
            "Weak Security: “\(ssid)” (\(security)) uses TKIP, which is not secure, and an iPhone says so under the network's "
                + "name: let the access point use WPA2 (AES) or WPA3 only"
        case .missingBuildSetting(let name):
            "the Info.plist refers to $(\(name)), which Xcode would replace: give it a value in the buildSettings of the "
                + "app's AppBundle"
        case .noLocalNetworkUsage:
            "the app uses the local network, and the prompt does not say why: add NSLocalNetworkUsageDescription to the "
                + "Info.plist"
        case .undeclaredService(let type):
            "the service type \(type) is not declared, so that Bonjour refuses it: add it to NSBonjourServices in the "
                + "Info.plist"
        case .noMulticastEntitlement(let address):
            "the app sends datagrams to \(address), which iOS blocks without an entitlement that Apple grants on request: add "
                + "\(LocalNetworkAccess.multicastEntitlement) to the app's entitlements"
        case .insecureLoad(let host):
            "App Transport Security blocks http://\(host), because it is not https: set NSAllowsLocalNetworking under "
                + "NSAppTransportSecurity in the Info.plist, for names that end with .local or have no dot"
        case .usedBeforeActivation:
            "a session was used before it was activated: call activate(on:eventHandler:) and wait for activated"
        case .activatedTwice:
            "a session was activated twice: activate each session once, and handle all its events in that handler"
        case .usedAfterInvalidation:
            "a session was used after it was invalidated, which has no effect: make a new one and activate it"
        case .centralBeforeMigration:
            "a CBCentralManager was created before the migration, so the picker does not appear: create it after "
                + "migrationComplete"
        case .connectedAfterRemoval(let peripheral):
            "the app connects to \(peripheral), but this accessory was removed from the app: stop using an accessory "
                + "after accessoryRemoved"
        case .publishesWithSetup:
            "the app made a CBPeripheralManager, but declares Bluetooth for AccessorySetupKit: nobody has allowed it "
                + "more than its accessories, so the manager is unauthorized (assumed; HostPolicy.accessorySetupAppsPublish)"
        case .secondAdvertisement:
            "the app advertises by a second CBPeripheralManager, which is on the air only after the first has stopped: "
                + "use one manager"
        }
    }
}

extension Phone {
    /// Records the mistake as a warning in ``log``.
    func warn(of mistake: Mistake) { record(.warning(rule: mistake.rule, mistake.text)) }
}
