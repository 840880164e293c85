import HILBluetoothHost
import RadioModel

/// Finds the conversations of one HCI: of the phone, or of the accessory's board, by the role in each link.
struct HCIConversation: Sendable {
    /// A link, or an attempt.
    private struct Link {
        /// The key of its builder.
        var device: String
        /// Its number in that builder.
        var number: Int
        /// Whether the host of this capture is the phone.
        var isPhone: Bool
        /// Whether this host ends it, and why.
        var endReason: HCIError?
    }

    /// What the host asked for with its last request to connect.
    private struct Request {
        var parameters: ConnectionParameters
        /// In units of 0.625 ms.
        var interval, window: UInt16
        var ownAddress: UInt8
        var frame: ConversationBuilder.Place
    }

    /// The most devices whose advertisements are kept.
    private static let mostDevices = 4096

    let name: String
    let interface: String
    private(set) var builders: [String: ConversationBuilder] = [:]
    /// The devices in the order of their first links.
    private(set) var devices: [String] = []
    private var links: [UInt16: Link] = [:]
    private var request: Request?
    /// What belongs to no link: scans and addresses of this host.
    private var common: [Procedure] = []
    private var heard: [DeviceAddress: Procedure] = [:]
    private var publicAddress: DeviceAddress?
    private var randomAddress: DeviceAddress?
    private var lastScan: [(String, String)] = []
    /// What the host told its controller to do by itself on each new link.
    private var defaults: Set<Procedure.Kind> = []
    private var unshown = UnshownLinks()
    /// Packets of links that the capture shows, but not who sent them.
    private var withoutSender = 0
    private var unreadable = 0
    private var isFromPacketLogger = false

    init(name: String, interface: String) { (self.name, self.interface) = (name, interface) }

    /// The conversations, each with what the host did beside all links.
    var conversations: [Conversation] {
        devices.compactMap { device in
            guard var conversation = builders[device]?.finished else { return nil }
            conversation.leftToController.formUnion(defaults)
            conversation.isFromPacketLogger = isFromPacketLogger
            let isPhone = conversation.vantage == .phoneHost
            var beside = isPhone ? common : []
            if isPhone, let address = DeviceAddress(device), let first = heard[address] { beside.append(first) }
            conversation.procedures = (beside + conversation.procedures).sorted { $0.frame < $1.frame }
            conversation.isPartial = unshown.lowEnergyPackets > 0
            conversation.gaps += unshown.gaps
            if withoutSender > 0 {
                conversation.gaps.append(
                    "\(withoutSender) packets do not say whether the host sent or got them; they are left out")
            }
            if unreadable > 0 { conversation.gaps.append("\(unreadable) packets of HCI have an unknown form") }
            return conversation
        }
    }

    mutating func take(_ frame: CapturedFrame, at place: ConversationBuilder.Place) {
        isFromPacketLogger = isFromPacketLogger || frame.isFromPacketLogger
        for content in frame.contents {
            switch content {
            case .command(let bytes): command(bytes, at: place)
            case .event(let bytes):
                guard let event = try? HCIEvent(decoding: bytes) else {
                    unreadable += 1
                    continue
                }
                take(event, at: place)
            case .data(let bytes, let handle?): take(bytes, on: handle, isSent: frame.isSent, at: place)
            case .data, .linkLayer, .wifi: break
            }
        }
    }

    private mutating func take(
        _ bytes: [UInt8], on handle: UInt16, isSent: Bool?, at place: ConversationBuilder.Place
    ) {
        guard let link = links[handle] else { return unshown.take(bytes, on: handle) }
        builders[link.device]?.resume(link.number)
        guard let isSent else {
            withoutSender += 1
            builders[link.device]?.missed(at: place)
            return
        }
        let side: Procedure.Side = isSent == link.isPhone ? .phone : .accessory
        builders[link.device]?.take(bytes, from: side, at: place)
    }

    private mutating func onLink(_ handle: UInt16, _ body: (inout ConversationBuilder, Procedure.Side) -> Void) {
        guard let link = links[handle & 0xFFF] else { return }
        guard var builder = builders.removeValue(forKey: link.device) else { return }
        builder.resume(link.number)
        body(&builder, link.isPhone ? .phone : .accessory)
        builders[link.device] = builder
    }
}

// What the host tells its controller.
extension HCIConversation {
    private mutating func command(_ bytes: [UInt8], at place: ConversationBuilder.Place) {
        var reader = PacketReader(bytes, of: "an HCI command")
        guard let opcode = try? HCIOpcode(rawValue: reader.uint16()), let length = try? reader.uint8(),
            reader.count == Int(length)
        else {
            unreadable += 1
            return
        }
        do throws(Malformed) {
            switch opcode {
            case .leSetRandomAddress: newAddress(try reader.address(), at: place)
            case .leSetScanParameters, .leSetExtendedScanParameters:
                scan(try ScanWish(opcode, &reader), at: place)
            case .leCreateConnection, .leExtendedCreateConnection:
                let wish = try ConnectionWish(opcode, &reader)
                request = Request(
                    parameters: wish.parameters, interval: wish.interval, window: wish.window,
                    ownAddress: wish.ownAddress, frame: place)
            case .leWriteSuggestedDefaultDataLength: defaults.insert(.dataLength)
            case .leSetDefaultPHY: defaults.insert(.phy)
            default: try linkCommand(opcode, &reader, at: place)
            }
        } catch { unreadable += 1 }
    }

