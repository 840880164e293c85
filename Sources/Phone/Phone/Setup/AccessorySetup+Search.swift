import BoardProtocol
import RadioModel

/// An upgrade during the search for its missing technologies.
private actor UpgradeSearch {
    private var upgrade: AuthorizationUpgrade

    init(_ upgrade: AuthorizationUpgrade) { self.upgrade = upgrade }

    /// The accessory with all wanted technologies; nil until all of them are found.
    private var found: AccessoryRecord? { upgrade.isComplete ? upgrade.record : nil }

    func hear(_ event: RadioEvent, on phone: Phone) -> AccessoryRecord? {
        upgrade.hear(event, phone.identifiers.identifier, phone.part(AccessorySetup.self).awareDevice)
        return found
    }

    func see(_ networks: [WiFiNetwork]) -> AccessoryRecord? {
        upgrade.see(networks)
        return found
    }
}

extension AccessorySetup {
    /// Searches for the technologies that an upgrade still lacks.
    ///
    /// - Returns: The accessory with all of them.
    /// - Throws: ``SetupError`` with `discoveryTimeout`, `userCancelled` or `invalidRequest`,
    ///   `RadioError`, or `CancellationError`.
    func find(_ upgrade: AuthorizationUpgrade) async throws -> AccessoryRecord {
        if upgrade.isComplete { return upgrade.record }
        let (events, continuation) = AsyncStream<RadioEvent>.makeStream()
        let watch = watch { continuation.yield($0) }
        defer { unwatch(watch) }
        let search = UpgradeSearch(upgrade)
        let phone = phone
        try await listen(for: upgrade)
        let result = await withTaskGroup(of: Result<AccessoryRecord, any Error>.self) { group in
            group.addTask {
                for await event in events {
                    if let found = await search.hear(event, on: phone) { return .success(found) }
                }
                return .failure(CancellationError())
            }
            if upgrade.wifi != nil { group.addTask { await Self.scan(for: search, on: phone) } }
            group.addTask { await Self.waitForTimeout(of: upgrade, phone) }
            group.addTask { await Self.waitForCancellation(of: upgrade, phone) }
            defer { group.cancelAll() }
            return await group.next() ?? .failure(CancellationError())
        }
        await stopListening(for: upgrade)
        return try result.get()
    }

    private static func scan(for search: UpgradeSearch, on phone: Phone) async -> Result<AccessoryRecord, any Error> {
        do {
            while true {
                if phone.wifiIsOn, let found = await search.see(try await phone.network.heard()) {
                    return .success(found)
                }
                try await phone.clock.sleep(for: phone.policy.wifiScanInterval)
            }
        } catch {
            phone.note(error, during: "looking for Wi-Fi networks", by: "setup")
            return .failure(error)
        }
    }

    private static func waitForTimeout(
        of upgrade: AuthorizationUpgrade, _ phone: Phone
    ) async -> Result<AccessoryRecord, any Error> {
        do { try await phone.clock.sleep(for: phone.policy.discoveryTimeout) } catch { return .failure(error) }
        return .failure(SetupError(.discoveryTimeout, "the accessory was not found by \(upgrade.names)"))
    }

    /// Shows the page of the search until the person closes it.
    private static func waitForCancellation(
        of upgrade: AuthorizationUpgrade, _ phone: Phone
    ) async -> Result<AccessoryRecord, any Error> {
        let screen = Screen(
            .settingUp, title: "Setting Up “\(upgrade.record.displayName)”",
            lines: ["Looking for it by \(upgrade.names)…"], controls: [.cancel])
        do { _ = try await phone.display.ask(screen) } catch { return .failure(error) }
        return .failure(SetupError(.userCancelled, "the person closed the upgrade"))
    }

    private func listen(for upgrade: AuthorizationUpgrade) async throws {
        if upgrade.aware != nil {
            do { try await phone.radio.discoverWiFiAware(true) } catch RadioError.unsupported(let why) {
                throw SetupError(.invalidRequest, why)
            } catch {
                phone.note(error, during: "looking for Wi-Fi Aware accessories", by: "setup")
                throw error
            }
        }
        if upgrade.bluetooth != nil {
            do { try await phone.discovery.start() } catch {
                phone.note(error, during: "looking for Bluetooth accessories", by: "setup")
                throw error
            }
        }
    }

    private func stopListening(for upgrade: AuthorizationUpgrade) async {
        do {
            if upgrade.aware != nil { try await phone.radio.discoverWiFiAware(false) }
            if upgrade.bluetooth != nil { try await phone.discovery.stop() }
        } catch { phone.note(error, during: "stopping the search for accessories", by: "setup") }
    }
}
