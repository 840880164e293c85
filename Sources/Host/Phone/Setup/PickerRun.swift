import RadioModel
import Synchronization

/// One picker on one phone: carries out, in order, what its machine says.
final class PickerRun: Sendable {
    let session: SetupSession
    private let phone: Phone
    private let completion: @Sendable (SetupError?) -> Void
    private let machine: Mutex<PickerMachine>
    private let inputs: AsyncStream<PickerMachine.Input>
    private let feed: AsyncStream<PickerMachine.Input>.Continuation

    /// What a picker has open besides.
    private struct Holdings {
        var screen: Display.Token?
        var isListening = false
        var isListeningForAware = false
        var tasks: [Task<Void, Never>] = []
    }

    private let holdings = Mutex(Holdings())

    init(
        _ setting: PickerMachine.Setting, of session: SetupSession, on phone: Phone,
        completion: @escaping @Sendable (SetupError?) -> Void
    ) {
        self.session = session
        self.phone = phone
        self.completion = completion
        machine = Mutex(PickerMachine(setting))
        (inputs, feed) = AsyncStream.makeStream()
    }

    /// Shows the picker; it takes itself away at its end.
    func start() {
        take(.start)
        Task {
            for await input in inputs {
                for effect in machine.withLock({ $0.handle(input) }) { await perform(effect) }
            }
        }
    }

    /// Something happened that may concern the picker; it is dealt with after what happened before.
    func take(_ input: PickerMachine.Input) { feed.yield(input) }

    /// Shows what the app let through; what is wrong with that, if anything (F2).
    func update(_ items: [FilteredItem]) -> SetupError? {
        if let problem = machine.withLock({ $0.problem(with: items) }) { return problem }
        take(.update(items))
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
            hold { run in
                guard (try? await run.phone.clock.sleep(for: limit)) != nil else { return }
                run.take(.timedOut)
            }
        case .pair(let device): hold { await $0.pair(device) }
        case .bridge(let device): hold { await $0.bridge(device) }
        case .abandon(let device): await abandon(device)
        case .authorize(let record): phone.store.set(record, for: session.app.bundle.identifier)
        case .revoke(let id): phone.store.remove(id, from: session.app.bundle.identifier)
        case .close: close()
        case .complete(let error): completion(error)
        }
    }

    private func show(_ screen: Screen) {
        if let token = holdings.withLock({ $0.screen }) { return phone.display.update(token, to: screen) }
        let token = phone.display.present(screen) { [weak self] in self?.take(.person($0)) }
        holdings.withLock { $0.screen = token }
    }

    private func listen(bluetooth: Bool, wifi: Bool, wifiAware: Bool) async {
        if wifi { hold { await $0.scanNetworks() } }
        if wifiAware {
            do {
                try await phone.radio.discoverWiFiAware(true)
                holdings.withLock { $0.isListeningForAware = true }
            } catch { note(error, "looking for Wi-Fi Aware accessories") }
        }
        guard bluetooth else { return }
        holdings.withLock { $0.isListening = true }
        do { try await phone.discovery.start() } catch { note(error, "looking for Bluetooth accessories") }
    }

    private func stopListening() async {
        let held = holdings.withLock { holdings in
            defer { (holdings.isListening, holdings.isListeningForAware, holdings.tasks) = (false, false, []) }
            return holdings
        }
        for task in held.tasks { task.cancel() }
        if held.isListeningForAware {
            do { try await phone.radio.discoverWiFiAware(false) } catch {
                note(error, "stopping the search for Wi-Fi Aware accessories")
            }
        }
        guard held.isListening else { return }
        do { try await phone.discovery.stop() } catch { note(error, "stopping the search for accessories") }
    }

    private func scanNetworks() async {
        while !Task.isCancelled {
            if phone.wifiIsOn {
                do { take(.scanned(try await phone.radio.scanWiFi())) } catch {
                    note(error, "looking for Wi-Fi accessories")
                }
            }
            guard (try? await phone.clock.sleep(for: phone.policy.wifiScanInterval)) != nil else { return }
        }
    }

    private func pair(_ device: DeviceAddress) async {
        do { take(.paired(.success(try await phone.radio.pair(device)))) } catch {
            note(error, "pairing with \(device)")
            phone.part(PairingPrompts.self).close(device)
            take(.paired(.failure(error as? RadioError ?? .rig("\(error)"))))
        }
    }

    private func bridge(_ device: DeviceAddress) async {
        do { take(.bridged(.success(try await phone.radio.bridge(device)))) } catch {
            note(error, "bridging \(device) to classic Bluetooth")
            take(.bridged(.failure(error as? RadioError ?? .rig("\(error)"))))
        }
    }

    private func abandon(_ device: DeviceAddress) async {
        do { try await phone.radio.forget(device) } catch { note(error, "letting go of \(device)") }
    }

    private func close() {
        let (screen, tasks) = holdings.withLock { ($0.screen, $0.tasks) }
        for task in tasks { task.cancel() }
        if let screen { phone.display.dismiss(screen) }
        phone.part(AccessorySetup.self).closed(self)
        feed.finish()
    }

    /// Runs a task that ends with the discovery or with the picker.
    private func hold(_ body: @escaping @Sendable (PickerRun) async -> Void) {
        let task = Task { [weak self] in
            guard let self else { return }
            await body(self)
        }
        holdings.withLock { $0.tasks.append(task) }
    }

    private func note(_ error: any Error, _ what: String) { phone.note(error, during: what, by: "picker") }
}
