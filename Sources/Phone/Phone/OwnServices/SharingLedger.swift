import RadioModel

/// Which accessories may have the phone's notifications by Apple Notification Center Service, which want them, and whom
/// the person was asked about, without a radio or a screen.
struct SharingLedger {
    /// The person's answers.
    private var answers: [DeviceAddress: Bool] = [:]
    /// The devices that have asked for notifications, oldest first. Settings has a switch for each.
    private(set) var users: [DeviceAddress] = []
    /// The devices that are subscribed to the Notification Source now.
    private var subscribers: Set<DeviceAddress> = []
    private var bonded: Set<DeviceAddress> = []
    /// The present addresses of devices, by those that they had before.
    private var renamed: [DeviceAddress: DeviceAddress] = [:]

    /// The address of a device now. Events may have an earlier one.
    func current(_ device: DeviceAddress) -> DeviceAddress { renamed[device] ?? device }

    /// The person's answer; nil if there is none yet.
    func answer(about device: DeviceAddress) -> Bool? { answers[current(device)] }

    /// Whether a device may have notifications.
    func isAllowed(_ device: DeviceAddress) -> Bool { answer(about: device) == true }

    func isBonded(_ device: DeviceAddress) -> Bool { bonded.contains(current(device)) }

    /// Whether a device gets notifications now.
    func isReceiving(_ device: DeviceAddress) -> Bool { isAllowed(device) && subscribers.contains(current(device)) }

    /// The devices that get notifications now, in a fixed order.
    var receivers: [DeviceAddress] { users.filter(isReceiving) }

    /// Notes that a device wants notifications, or asks which there are.
    mutating func use(by device: DeviceAddress) {
        if !users.contains(current(device)) { users.append(current(device)) }
    }

    /// Notes that a device has subscribed to the Notification Source, or unsubscribed.
    mutating func subscribe(_ device: DeviceAddress, _ isOn: Bool) {
        guard isOn else {
            subscribers.remove(current(device))
            return
        }
        use(by: device)
        subscribers.insert(current(device))
    }

    /// Keeps the person's answer.
    ///
    /// - Returns: Whether the permission is another one now: no answer is none.
    mutating func set(_ isAllowed: Bool, for device: DeviceAddress) -> Bool {
        use(by: device)
        return (answers.updateValue(isAllowed, forKey: current(device)) ?? false) != isAllowed
    }

    mutating func bond(_ device: DeviceAddress) { bonded.insert(current(device)) }

    /// Notes that a device has another address from now on.
    mutating func rename(_ old: DeviceAddress, to new: DeviceAddress) {
        guard old != new else { return }
        renamed[new] = nil
        renamed = renamed.mapValues { $0 == old ? new : $0 }
        renamed[old] = new
        if let answer = answers.removeValue(forKey: old) { answers[new] = answers[new] ?? answer }
        if subscribers.remove(old) != nil { subscribers.insert(new) }
        if bonded.remove(old) != nil { bonded.insert(new) }
        if users.contains(new) { users.removeAll { $0 == old } }
        users = users.map { $0 == old ? new : $0 }
    }

    /// Forgets the person's answer and all else about a device whose bond is deleted.
    ///
    /// - Returns: Whether it had the permission.
    mutating func forget(_ device: DeviceAddress) -> Bool {
        let device = current(device)
        bonded.remove(device)
        subscribers.remove(device)
        users.removeAll { $0 == device }
        return answers.removeValue(forKey: device) == true
    }
}
