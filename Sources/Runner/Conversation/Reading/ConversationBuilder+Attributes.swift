import HILBluetoothHost
import RadioModel

// The attribute protocol. Each end is a client of the other.
extension ConversationBuilder {
    mutating func takeAttributes(_ bytes: [UInt8], from side: Procedure.Side, at place: Place) {
        guard let pdu = try? ATTPDU.decode(bytes) else {
            return flaw("a PDU of the attribute protocol of an unknown form", at: place)
        }
        switch pdu.opcode.kind {
        case .request, .command: ask(pdu, by: side, at: place)
        case .response: answer(pdu, to: side.other, at: place)
        case .notification, .indication: update(pdu, by: side, at: place)
        case .confirmation: break
        }
    }

    private mutating func ask(_ pdu: ATTPDU, by client: Procedure.Side, at place: Place) {
        let names = attributes[client.other] ?? AttributeNames()
        switch pdu {
        case .exchangeMTURequest(let mtu): open(.mtu, client, "", [("offered", "\(mtu)")], at: place)
        case .readByGroupTypeRequest(let range, let type):
            let isPrimary = type == AttributeType.primaryService
            continueOrOpen(
                .serviceDiscovery, client, isPrimary ? "" : type.namedText, [("form", "Read By Group Type")],
                continues: range.first > 1, at: place)
        case .findByTypeValueRequest(_, _, let value):
            let uuid = BluetoothUUID(bytes: value.reversed())
            continueOrOpen(
                .serviceSearch, client, uuid?.namedText ?? Hex.text(value.prefix(16)), [("form", "Find By Type Value")],
                continues: true, at: place)
        case .readByTypeRequest(let range, let type): readByType(range, type, names, by: client, at: place)
        case .findInformationRequest(let range):
            continueOrOpen(
                .descriptors, client, names.characteristic(at: range.first), [], continues: true, at: place)
        case .readRequest(let handle): open(.read, client, names.attribute(handle), at: place)
        case .readBlobRequest(let handle, _):
            continueOrOpen(.read, client, names.attribute(handle), [("long", "yes")], continues: true, at: place)
        case .readMultipleRequest(let handles), .readMultipleVariableRequest(let handles):
            open(.read, client, handles.prefix(32).map(names.attribute).joined(separator: ", "), at: place)
        case .writeRequest(let handle, let value): write(handle, value, names, by: client, "request", at: place)
        case .writeCommand(let handle, let value): write(handle, value, names, by: client, "command", at: place)
        case .signedWriteCommand(let handle, let value, _):
            write(handle, value, names, by: client, "signed command", at: place)
        case .prepareWriteRequest(let piece):
            continueOrOpen(
                .write, client, names.attribute(piece.handle), [("form", "prepared")], continues: true, at: place)
        case .executeWriteRequest: extend(ongoing.last[client], at: place)
        default: break
        }
    }

    private mutating func readByType(
        _ range: HandleRange, _ type: BluetoothUUID, _ names: AttributeNames, by client: Procedure.Side, at place: Place
    ) {
        switch type {
        case AttributeType.include:
            continueOrOpen(.inclusions, client, names.service(at: range.first), [], continues: true, at: place)
        case AttributeType.characteristic:
            let subject = names.service(at: range.first)
            var values: [(String, String)] = []
            if let before = procedure(ongoing.last[client]), before.kind == .characteristics, before.subject == subject,
                let declared = before["last declaration"].flatMap({ UInt16($0) })
            {
                if range.first == names.value(of: declared).map({ $0 &+ 1 }) {
                    values = [("goes on", "after the value")]
                }
                if range.first == declared &+ 1 { values = [("goes on", "after the declaration")] }
            }
            continueOrOpen(.characteristics, client, subject, values, continues: true, at: place)
        default:
            let form = range == .all ? "all handles" : "a service's handles"
            continueOrOpen(.typedRead, client, type.namedText, [("range", form)], continues: range.first > 1, at: place)
        }
    }

    private mutating func write(
        _ handle: UInt16, _ value: [UInt8], _ names: AttributeNames, by client: Procedure.Side, _ form: String,
        at place: Place
    ) {
        guard names.isConfiguration(handle), value.count == 2 else {
            return open(
                .write, client, names.attribute(handle), [("form", form), ("bytes", "\(value.count)")], at: place)
        }
        let wish = ClientConfiguration(rawValue: UInt16(value[0]) | UInt16(value[1]) << 8)
        let words =
            (wish.contains(.notifies) ? ["notifications"] : []) + (wish.contains(.indicates) ? ["indications"] : [])
        open(
            .subscription, client, names.characteristic(at: handle),
            [("to", words.isEmpty ? "nothing" : words.joined(separator: " and "))], at: place)
    }

    private mutating func open(
        _ kind: Procedure.Kind, _ client: Procedure.Side, _ subject: String, _ values: [(String, String)] = [],
        at place: Place
    ) {
        let index = add(kind, by: client, subject, values, at: place)
        (ongoing.asking[client], ongoing.last[client]) = (index, index)
    }

    private mutating func continueOrOpen(
        _ kind: Procedure.Kind, _ client: Procedure.Side, _ subject: String, _ values: [(String, String)],
        continues: Bool, at place: Place
    ) {
        if continues, let before = procedure(ongoing.last[client]), before.kind == kind, before.subject == subject {
            extend(ongoing.last[client], values, at: place)
            ongoing.asking[client] = ongoing.last[client]
        } else {
            open(kind, client, subject, values, at: place)
        }
    }

    private mutating func answer(_ pdu: ATTPDU, to client: Procedure.Side, at place: Place) {
        guard let index = ongoing.asking.removeValue(forKey: client), let asked = procedure(index) else { return }
        extend(index, at: place)
        let server = client.other
        var names = attributes[server] ?? AttributeNames()
        switch pdu {
        // Each walk through handles ends with this error.
        case .errorResponse(_, _, .attributeNotFound) where asked.kind != .read && asked.kind != .write: break
        case .errorResponse(_, _, let error): extend(index, [("answer", "\(error)")], at: place)
        case .exchangeMTUResponse(let mtu): extend(index, [("answered", "\(mtu)")], at: place)
        case .readByGroupTypeResponse(let groups):
            for group in groups {
                if let uuid = BluetoothUUID(bytes: group.value.reversed()) { names.add(service: group.range, uuid) }
            }
        case .findByTypeValueResponse(let ranges):
            if let uuid = BluetoothUUID(asked.subject) { for range in ranges { names.add(service: range, uuid) } }
        case .readByTypeResponse(let values) where asked.kind == .characteristics:
            for value in values { names.add(characteristic: value.handle, value.value) }
            if let handle = values.last?.handle { extend(index, [("last declaration", "\(handle)")], at: place) }
        case .findInformationResponse(let list): for one in list { names.add(descriptor: one.handle, one.type) }
        default: break
        }
        attributes[server] = names
    }

    private mutating func update(_ pdu: ATTPDU, by server: Procedure.Side, at place: Place) {
        let names = attributes[server] ?? AttributeNames()
        let (handle, form): (UInt16?, String) =
            switch pdu {
            case .notification(let value): (value.handle, "notification")
            case .multipleNotification(let values): (values.first?.handle, "notifications")
            case .indication(let value): (value.handle, "indication")
            default: (nil, "")
            }
        guard let handle else { return }
        let subject = names.attribute(handle)
        if let before = conversation.procedures.last, before.kind == .update, before.subject == subject,
            before.side == server, before.link == link
        {
            return extend(conversation.procedures.count - 1, at: place)
        }
        add(.update, by: server, subject, [("form", form)], at: place)
    }
}
