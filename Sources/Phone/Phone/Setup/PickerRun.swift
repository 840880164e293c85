import RadioModel
import Synchronization

/// An open picker on a phone. It carries out the effects of its machine, in order.
final class PickerRun: Sendable {
    let session: SetupSession
    private let phone: Phone
    private let completion: @Sendable (SetupError?) -> Void
    private let machine: Mutex<PickerMachine>
    /// An input, and who hears whether it had an effect, once that has happened.
    private typealias Entry = (input: PickerMachine.Input, done: (@Sendable (Bool) -> Void)?)
    private let inputs: AsyncStream<Entry>
    private let feed: AsyncStream<Entry>.Continuation

    /// The resources that a picker must release.
    private struct Resources {
        var screen: Display.Token?
        var isListening = false
        var isListeningForAware = false
        /// The device that is being paired.
        var paired: DeviceAddress?
        var tasks: [Task<Void, Never>] = []
    }

    private let resources = Mutex(Resources())

    init(
        _ configuration: PickerMachine.Configuration, of session: SetupSession, on phone: Phone,
        completion: @escaping @Sendable (SetupError?) -> Void
    ) {
        self.session = session
        self.phone = phone
        self.completion = completion
        machine = Mutex(PickerMachine(configuration))
        (inputs, feed) = AsyncStream.makeStream()
    }

    /// Opens the picker. It closes by itself at its end.
    func start() {
        submit(.start)
        Task {
            for await (input, done) in inputs {
                let effects = machine.withLock { $0.handle(input) }
                for effect in effects { await perform(effect) }
                done?(!effects.isEmpty)
            }
        }
    }

    /// The device that it is pairing with; nil if there is none.
    var paired: DeviceAddress? { resources.withLock { $0.paired } }

    /// The near misses of this picker.
    var nearMisses: [NearMiss] { machine.withLock { $0.nearMisses } }

    /// Whether it never offered anything.
    var hasFoundNothing: Bool { machine.withLock { $0.entries.isEmpty } }

    /// Queues an input for the picker. Inputs are handled in order.
    ///
    /// - Parameter done: Called when the input was handled, with whether it had an effect.
    func submit(_ input: PickerMachine.Input, done: (@Sendable (Bool) -> Void)? = nil) {
        // After the picker's end nothing has an effect.
        if case .terminated = feed.yield((input, done)) { done?(false) }
    }

    /// Shows the items that the app has accepted (F2).
    ///
    /// - Returns: Why the picker cannot show them; nil if it can.
    func update(_ items: [FilteredItem]) -> SetupError? {
        if let problem = machine.withLock({ $0.problem(with: items) }) { return problem }
        submit(.update(items))
        return nil
    }

    private func perform(_ effect: PickerMachine.Effect) async {
        switch effect {
        case .tell(let kind, let accessory, let error):
            session.tell(SetupEvent(kind, accessory: accessory, error: error))
        case .discover(let accessory, let advertisement):
            session.tell(
                SetupEvent(
                    .accessoryDiscovered, accessory: accessory,
                    discovery: SetupEvent.Discovery(advertisement: advertisement)))
        case .show(let screen): show(screen)
        case .listen(let bluetooth, let wifi, let wifiAware):
            await listen(bluetooth: bluetooth, wifi: wifi, wifiAware: wifiAware)
        case .stopListening: await stopListening()
        case .startTimer(let limit):
            startTask { run in
                guard (try? await run.phone.clock.sleep(for: limit)) != nil else { return }
                run.submit(.timedOut)
            }
        case .startWait(let limit, let wait):
            startTask { run in
                guard (try? await run.phone.clock.sleep(for: limit)) != nil else { return }
                run.submit(.overdue(wait))
            }
        case .pair(let device): startTask { await $0.pair(device) }
        case .bridge(let device): startTask { await $0.bridge(device) }
        case .abandon(let device): await abandon(device)
        case .authorize(let record):
            warnOfClassic(record)
            phone.store.set(record, for: session.app.bundle.identifier)
        case .revoke(let id): phone.store.remove(id, from: session.app.bundle.identifier)
        case .close: close()
        case .complete(let error): completion(error)
        }
    }

