import CNetlink
import Glibc
import POSIX

/// A request to nl80211 that the kernel refused, or that could not be made.
public struct NetlinkError: Error, Sendable, CustomStringConvertible {
    /// What was being done, as a phrase that starts a sentence.
    public let action: String
    /// libnl's number for the reason, negative.
    public let code: Int32

    public var description: String { "\(action): \(String(cString: nl_geterror(code)))" }
}

/// A generic netlink socket that speaks `nl80211`; its owner uses it from one place at a time.
final class NetlinkSocket {
    /// What the callbacks of libnl collect: the attributes of each message, unparsed.
    private final class Inbox {
        var messages: [[UInt8]] = []
    }

    private let socket: OpaquePointer
    private let family: Int32
    private let inbox = Inbox()

    init() throws(NetlinkError) {
        guard let socket = nl_socket_alloc() else {
            throw NetlinkError(action: "making a netlink socket", code: -NLE_NOMEM)
        }
        self.socket = socket
        do throws(NetlinkError) {
            try check(genl_connect(socket), "connecting to generic netlink")
            family = try check(
                genl_ctrl_resolve(socket, "nl80211"), "finding nl80211 (does this kernel have Wi-Fi, cfg80211?)")
        } catch {
            nl_socket_free(socket)
            throw error
        }
        nl_socket_modify_cb(
            socket, NL_CB_VALID, NL_CB_CUSTOM,
            { message, context in
                let inbox = Unmanaged<Inbox>.fromOpaque(context!).takeUnretainedValue()
                if let attributes = NetlinkSocket.attributes(of: message) { inbox.messages.append(attributes) }
                return Int32(NL_OK.rawValue)
            }, Unmanaged.passUnretained(inbox).toOpaque())
    }

    deinit { nl_socket_free(socket) }

    /// The descriptor that a notification makes readable; it belongs to this socket.
    var descriptor: Int32 { nl_socket_get_fd(socket) }

    /// Subscribes to a group of notifications; from now on the socket is for those only.
    func subscribe(to group: String) throws(NetlinkError) {
        let number = try check(genl_ctrl_resolve_grp(socket, "nl80211", group), "finding nl80211's group \(group)")
        try check(nl_socket_add_membership(socket, number), "subscribing to nl80211's group \(group)")
    }

    /// Sends a command and collects the attributes of each message that answers it.
    ///
    /// - Parameter isDump: Whether the kernel gives a list.
    func request(
        _ command: nl80211_commands, _ attributes: [(nl80211_attrs, [UInt8])], isDump: Bool = false,
        _ action: String
    ) throws(NetlinkError) -> [[UInt8]] {
        guard let message = nlmsg_alloc() else { throw NetlinkError(action: action, code: -NLE_NOMEM) }
        defer { nlmsg_free(message) }
        let flags = NLM_F_REQUEST | (isDump ? NLM_F_DUMP : NLM_F_ACK)
        genlmsg_put(message, 0, 0, family, 0, flags, UInt8(truncatingIfNeeded: command.rawValue), 0)
        for (attribute, bytes) in attributes {
            try check(nla_put(message, Int32(attribute.rawValue), Int32(bytes.count), bytes), action)
        }
        return try NetlinkSocket.undisturbed { () throws(NetlinkError) in
            inbox.messages = []
            // Each time it is sent it gets a number of its own, which the answers are to carry.
            nlmsg_hdr(message).pointee.nlmsg_seq = UInt32(NL_AUTO_SEQ)
            try check(nl_send_auto(socket, message), action)
            // A list ends with its last message, anything else with its acknowledgement.
            try check(isDump ? nl_recvmsgs_default(socket) : nl_wait_for_ack(socket), action)
            return inbox.messages
        }
    }

    /// Asks for a list again when the kernel says that it changed while it was told (`NLM_F_DUMP_INTR`): what came may hold
    /// an entry twice, or lack one.
    ///
    /// - Throws: The error of the last try, where none of twenty was undisturbed.
    static func undisturbed<Answer>(
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

/// Turns a negative libnl code into an error.
@discardableResult
private func check(_ code: Int32, _ action: String) throws(NetlinkError) -> Int32 {
    guard code >= 0 else { throw NetlinkError(action: action, code: code) }
    return code
}
