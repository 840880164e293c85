import HILBlueZ
import HILPOSIX
import HILTiming
import RadioModel

/// The role of the host: what a device lets an unpaired phone do.
extension BluetoothBoard {
    /// How long all requests of a probe may take together.
    private static let probeLimit = Duration.seconds(25)

    /// Connects to a device, tries its attributes, and disconnects.
    ///
    /// - Parameter attributes: The attributes to try: an answer other than `.unknown` is requested.
    func probe(
        _ address: DeviceAddress, _ attributes: [AttributeAccess]
    ) async throws(RadioError) -> [AttributeAccess] {
        let device = try device(address)
        guard !device.isConnected, let current = device.address else {
            throw .invalid("\(address) is connected: disconnect it before it is probed")
        }
        let isRandom = device.isRandom
        do {
            let own = try await self.address()
            let answers = try await withDeadline(Self.probeLimit, waitingFor: "\(address) to show what it allows") {
                let channel = try await LEChannel.connectAttributes(to: current, isRandom: isRandom, from: own)
                defer { channel.close() }
                let probe = AttributeProbe(
                    send: { try await channel.send($0) }, receive: { try await channel.receive() })
                return try await probe.ask(attributes)
            }
            try await drop(device)
            return answers
        } catch {
            _ = try? await drop(device)
            switch error {
            case let error as SystemError: throw .connectionFailed("\(error)")
            case let error as TimedOut: throw .connectionFailed("\(error)")
            default: throw RadioError(rig: error)
            }
        }
    }
}
