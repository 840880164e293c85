import Foundation
import Synchronization

/// The phone's own Settings, where the person removes and renames accessories without any app (A7), and changes whose
/// notifications they get (N6).
///
/// The person opens it as soon as nothing lies over the app and the accessory that is meant is there.
final class SettingsApp: PhonePart {
    private typealias Listed = (app: String, record: AccessoryRecord)

    private unowned let phone: Phone
    private let isOpen = Mutex(false)

    init(phone: Phone) { self.phone = phone }

    /// Opens Settings if the person means to do something there that is possible now.
    func openIfWanted() {
        guard let action = phone.person.nextInSettings else { return }
        let listed = accessories
        let page = SettingsApp.page(listed)
        guard page.allows(action) else { return phone.person.looked(at: page) }
        let opens = isOpen.withLock { isOpen in
            defer { isOpen = true }
            return !isOpen
        }
        guard opens else { return }
        Task { [phone] in
            if let action = try? await phone.display.ask(page) { await act(action, on: page, listed, of: phone) }
            isOpen.withLock { $0 = false }
            openIfWanted()
        }
    }

    private func act(_ action: PersonAction, on page: Screen, _ listed: [Listed], of phone: Phone) async {
        let setup = phone.part(AccessorySetup.self)
        switch action {
        case .removeInSettings(let name):
            guard let index = page.index(of: name) else { return }
            await setup.remove(listed[index].record, from: listed[index].app)
        case .renameInSettings(let name, let other):
            guard let index = page.index(of: name) else { return }
            setup.rename(listed[index].record, to: other, renamesSSID: false, for: listed[index].app)
        case .forwardInSettings(let name, let choice):
            guard let index = page.index(of: name) else { return }
            phone.notifications.decide(
                ForwardingGrant(choice), for: listed[index].record.id, of: listed[index].app)
        default: break
        }
    }

    /// The accessories of all apps, those of the running one first.
    private var accessories: [Listed] {
        let all = phone.store.everything
        let running = phone.app?.bundle.identifier
        return all.filter { $0.app == running } + all.filter { $0.app != running }
    }

    private static func page(_ listed: [Listed]) -> Screen {
        Screen(
            .settings, title: "Settings: Accessories",
            entries: listed.map { accessory in
                Screen.Entry(
                    title: accessory.record.displayName, detail: accessory.app,
                    picture: accessory.record.picture?.path)
            }, controls: [.removeInSettings, .renameInSettings, .forwardInSettings])
    }
}
