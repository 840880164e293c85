import Foundation
import Synchronization

/// The Settings app. In it the person removes and renames accessories (A7), changes whose notifications they receive
/// (N6), and switches Bluetooth and Wi-Fi on and off (C6, K18, W6).
///
/// The person opens the page of accessories as soon as no screen is over the app and the chosen accessory is listed.
/// They open the page of the switches at any time, over any other screen. Whether a picker stays open meanwhile is not
/// documented; here it does.
final class SettingsApp: PhoneComponent {
    private typealias Listed = (app: String, record: AccessoryRecord)

    private unowned let phone: Phone
    /// Whether a page of Settings is open.
    private let isOpen = Mutex(false)

    init(phone: Phone) { self.phone = phone }

    /// Opens Settings if the person's next action there is possible now.
    ///
    /// - Parameter top: The topmost screen; nil means the app itself.
    func openIfWanted(over top: Screen?) {
        guard let action = phone.person.nextInSettings, action.isSwitch || top == nil else { return }
        let listed = accessories
        let page = action.isSwitch ? switches : action.control == .shareInSettings ? sharing : page(listed)
        guard page.allows(action) else { return phone.person.notePage(page) }
        let opens = isOpen.withLock { isOpen in
            defer { isOpen = true }
            return !isOpen
        }
        guard opens else { return }
        Task { [phone] in
            if action.isSwitch {
                // The page stays until the radio is switched, so that the person cannot act on the screens below it.
                try? await phone.display.ask(page) { await SettingsApp.flip($0, on: phone) }
            } else if let action = try? await phone.display.ask(page) {
                await act(action, on: page, listed, of: phone)
            }
            isOpen.withLock { $0 = false }
            phone.display.refresh()
        }
    }

    // MARK: By hand

    /// Opens a page of Settings for a person who acts by hand. It stays until the person closes it.
    ///
    /// - Parameter kind: ``Screen/Kind/settings``, ``Screen/Kind/switches`` or ``Screen/Kind/sharing``.
    /// - Returns: False if Settings is open already, or if there is no such page.
    func open(_ kind: Screen.Kind) -> Bool {
        guard kind.isPageOfSettings else { return false }
        let opens = isOpen.withLock { isOpen in
            defer { isOpen = true }
            return !isOpen
        }
        guard opens else { return false }
        let (actions, continuation) = AsyncStream<PersonAction>.makeStream()
        let token = phone.display.present(pageByHand(kind)) { continuation.yield($0) }
        Task { [phone] in
            for await action in actions {
                if action == .done { break }
                if action.isSwitch {
                    await SettingsApp.flip(action, on: phone)
                } else {
                    let listed = accessories
                    await act(action, on: kind == .sharing ? sharing : page(listed), listed, of: phone)
                }
                phone.display.update(token, to: pageByHand(kind), asksAgain: true)
            }
            phone.display.dismiss(token)
            isOpen.withLock { $0 = false }
        }
        return true
    }

    private func pageByHand(_ kind: Screen.Kind) -> Screen {
        var page = kind == .switches ? switches : kind == .sharing ? sharing : page(accessories)
        page.controls.append(.done)
        return page
    }

    private static func flip(_ action: PersonAction, on phone: Phone) async {
        switch action {
        case .switchBluetoothOff: await phone.switchBluetooth(false)
        case .switchBluetoothOn: await phone.switchBluetooth(true)
        case .switchWiFiOff: await phone.switchWiFi(false)
        case .switchWiFiOn: await phone.switchWiFi(true)
        default: break
        }
    }

    private func act(_ action: PersonAction, on page: Screen, _ listed: [Listed], of phone: Phone) async {
        let setup = phone.part(AccessorySetup.self)
        switch action {
        case .removeInSettings(let accessory):
            guard let index = page.index(of: accessory) else { return }
            await setup.remove(listed[index].record, from: listed[index].app)
        case .renameInSettings(let accessory, let name):
            guard let index = page.index(of: accessory) else { return }
            setup.rename(listed[index].record, to: name, renamesSSID: false, for: listed[index].app)
        case .forwardInSettings(let accessory, let choice):
            guard let index = page.index(of: accessory) else { return }
            phone.notifications.decide(
                ForwardingGrant(choice), for: listed[index].record.id, of: listed[index].app)
        case .shareInSettings(let accessory, let isOn):
            // By its identifier: there may be more devices by now.
            guard let index = page.index(of: accessory), let identifier = page.entries[index].id,
                let device = phone.identifiers.address(of: identifier)
            else { return }
            phone.part(PhonePeripheral.self).share(isOn, with: device)
        default: break
        }
    }

    /// The accessories of all apps, those of the running app first.
    private var accessories: [Listed] {
        let all = phone.store.everything
        let running = phone.app?.bundle.identifier
        return all.filter { $0.app == running } + all.filter { $0.app != running }
    }

    private func page(_ listed: [Listed]) -> Screen {
        Screen(
            .settings, title: "Settings: Accessories",
            entries: listed.map { accessory in
                Screen.Entry(
                    title: accessory.record.displayName, detail: phone.name(ofApp: accessory.app),
                    picture: accessory.record.picture?.path, id: accessory.record.id,
                    address: accessory.record.bluetoothIdentifier.flatMap(phone.identifiers.address))
            }, controls: [.removeInSettings, .renameInSettings, .forwardInSettings])
    }

    private var sharing: Screen {
        Screen(
            .sharing, title: "Settings: Bluetooth",
            entries: phone.part(PhonePeripheral.self).sharingSwitches.map { device, isOn in
                Screen.Entry(
                    title: phone.part(PhonePeripheral.self).name(of: device), detail: isOn ? "On" : "Off",
                    id: phone.identifiers.identifier(of: device), address: device)
            }, controls: [.shareInSettings])
    }

    private var switches: Screen {
        let wifi = phone.wifiIsOn ? phone.network.link?.ssid ?? "Not Connected" : "Off"
        return Screen(
            .switches, title: "Settings",
            entries: [
                Screen.Entry(title: "Wi-Fi", detail: wifi),
                Screen.Entry(title: "Bluetooth", detail: phone.bluetoothIsOn ? "On" : "Off"),
            ],
            controls: [
                phone.wifiIsOn ? .switchWiFiOff : .switchWiFiOn,
                phone.bluetoothIsOn ? .switchBluetoothOff : .switchBluetoothOn,
            ])
    }
}
