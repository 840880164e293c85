import AccessorySetupKit
import CoreBluetooth
import Foundation
import HILPhone
import TestSupport
import Testing

/// Runs the listings of Apple's article on the simulated phone and checks that they do what the article says.
@Suite(.timeLimit(.minutes(1))) struct ArticleListingTests {
    private static let service = "D1CE0001-7C3A-4F6B-9B52-1A6F0C8E5D47"

    private func item(on stand: ListingStand) throws -> ASPickerDisplayItem {
        let descriptor = ASDiscoveryDescriptor()
        descriptor.bluetoothServiceUUID = CBUUID(string: Self.service)
        let image = try #require(stand.run { UIImage(named: "die") })
        return ASPickerDisplayItem(name: "Bluetooth Die", productImage: image, descriptor: descriptor)
    }

    @Test("The session is activated, the picker is shown, and the picked accessory is added", .covers("K1"))
    func activate() async throws {
        let stand = try await ListingStand()
        stand.add("Die 7", service: Self.service)
        let controller = stand.run { ActivatingViewController() }
        stand.run { controller.viewDidLoad() }
        try await stand.waitForEvent("activated")
        stand.run { controller.add() }
        try await stand.waitForEvent("accessoryAdded “My Accessory”")
        try await stand.waitForEvent("pickerDidDismiss")
        #expect(stand.accessories == ["My Accessory"])
        withExtendedLifetime(controller) {}
    }

    @Test("An accessory that the app accepts is shown with the app's name for it", .covers("F1", "F2"))
    func filter() async throws {
        let stand = try await ListingStand()
        stand.add("Die 7", service: Self.service)
        let controller = stand.run { FilteringViewController() }
        stand.run {
            controller.setUp()
            controller.viewDidLoad()
        }
        let done = Answer<Bool>()
        let item = try item(on: stand)
        stand.run { controller.session.showPicker(for: [item]) { done($0 == nil) } }
        #expect(try await done.value)
        #expect(stand.accessories == ["More Specific Product Name"])
    }

    @Test("The app handles the picked accessory after the picker is closed", .covers("K11"))
    func connect() async throws {
        let stand = try await ListingStand()
        stand.add("Die 7", service: Self.service)
        let controller = stand.run { ConnectingViewController() }
        stand.run { controller.viewDidLoad() }
        let done = Answer<Bool>()
        let item = try item(on: stand)
        stand.run { controller.session.showPicker(for: [item]) { done($0 == nil) } }
        #expect(try await done.value)
        #expect(controller.pickedAccessory == nil, "the listing releases it when the picker is dismissed")
        #expect(stand.accessories == ["Bluetooth Die"])
    }
}