    private mutating func linkCommand(
        _ opcode: HCIOpcode, _ reader: inout PacketReader, at place: ConversationBuilder.Place
    ) throws(Malformed) {
        switch opcode {
        case .disconnect:
            let (handle, reason) = (try reader.uint16(), try reader.uint8())
            links[handle & 0xFFF]?.endReason = HCIError(rawValue: reason)
        case .leSetDataLength:
            let (handle, octets, time) = (try reader.uint16(), try reader.uint16(), try reader.uint16())
            onLink(handle) { $0.add(.dataLength, by: $1, "", [("bytes", "\(octets)"), ("µs", "\(time)")], at: place) }
        case .leSetPHY:
            let (handle, _, phys) = (try reader.uint16(), try reader.uint8(), try reader.uint8())
            onLink(handle) { $0.add(.phy, by: $1, "", [("asked for", PHYText.set(phys))], at: place) }
        case .leReadRemoteFeatures:
            let handle = try reader.uint16()
            onLink(handle) { $0.add(.features, by: $1, at: place) }
        case .readRemoteVersionInformation:
            let handle = try reader.uint16()
            onLink(handle) { $0.add(.version, by: $1, at: place) }
        case .leEnableEncryption:
            let handle = try reader.uint16()
            onLink(handle) { builder, _ in builder.encrypts(at: place) }
        case .leConnectionUpdate:
            let handle = try reader.uint16()
            let parameters = try ConnectionWish.parameters(&reader)
            onLink(handle) { builder, side in
                // The central carries out the accessory's request by this command.
                let asked = builder.latest(.connectionParameters)
                if asked?.side == side.other, asked?["answer"] == "accepted", asked?["carried out"] == nil {
                    builder.finish(.connectionParameters, by: side, [("carried out", "\(parameters)")], at: place)
                } else {
                    builder.add(.connectionParameters, by: side, "", [("asked for", "\(parameters)")], at: place)
                }
            }
        default: break
        }
    }

    private mutating func newAddress(_ address: DeviceAddress, at place: ConversationBuilder.Place) {
        randomAddress = address
        add(.address, [("kind", AddressText.kind(PeerAddress(address, isRandom: true)))], at: place)
    }

    private mutating func scan(_ wish: ScanWish, at place: ConversationBuilder.Place) {
        let values = wish.values
        // The same order again, before each start of a scan, is no news.
        guard !values.elementsEqual(lastScan, by: ==) else { return }
        lastScan = values
        add(.scan, values, at: place)
    }

    private mutating func add(
        _ kind: Procedure.Kind, _ values: [(String, String)], at place: ConversationBuilder.Place
    ) {
        guard common.count < ConversationBuilder.most else { return }
        common.append(
            Procedure(
                kind: kind, side: .phone, values: values.map { Procedure.Value(name: $0.0, text: $0.1) },
                frame: place.frame, lastFrame: place.frame, time: place.time, link: 0))
    }
}

// What the controller tells its host.
extension HCIConversation {
    private mutating func take(_ event: HCIEvent, at place: ConversationBuilder.Place) {
        switch event {
        case .commandComplete(.readAddress, _, let values) where values.count == 7:
            publicAddress = DeviceAddress(bytes: values.dropFirst().reversed())
        case .connectionComplete(let link) where link.status.isSuccess: unshown.beginClassic(link.handle.rawValue)
        case .leConnectionComplete(let link) where link.status.isSuccess: open(link, at: place)
        case .disconnectionComplete(let handle, let status, let reason) where status.isSuccess:
            end(handle.rawValue, reason, at: place)
        case .advertisingReports(let reports): for report in reports { hear(report, at: place) }
        case .encryptionChange(let change):
            onLink(change.handle.rawValue) { builder, _ in
                builder.encrypted(change.status.isSuccess && change.isOn, "\(change.status)", at: place)
            }
        case .encryptionKeyRefreshComplete(let handle, let status):
            onLink(handle.rawValue) { builder, _ in
                builder.encrypted(status.isSuccess, "\(status)", at: place)
            }
        case .longTermKeyRequest(let handle, _, _):
            onLink(handle.rawValue) { builder, _ in builder.encrypts(at: place) }
        case .dataLengthChange(let handle, let length):
            onLink(handle.rawValue) { builder, side in
                let toPhone = side == .phone ? length.rxOctets : length.txOctets
                let toAccessory = side == .phone ? length.txOctets : length.rxOctets
                let values = [("to the phone", "\(toPhone)"), ("to the accessory", "\(toAccessory)")]
                guard !builder.complete(.dataLength, values, at: place) else { return }
                builder.conversation.leftToController.insert(.dataLength)
            }
        case .phyUpdateComplete(let handle, let status, let sent, _) where status.isSuccess:
            onLink(handle.rawValue) { builder, _ in
                let result = sent.map { "\($0)" } ?? "unknown"
                guard !builder.complete(.phy, [("result", result)], at: place) else { return }
                builder.conversation.leftToController.insert(.phy)
            }
        case .leConnectionUpdateComplete(let update) where update.status.isSuccess:
            onLink(update.handle.rawValue) { builder, _ in
                builder.changeParameters(
                    ConnectionWish.text(update.interval, update.latency, update.timeout), at: place)
            }
        default: break
        }
    }

