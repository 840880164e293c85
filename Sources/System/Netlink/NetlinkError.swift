import CNetlink

/// A call of libnl that failed, or a request that the kernel refused.
package struct NetlinkError: Error, Sendable, CustomStringConvertible {
    /// What was being done, as a phrase that starts a sentence.
    package let action: String
    /// libnl's number for the reason, negative.
    package let code: Int32

    package init(action: String, code: Int32) { (self.action, self.code) = (action, code) }

    package var description: String { "\(action): \(String(cString: nl_geterror(code)))" }

    /// Turns a negative number of libnl's into an error.
    @discardableResult
    package static func check(_ code: Int32, _ action: @autoclosure () -> String) throws(NetlinkError) -> Int32 {
        guard code >= 0 else { throw NetlinkError(action: action(), code: code) }
        return code
    }
}

/// A socket of the kernel's generic netlink, connected to one family; its owner uses it from one place at a time.
package struct GenericNetlink: ~Copyable {
    /// libnl's socket; it ends with this value.
    package let socket: OpaquePointer
    /// The family's number.
    package let family: Int32

    /// Connects.
    ///
    /// - Parameters:
    ///   - name: The family's name, as the kernel knows it.
    ///   - hint: Why the kernel may lack it, for the error.
    package init(_ name: String, hint: String) throws(NetlinkError) {
        guard let socket = nl_socket_alloc() else {
            throw NetlinkError(action: "making a netlink socket", code: -NLE_NOMEM)
        }
        do throws(NetlinkError) {
            try NetlinkError.check(genl_connect(socket), "connecting to generic netlink")
            family = try NetlinkError.check(genl_ctrl_resolve(socket, name), "finding \(name) (\(hint))")
        } catch {
            nl_socket_free(socket)
            throw error
        }
        self.socket = socket
    }

    deinit { nl_socket_free(socket) }

    /// The descriptor that a message makes readable; it belongs to this socket.
    package var descriptor: Int32 { nl_socket_get_fd(socket) }
}
