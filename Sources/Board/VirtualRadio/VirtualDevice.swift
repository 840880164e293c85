import POSIX
import RadioModel

/// A device that is plugged into the board's kernel for as long as the object lives, its other side carried over a port.
protocol VirtualDevice: AnyObject {
    /// Readable when the kernel has something for the air.
    var descriptor: Int32 { get }

    /// Takes all that the kernel has for the air.
    func drain() throws -> [RadioMessage]

    /// Hands the kernel something from the air.
    ///
    /// - Returns: A line for the log where the kernel would not have it.
    func take(_ message: RadioMessage) -> String?

    /// Pulls the device out.
    func unplug()
}

/// One virtual device and the port that plugs it in and out.
///
/// The port decides: the device is there from `attach` to `detach`, to the next `reset`, or until the air is gone.
final class RadioStation {
    private let port: RadioPort
    private let plugIn: (DeviceAddress, UInt8) throws -> any VirtualDevice
    /// The device, while it is plugged in.
    private(set) var device: (any VirtualDevice)?

    /// - Parameter plugIn: Makes the device for an address and a number of channels.
    init(port: RadioPort, plugIn: @escaping (DeviceAddress, UInt8) throws -> any VirtualDevice) {
        self.port = port
        self.plugIn = plugIn
    }

    /// Does what the port asks for.
    ///
    /// - Returns: Whether a device was plugged in, whose descriptor is to be watched from now on.
    func servicePort(isHungUp: Bool) throws(SystemError) -> Bool {
        let before = device
        for event in try port.service(isHungUp: isHungUp) {
            switch event {
            case .connected: try port.send(.ready(token: 0))
            case .disconnected: unplug()
            case .refused(let reason): try port.send(.note("refused: \(reason)"))
            case .message(let message): try obey(message)
            }
        }
        return device != nil && device !== before
    }

    /// Carries what the kernel has to the air.
    func serviceDevice() throws(SystemError) {
        guard let device else { return }
        let messages: [RadioMessage]
        do { messages = try device.drain() } catch {
            unplug()
            return try port.send(.detached(reason: "\(error)"))
        }
        for message in messages { try port.send(message) }
    }

    private func obey(_ message: RadioMessage) throws(SystemError) {
        switch message {
        case .reset(let token):
            unplug()
            try port.send(.ready(token: token))
        case .attach(let address, let channels):
            unplug()
            do { device = try plugIn(address, channels) } catch {
                try port.send(.detached(reason: "\(error)"))
            }
        case .detach:
            unplug()
            try port.send(.detached(reason: ""))
        case .packet, .status, .receive, .channels:
            if let refusal = device?.take(message) { try port.send(.note(refusal)) }
        case .ready, .attached, .detached, .transmit, .hears, .note:
            try port.send(.note("refused: a message that only a board sends"))
        }
    }

    private func unplug() {
        device?.unplug()
        device = nil
    }
}
