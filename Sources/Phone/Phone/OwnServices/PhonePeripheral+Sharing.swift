import BoardProtocol
import Foundation
import PeripheralModel
import RadioModel

/// Share System Notifications: which accessories may have the phone's notifications (C23).
extension PhonePeripheral {
    /// The open question whether a device may have notifications.
    struct SharingQuestion {
        let number: Int
        let task: Task<Void, Never>
    }

    /// Whether the phone has the service. Without it no accessory can have the permission.
    package var hasNotificationService: Bool { state.withLock { $0.own?.personality.hasNotificationService == true } }

    /// Whether an accessory may have the phone's notifications.
    package func sharesNotifications(with identifier: UUID) -> Bool {
        guard let device = phone.identifiers.address(of: identifier) else { return false }
        return state.withLock { $0.sharing.isAllowed(device) }
    }

    /// A device has subscribed to the Notification Source, or unsubscribed.
    func setNotificationSource(_ isOn: Bool, of device: DeviceAddress) {
        let values = state.withLock { state in
            state.sharing.subscribe(device, isOn)
            return state.sharing.isReceiving(device) ? state.notifications.existing() : []
        }
        announce(values, to: device)
        if isOn, phone.policy.sharingPrompt == .whenSubscribed { askToShare(with: device) }
        // Settings has a switch for it from now on.
        phone.display.refresh()
    }

    /// Handles a radio's event that is about a device's permission.
    func noteForSharing(_ event: RadioEvent) {
        switch event {
        case .addressChanged(let old, let new):
            state.withLock { state in
                state.sharing.rename(old, to: new)
                if let question = state.questions.removeValue(forKey: old) { state.questions[new] = question }
            }
        case .bonded(let device, _):
            state.withLock { $0.sharing.bond(device) }
            if hasNotificationService, phone.policy.sharingPrompt == .whenPaired { askToShare(with: device) }
        default: break
        }
    }

    /// Pairs with a device if there is no bond, and asks the person, for an app whose connection needs the permission.
    ///
    /// - Throws: ``RadioModel/RadioError``: the pairing has failed.
    func requireSharing(with device: DeviceAddress) async throws {
        if !state.withLock({ $0.sharing.isBonded(device) }) { _ = try await phone.radio.pair(device) }
        askToShare(with: device)
    }

    /// Asks the person once. A question that ends with its link is asked again at the next occasion.
    private func askToShare(with device: DeviceAddress) {
        let screen = Screen(
            .notificationSharing,
            title: "Allow “\(name(of: device))” to Receive Your iPhone Notifications?",
            controls: [.deny, .allow], willing: .allow)
        state.withLock { state in
            let device = state.sharing.current(device)
            state.sharing.use(by: device)
            guard state.sharing.answer(about: device) == nil, state.questions[device] == nil else { return }
            state.lastQuestion += 1
            let number = state.lastQuestion
            let task = Task { [phone] in
                let answer = try? await phone.display.ask(screen)
                // Before the answer counts, so that a new question is possible.
                end(question: number)
                if let answer { share(answer == .allow, with: device) }
            }
            state.questions[device] = SharingQuestion(number: number, task: task)
        }
    }

    private func end(question number: Int) {
        state.withLock { state in state.questions = state.questions.filter { $0.value.number != number } }
    }

    /// Closes the open question about a device whose link has ended.
    func endQuestion(about device: DeviceAddress) {
        state.withLock { $0.questions.removeValue(forKey: $0.sharing.current(device)) }?.task.cancel()
    }

    /// Keeps the person's answer, or the position of the switch in Settings.
    func share(_ isOn: Bool, with device: DeviceAddress) {
        let (isNew, values) = state.withLock { state in
            let isNew = state.sharing.set(isOn, for: device)
            return (isNew, isNew && state.sharing.isReceiving(device) ? state.notifications.existing() : [])
        }
        endQuestion(about: device)
        let name = name(of: device)
        phone.record(
            .note(
                "notifications",
                "“\(name)” may \(isOn ? "" : "not ")receive the phone's notifications (Share System "
                    + "Notifications)"))
        if isNew { tellOfSharing(isOn, with: device) }
        announce(values, to: device)
        phone.display.refresh()
    }

    /// Forgets the permission of a device whose bond is deleted.
    func forgetSharing(with device: DeviceAddress) {
        endQuestion(about: device)
        if state.withLock({ $0.sharing.forget(device) }) { tellOfSharing(false, with: device) }
    }

    private func tellOfSharing(_ isOn: Bool, with device: DeviceAddress) {
        phone.bluetooth.sharingChanged(isOn, with: phone.identifiers.identifier(of: device))
    }

    /// The name by which the person knows a device: what it says of itself, else that of the accessory that was set up, else
    /// its address.
    func name(of device: DeviceAddress) -> String {
        let identifier = phone.identifiers.identifier(of: device)
        return phone.bluetooth.heardName(of: identifier)
            ?? phone.store.everything.first { $0.record.bluetoothIdentifier == identifier }?.record.displayName
            ?? device.description
    }

    /// The devices that have asked for notifications, and whether they may have them: the switches in Settings.
    var sharingSwitches: [(device: DeviceAddress, isOn: Bool)] {
        state.withLock { state in state.sharing.users.map { ($0, state.sharing.isAllowed($0)) } }
    }
}

extension Phone {
    /// Deletes the bond and all that the phone knows about a device.
    ///
    /// - Throws: ``RadioModel/RadioError``.
    func forget(_ device: DeviceAddress) async throws {
        part(PhonePeripheral.self).forgetSharing(with: device)
        try await radio.forget(device)
    }
}
