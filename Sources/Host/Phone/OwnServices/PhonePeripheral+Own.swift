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
                state.isNotificationSourceOn = false
                if state.pump == nil { state.pump = listen() }
            }
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
        case .subscription(let isOn, let place) where place.service < count:
            if place == OwnServices.notificationSource { setNotificationSource(isOn) }
            return true
        default: return false
        }
    }

    private func serve(_ request: PeripheralRequest) {
        guard let written = request.written else {
            let value = OwnServices.time(at: request.place, Date(), in: .current)
            return answer(request.number, value.map(PeripheralAnswer.value) ?? .refused(0x0E))
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
            for part in NotificationService.parts(of: data, mtu: request.mtu) {
                perform(.notify(part, OwnServices.dataSource), "announcing a notification") { _ in }
            }
        }
    }

    private func setNotificationSource(_ isOn: Bool) {
        let values = state.withLock { state in
            state.isNotificationSourceOn = isOn
            return isOn ? state.notifications.existing() : []
        }
        tellOfNotifications(values)
    }

    /// Handles a change of the notification centre, which now shows these.
    func notificationsChanged(_ posted: [PhoneNotification]) {
        let values = state.withLock { state in
            let values = state.notifications.change(to: posted)
            return state.isNotificationSourceOn ? values : []
        }
        tellOfNotifications(values)
    }

    private func tellOfNotifications(_ values: [Data]) {
        for value in values {
            perform(.notify(value, OwnServices.notificationSource), "announcing a notification") { _ in }
        }
    }
}

extension PhonePeripheral.State {
    /// How many services are the phone's own. They come first.
    var ownCount: Int { own?.services.count ?? 0 }
}
