import Glibc
import HILCLinux

/// A network of its own inside this machine: interfaces, addresses and routes that other programs do not see
/// (network_namespaces(7)). It exists as long as this object, and the programs and sockets in it: also a TCP socket
/// whose program has ended, until its peer has acknowledged the end.
///
/// Needs the capability CAP_SYS_ADMIN.
package final class NetworkNamespace: Sendable {
    /// Identifies it to the kernel.
    package let descriptor: Descriptor

    /// Makes an empty one.
    package init() throws(SystemError) {
        let before = try NetworkNamespace.ofThisThread()
        try valueOrErrno("unshare", "making a network namespace") { unshare(Int32(CLONE_NEWNET)) }
        defer { NetworkNamespace.goBack(to: before) }
        descriptor = try NetworkNamespace.ofThisThread()
        // After its programs were killed, it ends when the kernel has tried three times, not eight, to send their last
        // bytes. Where that cannot be set, it ends later.
        try? Descriptor.open("/proc/sys/net/ipv4/tcp_orphan_retries", O_WRONLY).write(Array("3".utf8))
    }

    /// Keeps an existing one, which this file is.
    package init(at path: String) throws(SystemError) { descriptor = try Descriptor.open(path, O_RDONLY) }

    /// That of this process.
    package static let pathOfThisProcess = "/proc/self/ns/net"

    /// Runs code in it. Sockets that the code makes stay in it for good.
    ///
    /// The code may make sockets and ask the kernel, and nothing else. A thread that begins meanwhile, also one that a
    /// task brings about, would stay in that network, and run other code of this process there.
    package func run<Result>(_ body: () throws -> Result) throws -> Result {
        let before = try enter()
        defer { NetworkNamespace.goBack(to: before) }
        return try body()
    }

    /// Makes a socket that stays in it.
    package func socket(_ make: () throws(SystemError) -> Descriptor) throws(SystemError) -> Descriptor {
        let before = try enter()
        defer { NetworkNamespace.goBack(to: before) }
        return try make()
    }

    /// Brings this thread into it, and returns the namespace of before.
    private func enter() throws(SystemError) -> Descriptor {
        let before = try NetworkNamespace.ofThisThread()
        try valueOrErrno("setns", "entering a network namespace") { setns(descriptor.raw, Int32(CLONE_NEWNET)) }
        return before
    }

    /// A command line that runs a program in it, as a child of this process or of a descendant.
    package func command(_ command: [String]) -> [String] {
        ["nsenter", "--net=/proc/\(getpid())/fd/\(descriptor.raw)", "--"] + command
    }

    private static func ofThisThread() throws(SystemError) -> Descriptor {
        try Descriptor.open("/proc/thread-self/ns/net", O_RDONLY)
    }

    private static func goBack(to namespace: Descriptor) {
        // A thread in the wrong network would run other tasks of this process.
        guard setns(namespace.raw, Int32(CLONE_NEWNET)) == 0 else {
            fatalError("leaving a network namespace: \(SystemError(code: errno, action: "setns"))")
        }
    }
}

extension NetworkNamespace? {
    /// Runs code in the network; without one, in that of this process.
    package func run<Result>(_ body: () throws -> Result) throws -> Result {
        if let self { try self.run(body) } else { try body() }
    }

    /// Makes a socket that stays in the network; without one, in that of this process.
    package func socket(_ make: () throws(SystemError) -> Descriptor) throws(SystemError) -> Descriptor {
        if let self { try self.socket(make) } else { try make() }
    }

    /// A command line that runs a program in the network; without one, in that of this process.
    package func command(_ command: [String]) -> [String] { self?.command(command) ?? command }
}
