import Foundation
import PeripheralModel
import RadioModel

/// The phone's own services on the air.
extension PhonePeripheral {
    var personality: PhonePersonality? {
        get { state.withLock { $0.own?.personality } }
        set {
            state.withLock { state in
                state.own = newValue.map(OwnServices.init)
                if state.pump == nil { state.pump = listen() }
            }
            phone.record(.note("personality", newValue?.introduction ?? PhonePersonality.noneIntroduction))
            setRadio(newValue?.radio ?? RadioPersonality())
            notificationsChanged(phone.notifications.posted)
            perform(.setName(newValue?.name ?? ""), "naming the phone") { _ in }
            publish { _ in }
        }
    }

    /// Handles an event of the phone's own services.
    ///
    /// - Returns: Whether it was one.
    func takesOwn(_ event: PeripheralEvent) -> Bool {
        let count = state.withLock { $0.ownCount }
        switch event {
        case .requested(let request) where request.request.place.service < count:
            serve(request.request)
            return true
        case .subscription(let isOn, let place, let device) where place.service < count:
            if place == OwnServices.notificationSource, let device { setNotificationSource(isOn, of: device) }
            return true
        default: return false
        }
    }

    private func serve(_ request: PeripheralRequest) {
        guard let written = request.written else {
            let value = OwnServices.time(at: request.place, Date(), in: .current)
            return answer(request.number, value.map(PeripheralAnswer.value) ?? .refused(0x0E))
        }
        guard let device = request.phone, state.withLock({ $0.sharing.isAllowed(device) }) else {
            return refuseCommand(request)
        }
        switch Result(catching: { () throws(NotificationService.Refusal) in
            try state.withLock { $0.notifications }.command(written)
        }) {
        case .failure(let refusal): answer(request.number, .refused(refusal.code))
        case .success(.remove(let notification)):
            answer(request.number, .written(nil))
            phone.notifications.remove(notification)
        case .success(.answer(let data)):
            answer(request.number, .written(nil))
            notify(NotificationService.parts(of: data, mtu: request.mtu), at: OwnServices.dataSource, to: device)
        }
    }

    /// Refuses a command of a device with which the person does not share notifications (C23).
    private func refuseCommand(_ request: PeripheralRequest) {
        let code = phone.policy.unsharedCommandError
        let name = request.phone.map { "“\(self.name(of: $0))”" } ?? "a device"
        phone.record(
            .note(
                "notifications",
                "refused a command of \(name) with \(AttributeErrorName.text(of: code)): the person does not share "
                    + "notifications with it"))
        answer(request.number, .refused(code))
    }

    /// Handles a change of the notification centre, which now shows these.
    func notificationsChanged(_ posted: [PhoneNotification]) {
        let (values, receivers) = state.withLock { state in
            (state.notifications.change(to: posted), state.sharing.receivers)
        }
        for device in receivers { announce(values, to: device) }
    }

    /// Notifies values of the Notification Source to one device.
    func announce(_ values: [Data], to device: DeviceAddress) {
        notify(values, at: OwnServices.notificationSource, to: device)
    }

    private func notify(_ values: [Data], at place: AttributePlace, to device: DeviceAddress) {
        let device = state.withLock { $0.sharing.current(device) }
        for value in values { perform(.notify(value, place, to: device), "announcing a notification") { _ in } }
    }
}

extension PhonePeripheral.State {
    /// How many services are the phone's own. They come first.
    var ownCount: Int { own?.services.count ?? 0 }
}