    /// Warns of an accessory that advertises as one with classic Bluetooth although the app does not bridge it (D11).
    private func warnOfClassic(_ record: AccessoryRecord) {
        guard let device = record.bluetoothIdentifier.flatMap(phone.identifiers.address),
            !record.descriptor.supportedOptions.contains(.bluetoothTransportBridging),
            phone.log.events.contains(where: {
                if case .radio(.advertisement(let heard)) = $0.kind {
                    heard.address == device && heard.mayHaveClassic == true
                } else {
                    false
                }
            })
        else { return }
        let text =
            "“\(record.displayName)” advertises as if it had classic Bluetooth: set the flag “BR/EDR Not Supported”"
        phone.record(.warning(rule: "D11", text))
    }

    private func show(_ screen: Screen) {
        if let token = resources.withLock({ $0.screen }) { return phone.display.update(token, to: screen) }
        let token = phone.display.present(screen) { [weak self] in self?.submit(.person($0)) }
        resources.withLock { $0.screen = token }
    }

    private func listen(bluetooth: Bool, wifi: Bool, wifiAware: Bool) async {
        if wifi { startTask { await $0.scanNetworks() } }
        if wifiAware {
            do {
                try await phone.radio.discoverWiFiAware(true)
                resources.withLock { $0.isListeningForAware = true }
            } catch { note(error, "looking for Wi-Fi Aware accessories") }
        }
        guard bluetooth else { return }
        resources.withLock { $0.isListening = true }
        do { try await phone.discovery.start() } catch { note(error, "looking for Bluetooth accessories") }
    }

    private func stopListening() async {
        let open = resources.withLock { resources in
            defer { (resources.isListening, resources.isListeningForAware, resources.tasks) = (false, false, []) }
            return resources
        }
        for task in open.tasks { task.cancel() }
        if open.isListeningForAware {
            do { try await phone.radio.discoverWiFiAware(false) } catch {
                note(error, "stopping the search for Wi-Fi Aware accessories")
            }
        }
        guard open.isListening else { return }
        do { try await phone.discovery.stop() } catch { note(error, "stopping the search for accessories") }
    }

    private func scanNetworks() async {
        while !Task.isCancelled {
            if phone.wifiIsOn {
                do { submit(.scanned(try await phone.network.heard())) } catch {
                    note(error, "looking for Wi-Fi accessories")
                }
            }
            guard (try? await phone.clock.sleep(for: phone.policy.wifiScanInterval)) != nil else { return }
        }
    }

    private func pair(_ device: DeviceAddress) async {
        // Pairing may show the accessory's identity address, which is then the device's name on this phone.
        let identifier = phone.identifiers.identifier(of: device)
        resources.withLock { $0.paired = device }
        defer { resources.withLock { $0.paired = nil } }
        do {
            let bond = try await phone.radio.pair(device)
            if !phone.policy.keepsLinkAfterPairing {
                try await phone.radio.disconnect(phone.identifiers.address(of: identifier) ?? device)
            }
            submit(.paired(.success(bond)))
        } catch {
            note(error, "pairing with \(device)")
            phone.part(PairingPrompts.self).close(device)
            submit(.paired(.failure(error as? RadioError ?? .rig("\(error)"))))
        }
    }

    private func bridge(_ device: DeviceAddress) async {
        do { submit(.bridged(.success(try await phone.radio.bridge(device, port: phone.policy.bridgingPort)))) } catch {
            note(error, "bridging \(device) to classic Bluetooth")
            submit(.bridged(.failure(error as? RadioError ?? .rig("\(error)"))))
        }
    }

    private func abandon(_ device: DeviceAddress) async {
        do { try await phone.forget(device) } catch { note(error, "deleting the bond of \(device)") }
    }

    private func close() {
        let (screen, tasks) = resources.withLock { ($0.screen, $0.tasks) }
        for task in tasks { task.cancel() }
        if let screen { phone.display.dismiss(screen) }
        phone.part(AccessorySetup.self).closed(self)
        feed.finish()
    }

    /// Starts a task that is cancelled at the end of the discovery or of the picker.
    private func startTask(_ body: @escaping @Sendable (PickerRun) async -> Void) {
        let task = Task { [weak self] in
            guard let self else { return }
            await body(self)
        }
        resources.withLock { $0.tasks.append(task) }
    }

    private func note(_ error: any Error, _ what: String) { phone.note(error, during: what, by: "picker") }
}
