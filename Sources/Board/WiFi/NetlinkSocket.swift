import Glibc
import HILCNetlink
import HILPOSIX

/// A generic netlink socket for `nl80211`. It is not safe to use from two threads at once.
final class NetlinkSocket {
    /// Where the callbacks of libnl collect the attributes of each message, unparsed.
    private final class Inbox {
        var messages: [[UInt8]] = []
        /// Whether the kernel has acknowledged the request.
        var isAcknowledged = false
    }

    private let netlink: GenericNetlink
    private let inbox = Inbox()

    private var socket: OpaquePointer { netlink.socket }

    init() throws(NetlinkError) {
        netlink = try GenericNetlink("nl80211", hint: "does this kernel have Wi-Fi, cfg80211?")
        nl_socket_modify_cb(
            netlink.socket, NL_CB_VALID, NL_CB_CUSTOM,
            { message, context in
                let inbox = Unmanaged<Inbox>.fromOpaque(context!).takeUnretainedValue()
                if let attributes = NetlinkSocket.attributes(of: message) { inbox.messages.append(attributes) }
                return Int32(NL_OK.rawValue)
            }, Unmanaged.passUnretained(inbox).toOpaque())
        nl_socket_modify_cb(
            netlink.socket, NL_CB_ACK, NL_CB_CUSTOM,
            { _, context in
                Unmanaged<Inbox>.fromOpaque(context!).takeUnretainedValue().isAcknowledged = true
                return Int32(NL_STOP.rawValue)
            }, Unmanaged.passUnretained(inbox).toOpaque())
    }

    /// The descriptor that becomes readable when a message arrives. This socket closes it.
    var descriptor: Int32 { netlink.descriptor }

    /// Subscribes to a group of notifications. After that, use the socket only for notifications.
    func subscribe(to group: String) throws(NetlinkError) {
        let number = try NetlinkError.check(
            genl_ctrl_resolve_grp(socket, "nl80211", group), "finding nl80211's group \(group)")
        try NetlinkError.check(nl_socket_add_membership(socket, number), "subscribing to nl80211's group \(group)")
    }

    /// Sends a command, and returns the attributes of each message of the answer.
    ///
    /// - Parameter isDump: Whether the kernel answers with a list.
    func request(
        _ command: nl80211_commands, _ attributes: [(nl80211_attrs, [UInt8])], isDump: Bool = false,
        _ action: String
    ) throws(NetlinkError) -> [[UInt8]] {
        guard let message = nlmsg_alloc() else { throw NetlinkError(action: action, code: -NLE_NOMEM) }
        defer { nlmsg_free(message) }
        let flags = NLM_F_REQUEST | (isDump ? NLM_F_DUMP : NLM_F_ACK)
        genlmsg_put(message, 0, 0, netlink.family, 0, flags, UInt8(truncatingIfNeeded: command.rawValue), 0)
        for (attribute, bytes) in attributes {
            try NetlinkError.check(nla_put(message, Int32(attribute.rawValue), Int32(bytes.count), bytes), action)
        }
        return try NetlinkSocket.retryingInterruptedDumps { () throws(NetlinkError) in
            inbox.messages = []
            // Each send gets a new sequence number, which its answers must carry.
            nlmsg_hdr(message).pointee.nlmsg_seq = UInt32(NL_AUTO_SEQ)
            try NetlinkError.check(nl_send_auto(socket, message), action)
            inbox.isAcknowledged = isDump
            // A list ends with a last message. Other answers end with an acknowledgement, which may come in a separate
            // datagram. Left unread, it would be mistaken for the answer to the next request.
            repeat { try NetlinkError.check(nl_recvmsgs_default(socket), action) } while !inbox.isAcknowledged
            return inbox.messages
        }
    }

    /// Repeats a request for a list if the list changed while the kernel sent it (`NLM_F_DUMP_INTR`). Such a list may
    /// contain an entry twice, or miss one.
    ///
    /// - Throws: The error of the last of twenty tries.
    static func retryingInterruptedDumps<Answer>(
        _ ask: () throws(NetlinkError) -> Answer
    ) throws(NetlinkError) -> Answer {
        for _ in 1..<20 {
            do throws(NetlinkError) { return try ask() } catch {
                guard error.code == -NLE_DUMP_INTR else { throw error }
            }
        }
        return try ask()
    }

    private static func attributes(of message: OpaquePointer?) -> [UInt8]? {
        guard let message, let header = nlmsg_hdr(message), genlmsg_valid_hdr(header, 0) != 0,
            let generic = genlmsg_hdr(header), let data = genlmsg_attrdata(generic, 0)
        else { return nil }
        return Array(UnsafeRawBufferPointer(start: data, count: Int(genlmsg_attrlen(generic, 0))))
    }
}
