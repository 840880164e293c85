import Glibc
import HILCLinux

/// Descriptors that travel over a Unix socket beside the bytes (`SCM_RIGHTS` of unix(7)).
extension UnixSocket {
    /// The most descriptors that one message may carry.
    private static let limit = 8
    /// The header of a control message: a size of 8 bytes, a level and a type of 4 bytes each.
    private static let controlHeader = MemoryLayout<cmsghdr>.size

    /// Receives bytes without waiting, and the descriptors that were sent with them.
    ///
    /// - Returns: At most `count` bytes; none at the end of the stream.
    /// - Throws: ``SystemError``: `EAGAIN` if there is nothing yet, `EMSGSIZE` if more than eight descriptors came.
    package static func receive(
        upTo count: Int, from socket: Descriptor
    ) throws(SystemError) -> (bytes: [UInt8], descriptors: [Descriptor]) {
        var bytes = [UInt8](repeating: 0, count: count)
        var control = [UInt8](repeating: 0, count: controlHeader + limit * MemoryLayout<Int32>.size)
        var isTruncated = false
        let raw = socket.raw
        var received = 0
        var failure: SystemError?
        bytes.withUnsafeMutableBytes { bytes in
            control.withUnsafeMutableBytes { control in
                var part = iovec(iov_base: bytes.baseAddress, iov_len: bytes.count)
                withUnsafeMutablePointer(to: &part) { part in
                    var message = msghdr()
                    message.msg_iov = part
                    message.msg_iovlen = 1
                    message.msg_control = control.baseAddress
                    message.msg_controllen = control.count
                    let flags = Int32(MSG_DONTWAIT) | Int32(MSG_CMSG_CLOEXEC)
                    do throws(SystemError) {
                        received = try valueOrErrno("recvmsg", "receiving from descriptor \(raw)") {
                            recvmsg(raw, &message, flags)
                        }
                        isTruncated = message.msg_flags & Int32(MSG_CTRUNC) != 0
                    } catch { failure = error }
                }
            }
        }
        if let failure { throw failure }
        let descriptors = descriptors(in: control)
        if isTruncated { throw SystemError(code: EMSGSIZE, action: "receiving descriptors from descriptor \(raw)") }
        return (Array(bytes.prefix(received)), descriptors)
    }

    /// Sends bytes together with descriptors. The caller keeps its own.
    package static func send(
        _ bytes: [UInt8], with descriptors: [Descriptor], to socket: Descriptor
    ) throws(SystemError) {
        var bytes = bytes
        let numbers = descriptors.map(\.raw)
        let size = controlHeader + numbers.count * MemoryLayout<Int32>.size
        var control = [UInt8](repeating: 0, count: (size + 7) / 8 * 8)
        control.withUnsafeMutableBytes { control in
            control.storeBytes(of: size, as: Int.self)
            control.storeBytes(of: SOL_SOCKET, toByteOffset: 8, as: Int32.self)
            control.storeBytes(of: Int32(SCM_RIGHTS), toByteOffset: 12, as: Int32.self)
            for (index, number) in numbers.enumerated() {
                control.storeBytes(of: number, toByteOffset: controlHeader + 4 * index, as: Int32.self)
            }
        }
        var failure: SystemError?
        let raw = socket.raw
        bytes.withUnsafeMutableBytes { bytes in
            control.withUnsafeMutableBytes { control in
                var part = iovec(iov_base: bytes.baseAddress, iov_len: bytes.count)
                withUnsafeMutablePointer(to: &part) { part in
                    var message = msghdr()
                    message.msg_iov = part
                    message.msg_iovlen = 1
                    message.msg_control = numbers.isEmpty ? nil : control.baseAddress
                    message.msg_controllen = numbers.isEmpty ? 0 : control.count
                    do throws(SystemError) {
                        try valueOrErrno("sendmsg", "sending to descriptor \(raw)") {
                            sendmsg(raw, &message, Int32(MSG_NOSIGNAL))
                        }
                    } catch { failure = error }
                }
            }
        }
        if let failure { throw failure }
    }

    /// Takes the descriptors out of received control data.
    private static func descriptors(in control: [UInt8]) -> [Descriptor] {
        control.withUnsafeBytes { control in
            let size = control.load(as: Int.self)
            guard size > controlHeader, size <= control.count,
                control.load(fromByteOffset: 8, as: Int32.self) == SOL_SOCKET,
                control.load(fromByteOffset: 12, as: Int32.self) == Int32(SCM_RIGHTS)
            else { return [] }
            return stride(from: controlHeader, to: size - 3, by: 4).map {
                Descriptor(adopting: control.load(fromByteOffset: $0, as: Int32.self))
            }
        }
    }
}
