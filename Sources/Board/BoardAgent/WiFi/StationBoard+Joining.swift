import BoardProtocol
import FoundationEssentials
import HILPOSIX
import HILTiming
import HILWiFi
import RadioModel

/// Joining and leaving networks.
extension StationBoard {
    /// The limit for association and key exchange.
    private static let joinLimit = Duration.seconds(15)

    func joinNow(_ credentials: WiFiCredentials) async throws -> WiFiLink {
        await gate.enter()
        defer { gate.leave() }
        let files = try credentials.login.map(write)
        let network = try SupplicantNetwork(
            credentials, frequencies: frequencies(of: credentials.ssid), files: files)
        let (control, interface, _) = try await powered()
        defer { quietUntil = control.events.count }
        let before = joined
        joined = nil
        var number: Int?
        do {
            let added = try await add(network, to: control)
            number = added
            let found = try await select(added, credentials.ssid, credentials.security, control)
            if let before { try await control.order("REMOVE_NETWORK \(before.number)") }
            joined = found
            return found.link
        } catch {
            // Also after a cancellation: returning to the earlier network must not be cancelled.
            await Task { await self.returnToEarlierNetwork(to: before, from: number, control, interface) }.value
            throw error
        }
    }

    /// Writes the files of a login. They stay until the next login: the supplicant reads them at each one.
    private func write(_ login: EnterpriseLogin) throws -> LoginFiles {
        let name = "login"
        for ending in ["ca", "crt", "key"] { folder.remove("\(name).\(ending)") }
        for (ending, text) in try LoginFiles.contents(of: login) {
            try folder.write(text, to: "\(name).\(ending)")
        }
        return LoginFiles(path: folder.file(name))
    }

    private func add(_ network: SupplicantNetwork, to control: ControlSocket) async throws -> Int {
        let answer = try await control.ask("ADD_NETWORK")
        guard let number = Int(answer) else { throw RadioError.rig("the supplicant did not add a network: \(answer)") }
        for (name, value) in network.settings { try await control.order("SET_NETWORK \(number) \(name) \(value)") }
        return number
    }

    /// Makes the supplicant join one of its networks, and gets an address there.
    private func select(
        _ number: Int, _ ssid: String, _ security: WiFiSecurity, _ control: ControlSocket
    ) async throws -> Joined {
        let (_, interface, _) = try await powered()
        let place = control.events.count
        try await control.order("SELECT_NETWORK \(number)")
        let progress = JoinProgress(ssid: ssid, network: number, security: security)
        try await wait(for: progress, ssid, control, from: place)
        try clearAddress(of: interface)
        let lease = try await Lease.obtain(
            on: interface.name, ssid: ssid, in: namespace, folder: folder, journal: journal)
        try namespace.run { try InterfaceAddress.set(lease.address, mask: lease.mask, on: interface.name) }
        let status = controlFields(try await control.ask("STATUS"))
        guard status["wpa_state"] == "COMPLETED", status["id"] == "\(number)",
            let bssid = status["bssid"].flatMap({ DeviceAddress($0) })
        else { throw RadioError.associationFailed(ssid: ssid, reason: "the link was lost before an address came") }
        let link = WiFiLink(
            ssid: ssid, bssid: bssid, keyManagement: status["key_mgmt"] ?? "", address: lease.address,
            router: lease.router, protectsManagement: status["pmf"].map { $0 != "0" } ?? false)
        return Joined(number: number, security: security, link: link, lease: lease)
    }

    private func wait(
        for progress: JoinProgress, _ ssid: String, _ control: ControlSocket, from place: Int
    ) async throws {
        var progress = progress
        var place = place
        let deadline = ContinuousClock.now + StationBoard.joinLimit
        while true {
            let next: (event: ControlEvent, next: Int)
            do {
                next = try await control.events.first(
                    from: place, within: ContinuousClock.now.duration(to: deadline),
                    waitingFor: "the network “\(ssid)” to be joined")
            } catch let error as TimedOut {
                throw RadioError.associationFailed(ssid: ssid, reason: "\(error)")
            }
            place = next.next
            switch progress.accept(next.event) {
            case nil: continue
            case .joined: return
            case .failed(.networkNotFound): throw try await reasonForNotFound(ssid)
            case .failed(let error): throw error
            }
        }
    }

    /// Finds the reason why the supplicant did not find a network. It also skips a network whose security differs from
    /// the credentials.
    private func reasonForNotFound(_ ssid: String) async throws -> RadioError {
        let (_, interface, stack) = try await powered()
        let heard = try await stack.networks(heardBy: interface.index, since: 0)
        guard let other = heard.first(where: { NetworkName.areEqual($0.ssid, ssid) }) else {
            return .networkNotFound(ssid: ssid)
        }
        return .associationFailed(ssid: ssid, reason: "its security is \(other.security.rawValue), unlike the request")
    }

    private func returnToEarlierNetwork(
        to before: Joined?, from number: Int?, _ control: ControlSocket, _ interface: WirelessInterface
    ) async {
        do {
            if let number { try await control.order("REMOVE_NETWORK \(number)") }
            // The supplicant avoids an access point after failures there.
            _ = try await control.ask("BSSID_IGNORE clear")
            // With Wi-Fi off, it cannot return to the earlier network.
            guard let before, !isSwitchedOff else {
                try clearAddress(of: interface)
                return
            }
            joined = try await select(before.number, before.link.ssid, before.security, control)
        } catch {
            journal.write("returning to the earlier network failed: \(error)", from: "agent")
            guard let before else { return }
            _ = try? await control.ask("REMOVE_NETWORK \(before.number)")
            try? clearAddress(of: interface)
            emit(.radio(.wifiLost(ssid: before.link.ssid, reason: "it could not be joined again: \(error)")))
        }
    }

    /// Leaves the network. Does nothing if there is none.
    func leave() async throws {
        await gate.enter()
        defer { gate.leave() }
        try await leaveNow()
    }

    func leaveNow() async throws {
        guard let joined, let control, let interface else { return }
        let place = control.events.count
        defer { quietUntil = control.events.count }
        self.joined = nil
        try await control.order("REMOVE_NETWORK \(joined.number)")
        _ = try await control.events.first(from: place, within: .seconds(5), waitingFor: "the link to end") {
            $0.name == "CTRL-EVENT-DISCONNECTED"
        }
        try clearAddress(of: interface)
    }
}
