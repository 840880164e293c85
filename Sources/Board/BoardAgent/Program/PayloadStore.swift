import BoardProtocol
import CryptoKit
import FoundationEssentials
import Glibc
import HILPOSIX
import RadioModel
import Synchronization

/// The payloads on a board, on a disk from its rig or received over the port. They are stored by content and unpacked.
final class PayloadStore: Sendable {
    private struct State {
        /// The payload that is being received.
        var offered: PayloadID?
        var bytes: [UInt8] = []
        /// Whether more bytes have come than were announced.
        var isTooLong = false
    }

    /// The folder of received payloads, one file each.
    private let folder: String
    /// The devices that may contain a payload.
    private let devices: [String]
    private let state = Mutex(State())

    init(folder: String, devices: [String] = PayloadDisk.devices) {
        self.folder = folder
        self.devices = devices
    }

    /// Prepares to receive a payload.
    ///
    /// - Returns: How many bytes are missing: all of them, or 0 if the board has it.
    func offer(_ payload: PayloadID) throws(RadioError) -> Int {
        guard payload.isValid else { throw .invalid("the payload's name or size is invalid") }
        guard disk(of: payload) == nil, file(of: payload) == nil else { return 0 }
        state.withLock { state in
            state = State(offered: payload)
            state.bytes.reserveCapacity(payload.size)
        }
        return payload.size
    }

    /// Takes the next bytes of the payload that was offered last.
    func take(_ bytes: [UInt8]) {
        state.withLock { state in
            guard let offered = state.offered else { return }
            if state.bytes.count + bytes.count <= offered.size {
                state.bytes += bytes
            } else {
                state.isTooLong = true
            }
        }
    }

    /// Unpacks a payload into a folder, completely or not at all. The old content is removed first: a board has little
    /// room for files.
    func unpack(_ payload: PayloadID, to path: String) throws {
        guard payload.isValid else { throw RadioError.invalid("the payload's name or size is invalid") }
        let partial = path + ".partial"
        for left in [PayloadStore.mark(of: path), partial] { try remove(left) }
        PayloadDisk.unmount(path)
        try remove(path)
        if let disk = disk(of: payload) {
            try disk.mount(at: path)
        } else {
            let content = try Payload(decoding: try bytes(of: payload))
            try makeFolder(partial)
            try content.write(into: partial)
            try valueOrErrno("rename", "putting the program's files at \(path)") { rename(partial, path) }
            // Real firmware is in flash before it runs for the first time.
            BoardDisk.flush()
        }
        // Unlike the content of a file, a symbolic link is synced with its folder.
        try valueOrErrno("symlink", "noting which files are at \(path)") {
            symlink(payload.digest, PayloadStore.mark(of: path))
        }
    }

    /// Whether this payload was unpacked into a folder before, perhaps before a power cut; it is mounted there again.
    func hasUnpacked(_ payload: PayloadID, at path: String) -> Bool {
        guard
            (try? FileManager.default.destinationOfSymbolicLink(atPath: PayloadStore.mark(of: path))) == payload.digest
        else { return false }
        guard let disk = disk(of: payload), PayloadDisk.hasLayers(path) else { return access(path, F_OK) == 0 }
        return PayloadDisk.isMounted(path) || (try? disk.mount(at: path)) != nil
    }

    /// The path of the symbolic link to the name of the payload in a folder.
    private static func mark(of path: String) -> String { path + ".payload" }

    private func bytes(of payload: PayloadID) throws -> [UInt8] {
        if let file = file(of: payload) {
            let bytes = try PayloadStore.read(file, upTo: payload.size + 1)
            guard PayloadStore.digest(bytes) == payload.digest else {
                throw RadioError.rig("the payload \(file) on the board does not match its name: remove it")
            }
            return bytes
        }
        let (bytes, isWhole) = state.withLock { state in
            defer { state = State() }
            return (state.bytes, state.offered == payload && !state.isTooLong && state.bytes.count == payload.size)
        }
        guard isWhole else {
            throw RadioError.rig("the program's files are incomplete: \(bytes.count) of \(payload.size) bytes arrived")
        }
        guard PayloadStore.digest(bytes) == payload.digest else {
            throw RadioError.rig("the program's files arrived damaged: their digest differs")
        }
        try keep(bytes, as: payload)
        return bytes
    }

    /// The disk with a payload; nil if the board has none.
    private func disk(of payload: PayloadID) -> PayloadDisk? {
        devices.lazy.compactMap { PayloadDisk($0, with: payload) }.first
    }

    /// The file of a payload; nil if the board does not have it.
    private func file(of payload: PayloadID) -> String? {
        let path = "\(folder)/\(payload.digest)"
        return access(path, R_OK) == 0 ? path : nil
    }

    private func keep(_ bytes: [UInt8], as payload: PayloadID) throws {
        // Only the latest is kept: a board has little memory.
        try remove(folder)
        try makeFolder(folder)
        let path = "\(folder)/\(payload.digest)"
        let file = try Descriptor.open(path + ".partial", O_WRONLY | O_CREAT | O_EXCL)
        try file.write(bytes)
        try valueOrErrno("rename", "keeping the payload \(path)") { rename(path + ".partial", path) }
    }

    static func digest(_ bytes: [UInt8]) -> String {
        SHA256.hash(data: bytes).map { byte in
            let text = String(byte, radix: 16)
            return text.count == 1 ? "0" + text : text
        }.joined()
    }

    private static func read(_ path: String, upTo limit: Int) throws(SystemError) -> [UInt8] {
        let file = try Descriptor.open(path, O_RDONLY)
        var bytes: [UInt8] = []
        // An array that grows would take twice the memory.
        bytes.reserveCapacity(limit)
        while bytes.count < limit {
            let more = try file.read(upTo: min(1 << 20, limit - bytes.count))
            if more.isEmpty { break }
            bytes += more
        }
        return bytes
    }

    private func makeFolder(_ path: String) throws(SystemError) {
        try valueOrErrno("mkdir", "making the folder \(path)") { mkdir(path, 0o755) }
    }

    private func remove(_ path: String) throws {
        // A link exists even if its target does not.
        var status = stat()
        guard lstat(path, &status) == 0 else { return }
        try FileManager.default.removeItem(atPath: path)
    }
}
