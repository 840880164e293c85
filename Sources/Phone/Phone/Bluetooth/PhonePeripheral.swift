import BoardProtocol
import Foundation
import HostRadio
import PeripheralModel
import RadioModel
import Synchronization

/// The phone as a peripheral: publishes the services of the running app's peripheral managers, and advertises.
///
/// The phone has one attribute server for all of them. Which device opened a channel the radio does not report: that is
/// the one that connected last.
package final class PhonePeripheral: PhoneComponent {
    package typealias ClientID = Int

    /// How many notified values may be on their way to the radio.
    package static let valueLimit = 16

    struct Client {
        var app: RunningApp
        var services: [PeripheralService] = []
        var tell: @Sendable (PeripheralManagerEvent) -> Void
        var ports: Set<UInt16> = []
        /// Its restore identifier; nil if it has none.
        var restoreName: String?
        /// The devices that are subscribed to its values, each with its ATT MTU in bytes.
        var subscribed: [AttributePlace: [UUID: Int]] = [:]
        /// What is kept for its app, which has ended; nil as long as the app runs.
        var orphan: Orphan?
    }

    struct State {
        /// The phone's own services; nil to show none.
        var own: OwnServices?
        /// The notification centre as accessories see it.
        var notifications = NotificationService()
        /// Which accessories may have them.
        var sharing = SharingLedger()
        /// The open questions about that.
        var questions: [DeviceAddress: SharingQuestion] = [:]
        var lastQuestion = 0
        var clients: [ClientID: Client] = [:]
        var lastClient = 0
        /// What the clients advertise, oldest first. Only the first is on the air (C22).
        var advertisements: [(client: ClientID, content: PeripheralAdvertising)] = []
        var pendingValues = 0
        /// The clients that were refused a value.
        var refused: Set<ClientID> = []
        var channels: [Int: PublishedChannel] = [:]
        /// The device that connected last.
        var central: DeviceAddress?
        var pump: Task<Void, Never>?
    }

    unowned let phone: Phone
    let state = Mutex(State())
    private let work: AsyncStream<@Sendable () async -> Void>.Continuation
    private let worker: Task<Void, Never>

    package init(phone: Phone) {
        self.phone = phone
        let (jobs, work) = AsyncStream<@Sendable () async -> Void>.makeStream()
        self.work = work
        // One job after the other, in the order of the app's calls.
        worker = Task { for await job in jobs { await job() } }
    }

    deinit {
        work.finish()
        state.withLock { $0.pump }?.cancel()
        for question in state.withLock({ $0.questions.values }) { question.task.cancel() }
    }

    // MARK: Clients

    /// Makes a client for the running app. The first event says whether Bluetooth can be used, or, before that, what is
    /// restored.
    ///
    /// - Parameter restoreName: The restore identifier: if the system ends the app, the next client with this name takes over
    ///   its services.
    package func makeClient(
        restoreName: String? = nil, _ tell: @escaping @Sendable (PeripheralManagerEvent) -> Void
    ) -> ClientID {
        guard let app = phone.app else {
            AppCrash.crash(
                "hil", "a CBPeripheralManager was made with no app running: launch the app on the phone first")
        }
        if restoreName != nil { phone.bluetooth.requireBackgroundMode(.peripheral, of: app) }
        phone.record(.app(app.bundle.identifier, "made a CBPeripheralManager"))
        if let id = orphan(named: restoreName, of: app.bundle.identifier) {
            adopt(id, by: app, tell)
            return id
        }
        if mayPublish(app) {
            phone.bluetooth.askForPermission(of: app)
        } else {
            phone.warn(of: .publishesWithSetup)
        }
        let id = state.withLock { state in
            state.lastClient += 1
            state.clients[state.lastClient] = Client(app: app, tell: tell, restoreName: restoreName)
            if state.pump == nil { state.pump = listen() }
            return state.lastClient
        }
        if let power = power(for: app) { tell(.power(power)) }
        return id
    }

    /// Withdraws everything that a client has published.
    package func remove(_ id: ClientID) {
        guard let client = state.withLock({ $0.clients.removeValue(forKey: id) }) else { return }
        advertise(nil, of: id)
        for port in client.ports { stopListening(at: port, of: id) }
        if !client.services.isEmpty { publish(for: id) }
    }

    /// Nil while the person has not answered.
    func power(for app: RunningApp) -> CentralEvent.Power? {
        guard mayPublish(app) else { return .unauthorized }
        if !phone.bluetoothIsOn { return .off }
        return phone.bluetooth.isAllowed(app).map { $0 ? .on : .unauthorized }
    }

    /// Whether the app can be a peripheral at all (C22).
    private func mayPublish(_ app: RunningApp) -> Bool {
        phone.policy.accessorySetupAppsPublish || !app.propertyList.supports.contains(.bluetooth)
    }

    private func tellPower() {
        for client in state.withLock({ $0.clients.values.filter { $0.orphan == nil } }) {
            if let power = power(for: client.app) { client.tell(.power(power)) }
        }
    }

    package func receive(_ event: RadioEvent) {
        noteForSharing(event)
        switch event {
        case .bluetoothPower(let isOn):
            if !isOn { removeOrphans(unless: phone.bluetooth.orphanRules(whenOn: false).keeps) }
            if isOn { resumeAdvertising() }
            tellPower()
        default: break
        }
    }

    package func authorizationsChanged(of app: String) { tellPower() }

    package func ended(_ app: RunningApp) {
        for id in state.withLock({ $0.clients.filter { $0.value.app === app }.map(\.key) }) { end(id, of: app) }
    }

    // MARK: Services

    /// Replaces the services of a client.
    package func setServices(_ services: [PeripheralService], of id: ClientID) {
        state.withLock { $0.clients[id]?.services = services }
        publish(for: id)
    }

    private func publish(for id: ClientID) {
        let count = state.withLock { $0.clients[id]?.services.count ?? 0 }
        publish { [weak self] error in self?.tell(.published(count: count, error), to: id) }
    }

    /// Publishes the phone's own services, then those of all clients.
    func publish(_ done: @escaping @Sendable (RadioError?) -> Void) {
        let all = state.withLock { state in
            var all = state.own?.services ?? []
            for client in state.clients.sorted(by: { $0.key < $1.key }).map(\.value) {
                let offset = all.count
                all += client.services.map { service in
                    var service = service
                    service.included = service.included.map { $0 + offset }
                    return service
                }
            }
            return all
        }
        perform(.replaceServices(all), "publishing services", done)
    }

    /// The first place of a client's services in the whole table.
    private func offset(of id: ClientID) -> Int {
        state.withLock { state in
            state.clients.filter { $0.key < id }.reduce(state.ownCount) { $0 + $1.value.services.count }
        }
    }

    /// The client that a place of the whole table belongs to, and the place among its services.
    private func owner(of place: AttributePlace) -> (ClientID, AttributePlace)? {
        var rest = place
        rest.service -= state.withLock { $0.ownCount }
        for (id, client) in state.withLock({ $0.clients }).sorted(by: { $0.key < $1.key }) {
            if rest.service < client.services.count { return (id, rest) }
            rest.service -= client.services.count
        }
        return nil
    }

    /// Notifies a value.
    ///
    /// - Parameter centrals: The devices that get it, if they have subscribed; nil for all that have.
    /// - Returns: Whether the radio takes it. If not, ``PeripheralManagerEvent/isReady`` follows when it takes values again.
    package func notify(
        _ value: Data, at place: AttributePlace, to centrals: [UUID]? = nil, of id: ClientID
    ) -> Bool {
        let devices = centrals.map { $0.compactMap(phone.identifiers.address) }
        guard devices?.isEmpty != true else { return true }
        let isTaken = state.withLock { state in
            guard state.pendingValues < Self.valueLimit else {
                state.refused.insert(id)
                return false
            }
            state.pendingValues += 1
            return true
        }
        guard isTaken else { return false }
        var global = place
        global.service += offset(of: id)
        let commands = devices?.map { PeripheralRadioCommand.notify(value, global, to: $0) } ?? [.notify(value, global)]
        for command in commands.dropLast() { perform(command, "notifying a value") { _ in } }
        // Commands are carried out in order, so the value was sent when the last one is done.
        perform(commands[commands.count - 1], "notifying a value") { [weak self] _ in self?.valueWasSent() }
        return true
    }

    private func valueWasSent() {
        let waiting = state.withLock { state -> Set<ClientID> in
            state.pendingValues -= 1
            guard state.pendingValues < Self.valueLimit else { return [] }
            defer { state.refused = [] }
            return state.refused
        }
        for id in waiting { tell(.isReady, to: id) }
    }

    package func answer(_ number: Int, _ answer: PeripheralAnswer) {
        perform(.answer(number, answer), "answering a request") { _ in }
    }

    // MARK: Channels

    package func listen(isEncrypted: Bool, of id: ClientID) {
        let channel = PeripheralChannel(port: nil, protection: isEncrypted ? .encrypted : .none)
        work.yield { [weak self, phone] in
            guard let self else { return }
            do {
                let port = try await Self.radio(of: phone).listen(channel)
                state.withLock { _ = $0.clients[id]?.ports.insert(port) }
                tell(.channelPublished(port, nil), to: id)
            } catch {
                phone.note(error, during: "publishing an L2CAP channel", by: "Bluetooth")
                tell(.channelPublished(0, error as? RadioError ?? .rig("\(error)")), to: id)
            }
        }
    }

    package func stopListening(at port: UInt16, of id: ClientID) {
        state.withLock { _ = $0.clients[id]?.ports.remove(port) }
        perform(.stopListening(port), "ending an L2CAP channel's publication") { _ in }
    }

    // MARK: The radio

    private static func radio(of phone: Phone) throws -> any PeripheralRadio {
        guard let radio = phone.radio as? any PeripheralRadio else {
            throw RadioError.unsupported("this phone's radio cannot be a peripheral")
        }
        return radio
    }

    /// Queues a command.
    func perform(
        _ command: PeripheralRadioCommand, _ what: String, _ done: @escaping @Sendable (RadioError?) -> Void
    ) {
        work.yield { [phone] in
            do {
                try await Self.radio(of: phone).perform(command)
                done(nil)
            } catch {
                phone.note(error, during: what, by: "Bluetooth")
                done(error as? RadioError ?? .rig("\(error)"))
            }
        }
    }

    /// Queues a change of how accessories see the radio.
    func setRadio(_ personality: RadioPersonality) {
        work.yield { [phone] in
            do { try await Self.radio(of: phone).setPersonality(personality) } catch {
                phone.note(error, during: "changing how accessories see the phone", by: "Bluetooth")
            }
        }
    }

    /// Waits until everything that was queued is done.
    func settle() async {
        let (done, end) = AsyncStream<Never>.makeStream()
        work.yield { end.finish() }
        for await _ in done {}
    }

    package func tell(_ event: PeripheralManagerEvent, to id: ClientID) {
        if keep(event, for: id) { return }
        state.withLock { $0.clients[id] }?.tell(event)
    }

    func listen() -> Task<Void, Never>? {
        guard let radio = phone.radio as? any PeripheralRadio else { return nil }
        return Task { [weak self] in
            for await event in radio.peripheralEvents { await self?.take(event) }
        }
    }

    private func take(_ event: PeripheralEvent) async {
        if takesOwn(event) { return }
        switch event {
        case .connected(let device): state.withLock { $0.central = device }
        case .bonded(let device, _): state.withLock { if $0.central != nil { $0.central = device } }
        case .disconnected(let device):
            state.withLock { if $0.central == device { $0.central = nil } }
            endQuestion(about: device)
        case .requested(let request):
            guard let (id, place) = owner(of: request.request.place) else { return }
            var local = request.request
            local.place = place
            tell(.requested(local, by: identifier(of: local.phone)), to: id)
        case .subscription(let isOn, let place, let device):
            guard let (id, place) = owner(of: place) else { return }
            let (device, mtu) = (identifier(of: device), await mtu(of: device))
            tell(.subscription(isOn, place, by: device, mtu: mtu), to: id)
            state.withLock { $0.clients[id]?.subscribed[place, default: [:]][device] = isOn ? mtu : nil }
        case .channelOpened(let number, let port, let mtu):
            let channel = PublishedChannel(number, mtu: mtu, of: self)
            let owner = state.withLock { state in
                state.channels[number] = channel
                return state.clients.first { $0.value.ports.contains(port) }?.key
            }
            if let owner { tell(.channelOpened(channel, port: port, by: identifier(of: nil)), to: owner) }
        case .received(let packet, let number): state.withLock { $0.channels[number] }?.take(packet)
        case .channelClosed(let number):
            state.withLock { $0.channels.removeValue(forKey: number) }?.take(Data())
        case .read, .written, .confirmed, .bridged, .compares, .showsPasskey, .asksForPasskey, .asksToPair,
            .stationJoined, .stationLeft, .joinedNetwork, .lostNetwork, .unheardNetwork, .heard:
            break
        }
    }

    private func identifier(of device: DeviceAddress?) -> UUID {
        let address = device ?? state.withLock { $0.central }
        return address.map(phone.identifiers.identifier) ?? UUID()
    }

    private func mtu(of device: DeviceAddress?) async -> Int {
        guard let central = device ?? state.withLock({ $0.central }) else { return 23 }
        return (try? await phone.radio.mtu(of: central)) ?? 23
    }

    /// Sends a packet on a channel that another device has opened.
    func send(_ packet: Data, onChannel number: Int) async throws {
        try await Self.radio(of: phone).perform(.sendOnChannel(number, packet))
    }

    func close(channel number: Int) {
        state.withLock { _ = $0.channels.removeValue(forKey: number) }
        perform(.closeChannel(number), "closing an L2CAP channel") { _ in }
    }
}
