// The listings keep their original format.
// swift-format-ignore-file

import AccessorySetupKit
import CoreBluetooth
import Testing

// The listings of Apple's article "Discovering and configuring accessories" (seeds 001 and 003 have the same listings).
// Statements were added where Swift needs one. Linux has no UIKit: only the base class is declared here.
// `ArticleListingTests` runs them.

class UIViewController {
    func viewDidLoad() {}
}

private let MY_ACCESSORY_UUID_STRING = "D1CE0001-7C3A-4F6B-9B52-1A6F0C8E5D47"
private let MY_ACCESSORY_IMAGE_NAME = "die"

class ActivatingViewController: UIViewController {
    let session = ASAccessorySession()
    override func viewDidLoad() {
        super.viewDidLoad()

        session.activate(on: DispatchQueue.main) { [weak self] event in
            guard let self else { return }

            switch event.eventType {
            case .activated:
                // Use previously-discovered accessories in
                // session.accessories, if necessary.
                _ = self.session.accessories
            case .accessoryAdded:
                // Handle addition of an accessory by person using the app.
                break
            case .accessoryRemoved, .accessoryChanged:
                // Handle removal or change of previously-added
                // accessory, if necessary.
                break
            case .invalidated:
                // The session is now invalid and you can't use it further.
                break
            case .migrationComplete:
                // Handle migration.
                break
            case .pickerDidPresent:
                // Update state for picker appearing, if necessary.
                break
            case .pickerDidDismiss:
                // Update state for picker disappearing, if necessary.
                break
            case .unknown:
                // Handle unknown event type, if appropriate.
                break
            @unknown default:
                // Reserve this space for yet-to-be-defined event types.
                break
            }
        }
    }

    private func showMyPicker() {
        var descriptor = ASDiscoveryDescriptor()
        descriptor.bluetoothServiceUUID = CBUUID(string: MY_ACCESSORY_UUID_STRING) // If using Wi-Fi, set descriptor.ssid instead.

        let displayName = "My Accessory"
        guard let productImage = UIImage(named: MY_ACCESSORY_IMAGE_NAME) else { return }

        var items: [ASPickerDisplayItem] = []
        items.append (ASPickerDisplayItem(name: displayName,
                                          productImage: productImage,
                                          descriptor: descriptor))

        // Create additional picker items if you support multiple accessories
        // with different Wi-Fi SSIDs or Bluetooth service UUIDs.

        session.showPicker(for: items) { error in
            if let error {
                // Handle error.
            } else {
                // Perform any post-picker cleanup.
                // If the picker finished by selecting an item, the event
                // handler receives it as an event of type `.accessoryAdded`.
            }
        }
    }
}

class FilteringViewController: UIViewController {
    let session = ASAccessorySession()

    func setUp() {
        let settings = ASPickerDisplaySettings.default
        settings.discoveryTimeout = .unbounded
        settings.options.insert(.filterDiscoveryResults)
        session.pickerDisplaySettings = settings
    }

    func myShouldDisplayAccessory(advertisement: [AnyHashable: Any]?, rssi: Int?) -> Bool {
        advertisement?[CBAdvertisementDataLocalNameKey] as? String == "Die 7" && rssi ?? -127 > -60
    }

    override func viewDidLoad() {
        session.activate(on: .main) { [weak self] event in
            guard let strongSelf = self else { return }
            switch event.eventType {
            case .accessoryDiscovered:
                if let accessory = event.accessory as? ASDiscoveredAccessory {
                    if strongSelf.myShouldDisplayAccessory(advertisement: accessory.bluetoothAdvertisementData,
                                                rssi: accessory.bluetoothRSSI) {
                        let item = ASDiscoveredDisplayItem(name: "More Specific Product Name",
                                                           productImage: UIImage(named: "AssetPreparedJustInTime")!,
                                                           accessory: accessory)
                        strongSelf.session.updatePicker(showing: [item]) { error in
                            print(error)
                        }
                    }
                }
            default: break
            }
        }
    }
}

class ConnectingViewController: UIViewController {
    let session = ASAccessorySession()
    var pickedAccessory: ASAccessory?

    override func viewDidLoad() {
        session.activate(on: .main) { [weak self] event in
            guard let self else { return }
            switch event.eventType {
            case .accessoryAdded:
                self.pickedAccessory = event.accessory
            case .pickerDidDismiss:
                guard let accessory = self.pickedAccessory else { return }
                self.pickedAccessory = nil
                self.handleAccessoryAdded(accessory)
            default: break
            }
        }
    }

    private func handleAccessoryAdded(_ accessory: ASAccessory) {
        if let btIdentifier = accessory.bluetoothIdentifier {
            // Use Core Bluetooth to communicate with and configure the accessory.
        }
        else if let ssid = accessory.ssid {
            // Create a `NEHotspotConfiguration` with this SSID to configure.
        }
    }
}

// For the tests: the listing's own method is private.
extension ActivatingViewController {
    func add() { showMyPicker() }
}
