import Glibc
import HILCNetlink
import HILPOSIX
import HILWiFi

/// Numbers of the kernel's `MAC80211_HWSIM` family (drivers/net/wireless/virtual/mac80211_hwsim.h).
enum Hwsim {
    enum Command: UInt8 {
        case register = 1
        case frame = 2
        case transmissionInfo = 3
        case newRadio = 4
        case deleteRadio = 5
        case addAddress = 7
        case deleteAddress = 8
    }

    enum Attribute: Int32 {
        case receiver = 1
        case transmitter = 2
        case frame = 3
        case flags = 4
        case receiveRate = 5
        case signal = 6
        case transmissionInfo = 7
        case cookie = 8
        case channels = 9
        case radio = 10
        case destroyOnClose = 16
        case frequency = 19
        case transmissionInfoFlags = 21
        case permanentAddress = 22
    }

    /// A message of the family. The attributes are bytes in the machine's byte order.
    struct Message {
        let command: UInt8
        var attributes: [Int32: [UInt8]] = [:]

        /// A number attribute; nil if it is missing or has another size.
        func number<Number: FixedWidthInteger>(_ attribute: Attribute) -> Number? {
            guard let bytes = attributes[attribute.rawValue], bytes.count == MemoryLayout<Number>.size else {
                return nil
            }
            return bytes.reversed().reduce(0) { $0 << 8 | Number(truncatingIfNeeded: $1) }
        }

        func bytes(_ attribute: Attribute) -> [UInt8]? { attributes[attribute.rawValue] }
    }
}

/// A non-blocking generic netlink socket for `MAC80211_HWSIM`.
final class HwsimSocket {
    /// Where the callbacks of libnl collect messages.
    private final class Inbox {
        var messages: [Hwsim.Message] = []
        /// The kernel's results of requests: 0, a negative `errno`, or the number of a new radio.
        var verdicts: [Int32] = []
    }

    private let netlink: GenericNetlink
    private let inbox = Inbox()

    private var socket: OpaquePointer { netlink.socket }

    init() throws(NetlinkError) {
        netlink = try GenericNetlink("MAC80211_HWSIM", hint: "is the module mac80211_hwsim loaded?")
        try NetlinkError.check(
            nl_socket_set_nonblocking(netlink.socket), "making the netlink socket non-blocking")
        nl_socket_disable_seq_check(socket)
        var size: Int32 = 4 << 20
        setsockopt(descriptor, SOL_SOCKET, SO_RCVBUFFORCE, &size, socklen_t(MemoryLayout<Int32>.size))
        setCallbacks()
    }

    var descriptor: Int32 { netlink.descriptor }

    /// Returns the messages that the kernel has sent. Results of requests are dropped.
    func receive() -> [Hwsim.Message] {
        drain()
        defer { inbox.messages = [] }
        inbox.verdicts = []
        return inbox.messages
    }

    /// Sends a command without waiting for the result.
    func send(_ command: Hwsim.Command, _ attributes: [(Hwsim.Attribute, [UInt8])]) throws(NetlinkError) {
        try post(command, attributes, flags: 0)
    }

    /// Sends a command and returns its result, which the kernel sends at once.
    ///
    /// - Returns: 0, a negative `errno`, or the number of a new radio.
    func request(_ command: Hwsim.Command, _ attributes: [(Hwsim.Attribute, [UInt8])]) throws(NetlinkError) -> Int32 {
        drain()
        inbox.verdicts = []
        try post(command, attributes, flags: NLM_F_ACK)
        drain()
        guard let verdict = inbox.verdicts.last else {
            throw NetlinkError(action: "waiting for the kernel's answer to \(command)", code: -NLE_AGAIN)
        }
        return verdict
    }

    private func post(
        _ command: Hwsim.Command, _ attributes: [(Hwsim.Attribute, [UInt8])], flags: Int32
    ) throws(NetlinkError) {
        let room = 64 + attributes.reduce(0) { $0 + 8 + $1.1.count }
        guard let message = nlmsg_alloc_size(room) else {
            throw NetlinkError(action: "making a netlink message", code: -NLE_NOMEM)
        }
        defer { nlmsg_free(message) }
        genlmsg_put(message, 0, 0, netlink.family, 0, NLM_F_REQUEST | flags, command.rawValue, 1)
        for (attribute, bytes) in attributes {
            try NetlinkError.check(
                nla_put(message, attribute.rawValue, Int32(bytes.count), bytes), "writing \(attribute)")
        }
        try NetlinkError.check(nl_send_auto(socket, message), "sending \(command) to mac80211_hwsim")
    }

    /// Receives all waiting messages. An overrun or an error message ends only one iteration.
    private func drain() {
        var turns = 0
        while nl_recvmsgs_default(socket) != -NLE_AGAIN, turns < 10_000 { turns += 1 }
    }

    private func setCallbacks() {
        let context = Unmanaged.passUnretained(inbox).toOpaque()
        nl_socket_modify_cb(
            socket, NL_CB_VALID, NL_CB_CUSTOM,
            { message, context in
                let inbox = Unmanaged<Inbox>.fromOpaque(context!).takeUnretainedValue()
                if let parsed = HwsimSocket.parse(message) { inbox.messages.append(parsed) }
                return Int32(NL_OK.rawValue)
            }, context)
        nl_socket_modify_cb(
            socket, NL_CB_ACK, NL_CB_CUSTOM,
            { _, context in
                Unmanaged<Inbox>.fromOpaque(context!).takeUnretainedValue().verdicts.append(0)
                return Int32(NL_OK.rawValue)
            }, context)
        nl_socket_modify_err_cb(
            socket, NL_CB_CUSTOM,
            { _, error, context in
                Unmanaged<Inbox>.fromOpaque(context!).takeUnretainedValue().verdicts.append(error!.pointee.error)
                return Int32(NL_SKIP.rawValue)
            }, context)
    }

    private static func parse(_ message: OpaquePointer?) -> Hwsim.Message? {
        guard let message, let header = nlmsg_hdr(message), genlmsg_valid_hdr(header, 0) != 0 else { return nil }
        let generic = genlmsg_hdr(header)!
        var parsed = Hwsim.Message(command: generic.pointee.cmd)
        var attribute = genlmsg_attrdata(generic, 0)
        var remaining = genlmsg_attrlen(generic, 0)
        while let current = attribute, nla_ok(current, remaining) != 0 {
            let data = UnsafeRawBufferPointer(start: nla_data(current), count: Int(nla_len(current)))
            parsed.attributes[nla_type(current)] = Array(data)
            attribute = nla_next(current, &remaining)
        }
        return parsed
    }
}
