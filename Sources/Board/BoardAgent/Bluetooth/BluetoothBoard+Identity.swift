import HILBlueZ
import HILTiming
import RadioModel

/// The role of the accessory: its name, its bonds, and its requests to phones.
extension BluetoothBoard {
    /// The longest Device Name in bytes; Core Specification 6.0, Vol 3, Part C, 12.1.
    private static let longestName = 248

    /// Sets the name that a phone reads over a link; empty for the board's own. Cut if it is too long.
    func setName(_ wanted: String) async throws {
        var name = wanted
        while name.utf8.count > Self.longestName { name.removeLast() }
        guard name != ownName else { return }
        try await adapter().setAlias(name, within: Self.promptLimit)
        ownName = name
    }

    /// Asks a connected device to pair. Does not wait for the result, because the person may take long.
    func askToPair(_ address: DeviceAddress) async throws {
        let daemon = try started()
        let current = shared.current(address)
        // The kernel reports a link before bluetoothd does.
        let device = try await daemon.device(current, within: Self.promptLimit)
        let path = device.path
        _ = try await daemon.objects.first(within: Self.promptLimit, waitingFor: "bluetoothd to know of the link") {
            $0[path]?[BlueZ.Interface.device]?["Connected"]?.asBool == true ? true : nil
        }
        Task {
            // A refusal is a separate event, or nothing: the phone need not answer.
            try? await device.pair(within: .seconds(55))
        }
    }

    /// Deletes all bonds of the adapter, and ends all links.
    ///
    /// For a phone, this is one moment. If it could connect between the end of its link and that of its bond, it would
    /// still use that bond.
    func forgetBonds() async throws {
        try await inTurn {
            guard let content = onAir.content else { return try await deleteBonds() }
            try await takeOffAir()
            let deletion: Result<Void, any Error>
            do { deletion = .success(try await deleteBonds()) } catch { deletion = .failure(error) }
            try await putOnAir(content)
            try deletion.get()
        }
    }

    private func deleteBonds() async throws {
        try await dropLinks(of: nil)
        let adapter = try await adapter()
        let daemon = try started()
        for device in daemon.devices(of: adapter) {
            if let address = device.address { shared.state.withLock { $0.classicKeys[address] = nil } }
            try await adapter.remove(device, within: Self.promptLimit)
        }
        _ = try await daemon.objects.first(within: Self.promptLimit, waitingFor: "bluetoothd to forget its bonds") {
            $0.contains { path, interfaces in
                path.hasPrefix(adapter.path + "/") && interfaces[BlueZ.Interface.device] != nil
            } ? nil : true
        }
        BoardDisk.flush()
    }

    /// Changes the identity resolving key of an adapter with a private address.
    func renewIdentity() async throws {
        try await inTurn {
            guard onAir.transports?.hasPrivateAddress == true else { return }
            try await dropLinks(of: nil)
            try await takeOffAir()
            try await restore()
        }
    }

    /// Sets the connection parameters that the kernel requests from a central; nil for the kernel's own.
    func setConnectionParameters(_ parameters: ConnectionParameters?) async throws {
        guard parameters != wantedParameters else { return }
        try await order(.setDefaultConnectionParameters(parameters ?? .linux))
        wantedParameters = parameters
    }
}
