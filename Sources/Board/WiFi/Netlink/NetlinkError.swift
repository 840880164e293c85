import HILCNetlink

/// A libnl call that failed, or a request that the kernel refused.
package struct NetlinkError: Error, Sendable, CustomStringConvertible {
    /// What was being done, as the start of a sentence.
    package let action: String
    /// The error number of libnl, negative.
    package let code: Int32

    package init(action: String, code: Int32) { (self.action, self.code) = (action, code) }

    package var description: String { "\(action): \(String(cString: nl_geterror(code)))" }

    /// Throws an error if a result of libnl is negative.
    @discardableResult
    package static func check(_ code: Int32, _ action: @autoclosure () -> String) throws(NetlinkError) -> Int32 {
        guard code >= 0 else { throw NetlinkError(action: action(), code: code) }
        return code
    }
}

/// A generic netlink socket of the kernel, connected to one family. It is not safe to use from two threads at once.
package struct GenericNetlink: ~Copyable {
    /// The socket of libnl. It is freed with this value.
    package let socket: OpaquePointer
    /// The family's number.
    package let family: Int32

    /// - Parameters:
    ///   - name: The name of the family in the kernel.
    ///   - hint: Why the kernel may not have the family; it goes into the error.
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

    /// The descriptor that becomes readable when a message arrives. This socket closes it.
    package var descriptor: Int32 { nl_socket_get_fd(socket) }
}
