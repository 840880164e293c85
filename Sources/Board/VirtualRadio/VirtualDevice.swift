import HILPOSIX
import RadioModel

/// A virtual device in the board's kernel. It exists as long as the object; a port carries its other side.
protocol VirtualDevice: AnyObject {
    /// Readable when the kernel has messages for the air.
    var descriptor: Int32 { get }

    /// Whether messages for the air were read already, together with those of another device.
    var hasWaiting: Bool { get }

    /// Returns all messages that the kernel has for the air.
    func drain() throws -> [RadioMessage]

    /// Passes a message from the air to the kernel.
    ///
    /// - Returns: A line for the log if the kernel refused it.
    func take(_ message: RadioMessage) -> String?

    /// Removes the device.
    func unplug()
}

/// The virtual devices of one kind, and the port that adds and removes them.
///
/// A device exists from `attach` to `detach`, to the next `reset`, or until the air disconnects.
final class RadioStation {
    private let port: RadioPort
    private let limit: UInt8
    private let plugIn: (_ number: UInt8, DeviceAddress, UInt8) throws -> any VirtualDevice
    /// The devices by their numbers.
    private(set) var devices: [UInt8: any VirtualDevice] = [:]
    private var unwatched: Set<UInt8> = []

    /// - Parameters:
    ///   - limit: The most devices. They are numbered from 0.
    ///   - plugIn: Makes a device for its number, an address and a number of channels.
    init(
        port: RadioPort, limit: UInt8,
        plugIn: @escaping (_ number: UInt8, DeviceAddress, UInt8) throws -> any VirtualDevice
    ) {
        self.port = port
        self.limit = limit
        self.plugIn = plugIn
    }

    /// Carries out the port's requests.
    ///
    /// - Returns: The numbers of new devices, whose descriptors must be watched from now on.
    func servicePort(isHungUp: Bool) throws(SystemError) -> [UInt8] {
        for event in try port.service(isHungUp: isHungUp) {
            switch event {
            case .connected: try port.send(.ready(token: 0))
            case .disconnected: unplugAll()
            case .refused(let reason): try port.send(.note("refused: \(reason)"))
            case .message(.reset(let token)):
                unplugAll()
                try port.send(.ready(token: token))
            case .message(.of(let number, let message)): try obey(message, on: number)
            case .message(let message): try obey(message, on: 0)
            }
        }
        defer { unwatched = [] }
        try forwardWaiting()
        return unwatched.filter { devices[$0] != nil }.sorted()
    }

    /// Sends the kernel's messages of a device to the air, and those that were read with them.
    func serviceDevice(_ number: UInt8) throws(SystemError) {
        try forward(number)
        try forwardWaiting()
    }

    private func forwardWaiting() throws(SystemError) {
        while let number = devices.first(where: \.value.hasWaiting)?.key { try forward(number) }
    }

    private func forward(_ number: UInt8) throws(SystemError) {
        guard let device = devices[number] else { return }
        let messages: [RadioMessage]
        do { messages = try device.drain() } catch {
            unplug(number)
            return try send(.detached(reason: "\(error)"), of: number)
        }
        for message in messages { try send(message, of: number) }
    }

    private func obey(_ message: RadioMessage, on number: UInt8) throws(SystemError) {
        switch message {
        case .reset(let token):
            unplug(number)
            try send(.ready(token: token), of: number)
        case .attach(let address, let channels): try attach(number, address, channels)
        case .detach:
            unplug(number)
            try send(.detached(reason: ""), of: number)
        case .packet, .status, .receive, .channels:
            if let refusal = devices[number]?.take(message) { try send(.note(refusal), of: number) }
        case .ready, .attached, .detached, .transmit, .hears, .note, .of:
            try send(.note("refused: a message that only a board sends"), of: number)
        }
    }

    private func attach(_ number: UInt8, _ address: DeviceAddress, _ channels: UInt8) throws(SystemError) {
        unplug(number)
        guard number < limit else {
            return try send(.detached(reason: "the board has no room for device \(number)"), of: number)
        }
        do {
            devices[number] = try plugIn(number, address, channels)
            unwatched.insert(number)
        } catch { try send(.detached(reason: "\(error)"), of: number) }
    }

    private func send(_ message: RadioMessage, of number: UInt8) throws(SystemError) {
        try port.send(number == 0 ? message : .of(adapter: number, message))
    }

    private func unplug(_ number: UInt8) { devices.removeValue(forKey: number)?.unplug() }

    private func unplugAll() { for number in devices.keys { unplug(number) } }
}
