import Foundation
import HILTiming
import HostRadio
import RadioModel
import TestSupport
import Testing

@testable import HILPhone

/// The phone in the hands of somebody else than the scenario's person.
@Suite struct ByHandTests {
    private let phone = Phone(radio: InMemoryRadio(), clock: ManualClock())

    init() { phone.person.isByHand = true }

    @Test("A page of Settings stays until it is closed, and can be used several times")
    func settings() async throws {
        #expect(!phone.openSettings(.passkey), "there is no such page")
        #expect(phone.openSettings(.switches))
        #expect(!phone.openSettings(.settings), "it is open")
        #expect(phone.screen.last?.controls == [.switchWiFiOff, .switchBluetoothOff, .done])
        for action in [PersonAction.switchBluetoothOff, .switchBluetoothOn, .switchWiFiOff] {
            // The page takes the next action when the radio has followed.
            try await phone.log.wait(for: "the page to take “\(action)”") { phone.display.act(action, on: .switches) }
        }
        try await phone.log.wait(for: "the page to be closed") { phone.display.act(.done, on: .switches) }
        try await phone.log.wait(for: "the end of the page") { phone.screen.isEmpty }
        #expect(phone.bluetoothIsOn && !phone.wifiIsOn)
        #expect(phone.openSettings(.settings))
    }

    @Test("The page of Settings asks nobody for a limit of time, a page that shows progress does not wait for a person")
    func waiting() {
        let token = phone.display.present(Screen(.settingUp, title: "Setting Up", controls: [.cancel])) { _ in }
        #expect(!phone.display.awaitsPerson)
        phone.display.update(token, to: Screen(.setupComplete, title: "Ready", controls: [.done], willing: .done))
        #expect(phone.display.awaitsPerson)
        #expect(phone.display.act(.done, on: .setupComplete) && !phone.display.awaitsPerson)
        #expect(!phone.display.act(.done, on: .setupComplete), "it was answered")
    }

    @Test("An accessory is named as a person would: by a name that finds it, else by its address, else by its place")
    func names() throws {
        let address = try #require(DeviceAddress("02:00:00:00:02:B0"))
        let entries = [
            Screen.Entry(title: "Die", detail: "A", id: UUID()), Screen.Entry(title: "Die", detail: "B", id: UUID()),
            Screen.Entry(title: "Die", detail: "B", id: UUID(), address: address),
            Screen.Entry(title: "Die", detail: "B", id: UUID()),
        ]
        let screen = Screen(.picker, title: "", entries: entries, controls: [.pick])
        let told = try entries.map { screen.named(.pick(.entry(try #require($0.id)))) }
        #expect(told == [.pick("A"), .pick("B"), .pick(.address(address)), .pick(.number(4))])
        let page = Screen(.settings, title: "", entries: [entries[0]])
        #expect(page.named(.removeInSettings(.number(1))) == .removeInSettings("Die"), "the detail is an app there")
    }
}