    private mutating func hear(_ report: AdvertisingReport, at place: ConversationBuilder.Place) {
        guard let address = report.address?.address, heard[address] == nil,
            heard.count < HCIConversation.mostDevices
        else { return }
        var data = AdvertisementParts(report.data).values
        data.append(("kind", report.kind.contains(.legacy) ? "legacy" : "extended"))
        heard[address] = Procedure(
            kind: .advertisement, side: .accessory, values: data.map { Procedure.Value(name: $0.0, text: $0.1) },
            frame: place.frame, lastFrame: place.frame, time: place.time, link: 0)
    }

    private mutating func open(_ link: LEConnectionComplete, at place: ConversationBuilder.Place) {
        let isPhone = link.role == .central
        let own = ownAddress(of: link, isCentral: isPhone)
        // One board is one accessory, whatever its address is now.
        let device = isPhone ? HCIConversation.text(link.peer) : "this board"
        if builders[device] == nil {
            devices.append(device)
            builders[device] = ConversationBuilder(
                name, isPhone ? .phoneHost : .accessoryHost, interface: interface,
                accessory: HCIConversation.text(isPhone ? link.peer : own))
        }
        let phone = isPhone ? own : resolved(link) ?? link.peer
        var begun = Conversation.Link(phone: HCIConversation.text(phone), identity: phone.flatMap(AddressText.identity))
        if !isPhone, link.isResolved, let peer = link.peer {
            (begun.identity, begun.isResolved) = ("\(peer.address)", true)
        }
        guard let number = builders[device]?.beginLink(begun) else { return }
        links[link.handle.rawValue] = Link(device: device, number: number, isPhone: isPhone)
        unshown.beginShown(link.handle.rawValue)
        var values = phone.map { [("phone's address", AddressText.kind($0))] } ?? []
        if isPhone, let request {
            values += [
                ("asked for", "\(request.parameters)"),
                ("scan", ScanWish.text(request.interval, request.window)),
            ]
        }
        values.append(("result", ConnectionWish.text(link.interval, link.latency, link.timeout)))
        let first = isPhone ? request?.frame ?? place : place
        builders[device]?.add(.connection, by: .phone, "", values, at: first)
        builders[device]?.finish(.connection, by: .phone, [], at: place)
        // A request of a phone that others connect to in the meantime is still open.
        if isPhone { request = nil }
    }

    /// The private address behind the identity of a peer.
    private func resolved(_ link: LEConnectionComplete) -> PeerAddress? {
        link.peerPrivateAddress.flatMap { address in
            address.bytes.contains { $0 != 0 } ? PeerAddress(address, isRandom: true) : nil
        }
    }

    private static func text(_ address: PeerAddress?) -> String { address.map { "\($0.address)" } ?? "unknown" }

    private func ownAddress(of link: LEConnectionComplete, isCentral: Bool) -> PeerAddress? {
        if let address = link.localPrivateAddress, address.bytes.contains(where: { $0 != 0 }) {
            return PeerAddress(address, isRandom: true)
        }
        var isRandom = randomAddress != nil
        if isCentral {
            guard let kind = request?.ownAddress else { return nil }
            // The controller may have made a private address (2, 3), which only an enhanced event tells.
            if kind > 1, link.localPrivateAddress == nil { return nil }
            isRandom = kind & 1 == 1
        }
        return (isRandom ? randomAddress : publicAddress).map { PeerAddress($0, isRandom: isRandom) }
    }

    private mutating func end(_ handle: UInt16, _ reason: HCIError, at place: ConversationBuilder.Place) {
        guard let link = links[handle & 0xFFF] else { return unshown.end(handle & 0xFFF) }
        onLink(handle) { builder, side in
            defer { builder.endLink() }
            if let own = link.endReason {
                builder.add(.end, by: side, "", [("reason", "\(own)")], at: place)
            } else {
                let isPeer = reason == .remoteUserEnded || reason == .remoteLowResources || reason == .remotePowerOff
                builder.add(.end, by: isPeer ? side.other : side, "", [("reason", "\(reason)")], at: place)
            }
        }
        links[handle & 0xFFF] = nil
        unshown.end(handle & 0xFFF)
    }
}
