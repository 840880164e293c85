import Glibc
import HILPOSIX
import HILTiming
import RadioModel

/// The kernel's Bluetooth management interface, used in addition to bluetoothd.
///
/// D-Bus does not report how strong the key of a bond is, nor every received packet; this does. It needs
/// `CAP_NET_ADMIN`.
package final class ManagementChannel: Sendable {
    private let socket: Descriptor
    private let thread: PacketThread
    private let replies = EventLog<ManagementReply>(keepingAtMost: 100)

    /// Opens the channel.
    ///
    /// - Parameter handler: Called with each event and the number of its controller, in order, on the channel's own
    ///   thread, until ``close()``.
    /// - Throws: ``SystemError``: `EAFNOSUPPORT` if the kernel has no Bluetooth, `EPERM` without the permission.
    package convenience init(_ handler: @escaping @Sendable (ManagementEvent, UInt16) -> Void) throws(SystemError) {
        try self.init(on: HCISocket.open(.control), handler)
    }

    /// - Parameter socket: The channel, which this object closes.
    package init(
        on socket: Descriptor, _ handler: @escaping @Sendable (ManagementEvent, UInt16) -> Void
    ) throws(SystemError) {
        self.socket = socket
        // All events that are used here are far shorter.
        thread = try PacketThread("management", reading: socket, upTo: 4096) { [replies] packet in
            if let event = ManagementEvent(decoding: packet) {
                handler(event, UInt16(packet[2]) | UInt16(packet[3]) << 8)
            }
            if let reply = ManagementReply(decoding: packet) { replies.append(reply) }
        }
    }

    deinit { close() }

    /// Stops listening. Calling it again does no harm.
    package func close() { thread.stop() }

    /// Makes the kernel report every advertisement during discovery, not only the first of a device in ten seconds.
    ///
    /// An advertisement monitor, whatever its pattern, makes the kernel switch off the controller's filter of
    /// duplicates at the next start of a discovery. Without a discovery it would also keep the radio scanning.
    ///
    /// - Parameter controller: The number in the adapter's name: 0 for `hci0`.
    package func setReportsDuplicates(_ isOn: Bool, controller: UInt16) throws(SystemError) {
        // Add Advertisement Patterns Monitor: one pattern: flags 06 at offset 0.
        // Remove Advertisement Monitor: all monitors.
        let pattern: [UInt8] = [1, 0x01, 0, 1, 0x06] + [UInt8](repeating: 0, count: 30)
        try send(isOn ? 0x0052 : 0x0053, controller, isOn ? pattern : [0, 0])
    }

    /// Ends an LE link at once, and does not wait for its end. The call of bluetoothd waits two seconds first.
    package func disconnect(_ address: DeviceAddress, isRandom: Bool, controller: UInt16) throws(SystemError) {
        let command = ManagementCommand.disconnect(address, isRandom: isRandom)
        try send(command.code, controller, command.parameters)
    }

    /// Sends a command to the kernel and waits for the answer, with any status.
    ///
    /// - Throws: ``SystemError``, or ``HILTiming/TimedOut``.
    @discardableResult
    package func ask(
        _ command: ManagementCommand, controller: UInt16, within limit: Duration
    ) async throws -> ManagementReply {
        let place = replies.count
        try send(command.code, controller, command.parameters)
        return try await replies.first(
            from: place, within: limit, waitingFor: "the kernel's answer to \(command)"
        ) { $0.code == command.code && $0.controller == controller }.event
    }

    /// The numbers of the controllers that the kernel knows now.
    package static var controllers: [UInt16] {
        guard let folder = opendir("/sys/class/bluetooth") else { return [] }
        defer { closedir(folder) }
        var numbers: [UInt16] = []
        while let entry = readdir(folder) {
            let name = withUnsafeBytes(of: &entry.pointee.d_name) {
                String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self)
            }
            // The links of a controller are there, too: `hci0:1`.
            if name.hasPrefix("hci"), let number = UInt16(name.dropFirst(3)) { numbers.append(number) }
        }
        return numbers.sorted()
    }

    private func send(_ command: UInt16, _ controller: UInt16, _ parameters: [UInt8]) throws(SystemError) {
        let header = [command, controller, UInt16(parameters.count)].flatMap { [UInt8($0 & 0xFF), UInt8($0 >> 8)] }
        try socket.write(header + parameters)
    }
}
