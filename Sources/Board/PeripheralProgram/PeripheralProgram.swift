import BoardAgent
import BoardProtocol
import FoundationEssentials
import HILBlueZ
import HILPOSIX
import PeripheralModel
import RadioModel
import Synchronization

/// An accessory as data, in the board's agent: it follows a ``PeripheralModel/PeripheralDeclaration``.
///
/// Reads and writes of a phone are answered at once with the kept values, or by the scenario.
package final class PeripheralProgram: AgentAccessory {
    struct State {
        var values: PeripheralValues?
        var pairing = PeripheralPairing()
        /// The current advertisement; nil for none.
        var advertising: PeripheralAdvertising?
        var requests: [Int: Waiting] = [:]
        var lastRequest = 0
        /// Questions during pairing that wait for the scenario.
        var question: (@Sendable (Bool) -> Void)?
        var entry: (@Sendable (UInt32?) -> Void)?
        /// The characteristics that notify automatically now.
        var schedules: [AttributePlace: Task<Void, Never>] = [:]
        /// The phone that connected last and is still connected.
        var phone: DeviceAddress?
        /// The TCP ports that it serves on its networks.
        var ports: [PeripheralPort] = []
        /// The servers that it reports to.
        var reports: [PeripheralReport] = []
    }

    /// An access that the scenario has not answered.
    enum Waiting {
        case read(GATTServerHandler.RespondWithValue)
        case write(AttributePlace, Data, GATTServerHandler.Respond)
    }

    package typealias Call = PeripheralCall

    package static let kind = PeripheralKind.name
    private static let deviceInformation = BluetoothUUID(short: 0x180A)

    let radio: any AccessoryRadio
    let state = Mutex(State())
    let channels: PeripheralChannels

    package init(_ radio: any AccessoryRadio) {
        self.radio = radio
        channels = PeripheralChannels { event in Self.tell(event, by: radio) }
    }

    // MARK: Calls

    package func perform(_ call: PeripheralCall) async throws -> Answer {
        switch call {
        case .powerOn(let declaration, let reply): return reply(try await powerOn(declaration))
        case .powerOff(let reply):
            try await powerOff()
            return reply()
        case .advertise(let content, let reply):
            try await advertise(content)
            return reply()
        case .replaceServices(let services, let reply):
            try await replace(PeripheralValues(services))
            try await radio.offerAttributes()
            return reply()
        case .notify(let value, let place, let reply):
            try setValue(value, at: place)
            radio.notify(value, at: place)
            return reply()
        case .setValue(let value, let place, let reply):
            try setValue(value, at: place)
            return reply()
        case .value(let place, let reply): return reply(try values().value(at: place))
        case .answer(let number, let answer, let reply):
            try self.answer(number, answer)
            return reply()
        case .setPairing(let pairing, let reply):
            try await setPairing(pairing)
            return reply()
        case .answerPairing(let isAccepted, let reply):
            try take(\.question, "a question")(isAccepted)
            return reply()
        case .enterPasskey(let passkey, let reply):
            try take(\.entry, "a number")(passkey)
            return reply()
        case .rotateAddress(let reply):
            try await rotateAddress()
            return reply()
        case .disconnect(let reply):
            try await radio.disconnect(nil)
            return reply()
        case .forgetBonds(let renewsIdentity, let reply):
            try await radio.forgetBonds()
            if renewsIdentity { try await radio.renewIdentity() }
            return reply()
        case .askToPair(let reply):
            try await radio.askToPair(phone())
            return reply()
        case .setName(let name, let reply):
            try await radio.setName(name)
            return reply()
        case .network(let call): return try await perform(call)
        case .channel(let call): return try await perform(call)
        case .phone(let call): return try await perform(call)
        }
    }

    private func perform(_ call: PeripheralNetworkCall) async throws -> Answer {
        switch call {
        case .open(let network, let reply):
            try radio.requireWiFi()
            try await radio.openNetwork(network)
            return reply()
        case .close(let ssid, let reply):
            try await radio.closeNetwork(ssid: ssid)
            return reply()
        case .changePassphrase(let ssid, let passphrase, let reply):
            try await radio.changePassphrase(of: ssid, to: passphrase)
            return reply()
        case .join(let credentials, let reply):
            try radio.requireWiFi()
            return reply(try await radio.joinNetwork(credentials))
        case .leave(let reply):
            await radio.leaveNetwork()
            return reply()
        case .scan(let reply):
            try radio.requireWiFi()
            return reply(try await radio.scanNetworks())
        case .offerServices(let services, let reply):
            try await radio.offerServices(services)
            return reply()
        case .exchange(let request, let service, let reply):
            return reply(try await radio.exchange(request, with: service))
        }
    }

    private func perform(_ call: PeripheralChannelCall) async throws -> Answer {
        switch call {
        case .listen(let channel, let reply): return reply(try await listen(channel))
        case .stopListening(let port, let reply):
            channels.stopListening(at: port)
            return reply()
        case .open(let port, let reply):
            let channel = try await radio.openChannel(to: phone(), port: port)
            let number = channels.add(channel, at: port, echoes: false, isOwn: true)
            return reply(OpenChannel(number: number, mtu: channel.sendMTU))
        case .send(let number, let packet, let reply):
            try await channels.send(Array(packet), on: number)
            return reply()
        case .close(let number, let reply):
            channels.close(number)
            return reply()
        }
    }

    private func perform(_ call: PeripheralPhoneCall) async throws -> Answer {
        switch call {
        case .connect(let service, let milliseconds, let reply):
            let phone = try await radio.find(service, within: .milliseconds(milliseconds))
            try await radio.connect(to: phone)
            return reply(phone)
        case .read(let uuid, let reply): return reply(try await radio.read(uuid, of: phone()))
        case .write(let value, let uuid, let withResponse, let reply):
            try await radio.write(value, to: uuid, of: phone(), withResponse: withResponse)
            return reply()
        case .subscribe(let uuid, let isOn, let reply):
            try await radio.setNotifying(isOn, for: uuid, of: phone())
            return reply()
        }
    }

    private func powerOff() async throws {
        reset()
        try await radio.stopAdvertising()
        try await radio.closeNetworks()
        try await radio.offerServices([])
    }

    private func rotateAddress() async throws {
        guard let content = state.withLock({ $0.advertising }) else {
            throw RadioError.invalid("the accessory does not advertise")
        }
        try await advertise(content)
    }

    private func powerOn(_ declaration: PeripheralDeclaration) async throws -> DeviceAddress {
        let values = try PeripheralValues(declaration.services)
        if !declaration.networks.isEmpty { try radio.requireWiFi() }
        reset()
        try await radio.closeNetworks()
        try await radio.stopAdvertising()
        try await replace(values)
        try await radio.setClient(
            declaration.usesPhone,
            hasDeviceInformation: declaration.services.contains { $0.uuid == Self.deviceInformation })
        try await radio.setTransports(
            AdapterTransports(
                classicPort: declaration.classicPort, hasPrivateAddress: declaration.hasPrivateAddress,
                hasSecureConnections: declaration.pairing.hasSecureConnections,
                advertisesClassic: declaration.advertising?.claimsClassic ?? false))
        try await radio.setName(declaration.name)
        try await radio.setConnectionParameters(declaration.connectionParameters)
        try await setPairing(declaration.pairing)
        state.withLock { ($0.ports, $0.reports) = (declaration.ports, declaration.reports) }
        await radio.setBands(declaration.bands)
        try await radio.offerServices(declaration.bonjour)
        for channel in declaration.channels { _ = try await listen(channel) }
        for network in declaration.networks { try await radio.openNetwork(network) }
        if let content = declaration.advertising {
            try await advertise(content)
        } else {
            try await radio.offerAttributes()
        }
        return try await radio.address()
    }

    /// Ends all activity. The services and their values stay.
    private func reset() {
        channels.endAll()
        let (schedules, requests) = state.withLock { state in
            defer {
                state.schedules = [:]
                state.requests = [:]
                (state.question, state.entry, state.advertising) = (nil, nil, nil)
            }
            return (Array(state.schedules.values), Array(state.requests.values))
        }
        for schedule in schedules { schedule.cancel() }
        for request in requests { request.refuse() }
    }

    private func replace(_ values: PeripheralValues) async throws {
        try await radio.withdrawAttributes()
        state.withLock { $0.values = values }
    }

    private func advertise(_ content: PeripheralAdvertising?) async throws {
        guard let content else {
            state.withLock { $0.advertising = nil }
            return try await radio.pauseAdvertising()
        }
        try await radio.advertise(
            AdvertisedContent(
                name: content.name, serviceUUIDs: content.serviceUUIDs, manufacturerData: content.manufacturerData,
                serviceData: content.serviceData, appearance: content.appearance,
                includesTxPower: content.includesTxPower, solicitedUUIDs: content.solicitedUUIDs))
        state.withLock { $0.advertising = content }
    }

    private func setPairing(_ pairing: PeripheralPairing) async throws {
        state.withLock { $0.pairing = pairing }
        try await radio.setCapability(pairing.capability)
        try await radio.setPairable(pairing.isAllowed)
    }

    /// The phone that connected last.
    private func phone() throws(RadioError) -> DeviceAddress {
        guard let phone = state.withLock({ $0.phone }) else { throw .notConnected }
        return phone
    }

    private func values() throws(RadioError) -> PeripheralValues {
        guard let values = state.withLock({ $0.values }) else { throw .invalid("switch the accessory on first") }
        return values
    }

    private func setValue(_ value: Data, at place: AttributePlace) throws(RadioError) {
        var changed = try values()
        try changed.set(value, at: place)
        state.withLock { [changed] in $0.values = changed }
    }

    private func listen(_ channel: PeripheralChannel) async throws -> UInt16 {
        let accept = channels.acceptor(echoes: channel.echoes)
        return channels.listen(
            try await radio.listen(at: channel.port, needing: channel.protection, accept: accept.accept), accept)
    }

    /// Takes a question that waits for the scenario.
    private func take<Question>(
        _ question: WritableKeyPath<State, Question?> & Sendable, _ what: String
    ) throws(RadioError) -> Question {
        let taken: Question? = state.withLock { state in
            defer { state[keyPath: question] = nil }
            return state[keyPath: question]
        }
        guard let taken else { throw .invalid("no pairing waits for \(what)") }
        return taken
    }

    // MARK: Phones

    package func take(_ input: AccessoryInput) {
        switch input {
        case .connected(let phone):
            let asks = state.withLock { state in
                state.phone = phone
                return state.pairing.asksWhenConnected
            }
            tell(.connected(phone))
            // The phone may be gone before it is asked.
            if asks { Task { [radio] in try? await radio.askToPair(phone) } }
        case .disconnected(let phone):
            state.withLock { state in
                if state.phone == phone { state.phone = nil }
                (state.question, state.entry) = (nil, nil)
            }
            tell(.disconnected(phone))
        case .bonded(let phone, let bond):
            // A phone with a private address sent its identity address while pairing.
            state.withLock { if $0.phone != nil { $0.phone = phone } }
            tell(.bonded(phone, bond))
        case .passkeyShown(_, let passkey): tell(.showsPasskey(passkey))
        case .bridged(let link): tell(.bridged(link))
        case .heard(_, let value): tell(.heard(value))
        case .stationJoined(let ssid, let station): tell(.stationJoined(ssid: ssid, station))
        case .stationLeft(let ssid, let station): tell(.stationLeft(ssid: ssid, station))
        case .joinedNetwork(let ssid): tell(.joinedNetwork(ssid: ssid))
        case .lostNetwork(let ssid): tell(.lostNetwork(ssid: ssid))
        case .unheardNetwork(let ssid, let frequency): tell(.unheardNetwork(ssid: ssid, frequency: frequency))
        // The agent restores what was on the air.
        case .daemonLost, .daemonBack: break
        }
    }

    package func answer(
        _ question: PairingQuestion, of phone: DeviceAddress?, _ answer: @escaping @Sendable (Bool) -> Void
    ) {
        let pairing = state.withLock { state in
            if state.pairing.answer == .waits { state.question = answer }
            return state.pairing
        }
        switch question {
        case .comparison(let passkey): tell(.compares(passkey))
        case .authorization: tell(.asksToPair)
        }
        switch pairing.answer {
        case .accepts: answer(pairing.isAllowed)
        case .refuses: answer(false)
        case .waits: break
        }
    }

    package func enterPasskey(of phone: DeviceAddress?, _ answer: @escaping @Sendable (UInt32?) -> Void) {
        state.withLock { $0.entry = answer }
        tell(.asksForPasskey)
    }

    func tell(_ event: PeripheralEvent) { Self.tell(event, by: radio) }

    private static func tell(_ event: PeripheralEvent, by radio: any AccessoryRadio) {
        // Strings, numbers and Base64 can always be encoded.
        if let data = try? JSONEncoder().encode(event) { radio.tell(data) }
    }

    package func serve(on address: String) throws -> any Sendable {
        let (ports, reports) = state.withLock { ($0.ports, $0.reports) }
        let servers: [any Sendable] = try ports.map { try PeripheralServer($0, on: address) }
        return servers + reports.map { PeripheralReporter($0) as any Sendable }
    }
}
